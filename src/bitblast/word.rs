//! Circuits on words without carries: selection, comparison with equality, shifts. A word is a
//! slice of literals, lowest bit first.

use crate::aig::{Aig, Lit};

/// The word of a constant.
pub fn constant(value: u128, width: u32) -> Vec<Lit> {
    (0..width).map(|k| Lit::from(value >> k & 1 == 1)).collect()
}

/// The bits' complement.
pub fn not(a: &[Lit]) -> Vec<Lit> {
    a.iter().map(|&x| !x).collect()
}

/// `f` on each pair of bits.
pub fn zip(
    aig: &mut Aig,
    a: &[Lit],
    b: &[Lit],
    mut f: impl FnMut(&mut Aig, Lit, Lit) -> Lit,
) -> Vec<Lit> {
    a.iter().zip(b).map(|(&x, &y)| f(aig, x, y)).collect()
}

/// `if c then a else b`.
pub fn mux(aig: &mut Aig, c: Lit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    zip(aig, a, b, |aig, x, y| aig.ite(c, x, y))
}

/// The conjunction of `lits` as a balanced tree, whose halves are shared by decoders of one word.
pub fn and_tree(aig: &mut Aig, lits: &[Lit]) -> Lit {
    match lits {
        [] => Lit::TRUE,
        [a] => *a,
        _ => {
            let (low, high) = lits.split_at(lits.len() / 2);
            let (low, high) = (and_tree(aig, low), and_tree(aig, high));
            aig.and(low, high)
        }
    }
}

/// Whether the words are equal.
pub fn equal(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    // As an exclusive or with the complement it has the gates of the comparators.
    let same = zip(aig, a, b, |aig, x, y| aig.xor(x, !y));
    and_tree(aig, &same)
}

/// The word shifted by a constant to higher positions, `fill` in the free ones.
fn up(a: &[Lit], by: usize, fill: Lit) -> Vec<Lit> {
    (0..a.len()).map(|k| if k < by { fill } else { a[k - by] }).collect()
}

/// A shift to higher positions by `by` (as wide as `a`); free positions get `fill`.
pub fn shift_up(aig: &mut Aig, a: &[Lit], by: &[Lit], fill: Lit) -> Vec<Lit> {
    let mut word = a.to_vec();
    let mut stages = 0;
    while stages < by.len() && 1 << stages < a.len() {
        let moved = up(&word, 1 << stages, fill);
        word = mux(aig, by[stages], &moved, &word);
        stages += 1;
    }
    // The stages move the whole word out by themselves; higher bits of `by` do it at once.
    let small = and_tree(aig, &not(&by[stages..]));
    word.iter().map(|&x| aig.ite(small, x, fill)).collect()
}

/// A shift to lower positions by `by` (as wide as `a`); free positions get `fill`.
pub fn shift_down(aig: &mut Aig, a: &[Lit], by: &[Lit], fill: Lit) -> Vec<Lit> {
    let reversed: Vec<Lit> = a.iter().rev().copied().collect();
    let mut word = shift_up(aig, &reversed, by, fill);
    word.reverse();
    word
}
