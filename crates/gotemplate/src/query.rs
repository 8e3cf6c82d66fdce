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

/// All commands of a template, those in parentheses and in definitions too.
pub fn commands(template: &Template) -> Vec<&Command> {
    let mut commands = Vec::new();
    walk(template, &mut |event| {
        if let Event::Command(command) = event {
            commands.push(command);
        }
    });
    commands
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

/// What is known at a place of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    /// The path of the dot from the dot that the template is run with; `[]` stands for an item that `range` goes over.
    /// None where it is not known: in a definition, or after a pipeline that is no plain chain of fields.
    pub dot: Option<Vec<Box<str>>>,
    /// The variables in scope, the innermost last; `$` is always there.
    pub variables: Vec<Box<str>>,
}

/// The dot and the variables at an offset.
pub fn context_at(template: &Template, offset: usize) -> Context {
    let definition = template.definitions.iter().rfind(|d| d.list.span.touches(offset));
    let (list, dot) = match definition {
        Some(definition) => (&definition.list, None),
        None => (&template.root, Some(Vec::new())),
    };
    let mut context = Context { dot, variables: vec!["$".into()] };
    descend(list, offset, &mut context);
    context
}

fn declare(pipe: &Pipe, context: &mut Context) {
    if !pipe.is_assign {
        context.variables.extend(pipe.decl.iter().map(|variable| variable.idents[0].clone()));
    }
}

/// Follows the lists that hold the offset; variables that end before it go out of scope.
fn descend(list: &List, offset: usize, context: &mut Context) {
    for node in &list.nodes {
        if node.span().start > offset {
            return;
        }
        match node {
            Node::Action(action) if action.span.end <= offset => declare(&action.pipe, context),
            Node::Template(call) if call.span.end <= offset => {
                call.pipe.iter().for_each(|pipe| declare(pipe, context));
            }
            Node::Control(control) if offset < control.span.end && control.head.end <= offset => {
                declare(&control.pipe, context);
                let otherwise = control.else_list.as_ref();
                if let Some(list) = otherwise.filter(|list| list.span.start <= offset) {
                    descend(list, offset, context);
                    return;
                }
                if control.kind != ControlKind::If {
                    enter(control, context);
                }
                descend(&control.list, offset, context);
                return;
            }
            _ => {}
        }
    }
}

/// The dot inside `with` and `range`.
fn enter(control: &Control, context: &mut Context) {
    let chain = match control.pipe.commands.as_slice() {
        [command] => match command.args.as_slice() {
            [Arg::Field(field)] => Some((context.dot.clone(), field.idents.as_slice())),
            [Arg::Dot(_)] => Some((context.dot.clone(), [].as_slice())),
            [Arg::Variable(variable)] if &*variable.idents[0] == "$" => {
                Some((Some(Vec::new()), &variable.idents[1..]))
            }
            _ => None,
        },
        _ => None,
    };
    context.dot = chain.and_then(|(dot, idents)| {
        let mut path = dot?;
        path.extend(idents.iter().cloned());
        if control.kind == ControlKind::Range {
            path.push("[]".into());
        }
        Some(path)
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    /// The context at `<>` in a template.
    fn at(marked: &str) -> (Option<String>, String) {
        let offset = marked.find("<>").unwrap();
        let template = parse("t", marked.replace("<>", ""), &|_| true);
        let context = context_at(&template, offset);
        (context.dot.map(|dot| dot.join(".")), context.variables.join(" "))
    }

    fn known(dot: &str, variables: &str) -> (Option<String>, String) {
        (Some(dot.to_owned()), variables.to_owned())
    }

    #[test]
    fn dot_and_variables() {
        assert_eq!(at("a{{ <>.x }}"), known("", "$"));
        assert_eq!(at("{{ $x := 1 }}{{ <> }}"), known("", "$ $x"));
        assert_eq!(at("{{ with .a.b }}{{ <> }}{{ end }}"), known("a.b", "$"));
        assert_eq!(
            at("{{ range $i, $v := .l }}{{ with .k }}<>{{ end }}{{ end }}"),
            known("l.[].k", "$ $i $v")
        );
        assert_eq!(at("{{ with $y := .a }}{{ else }}<>{{ end }}"), known("", "$ $y"));
        assert_eq!(at("{{ with .a }}x{{ else }}<>y{{ end }}"), known("", "$"));
        assert_eq!(at("{{ if $z := .a }}{{ end }}<>"), known("", "$"));
        assert_eq!(at("{{ range index .m 1 }}<>{{ end }}"), (None, "$".to_owned()));
        assert_eq!(at("{{ define \"d\" }}{{ <> }}{{ end }}").0, None);
        assert_eq!(at("{{ with .a }}{{ range $.b }}<>{{ end }}{{ end }}"), known("b.[]", "$"));
    }

    #[test]
    fn fields_by_their_links() {
        let text = "{{ with .a }}{{ .b.c }}{{ $.d }}{{ (index .e 1).f }}{{ end }}";
        let template = parse("t", text, &|_| true);
        let (field, link) = field_at(&template, text.find(".c").unwrap()).unwrap();
        assert_eq!((field.idents.join("."), link, field.base), ("b.c".to_owned(), 1, Base::Other));
        let (field, _) = field_at(&template, text.find(".d").unwrap()).unwrap();
        assert_eq!(field.base, Base::Root);
        assert_eq!(function_at(&template, text.find("index").unwrap()).unwrap().0.as_ref(), "index");
    }
}
