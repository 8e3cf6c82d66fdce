//! A text as a template: its tree, what is wrong with it whatever the data, and what stands at its offsets.
#![no_main]

use std::fmt::Debug;

use convoy_fuzz::{assert_span, remember, some_offsets};
use convoy_gotemplate::node::{Arg, Command, Control, List, Node, Pipe, Variable};
use convoy_gotemplate::{Functions, Template, check, parse, query};
use convoy_text::Span;
use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|data: &[u8]| -> Corpus {
    remember(data);
    let Ok(text) = std::str::from_utf8(data) else { return Corpus::Reject };
    let functions = Functions::builtin();
    let template = parse("t", text, &|name| functions.contains(name));
    assert_eq!(&*template.text, text);
    for error in &template.errors {
        assert_span(text, error.span, error);
        assert!(
            error.message.starts_with("template: t:") && error.message.ends_with(&error.detail),
            "{error:?}"
        );
    }
    Walk { text, whole: template.errors.is_empty() }.template(&template);
    for fault in check::check(&template, &functions) {
        assert_span(text, fault.span, &fault);
        assert!(!fault.detail.is_empty());
    }
    queries(&template);
    Corpus::Keep
});

/// What editors ask, at places all over the text.
fn queries(template: &Template) {
    let text = &*template.text;
    for field in query::fields(template) {
        assert_eq!(field.idents.len(), field.spans.len());
        for (ident, span) in field.idents.iter().zip(&field.spans) {
            assert_span(text, *span, ident);
            assert_eq!(span.text(text), format!(".{ident}"));
        }
    }
    query::commands(template);
    for offset in some_offsets(text, 16) {
        if let Some((field, link)) = query::field_at(template, offset) {
            assert!(field.spans[link].touches(offset), "{field:?} is not at {offset}");
        }
        if let Some((name, span)) = query::function_at(template, offset) {
            assert!(span.touches(offset), "{name} is not at {offset}");
            assert_eq!(span.text(text), &*name);
        }
        assert_eq!(&*query::context_at(template, offset).variables[0], "$");
    }
}

/// Goes through a tree: each part lies in its parent, behind the one before it, and is what its span reads.
struct Walk<'a> {
    text: &'a str,
    /// Without errors. Where an action could not be read, its parts may be missing, and stand at no place.
    whole: bool,
}

impl Walk<'_> {
    fn template(&self, template: &Template) {
        let everything = Span::new(0, self.text.len());
        self.list(&template.root, everything);
        for definition in &template.definitions {
            self.part(definition.span, everything, definition);
            self.part(definition.name_span, definition.span, definition);
            self.list(&definition.list, definition.span);
            assert!(template.body(&definition.name).is_some(), "{definition:?} has no body");
        }
        // Messages print what they are about.
        template.root.to_string();
    }

    #[track_caller]
    fn part(&self, span: Span, parent: Span, what: &dyn Debug) {
        assert_span(self.text, span, what);
        assert!(parent.contains(span) || !self.whole, "{what:?} leaves {parent:?}");
    }

    /// A part that stands behind `end`, which moves behind it.
    #[track_caller]
    fn next(&self, span: Span, parent: Span, end: &mut usize, what: &dyn Debug) {
        self.part(span, parent, what);
        assert!(span.start >= *end || !self.whole, "{what:?} begins before {end}");
        *end = span.end;
    }

    #[track_caller]
    fn reads(&self, span: Span, text: &str) {
        assert_eq!(span.text(self.text), text);
    }

    fn list(&self, list: &List, parent: Span) {
        self.part(list.span, parent, list);
        let mut end = list.span.start;
        for node in &list.nodes {
            let span = node.span();
            self.next(span, list.span, &mut end, node);
            match node {
                Node::Text { span, text } => self.reads(*span, text),
                Node::Action(action) => self.pipe(&action.pipe, span),
                Node::Control(control) => self.control(control),
                Node::Template(call) => {
                    self.part(call.name_span, span, call);
                    call.pipe.iter().for_each(|pipe| self.pipe(pipe, span));
                }
                Node::Break(_) | Node::Continue(_) | Node::Bad(_) => {}
            }
        }
    }

    fn control(&self, control: &Control) {
        self.part(control.head, control.span, control);
        self.pipe(&control.pipe, control.head);
        self.list(&control.list, control.span);
        if let Some(list) = &control.else_list {
            self.list(list, control.span);
            assert!(list.span.start >= control.list.span.end || !self.whole, "{control:?}");
        }
    }

    fn pipe(&self, pipe: &Pipe, parent: Span) {
        self.part(pipe.span, parent, pipe);
        assert!(!pipe.commands.is_empty() || !self.whole, "{pipe:?} has no command");
        let mut end = pipe.span.start;
        for variable in &pipe.decl {
            self.next(variable.span, pipe.span, &mut end, variable);
            self.variable(variable);
        }
        for command in &pipe.commands {
            self.next(command.span, pipe.span, &mut end, command);
            self.command(command);
        }
    }

    fn command(&self, command: &Command) {
        let mut end = command.span.start;
        for arg in &command.args {
            self.next(arg.span(), command.span, &mut end, arg);
            assert!(arg.span().touches(arg.pos()) || !self.whole, "{arg:?} is elsewhere than Go says");
            self.arg(arg);
        }
    }

    fn variable(&self, variable: &Variable) {
        let mut end = variable.span.start;
        for (i, (ident, span)) in variable.idents.iter().zip(&variable.spans).enumerate() {
            self.next(*span, variable.span, &mut end, variable);
            self.reads(*span, &if i == 0 { ident.to_string() } else { format!(".{ident}") });
        }
    }

    fn arg(&self, arg: &Arg) {
        match arg {
            Arg::Dot(span) => self.reads(*span, "."),
            Arg::Nil(span) => self.reads(*span, "nil"),
            Arg::Bool(span, value) => self.reads(*span, if *value { "true" } else { "false" }),
            Arg::Number(number) => self.reads(number.span, &number.text),
            Arg::String { span, quoted, .. } => self.reads(*span, quoted),
            Arg::Identifier(span, name) => self.reads(*span, name),
            Arg::Field(field) => self.links(&field.idents, &field.spans, field.span),
            Arg::Variable(variable) => self.variable(variable),
            Arg::Pipe(pipe, span) => self.pipe(pipe, *span),
            Arg::Chain(chain) => {
                self.part(chain.node.span(), chain.span, arg);
                self.arg(&chain.node);
                self.links(&chain.fields, &chain.spans, chain.span);
            }
        }
    }

    fn links(&self, idents: &[Box<str>], spans: &[Span], parent: Span) {
        let mut end = parent.start;
        for (ident, span) in idents.iter().zip(spans) {
            self.next(*span, parent, &mut end, ident);
            self.reads(*span, &format!(".{ident}"));
        }
    }
}
