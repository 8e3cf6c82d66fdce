//! What `resource.ParseQuantity` takes.

/// What is wrong with a quantity; none if Kubernetes takes it.
pub(super) fn fault(text: &str) -> Option<&'static str> {
    const FORMAT: &str = "quantities must match the regular expression \
                          '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
    const NUMBER: &str = "unable to parse numeric part of quantity";
    const SUFFIX: &str = "unable to parse quantity's suffix";

    let text = text.trim();
    if text.is_empty() {
        return Some(FORMAT);
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let rest = unsigned.trim_start_matches('0');
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(rest);
    let (number, rest) = rest.split_at(whole);
    let (fraction, rest) = match rest.strip_prefix('.') {
        Some(rest) => rest.split_at(digits(rest)),
        None => ("", rest),
    };
    // What ends here has no suffix, and the rest of the text is the number.
    let letters = rest.bytes().take_while(|c| b"eEinumkKMGTP".contains(c)).count();
    let exponent = rest[letters..].strip_prefix(['+', '-']).unwrap_or(&rest[letters..]);
    if digits(exponent) != exponent.len() {
        return Some(FORMAT);
    }
    let Some(suffix) = Suffix::of(rest) else { return Some(SUFFIX) };

    // The fast way of the Go program reads the digits as one integer. Only there a number without digits is none.
    // The other way reads a decimal of any length, and there a text without a digit is none.
    let number_length = if number.is_empty() { 1 } else { number.len() };
    let precise = match suffix {
        Suffix::Decimal(_) => number_length + fraction.len() <= 18,
        Suffix::Binary(exponent) => {
            fraction.is_empty() && number_length + usize::from(exponent) * 3 / 10 < 15
        }
    };
    let scale = match suffix {
        Suffix::Decimal(exponent) => i64::from(exponent),
        Suffix::Binary(_) => 0,
    };
    let fast = precise && scale - fraction.len() as i64 >= -9;
    let value = &text[..text.len() - rest.len()];
    (!fast && !value.bytes().any(|c| c.is_ascii_digit())).then_some(NUMBER)
}

/// What stands behind the number.
enum Suffix {
    /// A power of ten.
    Decimal(i32),
    /// A power of two.
    Binary(u8),
}

impl Suffix {
    fn of(text: &str) -> Option<Suffix> {
        Some(match text {
            "" => Suffix::Decimal(0),
            "n" => Suffix::Decimal(-9),
            "u" => Suffix::Decimal(-6),
            "m" => Suffix::Decimal(-3),
            "k" => Suffix::Decimal(3),
            "M" => Suffix::Decimal(6),
            "G" => Suffix::Decimal(9),
            "T" => Suffix::Decimal(12),
            "P" => Suffix::Decimal(15),
            "E" => Suffix::Decimal(18),
            "Ki" => Suffix::Binary(10),
            "Mi" => Suffix::Binary(20),
            "Gi" => Suffix::Binary(30),
            "Ti" => Suffix::Binary(40),
            "Pi" => Suffix::Binary(50),
            "Ei" => Suffix::Binary(60),
            _ => {
                let exponent = text.strip_prefix(['e', 'E'])?;
                // The Go program cuts the exponent to 32 bits.
                Suffix::Decimal(exponent.parse::<i64>().ok()? as i32)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::fault;

    /// The texts and verdicts are those of `resource.ParseQuantity`.
    #[test]
    fn quantities_are_those_of_kubernetes() {
        for good in [
            "0", "1", "100m", "1.5", "1.G", ".5", "-1", "+2Ki", "1e3", "1E", "12e-3", "128Mi", "0.1Gi", " 1 ",
        ] {
            assert_eq!(fault(good), None, "{good}");
        }
        for bad in ["", "abc", "1 Gi", "1.2.3", "{}", "true", "1,5"] {
            assert!(fault(bad).is_some_and(|text| text.starts_with("quantities must match")), "{bad}");
        }
        for bad in ["1K", "1mi", "1e", "1Gm", "1g", "5KB", "--1"] {
            let text = fault(bad);
            assert!(text.is_some(), "{bad} {text:?}");
        }
    }
}
