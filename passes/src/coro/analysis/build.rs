//! Putting the analysis together.

use std::ops::Range;

use fermata_coro::Suspend;
use fermata_ir::diagnostic::Diagnostics;
use fermata_ir::{BlockId, Body, Context, OpId, OpRef, OperationView, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::items::{Item, Recipe, Recipes};
use super::liveness::live_at;
use super::memory::{Access, LocalMemory, live_blocks, local_memories};
use super::scopes::{Region, Start, reachable_starts};
use super::{Atom, CoroutineAnalysis, Scope, Transfer, top_level_block};
use crate::coro::storage;
use crate::coro::values::ordered_values;

/// Analyses a coroutine.
///
/// # Errors
/// If a value that no frame can hold is live across a suspension; all such places are reported.
pub(crate) fn analyze(context: &Context, body: &Body, diagnostics: &mut Diagnostics) -> Option<CoroutineAnalysis> {
    let errors = diagnostics.error_count();
    let values = ordered_values(body);
    let starts = reachable_starts(context, body);
    let memories = if starts.len() > 1 { local_memories(context, body, diagnostics) } else { Vec::new() };
    let recipes = Recipes::new(context, body);
    let facts = Facts { context, body, recipes: &recipes, memories: &memories };
    let LiveAtResume { items: live, recomputed } = facts.live_items(&values, &starts, diagnostics);
    let designated = facts.designated_items(&starts, &live);
    if diagnostics.error_count() > errors {
        return None;
    }
    let numbering = Numbering::new(context, body, &values, &starts, &live, &designated);
    Some(facts.assemble(starts, &live, &designated, recomputed, numbering))
}

struct Facts<'a> {
    context: &'a Context,
    body: &'a Body,
    recipes: &'a Recipes,
    memories: &'a [LocalMemory],
}

type ItemSet = FxHashSet<Item>;

/// What is live at each resume block.
struct LiveAtResume {
    /// What the frame holds.
    items: FxHashMap<BlockId, ItemSet>,
    /// Values that are computed again instead.
    recomputed: FxHashMap<BlockId, FxHashSet<ValueId>>,
}

