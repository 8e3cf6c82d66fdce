//! The text that `format` writes, counted while it grows.

use crate::function::Context;
use crate::value::{EvalError, List, Map, Val};

/// A growing text.
pub(super) struct Writer<'a> {
    context: &'a Context<'a>,
    text: String,
}

impl<'a> Writer<'a> {
    pub(super) fn new(context: &'a Context<'a>) -> Writer<'a> {
        Writer { context, text: String::new() }
    }

    pub(super) fn context(&self) -> &'a Context<'a> {
        self.context
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }

    pub(super) fn push(&mut self, text: &str) -> Result<(), EvalError> {
        self.context.charge(text.len())?;
        self.text.push_str(text);
        Ok(())
    }

    /// Two digits for each byte.
    pub(super) fn push_hex(&mut self, bytes: &[u8], upper: bool) -> Result<(), EvalError> {
        self.context.charge(bytes.len().saturating_mul(2))?;
        self.text.reserve(bytes.len().saturating_mul(2));
        for byte in bytes {
            for digit in [byte >> 4, byte & 0xf] {
                let digit = char::from_digit(u32::from(digit), 16).unwrap_or_default();
                self.text.push(if upper { digit.to_ascii_uppercase() } else { digit });
            }
        }
        Ok(())
    }

    /// Bytes as they are. A byte that is not UTF-8 becomes the replacement character: the strings of Go can hold it,
    /// ours cannot, and every function on strings sees it so.
    pub(super) fn push_bytes(&mut self, bytes: &[u8]) -> Result<(), EvalError> {
        for chunk in bytes.utf8_chunks() {
            self.push(chunk.valid())?;
            for _ in chunk.invalid() {
                self.push("\u{fffd}")?;
            }
        }
        Ok(())
    }
}

/// How the values in a list or map are written.
pub(super) struct Nesting<'a> {
    /// Writes a value that is neither list nor map.
    pub(super) leaf: super::Write,
    /// Whether a key may be written.
    pub(super) key: fn(&Val) -> Result<(), EvalError>,
    /// What stands between a key and its value.
    pub(super) colon: &'static str,
    /// What is said of a value that cannot be written, up to the type.
    pub(super) refusal: &'a str,
}

/// A list or map that is being written.
enum Open {
    List {
        list: List,
        next: usize,
    },
    Map {
        map: Map,
        next: usize,
        /// The key whose value is being written, and where in the text that value begins.
        current: Option<(String, usize)>,
        /// The entries that are ready.
        entries: Vec<(String, String)>,
    },
}

impl Writer<'_> {
    /// Writes any value: lists in brackets, maps in braces with their entries ordered by the text of the key. It keeps
    /// its own stack, because values may be nested deeper than calls may.
    pub(super) fn push_nested(&mut self, value: &Val, nesting: &Nesting<'_>) -> Result<(), EvalError> {
        let mut open = Vec::new();
        self.begin(value, nesting, &mut open)?;
        while let Some(last) = open.last_mut() {
            self.context.work(1)?;
            let value = match last {
                Open::List { list, next } => {
                    let Some(element) = list.get(*next) else {
                        open.pop();
                        self.push("]")?;
                        continue;
                    };
                    if *next > 0 {
                        self.push(", ")?;
                    }
                    *next += 1;
                    element
                }
                Open::Map { map, next, current, entries } => {
                    if let Some((key, start)) = current.take() {
                        let value = self.text.split_off(start);
                        // Maps in maps are copied once for each level.
                        self.context.work(value.len() / 64)?;
                        entries.push((key, value));
                    }
                    let Some((key, value)) = map.entry(*next) else {
                        let entries = std::mem::take(entries);
                        open.pop();
                        self.push_entries(entries, nesting.colon)?;
                        continue;
                    };
                    *next += 1;
                    (nesting.key)(&key)?;
                    // Only as deep as map literals stand in keys of map literals.
                    let mut writer = Writer::new(self.context);
                    writer.push_nested(&key, nesting)?;
                    *current = Some((writer.into_text(), self.text.len()));
                    value
                }
            };
            self.begin(&value, nesting, &mut open)?;
        }
        Ok(())
    }

    /// Writes a value, or the start of a list or map.
    fn begin(&mut self, value: &Val, nesting: &Nesting<'_>, open: &mut Vec<Open>) -> Result<(), EvalError> {
        match value {
            Val::List(list) => {
                self.push("[")?;
                open.push(Open::List { list: list.clone(), next: 0 });
            }
            Val::Map(map) => {
                open.push(Open::Map { map: map.clone(), next: 0, current: None, entries: Vec::new() });
            }
            leaf => (nesting.leaf)(self, leaf, nesting.refusal)?,
        }
        Ok(())
    }

    /// Writes a map whose entries are texts already. These were counted when they were written.
    fn push_entries(&mut self, mut entries: Vec<(String, String)>, colon: &str) -> Result<(), EvalError> {
        self.context.charge(entries.len().saturating_mul(colon.len() + 2).saturating_add(2))?;
        entries.sort_by(|left, right| left.0.cmp(&right.0));
        self.text.push('{');
        for (index, (key, value)) in entries.iter().enumerate() {
            if index > 0 {
                self.text.push_str(", ");
            }
            self.text.push_str(key);
            self.text.push_str(colon);
            self.text.push_str(value);
        }
        self.text.push('}');
        Ok(())
    }
}
