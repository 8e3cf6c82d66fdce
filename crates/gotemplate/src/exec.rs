//! Running a template, as `text/template` does.
//!
//! Statements run on a stack of their own, so that a template that calls itself 100,000 times, which Go allows,
//! does not need the thread's stack. Expressions recurse as deep as the text nests.

mod expression;

use std::fmt::Display;
use std::sync::Arc;

use convoy_text::{ContentMap, ContentMapBuilder, Span};
use convoy_value::{Value, go};

use crate::format;
use crate::funcs::{Functions, Operand, shown};
use crate::lex::line_breaks;
use crate::node::{Arg, Control, ControlKind, List, Node};
use crate::parse::Template;
use crate::val::Val;

/// What a key that a map lacks gives: the option `missingkey`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum MissingKey {
    /// No value, printed as `<no value>`.
    #[default]
    Default,
    /// The zero value of the map's type: nothing for `map[string]string`.
    Zero,
    /// An error.
    Error,
}

/// What a run may use. Going over a limit is an error of kind [`ExecErrorKind::Limit`].
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Nodes, iterations and calls.
    pub steps: u64,
    /// Bytes of output, and of any text on the way to it.
    pub output: usize,
}

impl Default for Limits {
    /// 1,000,000 steps and 4 MiB, far above any real overlay: an object may have at most 3 MiB in etcd.
    fn default() -> Self {
        Limits { steps: 1_000_000, output: 4 << 20 }
    }
}

/// Calls of `{{template}}` that may be open at once, Go's own limit.
const MAX_TEMPLATE_DEPTH: usize = 100_000;

/// Text that a function makes counts as a step for each so many bytes, so that a loop over long texts ends as early as
/// one over short ones.
const BYTES_OF_A_STEP: u64 = 256;

/// How a template runs.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The option `missingkey`.
    pub missing_key: MissingKey,
    /// The limits.
    pub limits: Limits,
    /// Records the values that this part of a field chain (its span, with the dot) has.
    pub watch: Option<Span>,
}

/// Why a run failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecError {
    /// The text that Go prints: `template: NAME:LINE:COLUMN: executing "NAME" at <…>: …`.
    pub message: String,
    /// The part after `at <…>: `.
    pub detail: String,
    /// The node at which it failed.
    pub span: Span,
    /// What kind of failure.
    pub kind: ExecErrorKind,
}

/// What kind of failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExecErrorKind {
    /// Go fails in the same way.
    Failed,
    /// A limit of this crate: Go would go on.
    Limit,
    /// A function of which only the name is known.
    NotEvaluated(Box<str>),
}

impl Display for ExecError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ExecError {}

/// What a run gave; after an error, what was written before it.
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// The output.
    pub bytes: Vec<u8>,
    /// From the output to the template: text maps byte by byte, what an action wrote maps to the action.
    pub map: ContentMap,
    /// The error that ended the run.
    pub error: Option<ExecError>,
    /// The values of the watched field, the first few in order.
    pub watched: Vec<Val>,
    /// What actions wrote, in order.
    pub written: Vec<Written>,
}

/// What one action wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The bytes of the output.
    pub output: Span,
    /// The action in the template.
    pub action: Span,
    /// Whether the value was a string, and not a number or anything else that was printed.
    pub is_string: bool,
}

/// Runs a template over `dot`.
pub fn execute(template: &Template, functions: &Functions, dot: &Val, options: &Options) -> Output {
    let mut executor = Executor::new(template, functions, dot, options);
    let root = template.body(&template.name).unwrap_or(&template.root);
    let error = executor.run(root, Operand::plain(dot.clone())).err();
    let map = executor.map.finish(template.text.len());
    Output { bytes: executor.out, map, error, watched: executor.watched, written: executor.written }
}

/// The node that an error would name.
#[derive(Clone, Copy)]
struct At<'t> {
    pos: usize,
    span: Span,
    shown: &'t dyn Display,
}

mod onward;

pub use onward::failures;

enum Items {
    Ints { next: i64, end: i64, of: fn(i64) -> Val },
    List(Arc<Vec<Value>>),
    Entries(Vec<(Val, Operand)>),
}

