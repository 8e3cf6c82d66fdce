use convoy_text::{ContentMap, ContentMapBuilder, Span};
use convoy_value::json::{self, KeyOrder};

use crate::tree::{Kind, NodeId, Tree};
use crate::value::{Options, ValueError, scalar_key, value};

/// The JSON text of a node, as a Go program that has decoded it writes it, with the map from that text to the
/// document. Keys stand in the order of the document.
///
/// # Errors
///
/// As [`value`].
pub fn json_text(tree: &Tree, node: NodeId, options: Options) -> Result<(String, ContentMap), ValueError> {
    // Everything that can be refused is refused here, so that the walk below only writes.
    value(tree, node, options)?;
    let mut writer = Writer { tree, options, out: String::new(), map: ContentMapBuilder::new() };
    writer.node(node)?;
    let end = tree.span(node).end;
    Ok((writer.out, writer.map.finish(end)))
}

struct Writer<'a> {
    tree: &'a Tree,
    options: Options,
    out: String,
    map: ContentMapBuilder,
}

impl Writer<'_> {
    fn literal(&mut self, text: &str, source: Span) {
        self.out.push_str(text);
        self.map.replaced(source, text.len());
    }

    /// A node whose JSON has no parts of its own in the document: an alias, or a mapping with merge keys.
    fn opaque(&mut self, id: NodeId) -> Result<(), ValueError> {
        let decoded = value(self.tree, id, self.options)?;
        let span = self.tree.span(id);
        let text = json::write(&decoded, KeyOrder::Kept).map_err(|message| ValueError { message, span })?;
        self.literal(&text, span);
        Ok(())
    }

    fn node(&mut self, id: NodeId) -> Result<(), ValueError> {
        let tree = self.tree;
        let span = tree.span(id);
        match tree.kind(id) {
            Kind::Scalar { .. } => {
                let decoded = value(tree, id, self.options)?;
                let plain_text = tree.scalar(id).unwrap_or("");
                if decoded.as_str() == Some(plain_text) {
                    let map = tree.content_map(id);
                    json::write_mapped_string(&mut self.out, &mut self.map, plain_text, &map, span);
                    return Ok(());
                }
                self.opaque(id)
            }
            Kind::Alias { .. } => self.opaque(id),
            Kind::Sequence { items, .. } => {
                self.literal("[", Span::empty(span.start));
                for (i, &item) in items.iter().enumerate() {
                    if i > 0 {
                        self.literal(",", Span::empty(tree.span(item).start));
                    }
                    self.node(item)?;
                }
                self.literal("]", Span::empty(span.end));
                Ok(())
            }
            Kind::Mapping { entries, .. } => {
                let mut keys = std::collections::HashSet::new();
                let simple = entries.iter().all(|entry| {
                    let key = tree.scalar(entry.key);
                    tree.style(entry.key).is_some() && key != Some("<<") && keys.insert(key)
                });
                if !simple {
                    return self.opaque(id);
                }
                self.literal("{", Span::empty(span.start));
                for (i, entry) in entries.iter().enumerate() {
                    if i > 0 {
                        self.literal(",", Span::empty(tree.span(entry.key).start));
                    }
                    // A key such as `1` or `yes` becomes the text of its value.
                    let key_span = tree.span(entry.key);
                    let key = scalar_key(tree, entry.key, self.options)?;
                    if tree.scalar(entry.key) == Some(key.as_str()) {
                        let map = tree.content_map(entry.key);
                        json::write_mapped_string(&mut self.out, &mut self.map, &key, &map, key_span);
                    } else {
                        let mut quoted = String::new();
                        json::write_string(&mut quoted, &key);
                        self.literal(&quoted, key_span);
                    }
                    self.literal(":", Span::empty(key_span.end));
                    self.node(entry.value)?;
                }
                self.literal("}", Span::empty(span.end));
                Ok(())
            }
        }
    }
}
