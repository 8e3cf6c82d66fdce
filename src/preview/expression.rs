//! The CEL expressions of celTransform mutations: compiled with their places, run over an object, turned into an
//! overlay.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

use convoy_cel::ast::{Ast, Expr, Id, Kind, Literal};
use convoy_cel::eval::{Evaluation, Limits, Program, Variables};
use convoy_cel::library::Library;
use convoy_cel::types::Type;
use convoy_cel::value::{ErrorKind, EvalError, Val};
use convoy_patch::pointer::tokens;
use convoy_text::{ContentMap, Span};
use convoy_value::{Map, Value};

use crate::diagnostic::Place;
use crate::dialect::convoy::cel::{self, Compiled};
use crate::dialect::convoy::{Content, Source};

/// An expression, with the way back to its file.
#[derive(Debug)]
pub struct Expression {
    /// The file that it stands in.
    pub file: Arc<Path>,
    /// The scalar that it was read from.
    pub span: Span,
    /// From the expression's text to the file.
    pub map: ContentMap,
    /// What it compiles to.
    pub compiled: Compiled,
    /// What runs; none if it does not compile, or gives no map.
    program: Option<Program>,
}

/// A document of a celTransform.
#[derive(Clone, Debug)]
pub struct ContentExpression {
    /// Where it comes from.
    pub source: Source,
    /// The expression.
    pub expression: Arc<Expression>,
}

/// What an expression gave for an object.
#[derive(Clone, Debug)]
pub struct Evaluated {
    /// The expression.
    pub expression: Arc<Expression>,
    /// The overlay.
    pub overlay: Value,
}

impl Evaluated {
    /// The place in the expression that writes a pointer of the overlay, if the overlay has it.
    pub fn written_at(&self, pointer: &str) -> Option<Place> {
        super::diff::at(&self.overlay, pointer)?;
        self.expression.written_at(pointer)
    }
}

/// How many letters a key may differ from the one that was meant.
const MAX_DISTANCE: usize = 2;
/// The most values of an overlay, and the most bytes of their texts. Parts of a value may be shared, and what is written
/// out can be far larger than what was made.
const MAX_VALUES: usize = 500_000;
const MAX_TEXT: usize = 16 << 20;

/// Why an expression gives no overlay.
pub(super) struct Wrong {
    pub(super) shape: bool,
    pub(super) span: Span,
    pub(super) message: String,
    pub(super) help: Option<String>,
    /// The key that is not there.
    pub(super) missing: Option<String>,
}

impl Expression {
    pub(super) fn new(file: &Arc<Path>, content: &Content, libraries: &BTreeSet<Library>) -> Expression {
        let compiled = cel::compile(&content.text, libraries);
        let mut expression = Expression {
            file: file.clone(),
            span: content.span,
            map: content.map.clone(),
            compiled,
            program: None,
        };
        if expression.compiled.issues.is_empty() && expression.wrong_type().is_none() {
            expression.program = Program::new(&expression.compiled.checked, &expression.compiled.env).ok();
        }
        expression
    }

    /// The text of the expression.
    pub fn text(&self) -> &str {
        &self.compiled.checked.ast.text
    }

    /// The place of a span of the expression; the whole expression where the span has no bytes of its own.
    pub fn place(&self, span: Span) -> Place {
        let place = self.map.span_to_document(span);
        if !place.is_empty() {
            return Place { file: self.file.clone(), span: place };
        }
        // The end of the text has no character; the last one stands for it.
        let text = self.text();
        let last = text.trim_end().char_indices().next_back();
        let span = match last {
            Some((at, c)) if span.start > at => Span::new(at, at + c.len_utf8()),
            _ => Span::character(text, span.start),
        };
        let place = self.map.span_to_document(span);
        Place { file: self.file.clone(), span: if place.is_empty() { self.span } else { place } }
    }

    /// The type of a node.
    pub fn type_of(&self, expr: Expr) -> Option<&Type> {
        self.compiled.checked.types.get(self.compiled.checked.ast.id(expr) as usize)?.as_ref()
    }

    /// The type of the result where it can be no map with string keys.
    pub fn wrong_type(&self) -> Option<&Type> {
        let ty = self.type_of(self.compiled.checked.ast.root?)?;
        let fits = match ty {
            Type::Dyn | Type::Any | Type::Error | Type::Param(_) => true,
            Type::Map(both) => matches!(both.0, Type::String | Type::Dyn | Type::Any | Type::Param(_)),
            _ => false,
        };
        (!fits).then_some(ty)
    }

    /// Runs it.
    pub fn evaluate(&self, variables: &Variables, limits: &Limits<'_>) -> Option<Evaluation> {
        self.program.as_ref().map(|program| program.eval(variables, limits))
    }

