//! Values that JSON does not have, as text.

use super::{Val, duration, timestamp};

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The text that JSON has for a value of these types, as the JSON mapping of protocol buffers says: base64 for bytes,
/// seconds with `s` for a duration, RFC 3339 for a timestamp; none for other types.
pub fn json_text(value: &Val) -> Option<String> {
    match value {
        Val::Bytes(bytes) => Some(base64(bytes)),
        Val::Duration(nanos) => Some(duration::to_text(*nanos)),
        Val::Timestamp(instant) => Some(timestamp::to_text(instant)),
        _ => None,
    }
}

/// Base64 with padding (RFC 4648 section 4).
pub fn base64(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let group = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            let six = group >> (18 - 6 * digit) & 63;
            // One byte makes two digits, two bytes three.
            out.push(if digit <= chunk.len() { char::from(BASE64[six as usize]) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    // Values: RFC 4648 section 10.
    #[test]
    fn base64_as_the_rfc_has_it() {
        for (bytes, text) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

    #[test]
    fn times_are_text() {
        assert_eq!(json_text(&Val::Duration(1_500_000_000)).as_deref(), Some("1.5s"));
        assert_eq!(json_text(&Val::Int(1)), None);
    }
}
