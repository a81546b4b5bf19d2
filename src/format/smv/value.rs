//! Values of variables as text.

use crate::expr::mask;

/// A constant of the type that words of this width have.
pub(super) fn constant(value: u128, width: u32) -> String {
    match (width, value) {
        (1, 0) => "FALSE".into(),
        (1, _) => "TRUE".into(),
        _ => format!("0ud{width}_{value}"),
    }
}

/// The value that a trace shows, in any base, if it is one of this width.
pub(super) fn parse(text: &str, width: u32) -> Option<u128> {
    match text {
        "TRUE" | "1" if width == 1 => return Some(1),
        "FALSE" | "0" if width == 1 => return Some(0),
        _ => {}
    }
    let rest = text.strip_prefix('0')?.trim_start_matches(['u', 's']);
    let radix = match rest.bytes().next()? {
        b'd' => 10,
        b'b' => 2,
        b'o' => 8,
        b'h' => 16,
        _ => return None,
    };
    let (bits, digits) = rest[1..].split_once('_')?;
    let digits = digits.replace('_', "");
    if bits.parse() != Ok(width) || digits.starts_with('+') {
        return None;
    }
    u128::from_str_radix(&digits, radix).ok().filter(|&v| v <= mask(width))
}
