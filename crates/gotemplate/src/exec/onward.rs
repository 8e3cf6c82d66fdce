//! Runs that go on behind a failure, for those who want to hear of all that is wrong at once.

use std::collections::HashSet;

use convoy_text::Span;

use super::{BYTES_OF_A_STEP, ExecError, ExecErrorKind, Executor, Frame, Options};
use crate::funcs::{Functions, Operand};
use crate::node::{Control, ControlKind, List, Node, Pipe};
use crate::parse::Template;
use crate::val::Val;

/// The failures so far, each once: a loop meets the same one again and again.
#[derive(Default)]
pub(super) struct Failures {
    found: Vec<ExecError>,
    seen: HashSet<(Span, String)>,
}

impl Failures {
    fn push(&mut self, error: ExecError) {
        if self.seen.insert((error.span, error.detail.clone())) {
            self.found.push(error);
        }
    }
}

/// What fails in a template over `dot`, as far as each failure does not follow from another. The first is the error of
/// [`execute`](super::execute); those behind it show once the ones before are mended.
///
/// After a failure the run goes on behind the action, whose value is not known then; so is that of a function without an
/// implementation. What stands under a condition that is not known is guarded as far as anyone can tell, and is left out.
pub fn failures(template: &Template, functions: &Functions, dot: &Val, options: &Options) -> Vec<ExecError> {
    let mut executor = Executor::new(template, functions, dot, options);
    executor.onward = Some(Failures::default());
    let root = template.body(&template.name).unwrap_or(&template.root);
    let stopped = executor.run(root, Operand::plain(dot.clone())).err();
    let mut failures = executor.onward.unwrap_or_default();
    if let Some(error) = stopped {
        failures.push(error);
    }
    failures.found
}

impl<'t> Executor<'t> {
    /// Records a failure and takes the values of its statement for unknown; gives the error back where the run ends.
    pub(super) fn go_on_behind(
        &mut self,
        error: ExecError,
        node: &'t Node,
        frames: &mut Vec<Frame<'t>>,
    ) -> Result<(), ExecError> {
        let Some(failures) = &mut self.onward else { return Err(error) };
        if error.kind != ExecErrorKind::Failed {
            return Err(error);
        }
        // Finding the line of a failure has cost as much as writing what stands before it.
        self.steps += error.span.start as u64 / BYTES_OF_A_STEP;
        failures.push(error);
        match node {
            Node::Action(action) => self.forget(&action.pipe),
            Node::Control(control) => self.skip_unknown(control, frames),
            _ => {}
        }
        Ok(())
    }

    /// The variables that a pipeline declares or assigns are not known any more.
    fn forget(&mut self, pipe: &'t Pipe) {
        for variable in &pipe.decl {
            let name: &'t str = &variable.idents[0];
            if pipe.is_assign {
                self.forget_variable(name);
            } else {
                self.vars.push((name, Operand::plain(Val::Unknown)));
            }
        }
    }

    fn forget_variable(&mut self, name: &str) {
        if let Some(var) = self.vars.iter_mut().rev().find(|(known, _)| *known == name) {
            var.1 = Operand::plain(Val::Unknown);
        }
    }

    /// Leaves out the bodies of a control structure whose condition is not known: what they may have assigned is not
    /// known any more, and after what may have left a loop, neither is the rest of the loop.
    pub(super) fn skip_unknown(&mut self, control: &'t Control, frames: &mut Vec<Frame<'t>>) {
        if control.pipe.is_assign {
            self.forget(&control.pipe);
        }
        let in_loop = control.kind == ControlKind::Range;
        let lists = [Some(&control.list), control.else_list.as_ref()];
        let mut leaves = false;
        for (i, list) in lists.into_iter().enumerate() {
            let Some(list) = list else { continue };
            leaves |= self.forget_assigned(list, in_loop && i == 0);
        }
        if !leaves {
            return;
        }
        while let Some(frame) = frames.pop() {
            if let Frame::Range { control, mark, .. } = frame {
                self.vars.truncate(mark);
                self.forget_assigned(&control.list, true);
                break;
            }
        }
    }

    /// Forgets what a list assigns; says whether it may leave the loop around it.
    fn forget_assigned(&mut self, list: &'t List, in_loop: bool) -> bool {
        let mut pending = vec![(list, in_loop)];
        let mut leaves = false;
        while let Some((list, in_loop)) = pending.pop() {
            for node in &list.nodes {
                match node {
                    Node::Action(action) if action.pipe.is_assign => self.forget(&action.pipe),
                    Node::Break(_) | Node::Continue(_) => leaves |= !in_loop,
                    Node::Control(control) => {
                        if control.pipe.is_assign {
                            self.forget(&control.pipe);
                        }
                        pending.push((&control.list, in_loop || control.kind == ControlKind::Range));
                        pending.extend(control.else_list.as_ref().map(|list| (list, in_loop)));
                    }
                    _ => {}
                }
            }
        }
        leaves
    }

    /// An operand list with an unknown value in it has an unknown result.
    pub(super) fn unknown_among(operands: &[Operand]) -> Option<Operand> {
        operands.iter().find(|operand| operand.val == Val::Unknown).cloned()
    }
}

