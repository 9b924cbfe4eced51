//! Certificates: an analysis as an operation, and back.

use fermata_coro::{Analysis, Atom as AtomAttribute, Scope as ScopeAttribute, Transfer as TransferAttribute};
use fermata_ir::attributes::DialectAttribute;
use fermata_ir::text::{PrintOptions, print_module};
use fermata_ir::{Attribute, Body, Context, OpRef, OperationView, ValueId};
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

use crate::coro::analysis::{Atom, CoroutineAnalysis, Item};
use crate::coro::values::ordered_values;

/// Hash of a coroutine: of its generic form, without locations.
pub(crate) fn source_hash(context: &Context, coroutine: &Body) -> u64 {
    let options = PrintOptions { generic: true, ..PrintOptions::default() };
    xxh3_64(print_module(context, coroutine, &options).as_bytes())
}

/// The lists of a certificate as attributes.
pub(crate) struct Certificate {
    pub(crate) source_hash: u64,
    pub(crate) atoms: Attribute,
    pub(crate) scopes: Attribute,
    pub(crate) transfers: Attribute,
}

/// Why a certificate is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Refusal {
    /// The coroutine is not the one that was analysed.
    Stale,
    /// The certificate is not what the analysis wrote.
    Tampered,
}

impl Certificate {
    /// The certificate of an analysis.
    pub(crate) fn new(context: &Context, coroutine: &Body, analysis: &CoroutineAnalysis) -> Self {
        let numbers: FxHashMap<ValueId, u32> =
            ordered_values(coroutine).into_iter().enumerate().map(|(number, value)| (value, number as u32)).collect();
        let atoms = analysis.atoms.iter().map(|atom| encode_atom(context, coroutine, atom, &numbers));
        let scopes = analysis.scopes.iter().map(|scope| {
            let (live, loads) = (scope.live.clone(), scope.loads.clone());
            ScopeAttribute { token: scope.token, name: scope.name.clone(), live, loads }.intern(context)
        });
        let transfers = analysis.transfers.iter().map(|transfer| {
            let token = |scope: usize| analysis.scopes[scope].token;
            TransferAttribute {
                from: token(transfer.from),
                to: token(transfer.to),
                stores: transfer.stores.clone(),
                designated: analysis.designated_atoms(transfer),
            }
            .intern(context)
        });
        let array = |elements: Vec<Attribute>| Attribute::array(context, &elements);
        Self {
            source_hash: source_hash(context, coroutine),
            atoms: array(atoms.collect()),
            scopes: array(scopes.collect()),
            transfers: array(transfers.collect()),
        }
    }

    /// The hash over all that the certificate says.
    pub(crate) fn seal(&self, context: &Context) -> u64 {
        let mut text = self.source_hash.to_string();
        for list in [self.atoms, self.scopes, self.transfers] {
            text.push('\n');
            text.push_str(&fermata_ir::text::attribute_to_string(context, list));
        }
        xxh3_64(text.as_bytes())
    }

    /// Reads the certificate in an operation and checks it against the coroutine.
    pub(crate) fn check(op: OpRef<'_>, coroutine: &Body, analysis: &CoroutineAnalysis) -> Result<(), Refusal> {
        let stated = Analysis::from_ref_unchecked(op);
        if stated.source_hash() != source_hash(op.context, coroutine) {
            return Err(Refusal::Stale);
        }
        let fresh = Self::new(op.context, coroutine, analysis);
        let same = op.property("atoms") == Some(fresh.atoms)
            && op.property("scopes") == Some(fresh.scopes)
            && op.property("transfers") == Some(fresh.transfers)
            && stated.seal() == fresh.seal(op.context);
        if same { Ok(()) } else { Err(Refusal::Tampered) }
    }
}

fn encode_atom(context: &Context, coroutine: &Body, atom: &Atom, numbers: &FxHashMap<ValueId, u32>) -> Attribute {
    let (source, value) = match atom.item {
        Item::Value(value) => ("value", value),
        Item::Memory(value) => ("memory", value),
        Item::Snapshot(suspend, number) => ("snapshot", coroutine.operand(suspend, number as usize)),
    };
    AtomAttribute { source: source.to_owned(), value: numbers[&value], path: atom.path.clone(), ty: atom.ty }
        .intern(context)
}
