//! Calls: which function, which overloads.

use std::sync::Arc;

use super::Reference;
use super::arena::Ty;
use super::names::qualified_name;
use super::walk::{Checker, Task};
use crate::ast::{Expr, Kind, Literal};
use crate::function::{Function, Overload};
use crate::operator;
use crate::types::Type;

impl<'a> Checker<'a> {
    pub(super) fn visit_call(&mut self, call: Expr) {
        let Kind::Call { function, target, args, .. } = self.ast.kind(call) else { return };
        if &**function == operator::OPT_SELECT {
            match (target, args.as_slice()) {
                (None, [operand, field]) => {
                    let (operand, field) = (*operand, *field);
                    self.tasks.extend([Task::OptSelect { call, operand, field }, Task::Visit(operand)]);
                }
                (target, args) => {
                    let member = if target.is_some() { " member call with" } else { "" };
                    let why = format!("incorrect signature.{member} argument count: {}", args.len());
                    self.bad_optional_selection(call, &why);
                }
            }
            return;
        }
        self.tasks.push(Task::Call(call));
        self.tasks.extend(args.iter().rev().map(|arg| Task::Visit(*arg)));
    }

    pub(super) fn finish_optional_select(&mut self, call: Expr, operand: Expr, field: Expr) {
        let Kind::Literal(Literal::String(name)) = self.ast.kind(field) else {
            self.bad_optional_selection(field, "the field is not a string");
            return;
        };
        let name = Arc::clone(name);
        let ty = self.select_field(call, operand, &name, self.ast.span(field), true);
        let ty = self.unifier.substitute(ty, false);
        self.set_type(call, ty);
        self.set_reference(call, Reference::Overloads(vec!["select_optional_field".into()]));
    }

    /// Finds the function, or has the receiver checked first: a receiver that is a chain of names may be the namespace of
    /// the function.
    pub(super) fn finish_call(&mut self, call: Expr) {
        let Kind::Call { function: name, target, .. } = self.ast.kind(call) else { return };
        let (name, target) = (Arc::clone(name), *target);
        let Some(target) = target else {
            match self.function(&name) {
                Some(function) => {
                    self.rename_call(call, function);
                    self.call(call, function, None);
                }
                None => {
                    self.undeclared(call, &name);
                    self.set_type(call, Ty::ERROR);
                }
            }
            return;
        };
        let namespaced =
            qualified_name(&self.ast, target).and_then(|prefix| self.function(&format!("{prefix}.{name}")));
        if let Some(function) = namespaced {
            self.rename_call(call, function);
            self.call(call, function, None);
            return;
        }
        self.tasks.extend([Task::MemberCall { call, target }, Task::Visit(target)]);
    }

    pub(super) fn finish_member_call(&mut self, call: Expr, target: Expr) {
        let Kind::Call { function: name, .. } = self.ast.kind(call) else { return };
        let name = Arc::clone(name);
        match self.function(&name) {
            Some(function) => self.call(call, function, Some(target)),
            None => {
                self.set_type(call, Ty::ERROR);
                self.undeclared(call, &name);
            }
        }
    }

    /// Gives a call the full name of its function; a receiver was part of that name.
    fn rename_call(&mut self, call: Expr, function: &Function) {
        let Some(node) = self.ast.nodes.get_mut(call.0 as usize) else { return };
        if let Kind::Call { function: name, target, .. } = &mut node.kind {
            *name = Arc::clone(&function.name);
            *target = None;
        }
    }

    fn call(&mut self, call: Expr, function: &'a Function, target: Option<Expr>) {
        let mut args = Vec::new();
        if let Some(target) = target {
            args.push(self.get_type(target));
        }
        if let Kind::Call { args: exprs, .. } = self.ast.kind(call) {
            args.extend(exprs.iter().map(|arg| self.get_type(*arg)));
        }
        match self.overloads(call, function, &mut args, target.is_some()) {
            Some((ty, ids)) => {
                self.set_type(call, ty);
                self.set_reference(call, Reference::Overloads(ids));
            }
            None => self.set_type(call, Ty::ERROR),
        }
    }

    /// The type of a call and the overloads that fit; none after an error.
    fn overloads(
        &mut self,
        call: Expr,
        function: &'a Function,
        args: &mut [Ty],
        member: bool,
    ) -> Option<(Ty, Vec<Arc<str>>)> {
        let logical = matches!(&*function.name, operator::AND | operator::OR);
        let mut result: Option<Ty> = None;
        let mut ids: Vec<Arc<str>> = Vec::new();
        let mut parameters: Vec<(&'a str, Ty)> = Vec::new();
        for overload in &function.overloads {
            if overload.member != member || (self.filters && self.env.is_overload_disabled(&overload.id)) {
                continue;
            }
            if logical {
                return self.all_bool(call, args).then(|| (Ty::BOOL, vec![Arc::clone(&overload.id)]));
            }
            parameters.clear();
            collect_parameters(overload, &mut parameters);
            if overload.params.len() != args.len() {
                self.unifier.arena.skip_fresh(parameters.len());
                continue;
            }
            for (_, ty) in &mut parameters {
                *ty = self.unifier.arena.fresh();
            }
            if !self.applicable(overload, &parameters, args) {
                continue;
            }
            ids.push(Arc::clone(&overload.id));
            let ty = self.unifier.arena.import(&overload.result, &parameters);
            let ty = self.unifier.substitute(ty, false);
            result = Some(match result {
                None => ty,
                Some(first) if first.is_dyn() || self.unifier.exact(ty, first) => first,
                Some(_) => Ty::DYN,
            });
        }
        if let Some(ty) = result {
            return Some((ty, ids));
        }
        for arg in args.iter_mut() {
            *arg = self.unifier.substitute(*arg, true);
        }
        self.no_overload(call, &function.name, args, member);
        None
    }

    /// Whether the arguments fit the parameters. If so, variables may have been bound.
    fn applicable(&mut self, overload: &Overload, parameters: &[(&str, Ty)], args: &[Ty]) -> bool {
        let mark = self.unifier.arena.trail.len();
        let fits = overload.params.iter().zip(args).all(|(param, arg)| {
            let param = self.unifier.arena.import(param, parameters);
            self.unifier.fits(*arg, param)
        });
        self.unifier.close(mark, fits)
    }

    /// The operands of `&&` and `||` are looked at one by one, so that each gets its own error.
    fn all_bool(&mut self, call: Expr, args: &[Ty]) -> bool {
        let exprs = match self.ast.kind(call) {
            Kind::Call { args, .. } => args.clone(),
            _ => Vec::new(),
        };
        let mut good = true;
        for (expr, ty) in exprs.into_iter().zip(args) {
            if !self.unifier.assignable(*ty, Ty::BOOL) {
                self.mismatch(expr, Ty::BOOL, *ty);
                good = false;
            }
        }
        good
    }
}

/// The type parameters of an overload, each once.
fn collect_parameters<'a>(overload: &'a Overload, into: &mut Vec<(&'a str, Ty)>) {
    collect(&overload.result, into);
    for param in &overload.params {
        collect(param, into);
    }
}

fn collect<'a>(ty: &'a Type, into: &mut Vec<(&'a str, Ty)>) {
    match ty {
        Type::Param(name) if into.iter().all(|(known, _)| *known != &**name) => into.push((name, Ty::NONE)),
        Type::List(of) | Type::Type(Some(of)) => collect(of, into),
        Type::Map(both) => {
            collect(&both.0, into);
            collect(&both.1, into);
        }
        Type::Opaque(_, params) => params.iter().for_each(|param| collect(param, into)),
        _ => {}
    }
}
