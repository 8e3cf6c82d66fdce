//! What stands in a CEL expression: the type and the value of a node, the signature and the meaning of a function.

use std::fmt::Write as _;
use std::sync::Arc;

use convoy_cel::ast::{Ast, Expr, Kind, MacroCall};
use convoy_cel::function::Function;
use convoy_cel::macros::Macro;
use convoy_text::Span;

use super::hover::{Hover, SHOWN_OBJECTS, shown_value};
use crate::preview::{Expression, Preview, expression};
use crate::workspace::Workspace;

pub(super) fn hover(
    workspace: &Workspace,
    preview: &Preview,
    mutation: usize,
    expression: &Arc<Expression>,
    offset: usize,
) -> Option<Hover> {
    let at = expression.map.to_content(offset)?;
    let ast = &expression.compiled.checked.ast;
    let env = &expression.compiled.env;
    let on = |span: Span| !span.is_empty() && span.start <= at && at < span.end;
    let called = ast.macro_calls.iter().find(|call| on(call.name_span));
    if let Some((call, known)) = called.and_then(|call| {
        let arity = |known: &&Macro| known.arity.is_none_or(|arity| arity == call.args.len());
        let named =
            |known: &&Macro| known.function == &*call.function && known.receiver == call.target.is_some();
        Some((call, env.macros.iter().filter(named).find(arity)?))
    }) {
        let markdown =
            macro_markdown(known) + &values(workspace, preview, mutation, expression, call.expansion);
        return Some(Hover { markdown, span: expression.map.span_to_document(call.name_span) });
    }
    let nodes = expression::nodes(ast);
    for node in &nodes {
        let Kind::Call { function, name_span, .. } = ast.kind(*node) else { continue };
        let Some(function) = env.functions.get(&**function).filter(|_| on(*name_span)) else { continue };
        let markdown = function_markdown(function, expression, *node)
            + &values(workspace, preview, mutation, expression, *node);
        return Some(Hover { markdown, span: expression.map.span_to_document(*name_span) });
    }
    let node = innermost(ast, &nodes, at)?;
    let span = ast.span(node);
    let text = span.text(expression.text());
    let title = if text.contains('\n') || text.len() > 80 { None } else { Some(text) };
    let mut markdown = match (title, expression.type_of(node)) {
        (Some(text), Some(ty)) => format!("```cel\n{text}: {ty}\n```\n\n"),
        (Some(text), None) => format!("```cel\n{text}\n```\n\n"),
        (None, Some(ty)) => format!("`{ty}`\n\n"),
        (None, None) => String::new(),
    };
    markdown.push_str(&values(workspace, preview, mutation, expression, node));
    (!markdown.is_empty()).then(|| Hover { markdown, span: expression.map.span_to_document(span) })
}

/// The smallest node that covers an offset; of several with the same bytes, the outermost. An expansion's own nodes
/// have the bytes of the whole call, so that its root stands for all of them.
fn innermost(ast: &Ast, nodes: &[Expr], at: usize) -> Option<Expr> {
    let covers = |node: &&Expr| {
        let span = ast.span(**node);
        span.start <= at && at < span.end
    };
    let expansions: Vec<&MacroCall> = ast.macro_calls.iter().collect();
    let is_made =
        |node: Expr| expansions.iter().any(|call| call.span == ast.span(node) && call.expansion != node);
    let candidates = nodes.iter().filter(covers).filter(|node| !is_made(**node));
    candidates.min_by_key(|node| ast.span(**node).len()).copied()
}

fn values(
    workspace: &Workspace,
    preview: &Preview,
    mutation: usize,
    expression: &Arc<Expression>,
    node: Expr,
) -> String {
    let chosen = workspace.settings().object.as_deref();
    let id = expression.compiled.checked.ast.id(node);
    let (values, more) = preview.values(mutation, expression, id, chosen, SHOWN_OBJECTS);
    let mut out = String::new();
    for (whom, value) in &values {
        let shown = match value {
            Ok(value) => match expression::to_value(value) {
                Ok(value) => shown_value(&value),
                Err(_) => format!("`{}`", convoy_cel::value::show::go_text(value).replace('`', "'")),
            },
            Err(error) => format!("❌ {}", error.message()),
        };
        let _ = writeln!(out, "- {shown} — {whom}");
    }
    if more > 0 {
        let _ = writeln!(out, "- and {more} more");
    }
    out
}

fn macro_markdown(known: &Macro) -> String {
    let mut out = format!("```cel\n{}\n```\n\n{}\n\n", known.signature, known.summary);
    if !known.example.is_empty() {
        let _ = writeln!(out, "```cel\n{}\n```\n", known.example);
    }
    let _ = writeln!(out, "Macro of the CEL library {}.\n", known.library);
    out
}

/// The signatures that fit here, or all of them where none does.
fn function_markdown(function: &Function, expression: &Expression, node: Expr) -> String {
    let checked = &expression.compiled.checked;
    let resolved = checked.references.get(&checked.ast.id(node));
    let fits = |id: &Arc<str>| match resolved {
        Some(convoy_cel::check::Reference::Overloads(ids)) => ids.contains(id),
        _ => true,
    };
    let mut out = "```cel\n".to_owned();
    for overload in function.overloads.iter().filter(|overload| fits(&overload.id)) {
        let _ = writeln!(out, "{}", overload.signature(&function.name));
    }
    let used: Vec<_> = function.overloads.iter().filter(|overload| fits(&overload.id)).collect();
    let (summary, library) =
        used.first().map_or((function.summary, function.library), |one| (one.summary, one.library));
    let _ = write!(out, "```\n\n{summary}\n\n");
    let examples =
        function.overloads.iter().filter(|overload| fits(&overload.id) && !overload.example.is_empty());
    let examples: Vec<&str> = examples.map(|overload| overload.example).take(3).collect();
    if !examples.is_empty() {
        let _ = writeln!(out, "```cel\n{}\n```\n", examples.join("\n"));
    }
    let _ = writeln!(out, "Function of the CEL library {library}.\n");
    out
}
