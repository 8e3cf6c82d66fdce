//! The tree to steps, as cel-go's planner makes them.

use std::collections::HashMap;
use std::sync::Arc;

use super::dispatch::Dispatch;
use super::step::{Attribute, Call, Candidate, Fold, Qualifier, QualifierKey, Root, Source, Step, StepKind};
use crate::ast::{Expr, Id, Kind, Literal};
use crate::check::{Checked, Reference};
use crate::env::{Env, candidate_names};
use crate::function::{Function, Shape};
use crate::operator;
use crate::types::Type;
use crate::value::Val;

/// The accumulator of macros. No expression can name it, so that only the macro's own step reads it.
const HIDDEN_ACCUMULATOR: &str = "@result";

pub(super) struct Planner<'a> {
    checked: &'a Checked,
    env: &'a Env,
    globals: Vec<Arc<str>>,
    global_indices: HashMap<Arc<str>, usize>,
    /// Local variables, the innermost last, and how many loops surround the place.
    locals: Vec<(Arc<str>, Source)>,
    depth: usize,
}

type Planned = Result<Step, String>;

impl<'a> Planner<'a> {
    pub(super) fn new(checked: &'a Checked, env: &'a Env) -> Planner<'a> {
        Planner {
            checked,
            env,
            globals: Vec::new(),
            global_indices: HashMap::new(),
            locals: Vec::new(),
            depth: 0,
        }
    }

    pub(super) fn into_globals(self) -> Vec<Arc<str>> {
        self.globals
    }

    pub(super) fn plan(&mut self, expr: Expr) -> Planned {
        let checked = self.checked;
        let node = checked.ast.node(expr);
        let id = node.id;
        match &node.kind {
            Kind::Error => Err("unsupported expr: the expression has a syntax error".to_owned()),
            Kind::Literal(literal) => Ok(Step { id, kind: StepKind::Const(constant(literal)) }),
            Kind::Ident(name) => self.ident(id, name),
            Kind::Select { operand, field, test_only, .. } => self.select(id, *operand, field, *test_only),
            Kind::Call { function, target, args, .. } => self.call(id, function, *target, args),
            Kind::List { elements, optional } => {
                let optional = if optional.is_empty() {
                    Vec::new()
                } else {
                    (0..elements.len()).map(|index| optional.contains(&(index as u32))).collect()
                };
                let elements =
                    elements.iter().map(|element| self.plan(*element)).collect::<Result<_, _>>()?;
                Ok(Step { id, kind: StepKind::List { elements, optional } })
            }
            Kind::Map(entries) => {
                let optional = entries.iter().map(|entry| entry.optional).collect();
                let entries = entries
                    .iter()
                    .map(|entry| Ok((self.plan(entry.key)?, self.plan(entry.value)?)))
                    .collect::<Result<_, String>>()?;
                Ok(Step { id, kind: StepKind::Map { entries, optional } })
            }
            Kind::Struct { name, fields, .. } => {
                let full = candidate_names(&self.env.container, name)
                    .into_iter()
                    .find(|candidate| self.env.provider.has_type(candidate))
                    .ok_or_else(|| format!("unknown type: {name}"))?;
                let optional = fields.iter().map(|field| field.optional).collect();
                let fields = fields
                    .iter()
                    .map(|field| Ok((Arc::clone(&field.name), self.plan(field.value)?)))
                    .collect::<Result<_, String>>()?;
                Ok(Step { id, kind: StepKind::Object { name: full.into(), fields, optional } })
            }
            Kind::Comprehension(fold) => {
                let init = self.plan(fold.init)?;
                let range = self.plan(fold.range)?;
                let place = self.depth;
                self.depth += 1;
                let outer = self.locals.len();
                // The accumulator wins over a variable of the same name, so it stands last.
                if let Some(second) = &fold.variable2 {
                    self.locals.push((Arc::clone(second), Source::Second(place)));
                }
                self.locals.push((Arc::clone(&fold.variable), Source::First(place)));
                self.locals.push((Arc::clone(&fold.accumulator), Source::Accumulator(place)));
                let condition = self.plan(fold.condition)?;
                let mut step = self.plan(fold.step)?;
                if &*fold.accumulator == HIDDEN_ACCUMULATOR {
                    let_grow(&mut step, place);
                }
                self.locals.truncate(outer);
                self.locals.push((Arc::clone(&fold.accumulator), Source::Accumulator(place)));
                let result = self.plan(fold.result)?;
                self.locals.truncate(outer);
                self.depth -= 1;
                let two_variables = fold.variable2.is_some();
                let fold = Fold { range, two_variables, init, condition, step, result };
                Ok(Step { id, kind: StepKind::Fold(Box::new(fold)) })
            }
        }
    }

    fn ident(&mut self, id: Id, name: &str) -> Planned {
        if let Some(reference) = self.checked.references.get(&id) {
            return self.reference(id, reference);
        }
        if self.local(name).is_some() {
            return Ok(attribute(self.absolute(id, &[name.to_owned()])));
        }
        let names = if name.starts_with('.') {
            vec![name.to_owned()]
        } else {
            candidate_names(&self.env.container, name)
        };
        let first = self.absolute(id, &names);
        Ok(attribute(Attribute::new(id, Root::Maybe(vec![first]))))
    }

    fn reference(&mut self, id: Id, reference: &Reference) -> Planned {
        let Reference::Ident { name, value } = reference else {
            return Err("unsupported expr: a call stands for a name".to_owned());
        };
        if let Some(value) = value {
            return Ok(Step { id, kind: StepKind::Const(value.clone()) });
        }
        if matches!(self.checked.types.get(id as usize), Some(Some(Type::Type(_)))) {
            let value = self.env.ident(name).ok_or_else(|| format!("reference to undefined type: {name}"))?;
            return Ok(Step { id, kind: StepKind::Const(value) });
        }
        Ok(attribute(self.absolute(id, &[name.to_string()])))
    }

    fn local(&self, name: &str) -> Option<Source> {
        self.locals.iter().rev().find(|(local, _)| &**local == name).map(|(_, source)| *source)
    }

    fn global(&mut self, name: &str) -> usize {
        self.global_indices.get(name).copied().unwrap_or_else(|| {
            let index = self.globals.len();
            let name: Arc<str> = name.into();
            self.globals.push(Arc::clone(&name));
            self.global_indices.insert(name, index);
            index
        })
    }

    /// An attribute over names; if one of them begins with a dot, none is a local variable.
    fn absolute(&mut self, id: Id, names: &[String]) -> Attribute {
        let only_global = names.iter().any(|name| name.starts_with('.'));
        let candidates = names
            .iter()
            .map(|name| {
                let name = name.strip_prefix('.').unwrap_or(name);
                let local = if only_global { None } else { self.local(name) };
                let hides = local.is_some() && self.env.variables.contains_key(name);
                Candidate {
                    source: local.unwrap_or_else(|| Source::Global(self.global(name))),
                    hidden: hides.then(|| self.global(name)),
                    constant: self.env.ident(name),
                    name: name.into(),
                }
            })
            .collect();
        Attribute::new(id, Root::Absolute { candidates, global: only_global })
    }

    fn select(&mut self, id: Id, operand: Expr, field: &Arc<str>, test_only: bool) -> Planned {
        if let Some(reference) = self.checked.references.get(&id) {
            return self.reference(id, reference);
        }
        let operand = self.plan(operand)?;
        let key = QualifierKey::Const(Val::String(Arc::clone(field)));
        let link = Qualifier { id, optional: false, test_only, twice: false, key };
        if test_only && !matches!(operand.kind, StepKind::Test(_)) {
            let mut target = into_attribute(operand);
            self.add(&mut target, link);
            return Ok(Step { id, kind: StepKind::Test(Box::new(target)) });
        }
        self.extend(operand, link)
    }

    /// A step with one link more. A test stays one, and each of its links only tests.
    fn extend(&mut self, operand: Step, mut link: Qualifier) -> Planned {
        let tests = matches!(operand.kind, StepKind::Test(_));
        let id = operand.id;
        let mut target = into_attribute(operand);
        if !tests {
            self.add(&mut target, link);
            return Ok(attribute(target));
        }
        if !matches!(link.key, QualifierKey::Const(_)) {
            return Err("test only expressions must have constant qualifiers".to_owned());
        }
        link.test_only = true;
        link.twice = true;
        self.add(&mut target, link);
        Ok(Step { id, kind: StepKind::Test(Box::new(target)) })
    }

    /// Adds a link to an attribute: to both sides of a condition, and to each reading of an unchecked name.
    fn add(&mut self, target: &mut Attribute, link: Qualifier) {
        self.add_shared(target, &Arc::new(link));
    }

    fn add_shared(&mut self, target: &mut Attribute, link: &Arc<Qualifier>) {
        match &mut target.root {
            Root::Conditional { truthy, falsy, .. } => {
                self.add_shared(truthy, link);
                self.add_shared(falsy, link);
            }
            Root::Maybe(attributes) => {
                let mut longer: Vec<String> = Vec::new();
                for attribute in attributes.iter_mut() {
                    if let (
                        QualifierKey::Const(Val::String(field)),
                        true,
                        Root::Absolute { candidates, .. },
                    ) = (&link.key, attribute.qualifiers.is_empty(), &attribute.root)
                    {
                        longer = candidates
                            .iter()
                            .map(|candidate| format!("{}.{field}", candidate.name))
                            .collect();
                    }
                    attribute.qualifiers.push(Arc::clone(link));
                }
                if !longer.is_empty() {
                    let first = self.absolute(link.id, &longer);
                    attributes.insert(0, first);
                }
            }
            Root::Absolute { .. } | Root::Relative(_) => target.qualifiers.push(Arc::clone(link)),
        }
    }

    fn call(&mut self, id: Id, function: &str, target: Option<Expr>, args: &[Expr]) -> Planned {
        let (target, function, overload) = self.resolve(id, function, target);
        let mut steps = Vec::with_capacity(args.len() + 1);
        for arg in target.iter().chain(args) {
            steps.push(self.plan(*arg)?);
        }
        let kind = match &*function {
            operator::AND => StepKind::And(steps),
            operator::OR => StepKind::Or(steps),
            operator::CONDITIONAL => return conditional(id, steps),
            operator::EQUALS => StepKind::Equal(pair(steps, "_==_")?),
            operator::NOT_EQUALS => StepKind::NotEqual(pair(steps, "_!=_")?),
            operator::INDEX => return self.index(id, steps, false),
            operator::OPT_SELECT | operator::OPT_INDEX => return self.index(id, steps, true),
            _ => return self.function(id, function, overload, steps),
        };
        Ok(Step { id, kind })
    }

    fn function(&mut self, id: Id, function: Arc<str>, overload: Arc<str>, args: Vec<Step>) -> Planned {
        let declared = self.env.functions.get(&*function);
        let dispatch = match (declared, self.overload_named(&function)) {
            (None, Some(by_id)) => Dispatch::find(Some(by_id), &function),
            _ => Dispatch::find(declared, &overload),
        };
        // cel-go refuses to plan a call of a function that is bound for another number of arguments.
        match (args.len(), dispatch.shape()) {
            (0, None | Some(Shape::Unary | Shape::Binary)) => {
                return Err(format!("no such overload: {function}()"));
            }
            (1, Some(Shape::Binary)) => return Err(format!("no such overload: {function}(arg)")),
            (2, Some(Shape::Unary)) => return Err(format!("no such overload: {function}(lhs, rhs)")),
            (3.., Some(Shape::Unary | Shape::Binary)) => {
                return Err(format!("no such overload: {function}(...)"));
            }
            _ => {}
        }
        if args.len() == 2 {
            let optional = self.env.functions.get("optional.of").is_some();
            let is = |name, id| optional && &*function == name && (overload.is_empty() || &*overload == id);
            if is("or", "optional_or_optional") {
                return Ok(Step { id, kind: StepKind::OptionalOr(pair(args, "or")?) });
            }
            if is("orValue", "optional_orValue_value") {
                return Ok(Step { id, kind: StepKind::OptionalOrValue(pair(args, "orValue")?) });
            }
        }
        let cost = declared
            .and_then(|declared| declared.overloads.iter().find(|o| o.id == overload))
            .and_then(|overload| overload.cost);
        let not_strict =
            matches!(&*function, operator::NOT_STRICTLY_FALSE | operator::OLD_NOT_STRICTLY_FALSE)
                && args.len() == 1;
        let call = Box::new(Call { function, overload, args, dispatch, cost, takes: None });
        Ok(Step {
            id,
            kind: if not_strict { StepKind::NotStrictlyFalse(call) } else { StepKind::Call(call) },
        })
    }

    /// The receiver, the name and the overload id of a call: a receiver may be the namespace of the function.
    fn resolve(&self, id: Id, function: &str, target: Option<Expr>) -> (Option<Expr>, Arc<str>, Arc<str>) {
        if let Some(Reference::Overloads(overloads)) = self.checked.references.get(&id) {
            let overload = match overloads.as_slice() {
                [only] => Arc::clone(only),
                _ => "".into(),
            };
            return (target, function.into(), overload);
        }
        let known = |name: &String| {
            self.env.functions.get(&**name).is_some_and(has_binding) || self.overload_named(name).is_some()
        };
        let Some(receiver) = target else {
            let found = candidate_names(&self.env.container, function).into_iter().find(known);
            let name = found.unwrap_or_else(|| function.strip_prefix('.').unwrap_or(function).to_owned());
            return (None, name.into(), "".into());
        };
        if let Some(prefix) = self.qualified_name(receiver) {
            let name = format!("{prefix}.{function}");
            if let Some(name) = candidate_names(&self.env.container, &name).into_iter().find(known) {
                return (None, name.into(), "".into());
            }
        }
        (target, function.into(), "".into())
    }

    /// The function that has an overload with an id. In an unchecked expression, cel-go takes the id for a name.
    fn overload_named(&self, id: &str) -> Option<&'a Function> {
        if !self.checked.references.is_empty() || self.env.functions.contains_key(id) {
            return None;
        }
        let bound = |function: &Function| {
            function.singleton.is_none()
                && function.overloads.iter().any(|overload| &*overload.id == id && overload.binding.is_some())
        };
        self.env.functions.values().find(|function| bound(function))
    }

    fn qualified_name(&self, expr: Expr) -> Option<String> {
        let node = self.checked.ast.node(expr);
        if self.checked.references.contains_key(&node.id) {
            return None;
        }
        match &node.kind {
            Kind::Ident(name) => Some(name.to_string()),
            Kind::Select { operand, field, test_only: false, .. } => {
                Some(format!("{}.{field}", self.qualified_name(*operand)?))
            }
            _ => None,
        }
    }

    fn index(&mut self, id: Id, steps: Vec<Step>, optional: bool) -> Planned {
        let [operand, index] = *pair(steps, "_[_]")?;
        let key = match index.kind {
            StepKind::Const(value) if !is_key(&value) => {
                return Err(format!("invalid qualifier type: {}", crate::value::show::go_type_name(&value)));
            }
            StepKind::Const(value) => QualifierKey::Const(value),
            StepKind::Attribute(attribute) | StepKind::Test(attribute) => QualifierKey::Attribute(*attribute),
            _ => QualifierKey::Relative(Attribute::new(id, Root::Relative(index))),
        };
        self.extend(operand, Qualifier { id, optional, test_only: false, twice: false, key })
    }
}