impl Facts<'_> {
    /// The items that the frame holds while the coroutine waits for each resume block.
    fn live_items(
        &self,
        values: &[ValueId],
        starts: &[(Start, Region)],
        diagnostics: &mut Diagnostics,
    ) -> LiveAtResume {
        let resumes = || starts.iter().filter_map(|(start, _)| Some((start.root, start.suspend?)));
        let roots: Vec<BlockId> = resumes().map(|(root, _)| root).collect();
        let mut live: FxHashMap<BlockId, ItemSet> = roots.iter().map(|&root| (root, ItemSet::default())).collect();
        let live_values = live_at(self.body, &roots, values);
        let mut recomputed: FxHashMap<BlockId, FxHashSet<ValueId>> = FxHashMap::default();
        for (root, suspend) in resumes() {
            let mut loaded = FxHashSet::default();
            for &value in &live_values[&root] {
                if self.recipes.of(value) == Recipe::Impossible {
                    let suspend = OpRef::new(self.context, self.body, suspend);
                    self.recipes.report(suspend, value, diagnostics);
                }
                if matches!(self.recipes.of(value), Recipe::Recompute | Recipe::Rebuild) {
                    recomputed.entry(root).or_default().insert(value);
                }
                self.recipes.loaded_for(self.body, value, &mut loaded);
            }
            let arguments = self.body.arguments(root).iter().copied();
            loaded.extend(arguments.filter(|&argument| !self.body.is_unused(argument)));
            live.entry(root).or_default().extend(loaded.into_iter().map(Item::Value));
        }
        for memory in self.memories {
            live_blocks(self.body, memory, |block| {
                if let Some(items) = live.get_mut(&block) {
                    items.insert(Item::Memory(memory.reference));
                }
            });
        }
        LiveAtResume { items: live, recomputed }
    }

    /// The items that exports and extensions of each suspension read, in the order of its operands.
    fn designated_items(
        &self,
        starts: &[(Start, Region)],
        live: &FxHashMap<BlockId, ItemSet>,
    ) -> FxHashMap<OpId, Vec<Item>> {
        let resumes = starts.iter().filter_map(|(start, _)| Some((start.suspend?, &live[&start.root])));
        resumes.map(|(op, live)| (op, self.designated_by(op, live))).collect()
    }

    fn designated_by(&self, op: OpId, live: &ItemSet) -> Vec<Item> {
        let suspend = Suspend::from_ref_unchecked(OpRef::new(self.context, self.body, op));
        let arguments = self.body.arguments(self.body.successor(op, 0));
        let forwarded: FxHashMap<ValueId, ValueId> =
            suspend.resume_operands().zip(arguments.iter().copied().skip(suspend.produced_count())).collect();
        let operands = suspend.designated_operands();
        let items = operands.enumerate().map(|(number, value)| {
            // The frame holds the value anyway if it lives on, under its own name or as an argument of the target.
            let as_argument = forwarded.get(&value).map(|&argument| Item::Value(argument));
            let lives_on = !arguments.contains(&value) && live.contains(&Item::Value(value));
            let kept = if lives_on { Some(Item::Value(value)) } else { as_argument.filter(|item| live.contains(item)) };
            kept.unwrap_or(Item::Snapshot(op, number as u32))
        });
        items.collect()
    }

    fn assemble(
        &self,
        starts: Vec<(Start, Region)>,
        live: &FxHashMap<BlockId, ItemSet>,
        designated: &FxHashMap<OpId, Vec<Item>>,
        recomputed: FxHashMap<BlockId, FxHashSet<ValueId>>,
        numbering: Numbering,
    ) -> CoroutineAnalysis {
        let index_of: FxHashMap<OpId, usize> =
            starts.iter().enumerate().filter_map(|(index, (start, _))| Some((start.suspend?, index))).collect();
        let mut scopes = Vec::new();
        let mut transfers = Vec::new();
        let nothing = ItemSet::default();
        for (from, (start, region)) in starts.into_iter().enumerate() {
            let resident = if start.suspend.is_some() { &live[&start.root] } else { &nothing };
            let touched = self.touched(&region);
            let is_current = |item: &Item| resident.contains(item) && !touched.changed.contains(item);
            let mut loads: ItemSet = resident.intersection(&touched.used).copied().collect();
            for &op in &region.suspends {
                let target = self.body.successor(op, 0);
                let mut stores: ItemSet = live[&target].iter().copied().filter(|item| !is_current(item)).collect();
                self.settle_arguments(op, target, &live[&target], &is_current, &mut stores);
                stores.extend(designated[&op].iter().copied().filter(|item| matches!(item, Item::Snapshot(..))));
                // An item that is changed on some paths of the scope keeps its old value on the others.
                let arguments: ItemSet = self.body.arguments(target).iter().copied().map(Item::Value).collect();
                loads.extend(stores.intersection(resident).copied().filter(|item| !arguments.contains(item)));
                transfers.push(Transfer {
                    from,
                    to: index_of[&op],
                    suspend: op,
                    stores: numbering.atoms_of(&stores),
                    designated: designated[&op].clone(),
                });
            }
            let again = if start.suspend.is_some() { recomputed.get(&start.root).cloned() } else { None };
            scopes.push(Scope {
                recomputed: again.unwrap_or_default(),
                token: start.token,
                name: start.name,
                region,
                live: numbering.atoms_of(resident),
                loads: numbering.atoms_of(&loads),
            });
        }
        CoroutineAnalysis { scopes, transfers, atoms: numbering.atoms, ranges: numbering.ranges }
    }

    /// Decides which arguments of a resume block the suspending scope must write: those that an extension writes are
    /// none of its business, and one that gets its own, unchanged value is in the frame already.
    fn settle_arguments(
        &self,
        suspend: OpId,
        target: BlockId,
        live: &ItemSet,
        is_current: &impl Fn(&Item) -> bool,
        stores: &mut ItemSet,
    ) {
        let suspend = Suspend::from_ref_unchecked(OpRef::new(self.context, self.body, suspend));
        let produced = suspend.produced_count();
        let mut forwarded = suspend.resume_operands();
        for (index, &argument) in self.body.arguments(target).iter().enumerate() {
            let item = Item::Value(argument);
            let source = if index < produced { None } else { forwarded.next() };
            let unchanged = source == Some(argument) && is_current(&item);
            if !live.contains(&item) || source.is_none() || unchanged {
                stores.remove(&item);
            } else {
                stores.insert(item);
            }
        }
    }

    /// What the operations of a region use and change.
    fn touched(&self, region: &Region) -> Touched {
        let mut touched = Touched::default();
        let blocks: FxHashSet<BlockId> = region.blocks.iter().copied().collect();
        let mut loaded = FxHashSet::default();
        for &block in &region.blocks {
            if block != region.root || region.reenters_root {
                touched.changed.extend(self.body.arguments(block).iter().copied().map(Item::Value));
            }
            let top_level: Vec<OpId> = self.body.ops(block).collect();
            for op in top_level {
                touched.changed.extend(self.body.results(op).map(Item::Value));
                for inner in std::iter::once(op).chain(self.body.ops_inside(op)) {
                    for operand in self.body.operands(inner) {
                        self.recipes.loaded_for(self.body, operand, &mut loaded);
                    }
                }
            }
        }
        touched.used = loaded.into_iter().map(Item::Value).collect();
        for memory in self.memories {
            let inside = |&&(op, _): &&(OpId, Access)| {
                top_level_block(self.body, op).is_some_and(|block| blocks.contains(&block))
            };
            for (_, access) in memory.accesses.iter().filter(inside) {
                touched.used.insert(Item::Memory(memory.reference));
                if access.writes() {
                    touched.changed.insert(Item::Memory(memory.reference));
                }
            }
        }
        touched
    }
}

