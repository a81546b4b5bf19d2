//! Constants of a file.

use crate::expr::mask;

/// The value of the digits in base 2 or 16, if it fits the width; leading zeros may be left out.
pub(super) fn unsigned(digits: &str, base: u32, width: u32) -> Option<u128> {
    let most = if base == 2 { width } else { width.div_ceil(4) };
    if digits.len() > most as usize || !digits.bytes().all(|b| (b as char).is_digit(base)) {
        return None;
    }
    u128::from_str_radix(digits, base).ok().filter(|&v| v <= mask(width))
}

/// The value of a decimal number, which may be negative (two's complement).
pub(super) fn decimal(digits: &str, width: u32) -> Option<u128> {
    let (magnitude, negative) = match digits.strip_prefix('-') {
        Some(rest) => (rest, true),
        None => (digits, false),
    };
    if !magnitude.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let value: u128 = magnitude.parse().ok()?;
    if negative {
        (value <= 1 << (width - 1)).then(|| value.wrapping_neg() & mask(width))
    } else {
        (value <= mask(width)).then_some(value)
    }
}
