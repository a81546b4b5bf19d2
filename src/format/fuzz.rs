//! Damage to files, for tests of readers.

use crate::base::Rng;

/// Changes, removes, doubles or adds some bytes.
pub(super) fn mutate(rng: &mut Rng, bytes: &mut Vec<u8>) {
    let at = rng.below(bytes.len() + 1);
    let end = (at + 1 + rng.below(4)).min(bytes.len());
    match rng.below(7) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..end)),
        2 => {
            let copy = bytes[at..end].to_vec();
            bytes.splice(at..at, copy);
        }
        3 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
        4 if at < bytes.len() => bytes[at] = *rng.pick(b"0123456789 \nabcfijlo\xff"),
        5 => bytes.insert(at, *rng.pick(b"0123456789 \ncb\x80")),
        _ => {
            bytes.splice(at..at, rng.next_u64().to_string().bytes().take(1 + rng.below(19)));
        }
    }
}
