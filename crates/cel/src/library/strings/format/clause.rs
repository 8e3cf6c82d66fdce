//! Clauses: what stands behind a percent sign.

use convoy_value::go::quote;

use crate::value::EvalError;

/// What a clause does with its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    /// `%s`.
    String,
    /// `%d`.
    Decimal,
    /// `%f`.
    Fixed,
    /// `%e`.
    Scientific,
    /// `%b`.
    Binary,
    /// `%o`.
    Octal,
    /// `%x`, `%X`.
    Hex {
        /// With capital letters.
        upper: bool,
    },
}

/// A clause.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clause {
    /// What it does.
    pub(super) verb: Verb,
    /// The digits after the point that it asks for.
    pub(super) precision: Option<usize>,
}

/// Reads a clause from the text behind its percent sign, which is not empty. Returns what stands behind the clause.
pub(super) fn read(text: &str, max_precision: Option<usize>) -> Result<(Clause, &str), EvalError> {
    let unreadable = |reason: String| EvalError::new(format!("could not parse formatting clause: {reason}"));
    let (precision, text) = precision(text, max_precision)
        .map_err(|reason| unreadable(format!("error while parsing precision: {reason}")))?;
    let letter = text.bytes().next().unwrap_or_default();
    let verb = match letter {
        b's' => Verb::String,
        b'd' => Verb::Decimal,
        b'f' => Verb::Fixed,
        b'e' => Verb::Scientific,
        b'b' => Verb::Binary,
        b'o' => Verb::Octal,
        b'x' => Verb::Hex { upper: false },
        b'X' => Verb::Hex { upper: true },
        // cel-go takes the byte for a character, also where it is only the first of one.
        other => {
            return Err(unreadable(format!("unrecognized formatting clause \"{}\"", char::from(other))));
        }
    };
    Ok((Clause { verb, precision }, text.get(1..).unwrap_or_default()))
}

/// The precision at the start of a clause and what stands behind it; or what is wrong with it.
fn precision(clause: &str, max: Option<usize>) -> Result<(Option<usize>, &str), String> {
    let Some(number) = clause.strip_prefix('.') else {
        return Ok((None, clause));
    };
    let end = number
        .find(|character: char| !character.is_ascii_digit())
        .ok_or("could not find end of precision specifier")?;
    let (digits, rest) = number.split_at(end);
    // Go's int has 64 bits on the platforms that matter here.
    let precision = digits.parse::<i64>().map_err(|_| {
        let reason = if digits.is_empty() { "invalid syntax" } else { "value out of range" };
        let digits = quote(digits.as_bytes());
        format!("error while converting precision to integer: strconv.Atoi: parsing {digits}: {reason}")
    })?;
    let precision = usize::try_from(precision).unwrap_or(usize::MAX);
    match max {
        Some(max) if precision > max => {
            Err(format!("precision {precision} exceeds maximum allowed precision {max}"))
        }
        _ => Ok((Some(precision), rest)),
    }
}
