//! Expressions: pipelines, chains of fields, calls.

use convoy_text::Span;
use convoy_value::go;

use super::{At, BYTES_OF_A_STEP, Exec, ExecErrorKind, Executor, MissingKey};
use crate::funcs::{Builtin, Call, Operand, call_error};
use crate::node::{Arg, Chain, Command, Number, Pipe};
use crate::val::Val;

impl<'t> Executor<'t> {
    // ---- pipelines ----

    pub(super) fn pipeline(&mut self, dot: &Operand, pipe: &'t Pipe) -> Exec<Operand> {
        self.at = At { pos: pipe.span.start, span: pipe.span, shown: pipe };
        let mut value: Option<Operand> = None;
        for command in &pipe.commands {
            let result = self.command(dot, command, value.take())?;
            // What stands in an empty interface is taken out of it.
            value = Some(if result.iface { Operand::plain(result.indirect()) } else { result });
        }
        let value = value.unwrap_or_else(|| Operand::plain(Val::Invalid));
        for variable in &pipe.decl {
            let name: &'t str = &variable.idents[0];
            if pipe.is_assign {
                self.set_var(name, value.clone())?;
            } else {
                self.vars.push((name, value.clone()));
            }
        }
        Ok(value)
    }

    fn command(&mut self, dot: &Operand, command: &'t Command, last: Option<Operand>) -> Exec<Operand> {
        let Some(first) = command.args.first() else { return Ok(Operand::plain(Val::Invalid)) };
        match first {
            Arg::Field(_) | Arg::Chain(_) | Arg::Variable(_) => {
                self.chain_command(dot, first, &command.args, last.as_ref())
            }
            Arg::Identifier(span, name) => {
                self.at_arg(first);
                let whole = At { pos: span.start, span: command.span, shown: command };
                self.function(dot, name, whole, &command.args[1..], last)
            }
            Arg::Pipe(pipe, _) => {
                self.not_a_function(&command.args, last.as_ref())?;
                self.pipeline(dot, pipe)
            }
            _ => {
                self.at_arg(first);
                self.not_a_function(&command.args, last.as_ref())?;
                match first {
                    Arg::Bool(_, value) => Ok(Operand::plain(Val::Bool(*value))),
                    Arg::Dot(_) => Ok(dot.clone()),
                    Arg::Nil(_) => self.fail("nil is not a command"),
                    Arg::Number(number) => self.constant(first, number),
                    Arg::String { text, .. } => Ok(Operand::plain(Val::Str(text.as_ref().into()))),
                    other => self
                        .fail(format!("can't evaluate command {}", go::quote(other.to_string().as_bytes()))),
                }
            }
        }
    }

    fn not_a_function(&self, args: &[Arg], last: Option<&Operand>) -> Exec {
        if args.len() > 1 || last.is_some() {
            let shown = args.first().map(ToString::to_string).unwrap_or_default();
            return self.fail(format!("can't give argument to non-function {shown}"));
        }
        Ok(())
    }

    fn constant(&mut self, arg: &'t Arg, number: &Number) -> Exec<Operand> {
        self.at_arg(arg);
        if let Some((re, im)) = number.complex {
            return Ok(Operand::plain(Val::Complex(re, im)));
        }
        let text = &*number.text;
        let hex = text.len() > 2
            && (text.starts_with("0x") || text.starts_with("0X"))
            && !text.contains(['p', 'P']);
        if let Some(float) = number.float
            && !hex
            && !text.starts_with('\'')
            && text.contains(['.', 'e', 'E', 'p', 'P'])
        {
            return Ok(Operand::plain(Val::Float(float)));
        }
        match number.int {
            Some(int) => Ok(Operand::plain(Val::Int(int))),
            None => self.fail(format!("{text} overflows int")),
        }
    }

    // ---- fields ----

    /// `.a.b`, `$x.a`, `(…).a` with the arguments that must not be there.
    fn chain_command(
        &mut self,
        dot: &Operand,
        arg: &'t Arg,
        args: &'t [Arg],
        last: Option<&Operand>,
    ) -> Exec<Operand> {
        self.at_arg(arg);
        match arg {
            Arg::Field(field) => self.fields(dot.clone(), &field.idents, &field.spans, args, last),
            Arg::Variable(variable) => {
                let name = &*variable.idents[0];
                let value = self.vars.iter().rev().find(|(known, _)| *known == name).map(|(_, v)| v.clone());
                let Some(value) = value else { return self.fail(format!("undefined variable: {name}")) };
                self.watch(variable.spans[0], &value);
                if variable.idents.len() == 1 {
                    self.not_a_function(args, last)?;
                    return Ok(value);
                }
                self.fields(value, &variable.idents[1..], &variable.spans[1..], args, last)
            }
            Arg::Chain(chain) => self.chain(dot, arg, chain, args, last),
            _ => Ok(Operand::plain(Val::Invalid)),
        }
    }