    /// Runs it: the overlay, or all that is wrong.
    pub(super) fn overlay(&self, variables: &Variables) -> Option<Result<Value, Vec<Wrong>>> {
        let limits = Limits { all_errors: true, ..Limits::default() };
        let evaluation = self.evaluate(variables, &limits)?;
        Some(match evaluation.result {
            Ok(value) => self.overlay_of(&value).map_err(|wrong| vec![wrong]),
            Err(error) => {
                // What stands at each node, for advice.
                let again = self.evaluate(variables, &Limits { record: true, ..limits })?;
                let ast = &self.compiled.checked.ast;
                // From the root down, so that of several nodes with one number the outermost counts.
                let by_id: HashMap<Id, Expr> =
                    nodes(ast).into_iter().rev().map(|node| (ast.id(node), node)).collect();
                let mut wrong = vec![self.failure(&error, &again, &by_id)];
                for error in &evaluation.further {
                    let other = self.failure(error, &again, &by_id);
                    if !wrong.iter().any(|known| known.span == other.span && known.message == other.message) {
                        wrong.push(other);
                    }
                }
                Err(wrong)
            }
        })
    }

    fn overlay_of(&self, value: &Val) -> Result<Value, Wrong> {
        let root = self.compiled.checked.ast.root;
        let span = root.map_or(Span::new(0, self.text().len()), |root| self.compiled.checked.ast.span(root));
        let shape = |message: String| Wrong { shape: true, span, message, help: None, missing: None };
        let Val::Map(map) = value else {
            return Err(shape(format!(
                "the result is of type {}, not a map with string keys",
                value.ty().name()
            )));
        };
        if let Some((key, _)) = map.iter().find(|(key, _)| key.as_str().is_none()) {
            return Err(shape(format!(
                "the result has a key of type {}, not a map with string keys",
                key.ty().name()
            )));
        }
        to_value(value).map_err(|what| shape(format!("the result holds {what}")))
    }

    /// How a read of a chain is guarded: each link from the missing one on, up to the end of the chain as it is written.
    /// None where the chain is tested itself, or is no chain of names.
    fn guard(&self, node: Option<Expr>) -> Option<String> {
        let ast = &self.compiled.checked.ast;
        let missing = node?;
        let mut end = missing;
        loop {
            let above = nodes(ast)
                .into_iter()
                .find(|above| matches!(ast.kind(*above), Kind::Select { operand, .. } if operand == &end));
            let Some(above) = above else { break };
            if matches!(ast.kind(above), Kind::Select { test_only: true, .. }) {
                return None;
            }
            end = above;
        }
        let whole = ast.span(end).text(self.text());
        if !is_chain(ast, end) || whole.contains(|c: char| c.is_whitespace() || c == '(') {
            return None;
        }
        let mut tests = Vec::new();
        let mut link = end;
        while let Kind::Select { operand, .. } = ast.kind(link) {
            tests.push(format!("has({})", ast.span(link).text(self.text())));
            if link == missing {
                break;
            }
            link = *operand;
        }
        tests.reverse();
        Some(format!("guard it: {} ? {whole} : …", tests.join(" && ")))
    }

    fn failure(&self, error: &EvalError, evaluation: &Evaluation, by_id: &HashMap<Id, Expr>) -> Wrong {
        let ast = &self.compiled.checked.ast;
        let data = &error.0;
        let id = if data.link == 0 { data.id } else { data.link };
        let node = by_id.get(&id).copied();
        let span = node.map_or(Span::new(0, self.text().len()), |node| blamed(ast, node));
        if data.kind == ErrorKind::Limit {
            let message = format!("{} (a limit of convoy-lsp; convoy would go on)", data.message);
            return Wrong { shape: false, span, message, help: None, missing: None };
        }
        let missing = data.message.strip_prefix("no such key: ").map(str::to_owned);
        let nearest = missing.as_deref().zip(node).and_then(|(key, node)| {
            let holder = ast.children(node).first().copied()?;
            let Some(Ok(Val::Map(map))) = evaluation.values.get(&ast.id(holder)) else { return None };
            // In a loop, the value is that of the last round; the key is missing in another one.
            if map.get(&Val::string(key)).is_some() {
                return None;
            }
            let keys = map.iter().filter_map(|(key, _)| key.as_str().map(str::to_owned));
            let keys = keys.filter(|known| known.len().abs_diff(key.len()) <= MAX_DISTANCE);
            let near = keys.map(|known| (strsim::damerau_levenshtein(&known, key), known));
            let (_, near) =
                near.filter(|(far, _)| *far <= MAX_DISTANCE && *far < key.chars().count()).min()?;
            Some(near)
        });
        let help = match (&missing, node.map(|node| ast.kind(node))) {
            (Some(_), _) if nearest.is_some() => nearest.map(|near| format!("did you mean {near}?")),
            (Some(_), Some(Kind::Select { test_only: false, .. })) => self.guard(node),
            (Some(_), Some(Kind::Call { args, .. })) if args.len() == 2 => {
                let (map, key) = (ast.span(args[0]).text(self.text()), ast.span(args[1]).text(self.text()));
                // What is no chain of names or constant would need parentheses.
                let simple = is_chain(ast, args[0])
                    && (is_chain(ast, args[1]) || matches!(ast.kind(args[1]), Kind::Literal(_)))
                    && !map.contains('\n')
                    && !key.contains('\n');
                simple.then(|| format!("guard it: {key} in {map} ? {map}[{key}] : …"))
            }
            _ => None,
        };
        Wrong { shape: false, span, message: data.message.clone(), help, missing }
    }

