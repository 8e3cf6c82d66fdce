//! Patches of values: only what a pointer leads to becomes a document.

use std::collections::HashMap;
use std::sync::Arc;

use convoy_value::{Map, Value};

use super::{ApplyError, Operation, apply, decode_key};
use crate::document::Document;

/// Applies a patch, as [`apply`] does, to a value that is decoded from JSON ([`Document::decoded`]). The result shares
/// with the value the members that no pointer leads to, which a patch can neither read nor change.
///
/// # Errors
///
/// As [`apply`].
pub fn apply_to_value(patch: &[Operation], value: &Value) -> Result<Value, ApplyError> {
    let whole = || apply(patch, &Document::from_value(value)).map(|document| document.to_value());
    let Some(ways) = Ways::of(patch) else { return whole() };
    match apply(patch, &ways.document(value)) {
        Ok(document) => Ok(ways.value(&document, value)),
        Err(_) => whole(),
    }
}

/// Where the pointers of a patch lead, key by key.
#[derive(Default)]
struct Ways {
    /// A pointer ends here, so that the patch may read the value as a whole, or put it elsewhere.
    ends: bool,
    below: HashMap<String, Ways>,
}

impl Ways {
    /// None if a pointer means the document itself, which the empty key at the root does as well.
    fn of(patch: &[Operation]) -> Option<Ways> {
        let mut ways = Ways::default();
        for operation in patch {
            for pointer in [Some(&operation.path), operation.from.as_ref()].into_iter().flatten() {
                let mut keys = pointer.text.split('/').skip(1).peekable();
                keys.peek().filter(|key| !key.is_empty())?;
                let mut here = &mut ways;
                for key in keys {
                    // Whatever is below a whole value is part of it.
                    if here.ends {
                        break;
                    }
                    here = here.below.entry(decode_key(key)).or_default();
                }
                here.ends = true;
            }
        }
        Some(ways)
    }

    /// The document of a value, with null for each member that no pointer leads to. A list is there as a whole, since
    /// its items move.
    fn document(&self, value: &Value) -> Document {
        match value {
            Value::Map(map) if !self.ends => {
                let members = map.iter().map(|(key, value)| {
                    let way = self.below.get(&**key);
                    (key.clone(), way.map_or(Document::Null, |way| way.document(value)))
                });
                Document::Object(members.collect())
            }
            value => Document::from_value(value),
        }
    }

    /// The value of a patched document that was made of `before`.
    fn value(&self, document: &Document, before: &Value) -> Value {
        match (document, before) {
            (Document::Object(object), Value::Map(before)) if !self.ends => {
                let members = object.iter().map(|(key, document)| {
                    let value = match (self.below.get(&**key), before.get(key)) {
                        (Some(way), Some(before)) => way.value(document, before),
                        (None, Some(before)) => before.clone(),
                        (_, None) => document.to_value(),
                    };
                    (key.clone(), value)
                });
                Value::Map(Arc::new(members.collect::<Map>()))
            }
            (document, _) => document.to_value(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json_patch::decode;

    /// Patches of one and of two operations over pointers that meet each other in every way.
    #[test]
    fn a_value_is_patched_as_its_document_is() {
        const POINTERS: [&str; 13] = [
            "", "/", "/a", "/a/b", "/a/b/c", "/a/d", "/a/l/0", "/a/l/-", "/a/l/1/m", "/e~1f", "/e~1f/",
            "//a", "/z/y",
        ];
        let document = r#"{"k":{"x":1},"a":{"b":{"c":1,"o":2},"d":null,"l":[{"m":1},{"m":2}],"s":"t"},"e/f":{"g":1},"n":1.5}"#;
        let mut operations = Vec::new();
        for pointer in POINTERS {
            operations.push(format!(r#"{{"op":"remove","path":"{pointer}"}}"#));
            for op in ["add", "replace", "test"] {
                for value in ["1", "null", r#"{"c":1,"o":2}"#] {
                    operations.push(format!(r#"{{"op":"{op}","path":"{pointer}","value":{value}}}"#));
                }
            }
            for op in ["move", "copy"] {
                for from in POINTERS {
                    operations.push(format!(r#"{{"op":"{op}","from":"{from}","path":"{pointer}"}}"#));
                }
            }
        }
        let document = Document::parse(document).expect("JSON");
        let value = document.to_value();
        let check = |text: &str| {
            let patch = decode(text).expect("a patch");
            let wanted = apply(&patch, &document).map(|document| document.to_value());
            let result = apply_to_value(&patch, &value);
            assert_eq!(result, wanted, "{text}");
            // Equal maps may have their members in another order.
            let text_of = |value: &Value| Document::from_value(value).to_string();
            assert_eq!(result.as_ref().map(text_of), wanted.as_ref().map(text_of), "{text}");
        };
        for (i, first) in operations.iter().enumerate() {
            check(&format!("[{first}]"));
            for second in operations.iter().skip(i % 7).step_by(7) {
                check(&format!("[{first},{second}]"));
            }
        }
    }

    #[test]
    fn what_no_pointer_leads_to_is_shared() {
        let value = Document::parse(r#"{"a":{"b":1,"c":[1]},"d":[2]}"#).expect("JSON").to_value();
        let patch = decode(r#"[{"op":"replace","path":"/a/b","value":2}]"#).expect("a patch");
        let result = apply_to_value(&patch, &value).expect("a result");
        for path in [&["d"][..], &["a", "c"]] {
            let list = |value: &Value| {
                value.at(path.iter().copied()).and_then(Value::as_list).map(<[Value]>::as_ptr)
            };
            assert!(list(&result).is_some() && list(&result) == list(&value));
        }
    }
}
