//! Assigning atoms to the words of a frame.
//!
//! **Problem.** Two atoms that are in the frame at the same time must not share bits; all others may. Use few words.
//! **Lower bound.** The largest sum of widths over the suspended states.
//! **Algorithm.** Atoms in the order of decreasing width, then of decreasing number of states, take the first aligned
//! place that is free in all their states. Wide before narrow, so that what is left of a word is filled by what fits.
//! **Complexity.** The sum over the atoms of states times words.

use fermata_ir::{Context, Type};

use crate::coro::storage::{scalar_bits, whole_words};

/// Where an atom waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    pub(crate) word: u32,
    pub(crate) bit: u32,
}

/// The places of all atoms.
pub(crate) struct Coloring {
    pub(crate) places: Vec<Place>,
    /// Size of the frame in 32-bit words.
    pub(crate) words: u32,
    /// What no assignment can go below, in bits.
    pub(crate) lower_bound_bits: u64,
}

/// The room that an atom of this type takes, in bits: a part of a word, or whole words.
pub(crate) fn width(context: &Context, ty: Type) -> u64 {
    scalar_bits(context, ty).map_or_else(|| u64::from(whole_words(context, ty)) * 32, u64::from)
}

/// Assigns places to atoms of these widths, given the sets of atoms that are in the frame at the same time.
pub(crate) fn color(widths: &[u64], states: &[Vec<u32>]) -> Coloring {
    let mut states_of: Vec<Vec<u32>> = vec![Vec::new(); widths.len()];
    for (state, atoms) in states.iter().enumerate() {
        for &atom in atoms {
            states_of[atom as usize].push(state as u32);
        }
    }
    let mut order: Vec<u32> = (0..widths.len() as u32).collect();
    order.sort_by_key(|&atom| {
        let index = atom as usize;
        (std::cmp::Reverse(widths[index]), std::cmp::Reverse(states_of[index].len()), atom)
    });
    let mut occupied: Vec<Vec<u32>> = vec![Vec::new(); states.len()];
    let mut places = vec![Place { word: 0, bit: 0 }; widths.len()];
    let mut words = 0;
    for atom in order {
        let (width, states) = (widths[atom as usize], &states_of[atom as usize]);
        let place = first_free(width, states, &occupied);
        let (count, mask) = footprint(width, place.bit);
        for &state in states {
            let row = &mut occupied[state as usize];
            let end = (place.word + count) as usize;
            if row.len() < end {
                row.resize(end, 0);
            }
            row[place.word as usize..end].iter_mut().for_each(|word| *word |= mask);
        }
        words = words.max(place.word + count);
        places[atom as usize] = place;
    }
    let total = |atoms: &Vec<u32>| atoms.iter().map(|&atom| widths[atom as usize]).sum();
    Coloring { places, words, lower_bound_bits: states.iter().map(total).max().unwrap_or(0) }
}

/// How many words an atom touches, and which bits of each.
fn footprint(width: u64, bit: u32) -> (u32, u32) {
    if width >= 32 { (width.div_ceil(32) as u32, u32::MAX) } else { (1, ((1_u32 << width) - 1) << bit) }
}

/// The first place that is free in all of `states`.
fn first_free(width: u64, states: &[u32], occupied: &[Vec<u32>]) -> Place {
    let used = |word: u32| {
        states.iter().fold(0, |used, &state| used | occupied[state as usize].get(word as usize).copied().unwrap_or(0))
    };
    let (count, _) = footprint(width, 0);
    let mut run = 0;
    for word in 0.. {
        let used = used(word);
        if width < 32 {
            let bits = (0..32).step_by(width as usize);
            if let Some(bit) = bits.into_iter().find(|&bit| used & footprint(width, bit).1 == 0) {
                return Place { word, bit };
            }
        } else {
            run = if used == 0 { run + 1 } else { 0 };
            if run == count {
                return Place { word: word + 1 - count, bit: 0 };
            }
        }
    }
    unreachable!("a word after all that are occupied is free")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overlap(widths: &[u64], a: (usize, Place), b: (usize, Place)) -> bool {
        let bits = |(atom, place): (usize, Place)| {
            let start = u64::from(place.word) * 32 + u64::from(place.bit);
            start..start + widths[atom]
        };
        let (a, b) = (bits(a), bits(b));
        a.start < b.end && b.start < a.end
    }

    #[test]
    fn nothing_needs_no_room() {
        let coloring = color(&[], &[]);
        assert_eq!((coloring.words, coloring.lower_bound_bits), (0, 0));
    }

    #[test]
    fn disjoint_lifetimes_share_words() {
        // Three stages of four floats, each alive over its own suspension: 16 bytes.
        let states: Vec<Vec<u32>> = (0..3).map(|stage| (stage * 4..stage * 4 + 4).collect()).collect();
        assert_eq!(color(&[32; 12], &states).words, 4);
    }

    #[test]
    fn booleans_and_small_integers_pack() {
        assert_eq!(color(&[1; 33], &[(0..33).collect()]).words, 2);
        assert_eq!(color(&[8, 16, 1, 1, 1, 1, 1, 1, 1, 1], &[(0..10).collect()]).words, 1);
        assert_eq!(color(&[8, 64, 16, 32, 64, 8], &[(0..6).collect()]).words, 6);
    }

    #[test]
    fn a_long_chain_of_stages_stays_at_the_bound() {
        // Eight values, of which one is replaced at each of 1000 suspensions.
        let states: Vec<Vec<u32>> = (0..1000).map(|stage| (stage..stage + 8).collect()).collect();
        let coloring = color(&[32; 1007], &states);
        assert_eq!((coloring.words, coloring.lower_bound_bits), (8, 256));
    }

    #[test]
    fn atoms_of_one_state_never_overlap() {
        let mut seed = 7_u32;
        let mut random = |bound: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 10) % bound
        };
        for _ in 0..200 {
            let count = 1 + random(40);
            let widths: Vec<u64> = (0..count).map(|_| [1, 8, 16, 32, 64, 160][random(6) as usize]).collect();
            let states: Vec<Vec<u32>> =
                (0..1 + random(8)).map(|_| (0..count).filter(|_| random(3) == 0).collect()).collect();
            let coloring = color(&widths, &states);
            assert!(u64::from(coloring.words) * 32 >= coloring.lower_bound_bits);
            for state in &states {
                for (index, &a) in state.iter().enumerate() {
                    for &b in &state[index + 1..] {
                        let place = |atom: u32| (atom as usize, coloring.places[atom as usize]);
                        assert!(!overlap(&widths, place(a), place(b)));
                    }
                }
            }
        }
    }
}