enum Frame<'t> {
    List {
        nodes: &'t [Node],
        next: usize,
        dot: Operand,
    },
    /// The end of `if` and `with`: their variables go.
    Pop(usize),
    Range {
        control: &'t Control,
        items: Items,
        next: usize,
        body_mark: usize,
        mark: usize,
    },
    /// The end of a `{{template}}`: the caller's variables come back.
    Return {
        vars: Vec<(&'t str, Operand)>,
        name: &'t str,
    },
}

struct Executor<'t> {
    template: &'t Template,
    functions: &'t Functions,
    options: &'t Options,
    out: Vec<u8>,
    map: ContentMapBuilder,
    steps: u64,
    vars: Vec<(&'t str, Operand)>,
    name: &'t str,
    depth: usize,
    at: At<'t>,
    watched: Vec<Val>,
    written: Vec<Written>,
    /// What failed so far, in a run that goes on behind failures.
    onward: Option<onward::Failures>,
}

type Exec<T = ()> = Result<T, Box<ExecError>>;

impl<'t> Executor<'t> {
    fn new(template: &'t Template, functions: &'t Functions, dot: &Val, options: &'t Options) -> Self {
        Executor {
            template,
            functions,
            options,
            out: Vec::new(),
            map: ContentMapBuilder::new(),
            steps: 0,
            vars: vec![("$", Operand::plain(dot.clone()))],
            name: &template.name,
            depth: 0,
            at: At { pos: 0, span: template.root.span, shown: &template.root },
            watched: Vec::new(),
            written: Vec::new(),
            onward: None,
        }
    }

    // ---- errors ----

    fn at_arg(&mut self, arg: &'t Arg) {
        self.at = At { pos: arg.pos(), span: arg.span(), shown: arg };
    }

    fn fail<T>(&self, detail: impl Into<String>) -> Exec<T> {
        self.fail_as(detail, ExecErrorKind::Failed)
    }

    fn fail_as<T>(&self, detail: impl Into<String>, kind: ExecErrorKind) -> Exec<T> {
        let detail = detail.into();
        let before = &self.template.text[..self.at.pos.min(self.template.text.len())];
        let line = 1 + line_breaks(before);
        let column = before.len() - before.rfind('\n').map_or(0, |i| i + 1);
        let name = go::quote(self.name.as_bytes());
        let message = format!(
            "template: {}:{line}:{column}: executing {name} at <{}>: {detail}",
            self.template.name, self.at.shown
        );
        Err(Box::new(ExecError { message, detail, span: self.at.span, kind }))
    }

    fn too_long<T>(&self) -> Exec<T> {
        let limit = self.options.limits.output;
        self.fail_as(format!("stopped at a value of more than {limit} bytes"), ExecErrorKind::Limit)
    }

    fn step(&mut self) -> Exec {
        self.steps += 1;
        if self.steps > self.options.limits.steps {
            let limit = self.options.limits.steps;
            return self.fail_as(format!("stopped after {limit} steps"), ExecErrorKind::Limit);
        }
        Ok(())
    }

    // ---- statements ----