#[cfg(test)]
mod tests {
    use convoy_value::{Value, json};

    use super::*;
    use crate::{Arity, Function, MissingKey, execute, parse};

    /// The failures over `{"a": {"b": 1}, "list": [{"x": {"y": 1}}, {}, {}]}`, each as the text of its place and Go's words.
    /// `own` is a function without an implementation.
    fn check(template: &str, want: &[(&str, &str)]) {
        let mut functions = Functions::builtin();
        functions.insert("own", Function { arity: Arity { min: 0, max: None }, implementation: None });
        let parsed = parse("t", template, &|name| functions.contains(name));
        assert_eq!(parsed.errors, [], "{template}");
        let data = json::parse(r#"{"a": {"b": 1}, "list": [{"x": {"y": 1}}, {}, {}]}"#).unwrap().to_value();
        let data = Val::from_value(&data);
        let options = Options { missing_key: MissingKey::Zero, ..Options::default() };
        let found = failures(&parsed, &functions, &data, &options);
        let shown: Vec<(&str, &str)> =
            found.iter().map(|error| (error.span.text(template), error.detail.as_str())).collect();
        assert_eq!(shown, want, "{template}");
        let first = execute(&parsed, &functions, &data, &options).error;
        if let Some(first) = first.filter(|error| error.kind == ExecErrorKind::Failed) {
            assert_eq!(found.first(), Some(&first), "{template}");
        }
    }

    const NIL_Y: &str = "nil pointer evaluating interface {}.y";
    const NIL_Z: &str = "nil pointer evaluating interface {}.z";

    #[test]
    fn every_unguarded_path_is_reported_at_the_link_that_fails() {
        check("{{.x.y}} {{.a.b}} {{.a.c.z.w}}", &[(".y", NIL_Y), (".z", NIL_Z)]);
        check("{{.a.b.c}}", &[(".c", "can't evaluate field c in type interface {}")]);
        check("{{$.x.y}}{{with .a}}{{.c.z}}{{$.a.b}}{{end}}", &[(".y", NIL_Y), (".z", NIL_Z)]);
    }

    #[test]
    fn guarded_paths_are_not_reported() {
        check("{{if .x}}{{.x.y}}{{end}}", &[]);
        check("{{with .x}}{{.y}}{{else}}none{{end}}", &[]);
        check("{{range .x}}{{.y.z}}{{end}}", &[]);
        check("{{with .x}}{{.y}}{{else}}{{.x.y}}{{end}}", &[(".y", NIL_Y)]);
        check("{{if and .x .x.y}}{{.x.y.z}}{{end}}", &[]);
        check("{{if or .a .x.y}}{{.a.b}}{{end}}", &[]);
        check("{{if and .a .x.y}}{{.a.b}}{{end}}", &[(".y", NIL_Y)]);
    }

    #[test]
    fn a_loop_reports_a_place_once() {
        check("{{range .list}}{{.x.y}}{{end}}", &[(".y", NIL_Y)]);
        check("{{range .list}}{{if .x}}{{.x.y}}{{end}}{{end}}", &[]);
        check("{{range $i, $e := .list}}{{$e.x.y}}{{$e.x.z}}{{end}}", &[(".y", NIL_Y), (".z", NIL_Z)]);
    }

    #[test]
    fn what_follows_from_a_failure_is_not_reported() {
        check("{{$v := .x.y}}{{$v.z}}{{printf \"%d\" $v}}{{if eq $v 1}}{{.x.z}}{{end}}", &[(".y", NIL_Y)]);
        check("{{with .x.y}}{{.q.z}}{{end}}{{.a.b}}", &[(".y", NIL_Y)]);
        check("{{$v := 1}}{{if .x.y}}{{$v = .a}}{{end}}{{$v.b}}", &[(".y", NIL_Y)]);
        check("{{range .list}}{{if .x.y}}{{break}}{{end}}{{.q.z}}{{end}}{{.x.z}}", &[(".z", NIL_Z)]);
    }

    #[test]
    fn a_function_without_an_implementation_leaves_the_rest() {
        check("{{own .x.y}}{{own}}{{.x.z}}", &[(".y", NIL_Y), (".z", NIL_Z)]);
        check("{{if own .a}}{{.x.y}}{{end}}{{(own).q.r}}{{own | printf \"%s\"}}", &[]);
        check("{{template \"t2\" own}}{{define \"t2\"}}{{.q.r}}{{$.q}}{{end}}", &[]);
    }

    #[test]
    fn a_template_that_calls_itself_ends() {
        let mut functions = Functions::builtin();
        functions.insert("own", Function { arity: Arity { min: 0, max: None }, implementation: None });
        let text = "{{define \"a\"}}{{template \"a\"}}{{template \"a\"}}{{.x.y}}{{end}}{{template \"a\" .}}";
        let parsed = parse("t", text, &|name| functions.contains(name));
        let data = Val::from_value(&Value::map([("b", Value::Int(1))]));
        let found = failures(&parsed, &functions, &data, &Options::default());
        assert_eq!(found[0].detail, "exceeded maximum template depth (100000)");
        assert!(found.iter().any(|error| error.kind == ExecErrorKind::Limit));
    }
}