    /// The place in the expression that writes a pointer of the overlay: the value of the entry, as far as the entries
    /// are written as maps.
    pub fn written_at(&self, pointer: &str) -> Option<Place> {
        let ast = &self.compiled.checked.ast;
        let mut node = ast.root?;
        for token in tokens(pointer) {
            let Kind::Map(entries) = ast.kind(node) else { return None };
            let entry = entries.iter().find(|entry| {
                matches!(ast.kind(entry.key), Kind::Literal(Literal::String(key)) if **key == *token.key)
            })?;
            node = entry.value;
        }
        Some(self.place(ast.span(node)))
    }
}

/// Whether a node is a variable or fields of one.
fn is_chain(ast: &Ast, node: Expr) -> bool {
    match ast.kind(node) {
        Kind::Ident(_) => true,
        Kind::Select { operand, test_only: false, .. } => is_chain(ast, *operand),
        _ => false,
    }
}

/// The bytes to mark for a node: the link of a chain, else all of it.
fn blamed(ast: &Ast, node: Expr) -> Span {
    match ast.kind(node) {
        Kind::Select { operand, field_span, .. } => {
            // A variable is short enough to be shown with its field.
            let whole = ast.span(*operand).cover(*field_span);
            if matches!(ast.kind(*operand), Kind::Ident(_)) && !whole.text(&ast.text).contains(')') {
                whole
            } else {
                *field_span
            }
        }
        // A function is named by what is written; an operator needs its operands to be seen.
        Kind::Call { name_span, function, .. } if function.starts_with(|c: char| c.is_alphabetic()) => {
            *name_span
        }
        _ => ast.span(node),
    }
}

/// All nodes that the tree still has, from the root down.
pub fn nodes(ast: &Ast) -> Vec<Expr> {
    let mut found = Vec::new();
    let mut open: Vec<Expr> = ast.root.into_iter().collect();
    while let Some(node) = open.pop() {
        found.push(node);
        open.extend(ast.children(node));
    }
    found
}

/// The variables of an expression.
pub(super) fn variables(cluster: &Value, self_value: &Value, object: &Value) -> Variables {
    [("cluster", cluster), ("self", self_value), ("object", object)]
        .into_iter()
        .map(|(name, value)| (Arc::from(name), Val::from(value)))
        .collect()
}

/// A value as it is merged into the object, as JSON has it: bytes in base64, times as text. The words for what has no
/// JSON, or is too large, are the error.
pub fn to_value(value: &Val) -> Result<Value, String> {
    Writing { values: MAX_VALUES, text: MAX_TEXT }.value(value)
}

/// What may still be written.
struct Writing {
    values: usize,
    text: usize,
}

impl Writing {
    fn value(&mut self, value: &Val) -> Result<Value, String> {
        self.spend(1, 0)?;
        Ok(match value {
            Val::Null => Value::Null,
            Val::Bool(value) => Value::Bool(*value),
            Val::Int(value) => Value::Int(*value),
            Val::Uint(value) => i64::try_from(*value).map_or(Value::Uint(*value), Value::Int),
            Val::Double(value) if value.is_finite() => Value::Float(*value),
            Val::Double(_) => return Err("a number that is infinite or NaN, which has no JSON".to_owned()),
            Val::String(text) => {
                self.spend(0, text.len())?;
                Value::String(Arc::clone(text))
            }
            Val::Bytes(_) | Val::Duration(_) | Val::Timestamp(_) => {
                let text = convoy_cel::value::json::json_text(value).unwrap_or_default();
                self.spend(0, text.len())?;
                Value::from(text)
            }
            Val::List(list) => {
                let items = list.iter().map(|item| self.value(&item));
                Value::List(Arc::new(items.collect::<Result<_, _>>()?))
            }
            Val::Map(map) => {
                let mut entries = Map::new();
                for (key, value) in map.iter() {
                    let Some(key) = key.as_str() else {
                        return Err(format!("a key of type {}, which has no JSON", key.ty().name()));
                    };
                    self.spend(0, key.len())?;
                    entries.insert(key.into(), self.value(&value)?);
                }
                Value::Map(Arc::new(entries))
            }
            Val::Type(_) | Val::Optional(_) | Val::Object(_) => {
                return Err(format!("a value of type {}, which has no JSON", value.ty().name()));
            }
        })
    }

    fn spend(&mut self, values: usize, text: usize) -> Result<(), String> {
        match (self.values.checked_sub(values), self.text.checked_sub(text)) {
            (Some(values), Some(text)) => {
                *self = Writing { values, text };
                Ok(())
            }
            _ => Err(format!(
                "more than {MAX_VALUES} values or {MAX_TEXT} bytes of text (a limit of convoy-lsp; convoy would go on)"
            )),
        }
    }
}