    fn run(&mut self, root: &'t List, dot: Operand) -> Result<(), ExecError> {
        let mut frames = vec![Frame::List { nodes: &root.nodes, next: 0, dot }];
        while let Some(frame) = frames.last_mut() {
            match frame {
                Frame::List { nodes, next, dot } => {
                    let nodes: &'t [Node] = nodes;
                    let Some(node) = nodes.get(*next) else {
                        frames.pop();
                        continue;
                    };
                    *next += 1;
                    let dot = dot.clone();
                    let declared = self.vars.len();
                    if let Err(error) = self.statement(node, dot, &mut frames) {
                        self.vars.truncate(declared);
                        self.go_on_behind(*error, node, &mut frames)?;
                    }
                }
                Frame::Pop(mark) => {
                    self.vars.truncate(*mark);
                    frames.pop();
                }
                Frame::Range { .. } => self.iterate(&mut frames).map_err(|error| *error)?,
                Frame::Return { vars, name } => {
                    self.vars = std::mem::take(vars);
                    self.name = name;
                    self.depth -= 1;
                    frames.pop();
                }
            }
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Exec {
        if self.out.len() + bytes.len() > self.options.limits.output {
            let limit = self.options.limits.output;
            return self.fail_as(format!("stopped after {limit} bytes of output"), ExecErrorKind::Limit);
        }
        self.out.extend_from_slice(bytes);
        Ok(())
    }

    fn statement(&mut self, node: &'t Node, dot: Operand, frames: &mut Vec<Frame<'t>>) -> Exec {
        self.step()?;
        match node {
            Node::Text { span, text } => {
                self.at = At { pos: span.start, span: *span, shown: node };
                self.write(text.as_bytes())?;
                self.map.verbatim(span.start, span.len());
            }
            Node::Action(action) => {
                self.at = At { pos: action.pipe.span.start, span: action.span, shown: node };
                let value = self.pipeline(&dot, &action.pipe)?;
                if action.pipe.decl.is_empty() {
                    self.at = At { pos: action.pipe.span.start, span: action.span, shown: node };
                    let bytes = match &value.val {
                        Val::Invalid | Val::Nil => b"<no value>".to_vec(),
                        Val::Unknown => Vec::new(),
                        Val::Str(text) => text.to_vec(),
                        val => match format::sprint(std::slice::from_ref(val), self.options.limits.output) {
                            Some(bytes) => bytes,
                            None => return self.too_long(),
                        },
                    };
                    self.write(&bytes)?;
                    self.written.push(Written {
                        output: Span::new(self.out.len() - bytes.len(), self.out.len()),
                        action: action.span,
                        is_string: matches!(value.val, Val::Str(_)),
                    });
                    self.map.replaced(action.span, bytes.len());
                }
            }
            Node::Control(control) => self.control(control, dot, frames)?,
            Node::Template(call) => {
                self.at = At { pos: call.name_span.start, span: call.span, shown: node };
                let quoted = || go::quote(call.name.as_bytes());
                let Some(body) = self.template.body(&call.name) else {
                    return self.fail(format!("template {} not defined", quoted()));
                };
                if self.depth == MAX_TEMPLATE_DEPTH {
                    return self.fail(format!("exceeded maximum template depth ({MAX_TEMPLATE_DEPTH})"));
                }
                let dot = match &call.pipe {
                    Some(pipe) => self.pipeline(&dot, pipe)?,
                    None => Operand::plain(Val::Invalid),
                };
                let vars = std::mem::replace(&mut self.vars, vec![("$", dot.clone())]);
                let name = std::mem::replace(&mut self.name, &call.name);
                self.depth += 1;
                frames.push(Frame::Return { vars, name });
                frames.push(Frame::List { nodes: &body.nodes, next: 0, dot });
            }
            Node::Break(_) | Node::Continue(_) => {
                while let Some(frame) = frames.last() {
                    if let Frame::Range { mark, .. } = frame {
                        if matches!(node, Node::Break(_)) {
                            self.vars.truncate(*mark);
                            frames.pop();
                        }
                        break;
                    }
                    frames.pop();
                }
            }
            Node::Bad(_) => {}
        }
        Ok(())
    }

    fn control(&mut self, control: &'t Control, dot: Operand, frames: &mut Vec<Frame<'t>>) -> Exec {
        self.at = At { pos: control.pipe.span.start, span: control.head, shown: control };
        let mark = self.vars.len();
        let value = self.pipeline(&dot, &control.pipe)?;
        if value.val == Val::Unknown {
            self.vars.truncate(mark);
            self.skip_unknown(control, frames);
            return Ok(());
        }
        let otherwise = |frames: &mut Vec<Frame<'t>>, dot: Operand| {
            if let Some(list) = &control.else_list {
                frames.push(Frame::List { nodes: &list.nodes, next: 0, dot });
            }
        };
        if control.kind != ControlKind::Range {
            frames.push(Frame::Pop(mark));
            if value.val.truth() {
                let dot = if control.kind == ControlKind::With { value } else { dot };
                frames.push(Frame::List { nodes: &control.list.nodes, next: 0, dot });
            } else {
                otherwise(frames, dot);
            }
            return Ok(());
        }
        let body_mark = self.vars.len();
        let several = |executor: &Self| {
            let shown = shown(&value.val);
            executor.fail(format!("can't use {shown} to iterate over more than one variable"))
        };
        let items = match &value.val {
            Val::Int(_) | Val::Int64(_) | Val::Uint64(_) | Val::Uint8(_) if control.pipe.decl.len() > 1 => {
                return several(self);
            }
            Val::Int(n) => Items::Ints { next: 0, end: *n, of: Val::Int },
            Val::Int64(n) => Items::Ints { next: 0, end: *n, of: Val::Int64 },
            Val::Uint64(n) => {
                let end = i64::try_from(*n).unwrap_or(i64::MAX);
                Items::Ints { next: 0, end, of: |i| Val::Uint64(i as u64) }
            }
            Val::Uint8(n) => Items::Ints { next: 0, end: i64::from(*n), of: |i| Val::Uint8(i as u8) },
            Val::List(list) => Items::List(list.clone()),
            Val::Map(map) => Items::Entries(
                Val::sorted(map).into_iter().map(|(k, v)| (Val::str(k), Operand::in_interface(v))).collect(),
            ),
            Val::StrMap(map) => Items::Entries(
                Val::sorted(map)
                    .into_iter()
                    .map(|(k, v)| (Val::str(k), Operand::plain(Val::from_value(v))))
                    .collect(),
            ),
            Val::Invalid | Val::Nil => Items::Entries(Vec::new()),
            other => {
                let shown = shown(other);
                return self.fail(format!("range can't iterate over {shown}"));
            }
        };
        let empty = match &items {
            Items::Ints { end, .. } => *end <= 0,
            Items::List(list) => list.is_empty(),
            Items::Entries(entries) => entries.is_empty(),
        };
        if empty {
            frames.push(Frame::Pop(mark));
            otherwise(frames, dot);
        } else {
            frames.push(Frame::Range { control, items, next: 0, body_mark, mark });
        }
        Ok(())
    }

    fn iterate(&mut self, frames: &mut Vec<Frame<'t>>) -> Exec {
        let Some(Frame::Range { control, items, next, body_mark, mark }) = frames.last_mut() else {
            return Ok(());
        };
        let control: &'t Control = control;
        let (body_mark, mark) = (*body_mark, *mark);
        let item = match items {
            Items::Ints { next, end, of } if *next < *end => {
                *next += 1;
                Some((Operand::plain(Val::Invalid), Operand::plain(of(*next - 1))))
            }
            Items::Ints { .. } => None,
            Items::List(list) => list
                .get(*next)
                .map(|value| (Operand::plain(Val::Int(*next as i64)), Operand::in_interface(value))),
            Items::Entries(entries) => {
                entries.get(*next).map(|(key, value)| (Operand::plain(key.clone()), value.clone()))
            }
        };
        *next += 1;
        self.vars.truncate(body_mark);
        let Some((index, element)) = item else {
            self.vars.truncate(mark);
            frames.pop();
            return Ok(());
        };
        self.step()?;
        let decl = &control.pipe.decl;
        let two = decl.len() > 1;
        if let Some(first) = decl.first() {
            if control.pipe.is_assign {
                self.set_var(&first.idents[0], if two { index.clone() } else { element.clone() })?;
                if let Some(second) = decl.get(1) {
                    self.set_var(&second.idents[0], element.clone())?;
                }
            } else {
                let top = self.vars.len();
                self.vars[top - 1].1 = element.clone();
                if two {
                    self.vars[top - 2].1 = index;
                }
            }
        }
        frames.push(Frame::List { nodes: &control.list.nodes, next: 0, dot: element });
        Ok(())
    }

    fn set_var(&mut self, name: &str, value: Operand) -> Exec {
        let Some(var) = self.vars.iter_mut().rev().find(|(known, _)| *known == name) else {
            return self.fail(format!("undefined variable: {name}"));
        };
        var.1 = value;
        Ok(())
    }
}