#[derive(Default)]
struct Touched {
    used: ItemSet,
    changed: ItemSet,
}

/// The atoms of all items that cross, numbered.
struct Numbering {
    atoms: Vec<Atom>,
    ranges: FxHashMap<Item, Range<u32>>,
}

impl Numbering {
    fn new(
        context: &Context,
        body: &Body,
        values: &[ValueId],
        starts: &[(Start, Region)],
        live: &FxHashMap<BlockId, ItemSet>,
        designated: &FxHashMap<OpId, Vec<Item>>,
    ) -> Self {
        let crossing: ItemSet = live.values().flatten().copied().collect();
        let mut this = Self { atoms: Vec::new(), ranges: FxHashMap::default() };
        let named = values.iter().flat_map(|&value| [Item::Value(value), Item::Memory(value)]);
        for item in named.filter(|item| crossing.contains(item)) {
            this.add(context, body, item);
        }
        for (start, _) in starts {
            let items = start.suspend.map_or(&[][..], |suspend| &designated[&suspend]);
            for &item in items.iter().filter(|item| matches!(item, Item::Snapshot(..))) {
                this.add(context, body, item);
            }
        }
        this
    }

    fn add(&mut self, context: &Context, body: &Body, item: Item) {
        let first = self.atoms.len() as u32;
        let leaves = storage::leaves(context, storage::item_type(context, body, item));
        self.atoms.extend(leaves.into_iter().map(|(path, ty)| Atom { item, path, ty }));
        self.ranges.insert(item, first..self.atoms.len() as u32);
    }

    fn atoms_of(&self, items: &ItemSet) -> Vec<u32> {
        let mut atoms: Vec<u32> = items.iter().flat_map(|item| self.ranges[item].clone()).collect();
        atoms.sort_unstable();
        atoms
    }
}
