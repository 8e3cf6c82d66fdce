//! Base64 with the alphabet of RFC 4648.

/// The bytes in base64, with padding.
pub(crate) fn encode(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for index in 0..4 {
            let digit = (bits >> (18 - 6 * index) & 0x3F) as usize;
            let letter =
                if index > chunk.len() { b'=' } else { ALPHABET.get(digit).copied().unwrap_or(b'=') };
            text.push(char::from(letter));
        }
    }
    text
}

/// The bytes of a text with or without padding, or the byte at which Go finds it wrong.
///
/// cel-go takes the text as padded first; if that is an error it takes it as one without padding, in which `=` is no
/// digit, and it is the error of that which counts.
pub(super) fn decode(text: &[u8]) -> Result<Vec<u8>, usize> {
    decode_with(text, true).or_else(|_| decode_with(text, false))
}

fn decode_with(text: &[u8], padded: bool) -> Result<Vec<u8>, usize> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 3);
    let mut at = 0;
    loop {
        let mut bits = 0u32;
        let mut count = 0;
        let mut last = false;
        while count < 4 {
            let Some(&letter) = text.get(at) else {
                match count {
                    0 => return Ok(bytes),
                    // Line breaks among the digits count in Go's place as well, which is that many digits before the end.
                    1 => return Err(at - count),
                    _ if padded => return Err(at - count),
                    _ => {}
                }
                last = true;
                break;
            };
            at += 1;
            if let Some(digit) = digit(letter) {
                bits |= digit << (18 - 6 * count);
                count += 1;
            } else if padded && letter == b'=' {
                if count < 2 {
                    return Err(at - 1);
                }
                if count == 2 {
                    at = skip_breaks(text, at);
                    match text.get(at) {
                        None => return Err(text.len()),
                        Some(b'=') => at += 1,
                        Some(_) => return Err(at - 1),
                    }
                }
                at = skip_breaks(text, at);
                if at < text.len() {
                    return Err(at);
                }
                last = true;
                break;
            } else if !is_break(letter) {
                return Err(at - 1);
            }
        }
        let [_, high, middle, low] = bits.to_be_bytes();
        bytes.extend([high, middle, low].into_iter().take(count.saturating_sub(1)));
        if last {
            return Ok(bytes);
        }
    }
}

fn digit(letter: u8) -> Option<u32> {
    let digit = match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(u32::from(digit))
}

fn is_break(letter: u8) -> bool {
    matches!(letter, b'\n' | b'\r')
}

fn skip_breaks(text: &[u8], mut at: usize) -> usize {
    while text.get(at).is_some_and(|&letter| is_break(letter)) {
        at += 1;
    }
    at
}