    fn chain(
        &mut self,
        dot: &Operand,
        arg: &'t Arg,
        chain: &'t Chain,
        args: &'t [Arg],
        last: Option<&Operand>,
    ) -> Exec<Operand> {
        if matches!(chain.node, Arg::Nil(_)) {
            return self.fail(format!("indirection through explicit nil in {arg}"));
        }
        let receiver = match &chain.node {
            Arg::Pipe(pipe, _) => {
                self.at_arg(&chain.node);
                self.pipeline(dot, pipe)?
            }
            Arg::Identifier(span, name) => {
                self.at_arg(&chain.node);
                let whole = At { pos: span.start, span: *span, shown: &chain.node };
                self.function(dot, name, whole, &[], None)?
            }
            _ => Operand::plain(Val::Invalid),
        };
        self.fields(receiver, &chain.fields, &chain.spans, args, last)
    }

    fn watch(&mut self, span: Span, value: &Operand) {
        if self.options.watch == Some(span) && self.watched.len() < 8 {
            self.watched.push(value.val.clone());
        }
    }

    fn fields(
        &mut self,
        receiver: Operand,
        idents: &'t [Box<str>],
        spans: &[Span],
        args: &[Arg],
        last: Option<&Operand>,
    ) -> Exec<Operand> {
        let mut value = receiver;
        for (i, (ident, span)) in idents.iter().zip(spans).enumerate() {
            let has_args = i + 1 == idents.len() && (args.len() > 1 || last.is_some());
            // The link of the chain that fails is the one to show.
            let at = self.at;
            self.at.span = *span;
            value = self.field(&value, ident, has_args)?;
            self.at = at;
            self.watch(*span, &value);
        }
        Ok(value)
    }

    fn field(&self, receiver: &Operand, name: &str, has_args: bool) -> Exec<Operand> {
        if receiver.val == Val::Unknown {
            return Ok(receiver.clone());
        }
        if !receiver.is_valid() {
            if self.options.missing_key == MissingKey::Error {
                return self.fail(format!("nil data; no entry for key {}", go::quote(name.as_bytes())));
            }
            return Ok(Operand::plain(Val::Invalid));
        }
        let (map, strings) = match &receiver.val {
            Val::Nil => {
                return self.fail(format!("nil pointer evaluating {}.{name}", receiver.type_name()));
            }
            Val::Map(map) => (map, false),
            Val::StrMap(map) => (map, true),
            _ => {
                return self.fail(format!("can't evaluate field {name} in type {}", receiver.type_name()));
            }
        };
        if has_args {
            return self.fail(format!("{name} is not a method but has arguments"));
        }
        match map.get(name) {
            Some(value) if strings => Ok(Operand::plain(Val::from_value(value))),
            Some(value) => Ok(Operand::in_interface(value)),
            None => match self.options.missing_key {
                MissingKey::Default => Ok(Operand::plain(Val::Invalid)),
                MissingKey::Zero if strings => Ok(Operand::plain(Val::str(""))),
                MissingKey::Zero => Ok(Operand::nil()),
                MissingKey::Error => {
                    self.fail(format!("map has no entry for key {}", go::quote(name.as_bytes())))
                }
            },
        }
    }

    // ---- functions ----

