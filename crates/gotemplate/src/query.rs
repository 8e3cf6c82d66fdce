//! What stands at an offset of a template, and where fields are read: for editors and for checks.

use convoy_text::Span;

use crate::node::{Arg, Command, Control, ControlKind, List, Node, Pipe};
use crate::parse::Template;

/// From what a chain of fields is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    /// The dot that the template is run with (`.` outside `with` and `range`, or `$`).
    Root,
    /// The dot inside `with` or `range`, a variable, or a result in parentheses.
    Other,
}

/// A chain of fields as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldUse {
    /// From what it is read.
    pub base: Base,
    /// The names.
    pub idents: Vec<Box<str>>,
    /// The span of each name with its dot.
    pub spans: Vec<Span>,
}

/// All chains of fields of a template, in order.
pub fn fields(template: &Template) -> Vec<FieldUse> {
    let mut uses = Vec::new();
    walk(template, &mut |event| {
        if let Event::Arg(arg, dot_is_root) = event {
            match arg {
                Arg::Field(field) => uses.push(FieldUse {
                    base: if dot_is_root { Base::Root } else { Base::Other },
                    idents: field.idents.clone(),
                    spans: field.spans.clone(),
                }),
                Arg::Variable(variable) if variable.idents.len() > 1 => uses.push(FieldUse {
                    base: if &*variable.idents[0] == "$" { Base::Root } else { Base::Other },
                    idents: variable.idents[1..].to_vec(),
                    spans: variable.spans[1..].to_vec(),
                }),
                Arg::Chain(chain) => uses.push(FieldUse {
                    base: Base::Other,
                    idents: chain.fields.clone(),
                    spans: chain.spans.clone(),
                }),
                _ => {}
            }
        }
    });
    uses
}

/// The link of a chain of fields (or the variable) that the offset touches.
pub fn field_at(template: &Template, offset: usize) -> Option<(FieldUse, usize)> {
    fields(template).into_iter().find_map(|field| {
        let i = field.spans.iter().position(|span| span.start <= offset && offset < span.end)?;
        Some((field, i))
    })
}

/// The function whose name the offset touches.
pub fn function_at(template: &Template, offset: usize) -> Option<(Box<str>, Span)> {
    let mut found = None;
    walk(template, &mut |event| {
        if let Event::Arg(Arg::Identifier(span, name), _) = event
            && span.touches(offset)
        {
            found = Some((name.clone(), *span));
        }
    });
    found
}

/// What [`walk`] meets.
pub(crate) enum Event<'a> {
    /// An operand, and whether the dot there is the one that the template was run with.
    Arg(&'a Arg, bool),
    /// A command.
    Command(&'a Command),
}

/// Visits all commands and operands of a template, those of its definitions too.
pub(crate) fn walk<'a>(template: &'a Template, visit: &mut dyn FnMut(Event<'a>)) {
    list(&template.root, true, visit);
    for definition in &template.definitions {
        // The dot of a definition is whatever its callers give.
        list(&definition.list, false, visit);
    }
}

fn list<'a>(nodes: &'a List, root: bool, visit: &mut dyn FnMut(Event<'a>)) {
    for node in &nodes.nodes {
        match node {
            Node::Action(action) => pipe(&action.pipe, root, visit),
            Node::Control(control) => control_node(control, root, visit),
            Node::Template(call) => {
                if let Some(argument) = &call.pipe {
                    pipe(argument, root, visit);
                }
            }
            _ => {}
        }
    }
}

fn control_node<'a>(control: &'a Control, root: bool, visit: &mut dyn FnMut(Event<'a>)) {
    pipe(&control.pipe, root, visit);
    list(&control.list, root && control.kind == ControlKind::If, visit);
    if let Some(otherwise) = &control.else_list {
        list(otherwise, root, visit);
    }
}

fn pipe<'a>(pipe: &'a Pipe, root: bool, visit: &mut dyn FnMut(Event<'a>)) {
    for command in &pipe.commands {
        visit(Event::Command(command));
        for arg in &command.args {
            argument(arg, root, visit);
        }
    }
}

fn argument<'a>(arg: &'a Arg, root: bool, visit: &mut dyn FnMut(Event<'a>)) {
    visit(Event::Arg(arg, root));
    match arg {
        Arg::Pipe(inner, _) => pipe(inner, root, visit),
        Arg::Chain(chain) => argument(&chain.node, root, visit),
        _ => {}
    }
}
