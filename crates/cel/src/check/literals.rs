//! Lists, maps and messages.

use std::sync::Arc;

use convoy_text::Span;

use super::Reference;
use super::arena::Ty;
use super::walk::{Checker, Task};
use crate::ast::{Expr, Id, Kind};
use crate::types::Type;

impl Checker<'_> {
    pub(super) fn visit_list(&mut self, list: Expr) {
        let Kind::List { elements, optional } = self.ast.kind(list) else { return };
        self.joined.push(None);
        self.tasks.push(Task::List(list));
        for (index, element) in elements.iter().enumerate().rev() {
            let element = *element;
            // The parser lists the optional elements in order.
            let optional = optional.binary_search(&(index as u32)).is_ok();
            self.tasks.extend([Task::Element { element, optional }, Task::Visit(element)]);
        }
    }

    pub(super) fn finish_element(&mut self, element: Expr, optional: bool) {
        let ty = self.unwrapped_type(element, optional);
        let previous = self.joined.pop().flatten();
        let joined = self.join(previous, ty);
        self.joined.push(Some(joined));
    }

    pub(super) fn finish_list(&mut self, list: Expr) {
        let element = match self.joined.pop().flatten() {
            Some(element) => element,
            None => self.unifier.arena.fresh(),
        };
        let ty = self.unifier.arena.list(element);
        self.set_type(list, ty);
    }

    pub(super) fn visit_map(&mut self, map: Expr) {
        let Kind::Map(entries) = self.ast.kind(map) else { return };
        self.joined.extend([None, None]);
        self.tasks.push(Task::Map(map));
        for entry in entries.iter().rev() {
            let (key, value, optional) = (entry.key, entry.value, entry.optional);
            self.tasks.extend([
                Task::Value { value, optional },
                Task::Visit(value),
                Task::Key(key),
                Task::Visit(key),
            ]);
        }
    }

    pub(super) fn finish_key(&mut self, key: Expr) {
        let ty = self.get_type(key);
        let value = self.joined.pop().flatten();
        let previous = self.joined.pop().flatten();
        let joined = self.join(previous, ty);
        self.joined.extend([Some(joined), value]);
    }

    pub(super) fn finish_value(&mut self, value: Expr, optional: bool) {
        let ty = self.unwrapped_type(value, optional);
        let previous = self.joined.pop().flatten();
        let joined = self.join(previous, ty);
        self.joined.push(Some(joined));
    }

    pub(super) fn finish_map(&mut self, map: Expr) {
        let value = self.joined.pop().flatten();
        let key = self.joined.pop().flatten();
        let (key, value) = match (key, value) {
            (Some(key), Some(value)) => (key, value),
            _ => (self.unifier.arena.fresh(), self.unifier.arena.fresh()),
        };
        let ty = self.unifier.arena.map(key, value);
        self.set_type(map, ty);
    }

    /// The type of an element or value; if it is written with a question mark, that inside the optional.
    fn unwrapped_type(&mut self, expr: Expr, optional: bool) -> Ty {
        let ty = self.get_type(expr);
        if !optional {
            return ty;
        }
        match self.unifier.as_optional(ty) {
            Some(inner) => inner,
            None => {
                if !ty.is_dyn() {
                    self.not_optional(expr, ty);
                }
                ty
            }
        }
    }

    /// The common type of the elements so far and one more. Whether elements may differ at all is asked later.
    fn join(&mut self, previous: Option<Ty>, current: Ty) -> Ty {
        let Some(previous) = previous else { return current };
        if self.unifier.assignable(previous, current) {
            return self.unifier.most_general(previous, current);
        }
        Ty::DYN
    }

    pub(super) fn visit_message(&mut self, message: Expr, written: &Arc<str>) {
        let Some((name, ty)) = self.resolve_type(written) else {
            self.undeclared(message, written);
            self.set_type(message, Ty::ERROR);
            return;
        };
        if name != *written
            && let Some(node) = self.ast.nodes.get_mut(message.0 as usize)
            && let Kind::Struct { name: written, .. } = &mut node.kind
        {
            *written = Arc::clone(&name);
        }
        self.set_reference(message, Reference::Ident { name: Arc::clone(&name), value: None });
        let mut result = self.unifier.arena.import(&ty, &[]);
        let mut lookup = name;
        match message_name(&ty) {
            Some(of_type) => lookup = of_type.into(),
            None => {
                self.not_a_message(message, result);
                result = Ty::ERROR;
            }
        }
        self.set_type(message, result);
        self.messages.push(lookup);
        self.tasks.push(Task::Message);
        if let Kind::Struct { fields, .. } = self.ast.kind(message) {
            for (index, field) in fields.iter().enumerate().rev() {
                let value = field.value;
                self.tasks.extend([Task::Field { message, index: index as u32 }, Task::Visit(value)]);
            }
        }
    }

    pub(super) fn finish_field(&mut self, message: Expr, index: usize) {
        let Kind::Struct { fields, .. } = self.ast.kind(message) else { return };
        let Some(field) = fields.get(index) else { return };
        let (id, name, span, value, optional) =
            (field.id, Arc::clone(&field.name), field.name_span, field.value, field.optional);
        let message = self.messages.last().map_or_else(|| "".into(), Arc::clone);
        let expected = self.field_type(id, span, &message, &name).unwrap_or(Ty::ERROR);
        let actual = self.unwrapped_type(value, optional);
        if !self.unifier.assignable(expected, actual) {
            self.field_mismatch(id, span, &name, expected, actual);
        }
    }

    /// The declared type of a field; none after an error.
    pub(super) fn field_type(&mut self, id: Id, span: Span, message: &str, field: &str) -> Option<Ty> {
        let env = self.env;
        if !env.provider.has_type(message) {
            self.failed_resolution(id, span, message);
            return None;
        }
        match env.provider.field(message, field) {
            Some(ty) => Some(self.unifier.arena.import(&ty, &[])),
            None => {
                self.undefined_field(id, span, field);
                None
            }
        }
    }
}

/// The message type that a type stands for in a literal; none if it is not that of a message. Some message types are
/// built in and known by their CEL type alone; a wrapper of 32 bits then counts as one of 64.
fn message_name(ty: &Type) -> Option<&str> {
    match ty {
        Type::Struct(name) => Some(name),
        Type::Any => Some("google.protobuf.Any"),
        Type::Timestamp => Some("google.protobuf.Timestamp"),
        Type::Duration => Some("google.protobuf.Duration"),
        Type::Dyn => Some("google.protobuf.Value"),
        Type::Null => Some("google.protobuf.NullValue"),
        Type::Wrapper(of) => match **of {
            Type::Bool => Some("google.protobuf.BoolValue"),
            Type::Bytes => Some("google.protobuf.BytesValue"),
            Type::Double => Some("google.protobuf.DoubleValue"),
            Type::Int => Some("google.protobuf.Int64Value"),
            Type::String => Some("google.protobuf.StringValue"),
            Type::Uint => Some("google.protobuf.UInt64Value"),
            _ => None,
        },
        Type::List(element) if **element == Type::Dyn => Some("google.protobuf.ListValue"),
        Type::Map(both) if **both == (Type::String, Type::Dyn) => Some("google.protobuf.Struct"),
        _ => None,
    }
}