fn has_binding(function: &Function) -> bool {
    function.singleton.is_some() || function.overloads.iter().any(|overload| overload.binding.is_some())
}

/// Whether cel-go takes the value as a key.
pub(super) fn is_key(value: &Val) -> bool {
    matches!(value, Val::String(_) | Val::Int(_) | Val::Uint(_) | Val::Bool(_) | Val::Double(_))
}

fn constant(literal: &Literal) -> Val {
    match literal {
        Literal::Null => Val::Null,
        Literal::Bool(value) => Val::Bool(*value),
        Literal::Int(value) => Val::Int(*value),
        Literal::Uint(value) => Val::Uint(*value),
        Literal::Double(value) => Val::Double(*value),
        Literal::String(text) => Val::String(Arc::clone(text)),
        Literal::Bytes(bytes) => Val::Bytes(Arc::clone(bytes)),
    }
}

fn attribute(attribute: Attribute) -> Step {
    Step { id: attribute.id(), kind: StepKind::Attribute(Box::new(attribute)) }
}

/// The attribute to which a link is added: the step itself, or one over its value.
fn into_attribute(step: Step) -> Attribute {
    match step.kind {
        StepKind::Attribute(attribute) => *attribute,
        StepKind::Test(attribute) => *attribute,
        kind => Attribute::new(step.id, Root::Relative(Step { id: step.id, kind })),
    }
}

