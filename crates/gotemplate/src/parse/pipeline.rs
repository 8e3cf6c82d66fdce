//! Pipelines: declarations, commands, operands.

use convoy_text::Span;
use convoy_value::go;

use super::{DEPTH_LIMIT, Parse, ParseErrorKind, Parser};
use crate::lex::{Item, ItemKind};
use crate::node::{Arg, Chain, Command, Field, Pipe, Variable};
use crate::number::{number, unquote};

impl Parser<'_> {
    // ---- pipelines ----

    /// A pipeline up to `end`, with the offset after it.
    pub(super) fn pipeline(&mut self, context: &str, end: ItemKind) -> Parse<(Pipe, usize)> {
        let start = self.peek_non_space().span.start;
        let mut pipe = Pipe { span: Span::empty(start), ..Pipe::default() };
        self.declarations(&mut pipe, context)?;
        loop {
            let item = self.next_non_space();
            match item.kind {
                kind if kind == end => {
                    self.check_pipeline(&pipe, context, item.span)?;
                    return Ok((pipe, item.span.end));
                }
                ItemKind::Bool
                | ItemKind::CharConstant
                | ItemKind::Complex
                | ItemKind::Dot
                | ItemKind::Field
                | ItemKind::Identifier
                | ItemKind::Number
                | ItemKind::Nil
                | ItemKind::RawString
                | ItemKind::String
                | ItemKind::Variable
                | ItemKind::LeftParen => {
                    self.backup();
                    let command = self.command()?;
                    pipe.span.end = pipe.span.end.max(command.span.end);
                    pipe.commands.push(command);
                }
                _ => return self.unexpected(item, context),
            }
        }
    }

    fn declarations(&mut self, pipe: &mut Pipe, context: &str) -> Parse<()> {
        loop {
            let variable = self.peek_non_space();
            if variable.kind != ItemKind::Variable {
                return Ok(());
            }
            self.next();
            let after = self.peek();
            let next = self.peek_non_space();
            match next.kind {
                ItemKind::Assign | ItemKind::Declare => {
                    pipe.is_assign = next.kind == ItemKind::Assign;
                    self.next_non_space();
                    self.declare(pipe, variable);
                    pipe.span.end = next.span.end;
                    return Ok(());
                }
                ItemKind::Char if next.text(self.source) == "," => {
                    self.next_non_space();
                    self.declare(pipe, variable);
                    if context == "range" && pipe.decl.len() < 2 {
                        let item = self.peek_non_space();
                        match item.kind {
                            ItemKind::Variable | ItemKind::RightDelim | ItemKind::RightParen => continue,
                            _ => return Err(self.error("range can only initialize variables", item.span)),
                        }
                    }
                    return Err(self.error(format!("too many declarations in {context}"), variable.span));
                }
                _ if after.kind == ItemKind::Space => self.backup3(variable, after),
                _ => self.backup2(variable),
            }
            return Ok(());
        }
    }

    fn declare(&mut self, pipe: &mut Pipe, item: Item) {
        let name: Box<str> = item.text(self.source).into();
        self.vars.push(name.clone());
        pipe.decl.push(Variable {
            span: item.span,
            pos: item.span.start,
            idents: vec![name],
            spans: vec![item.span],
        });
    }

    fn check_pipeline(&self, pipe: &Pipe, context: &str, end: Span) -> Parse<()> {
        if pipe.commands.is_empty() {
            return Err(self.error(format!("missing value for {context}"), end));
        }
        for (i, command) in pipe.commands.iter().enumerate().skip(1) {
            if let Some(Arg::Bool(..) | Arg::Dot(_) | Arg::Nil(_) | Arg::Number(_) | Arg::String { .. }) =
                command.args.first()
            {
                let detail = format!("non executable command in pipeline stage {}", i + 1);
                return Err(self.error(detail, command.span));
            }
        }
        Ok(())
    }

    fn command(&mut self) -> Parse<Command> {
        let start = self.peek_non_space().span.start;
        let mut command = Command { span: Span::empty(start), args: Vec::new() };
        loop {
            self.peek_non_space();
            if let Some(arg) = self.operand()? {
                command.span.end = arg.span().end;
                command.args.push(arg);
            }
            let item = self.next();
            match item.kind {
                ItemKind::Space => continue,
                ItemKind::RightDelim | ItemKind::RightParen => self.backup(),
                ItemKind::Pipe => {}
                _ => return self.unexpected(item, "operand"),
            }
            if command.args.is_empty() {
                return Err(self.error("empty command", item.span));
            }
            return Ok(command);
        }
    }

    fn operand(&mut self) -> Parse<Option<Arg>> {
        let Some(mut arg) = self.term()? else { return Ok(None) };
        if self.peek().kind != ItemKind::Field {
            return Ok(Some(arg));
        }
        let pos = self.peek().span.start;
        let mut names: Vec<Box<str>> = Vec::new();
        let mut spans = Vec::new();
        while self.peek().kind == ItemKind::Field {
            let item = self.next();
            names.push(item.text(self.source)[1..].into());
            spans.push(item.span);
        }
        let end = spans.last().map_or(pos, |span| span.end);
        match &mut arg {
            Arg::Field(field) => {
                field.pos = pos;
                field.span.end = end;
                field.idents.extend(names);
                field.spans.extend(spans);
            }
            Arg::Variable(variable) => {
                variable.pos = pos;
                variable.span.end = end;
                variable.idents.extend(names);
                variable.spans.extend(spans);
            }
            Arg::Bool(..) | Arg::String { .. } | Arg::Number(_) | Arg::Nil(_) | Arg::Dot(_) => {
                let shown = go::quote(arg.to_string().as_bytes());
                let span = Span::new(arg.span().start, end);
                return Err(self.error(format!("unexpected . after term {shown}"), span));
            }
            _ => {
                let span = Span::new(arg.span().start, end);
                return Ok(Some(Arg::Chain(Box::new(Chain { span, pos, node: arg, fields: names, spans }))));
            }
        }
        Ok(Some(arg))
    }

    fn term(&mut self) -> Parse<Option<Arg>> {
        let item = self.next_non_space();
        let text = item.text(self.source);
        let arg = match item.kind {
            ItemKind::Identifier => {
                if !(self.is_function)(text) {
                    let mut error =
                        self.error(format!("function {} not defined", go::quote(text.as_bytes())), item.span);
                    error.kind = ParseErrorKind::UnknownFunction(text.into());
                    return Err(error);
                }
                Arg::Identifier(item.span, text.into())
            }
            ItemKind::Dot => Arg::Dot(item.span),
            ItemKind::Nil => Arg::Nil(item.span),
            ItemKind::Variable => {
                if !self.vars.iter().any(|known| **known == *text) {
                    let mut error =
                        self.error(format!("undefined variable {}", go::quote(text.as_bytes())), item.span);
                    error.kind = ParseErrorKind::UnknownVariable(text.into());
                    return Err(error);
                }
                Arg::Variable(Box::new(Variable {
                    span: item.span,
                    pos: item.span.start,
                    idents: vec![text.into()],
                    spans: vec![item.span],
                }))
            }
            ItemKind::Field => Arg::Field(Box::new(Field {
                span: item.span,
                pos: item.span.start,
                idents: vec![text[1..].into()],
                spans: vec![item.span],
            })),
            ItemKind::Bool => Arg::Bool(item.span, text == "true"),
            ItemKind::CharConstant | ItemKind::Complex | ItemKind::Number => {
                match number(item.kind, text, item.span) {
                    Ok(number) => Arg::Number(Box::new(number)),
                    Err(detail) => return Err(self.error(detail, item.span)),
                }
            }
            ItemKind::LeftParen => {
                self.depth += 1;
                if self.depth > DEPTH_LIMIT {
                    self.depth -= 1;
                    return Err(self.error(
                        format!("nested deeper than {DEPTH_LIMIT} levels (a limit of convoy-lsp)"),
                        item.span,
                    ));
                }
                let inner = self.pipeline("parenthesized pipeline", ItemKind::RightParen);
                self.depth -= 1;
                let (pipe, end) = inner?;
                Arg::Pipe(Box::new(pipe), Span::new(item.span.start, end))
            }
            ItemKind::String | ItemKind::RawString => match unquote(text) {
                Some(bytes) => Arg::String { span: item.span, quoted: text.into(), text: bytes.into() },
                None => return Err(self.error("invalid syntax", item.span)),
            },
            _ => {
                self.backup();
                return Ok(None);
            }
        };
        Ok(Some(arg))
    }
}