    fn function(
        &mut self,
        dot: &Operand,
        name: &'t str,
        whole: At<'t>,
        args: &'t [Arg],
        last: Option<Operand>,
    ) -> Exec<Operand> {
        self.step()?;
        let builtin = Builtin::find(name);
        let extra = self.functions.extra(name);
        let Some(arity) = extra.map(|f| f.arity).or(builtin.map(|b| b.arity)) else {
            return self.fail(format!("{} is not a defined function", go::quote(name.as_bytes())));
        };
        let count = args.len() + usize::from(last.is_some());
        if arity.max.is_none() && count < arity.min {
            return self.fail(format!(
                "wrong number of args for {name}: want at least {} got {}",
                arity.min,
                args.len()
            ));
        }
        if let Some(max) = arity.max
            && (count > max || count < arity.min)
        {
            return self.fail(format!("wrong number of args for {name}: want {max} got {count}"));
        }
        if let Some(extra) = extra {
            let Some(run) = extra.implementation.clone() else {
                self.at = whole;
                if self.onward.is_some() {
                    self.operands(dot, args, last)?;
                    return Ok(Operand::plain(Val::Unknown));
                }
                return self.fail_as(
                    format!("function {} is not evaluated", go::quote(name.as_bytes())),
                    ExecErrorKind::NotEvaluated(name.into()),
                );
            };
            let operands = self.operands(dot, args, last)?;
            if let Some(unknown) = Self::unknown_among(&operands) {
                return Ok(unknown);
            }
            let mut values = Vec::with_capacity(count);
            for operand in operands {
                values.push(operand.val.to_value().unwrap_or_default());
            }
            return match run(&values) {
                Ok(value) => Ok(Operand::in_interface(&value)),
                Err(text) => {
                    self.at = whole;
                    self.fail(format!("error calling {name}: {text}"))
                }
            };
        }
        let Some(builtin) = builtin else { return Ok(Operand::plain(Val::Invalid)) };
        let called = match builtin.call {
            Call::ShortCircuit => return self.short_circuit(dot, name == "or", args, last),
            Call::Callee => {
                let shown = args.first().map(ToString::to_string);
                let operands = self.operands(dot, args, last)?;
                let shown = shown.unwrap_or_else(|| match operands.first().map(|o| &o.val) {
                    Some(Val::Str(text)) => String::from_utf8_lossy(text).into_owned(),
                    Some(val) => format!("<{} Value>", val.type_name()),
                    None => String::new(),
                });
                Err(operands.first().map(|f| call_error(&shown, f)).unwrap_or_default())
            }
            Call::Reflect(run) => {
                let operands = self.operands(dot, args, last)?;
                if let Some(unknown) = Self::unknown_among(&operands) {
                    return Ok(unknown);
                }
                run(&operands)
            }
            Call::Any { format, run } => {
                let mut values = Vec::with_capacity(count);
                for (i, arg) in args.iter().enumerate() {
                    values.push(if format && i == 0 {
                        self.string_arg(dot, arg)?
                    } else {
                        any(&self.operand(dot, arg)?)
                    });
                }
                if let Some(last) = last {
                    values.push(if format && values.is_empty() {
                        self.as_string(&last)?
                    } else {
                        any(&last)
                    });
                }
                if values.contains(&Val::Unknown) {
                    return Ok(Operand::plain(Val::Unknown));
                }
                let limit = self.options.limits.output;
                let Some(value) = run(&values, limit) else { return self.too_long() };
                if let Val::Str(text) = &value {
                    if text.len() > limit {
                        return self.too_long();
                    }
                    self.steps += text.len() as u64 / BYTES_OF_A_STEP;
                }
                Ok(Operand::plain(value))
            }
        };
        match called {
            Ok(value) => Ok(value),
            Err(text) => {
                self.at = whole;
                self.fail(format!("error calling {name}: {text}"))
            }
        }
    }

    fn operands(&mut self, dot: &Operand, args: &'t [Arg], last: Option<Operand>) -> Exec<Vec<Operand>> {
        let mut operands = Vec::with_capacity(args.len() + 1);
        for arg in args {
            operands.push(self.operand(dot, arg)?);
        }
        operands.extend(last);
        Ok(operands)
    }

    /// An argument of a parameter that takes anything.
    fn operand(&mut self, dot: &Operand, arg: &'t Arg) -> Exec<Operand> {
        self.at_arg(arg);
        match arg {
            Arg::Dot(_) => Ok(dot.clone()),
            Arg::Nil(_) => Ok(Operand::plain(Val::Invalid)),
            Arg::Field(_) | Arg::Variable(_) | Arg::Chain(_) => self.chain_command(dot, arg, &[], None),
            Arg::Pipe(pipe, _) => self.pipeline(dot, pipe),
            Arg::Identifier(span, name) => {
                let whole = At { pos: span.start, span: *span, shown: arg };
                self.function(dot, name, whole, &[], None)
            }
            Arg::Bool(_, value) => Ok(Operand::plain(Val::Bool(*value))),
            Arg::Number(number) => self.constant(arg, number),
            Arg::String { text, .. } => Ok(Operand::plain(Val::Str(text.as_ref().into()))),
        }
    }

    /// An argument of a parameter of type string.
    fn string_arg(&mut self, dot: &Operand, arg: &'t Arg) -> Exec<Val> {
        self.at_arg(arg);
        match arg {
            Arg::Nil(_) => self.fail("cannot assign nil to string"),
            Arg::Bool(..) | Arg::Number(_) => self.fail(format!("expected string; found {arg}")),
            _ => {
                let operand = self.operand(dot, arg)?;
                self.as_string(&operand)
            }
        }
    }

    fn as_string(&self, operand: &Operand) -> Exec<Val> {
        match &operand.val {
            Val::Str(_) | Val::Unknown => Ok(operand.val.clone()),
            _ if !operand.is_valid() => self.fail("invalid value; expected string"),
            val => self.fail(format!("wrong type for value; expected string; got {}", val.type_name())),
        }
    }

    fn short_circuit(
        &mut self,
        dot: &Operand,
        stop_at: bool,
        args: &'t [Arg],
        last: Option<Operand>,
    ) -> Exec<Operand> {
        let mut value = Operand::plain(Val::Invalid);
        for arg in args {
            value = self.operand(dot, arg)?;
            // Whether the arguments behind an unknown one are looked at is not known either.
            if value.val == Val::Unknown || value.val.truth() == stop_at {
                return Ok(value);
            }
        }
        Ok(last.unwrap_or(value))
    }
}

/// What a parameter of type `interface{}` sees: nil where there is no value.
fn any(operand: &Operand) -> Val {
    match &operand.val {
        Val::Invalid => Val::Nil,
        val => val.clone(),
    }
}