fn pair(steps: Vec<Step>, function: &str) -> Result<Box<[Step; 2]>, String> {
    let pair: Result<[Step; 2], _> = steps.try_into();
    pair.map(Box::new).map_err(|_| format!("no such overload: {function}(...)"))
}

fn conditional(id: Id, steps: Vec<Step>) -> Planned {
    let steps: Result<[Step; 3], _> = steps.try_into();
    let Ok([condition, truthy, falsy]) = steps else {
        return Err("no such overload: _?_:_(...)".to_owned());
    };
    let (truthy, falsy) = (Box::new(into_attribute(truthy)), Box::new(into_attribute(falsy)));
    Ok(attribute(Attribute::new(id, Root::Conditional { condition, truthy, falsy })))
}

/// Marks the calls of a loop's step that may take the accumulator out and let it grow: `@result + …` and
/// `cel.@mapInsert(@result, …)`, also as a branch of a condition.
fn let_grow(step: &mut Step, place: usize) {
    match &mut step.kind {
        StepKind::Call(call) => {
            let grows = matches!(&*call.function, operator::ADD | "cel.@mapInsert");
            let of_loop = |step: &Step| match &step.kind {
                StepKind::Attribute(attribute) => {
                    attribute.qualifiers.is_empty()
                        && matches!(&attribute.root, Root::Absolute { candidates, .. }
                            if matches!(candidates.as_slice(), [Candidate { source: Source::Accumulator(at), .. }] if *at == place))
                }
                _ => false,
            };
            if grows && call.args.first().is_some_and(of_loop) {
                call.takes = Some(place);
            }
        }
        StepKind::Attribute(attribute) if attribute.qualifiers.is_empty() => {
            if let Root::Conditional { truthy, falsy, .. } = &mut attribute.root {
                for branch in [truthy, falsy] {
                    if let Root::Relative(step) = &mut branch.root {
                        let_grow(step, place);
                    }
                }
            }
        }
        _ => {}
    }
}
