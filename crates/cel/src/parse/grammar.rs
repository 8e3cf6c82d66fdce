//! The rules of the grammar, each a function that goes the way of cel-go's: which tokens it looks at, where it looks
//! whether a token fits at all, and what is left of it when it is given up.
//!
//! ANTLR finds out at run time which alternative fits, with as many tokens as it takes. For this grammar the answer is
//! always found with few tokens, which the functions do by hand; only names before a brace take more (`a.b.c{`). What
//! ANTLR does where no alternative fits is kept: it fails at the first token that leaves no way open, except that a
//! way which already was at the end of its rule is taken all the same.

use super::recover::{After, At, Fault, Parser, Rule, Stop, Then};
use super::syntax::{Entries, FieldName, Form, Optional, OptionalField, Ref};
use super::token::{
    EXPR, FACTOR, FIELD, Kind, LITERAL, OPT_EXPR, OPT_FIELD, PRIMARY, RELATION, SUM, Set, Token,
};

/// Goes on with what a step gave, or leaves the rule's block because something did not fit.
macro_rules! attempt {
    ($rule:lifetime, $step:expr) => {
        match $step {
            Ok(value) => value,
            Err(Fault::Unfit) => break $rule true,
            Err(Fault::Stop) => return Err(Stop),
        }
    };
}

/// The node of an alternative, and whether something did not fit in it.
type Part = Result<(Ref, bool), Stop>;

/// Which alternative an operand is.
#[derive(Clone, Copy, Debug)]
enum Primary {
    Name,
    Call,
    Message,
}

impl Parser<'_> {
    /// The whole text.
    pub(super) fn start(&mut self) -> Result<Ref, Stop> {
        self.deepen(Rule::Start)?;
        let expr = self.expr(After::End)?;
        match self.want(Kind::End, 35, Then::Return) {
            Ok(_) => {}
            Err(Fault::Unfit) => self.give_up()?,
            Err(Fault::Stop) => return Err(Stop),
        }
        Ok(expr)
    }

    /// Ends a rule, after recovery if something did not fit.
    fn close(&mut self, rule: Rule, unfit: bool) -> Result<(), Stop> {
        if unfit {
            self.give_up()?;
        }
        self.leave(rule);
        Ok(())
    }

    fn add(&mut self, start: u32, form: Form) -> Ref {
        let end = self.last_end;
        self.tree.add(start, end, form)
    }

    fn expr(&mut self, after: After) -> Result<Ref, Stop> {
        self.enter(Rule::Expr, after)?;
        let start = self.current.start;
        let test = self.or(After::Question)?;
        if self.kind() != Kind::Question {
            self.leave(Rule::Expr);
            return Ok(test);
        }
        let mark = self.take()?;
        let yes = self.or(After::Colon)?;
        let mut no = Ref::NONE;
        let unfit = 'rule: {
            attempt!('rule, self.want(Kind::Colon, 40, Then::Expr));
            no = self.expr(After::Nothing)?;
            false
        };
        let node = self.add(start, Form::Conditional { test, mark, yes, no });
        self.close(Rule::Expr, unfit)?;
        Ok(node)
    }

    fn or(&mut self, after: After) -> Result<Ref, Stop> {
        self.enter(Rule::Or, after)?;
        let start = self.current.start;
        let mut node = self.and(After::Or)?;
        if self.kind() == Kind::Or {
            let before = self.parts.len();
            while self.kind() == Kind::Or {
                self.take_mark()?;
                let next = self.and(After::Or)?;
                self.parts.push(next);
            }
            node = self.join(start, node, before, true);
        }
        self.leave(Rule::Or);
        Ok(node)
    }

    fn and(&mut self, after: After) -> Result<Ref, Stop> {
        self.enter(Rule::And, after)?;
        let start = self.current.start;
        let mut node = self.relation(0, After::And)?;
        if self.kind() == Kind::And {
            let before = self.parts.len();
            while self.kind() == Kind::And {
                self.take_mark()?;
                let next = self.relation(0, After::And)?;
                self.parts.push(next);
            }
            node = self.join(start, node, before, false);
        }
        self.leave(Rule::And);
        Ok(node)
    }

    fn take_mark(&mut self) -> Result<(), Stop> {
        let mark = self.take()?;
        self.marks.push(mark);
        Ok(())
    }

    /// The chain of a node and the parts from an index on, each with its operator.
    fn join(&mut self, start: u32, first: Ref, before: usize, or: bool) -> Ref {
        let rest = self.parts_from(before);
        let operators = self.marks.split_off(self.marks.len().saturating_sub(rest.len()));
        self.add(start, Form::Logic { or, first, operators, rest })
    }

    /// Takes the parts from an index on.
    fn parts_from(&mut self, before: usize) -> Vec<Ref> {
        self.parts.split_off(before.min(self.parts.len()))
    }

    fn binary(&mut self, start: u32, operator: Token, left: Ref, right: Ref) -> Ref {
        self.add(start, Form::Binary { operator, left, right })
    }

    fn relation(&mut self, precedence: u8, after: After) -> Result<Ref, Stop> {
        self.enter(Rule::Relation, after)?;
        let start = self.current.start;
        let mut left = self.calc(0, After::Relation)?;
        while precedence <= 1 && RELATION.has(self.kind()) {
            self.rise(Rule::Relation);
            self.deepen(Rule::Relation)?;
            let operator = self.take()?;
            let right = self.relation(2, After::Relation)?;
            left = self.binary(start, operator, left, right);
        }
        self.leave(Rule::Relation);
        Ok(left)
    }

    fn calc(&mut self, precedence: u8, after: After) -> Result<Ref, Stop> {
        self.enter(Rule::Calc, after)?;
        let start = self.current.start;
        let mut left = self.unary(After::Calc)?;
        loop {
            let below = match self.kind() {
                kind if FACTOR.has(kind) && precedence <= 2 => 3,
                kind if SUM.has(kind) && precedence <= 1 => 2,
                _ => break,
            };
            self.rise(Rule::Calc);
            self.deepen(Rule::Calc)?;
            let operator = self.take()?;
            let right = self.calc(below, After::Calc)?;
            left = self.binary(start, operator, left, right);
        }
        self.leave(Rule::Calc);
        Ok(left)
    }

    fn unary(&mut self, after: After) -> Result<Ref, Stop> {
        self.enter(Rule::Unary, after)?;
        let start = self.current.start;
        let (mut node, unfit) = match self.sync(99, EXPR, At::Choice) {
            Ok(()) => self.operand(start)?,
            Err(Fault::Unfit) => (Ref::NONE, true),
            Err(Fault::Stop) => return Err(Stop),
        };
        if unfit && node == Ref::NONE {
            node = self.add(start, Form::FailedOperand);
        }
        self.close(Rule::Unary, unfit)?;
        Ok(node)
    }

    fn operand(&mut self, start: u32) -> Part {
        match self.kind() {
            Kind::Not => self.not(start),
            Kind::Minus => {
                let next = self.peek(2)?;
                match next.kind {
                    Kind::Int | Kind::Float => self.plain_operand(),
                    kind if PRIMARY.has(kind) => self.minus(start),
                    _ => Ok((Ref::NONE, self.no_alternative(next))),
                }
            }
            kind if PRIMARY.has(kind) => self.plain_operand(),
            _ => Ok((Ref::NONE, self.no_alternative(self.current))),
        }
    }

    fn plain_operand(&mut self) -> Part {
        Ok((self.member(After::Nothing)?, false))
    }

    /// `!` once or more, and an operand.
    fn not(&mut self, start: u32) -> Part {
        let (first, mut count, mut operand) = (self.current, 0, Ref::NONE);
        let unfit = 'rule: {
            loop {
                self.take()?;
                count += 1;
                attempt!('rule, self.sync(90, EXPR, At::Repetition));
                if self.kind() != Kind::Not {
                    break;
                }
            }
            operand = self.member(After::Nothing)?;
            false
        };
        Ok((self.add(start, Form::Prefix { not: true, first, count, operand }), unfit))
    }

    /// `-` once or more, and an operand.
    fn minus(&mut self, start: u32) -> Part {
        let (first, mut count, mut operand) = (self.current, 0, Ref::NONE);
        let unfit = 'rule: {
            loop {
                self.take()?;
                count += 1;
                attempt!('rule, self.sync(96, PRIMARY, At::Repetition));
                if self.kind() == Kind::Minus {
                    let next = self.peek(2)?;
                    if PRIMARY.has(next.kind) {
                        continue;
                    }
                    break 'rule self.no_alternative(next);
                }
                if !PRIMARY.has(self.kind()) {
                    break 'rule self.no_alternative(self.current);
                }
                break;
            }
            operand = self.member(After::Nothing)?;
            false
        };
        Ok((self.add(start, Form::Prefix { not: false, first, count, operand }), unfit))
    }

    fn member(&mut self, after: After) -> Result<Ref, Stop> {
        self.enter(Rule::Member, after)?;
        let start = self.current.start;
        let mut node = self.primary(After::Suffix)?;
        let mut unfit = false;
        while !unfit && matches!(self.kind(), Kind::Dot | Kind::OpenBracket) {
            self.rise(Rule::Member);
            self.state = 126;
            if self.kind() == Kind::OpenBracket {
                self.deepen(Rule::Member)?;
                (node, unfit) = self.index(start, node)?;
                continue;
            }
            let next = self.peek(2)?;
            let call = match next.kind {
                Kind::Question | Kind::EscapedIdent => false,
                Kind::Ident => self.peek(3)?.kind == Kind::OpenParen,
                _ => {
                    self.no_alternative(next);
                    unfit = true;
                    break;
                }
            };
            self.deepen(Rule::Member)?;
            if call {
                (node, unfit) = self.member_call(start, node)?;
            } else {
                node = self.select(start, node)?;
            }
        }
        self.close(Rule::Member, unfit)?;
        Ok(node)
    }

    fn select(&mut self, start: u32, operand: Ref) -> Result<Ref, Stop> {
        let dot = self.take()?;
        let optional = self.kind() == Kind::Question;
        if optional {
            self.take()?;
        }
        let field = self.field_name(After::Suffix)?;
        Ok(self.add(start, Form::Select { operand, dot, optional, field }))
    }

    fn member_call(&mut self, start: u32, target: Ref) -> Part {
        self.take()?;
        let name = self.take()?;
        let open = self.take()?;
        let mut arguments = Vec::new();
        let unfit = 'rule: {
            attempt!('rule, self.sync(115, EXPR.or(Set::of(&[Kind::CloseParen])), At::Choice));
            if EXPR.has(self.kind()) {
                arguments = self.arguments(After::CloseParen)?;
            }
            attempt!('rule, self.want(Kind::CloseParen, 117, Then::Suffix));
            false
        };
        Ok((self.add(start, Form::MemberCall { target, name, open, arguments }), unfit))
    }

    fn index(&mut self, start: u32, operand: Ref) -> Part {
        let open = self.take()?;
        let (mut optional, mut index) = (false, Ref::NONE);
        let unfit = 'rule: {
            attempt!('rule, self.sync(121, OPT_EXPR, At::Choice));
            if self.kind() == Kind::Question {
                self.take()?;
                optional = true;
            }
            index = self.expr(After::CloseBracket)?;
            attempt!('rule, self.want(Kind::CloseBracket, 124, Then::Suffix));
            false
        };
        Ok((self.add(start, Form::Index { operand, open, optional, index }), unfit))
    }

    fn primary(&mut self, after: After) -> Result<Ref, Stop> {
        self.enter(Rule::Primary, after)?;
        let start = self.current.start;
        let (mut node, unfit) = match self.sync(184, PRIMARY, At::Choice) {
            Ok(()) => self.alternative(start)?,
            Err(Fault::Unfit) => (Ref::NONE, true),
            Err(Fault::Stop) => return Err(Stop),
        };
        if node == Ref::NONE {
            node = self.add(start, Form::Failed);
        }
        self.close(Rule::Primary, unfit)?;
        Ok(node)
    }

    fn alternative(&mut self, start: u32) -> Part {
        match self.kind() {
            Kind::Dot | Kind::Ident => match self.which_name() {
                Ok(Primary::Name) => self.name(start),
                Ok(Primary::Call) => self.call(start),
                Ok(Primary::Message) => self.message(start),
                Err(Fault::Unfit) => Ok((Ref::NONE, true)),
                Err(Fault::Stop) => Err(Stop),
            },
            Kind::OpenParen => self.nested(),
            Kind::OpenBracket => self.list(start),
            Kind::OpenBrace => self.map(start),
            kind if LITERAL.has(kind) => Ok((self.literal()?, false)),
            _ => Ok((Ref::NONE, self.no_alternative(self.current))),
        }
    }

    /// Which alternative begins with the name, or dot and name, at the current token.
    fn which_name(&mut self) -> Result<Primary, Fault> {
        let mut ahead = 2;
        if self.kind() == Kind::Dot {
            let next = self.peek(2)?;
            if next.kind != Kind::Ident {
                self.no_alternative(next);
                return Err(Fault::Unfit);
            }
            ahead = 3;
        }
        if self.peek(ahead)?.kind == Kind::OpenParen {
            return Ok(Primary::Call);
        }
        loop {
            match self.peek(ahead)?.kind {
                Kind::OpenBrace => return Ok(Primary::Message),
                Kind::Dot if self.peek(ahead + 1)?.kind == Kind::Ident => ahead += 2,
                _ => return Ok(Primary::Name),
            }
        }
    }

    fn leading_dot(&mut self) -> Result<bool, Stop> {
        let dot = self.kind() == Kind::Dot;
        if dot {
            self.take()?;
        }
        Ok(dot)
    }

    fn name(&mut self, start: u32) -> Part {
        let leading_dot = self.leading_dot()?;
        let name = self.take()?;
        Ok((self.add(start, Form::Name { leading_dot, name }), false))
    }

    fn call(&mut self, start: u32) -> Part {
        let leading_dot = self.leading_dot()?;
        let name = self.take()?;
        let open = self.take()?;
        let mut arguments = Vec::new();
        let unfit = 'rule: {
            attempt!('rule, self.sync(141, EXPR.or(Set::of(&[Kind::CloseParen])), At::Choice));
            if EXPR.has(self.kind()) {
                arguments = self.arguments(After::CloseParen)?;
            }
            attempt!('rule, self.want(Kind::CloseParen, 143, Then::Return));
            false
        };
        Ok((self.add(start, Form::Call { leading_dot, name, open, arguments }), unfit))
    }

    fn nested(&mut self) -> Part {
        self.take()?;
        let node = self.expr(After::CloseParen)?;
        let unfit = 'rule: {
            attempt!('rule, self.want(Kind::CloseParen, 146, Then::Return));
            false
        };
        Ok((node, unfit))
    }

    fn list(&mut self, start: u32) -> Part {
        const CLOSE: Set = Set::of(&[Kind::Comma, Kind::CloseBracket]);
        let open = self.take()?;
        let mut elements = Vec::new();
        let unfit = 'rule: {
            attempt!('rule, self.sync(150, OPT_EXPR.or(CLOSE), At::Choice));
            if OPT_EXPR.has(self.kind()) {
                self.elements(&mut elements)?;
            }
            attempt!('rule, self.end_list(153, CLOSE));
            attempt!('rule, self.want(Kind::CloseBracket, 155, Then::Return));
            false
        };
        Ok((self.add(start, Form::List { open, elements }), unfit))
    }

    /// The comma that may stand before a closing bracket or brace.
    fn end_list(&mut self, state: u16, close: Set) -> Result<(), Fault> {
        self.sync(state, close, At::Choice)?;
        if self.kind() == Kind::Comma {
            self.take()?;
        }
        Ok(())
    }

    fn map(&mut self, start: u32) -> Part {
        const CLOSE: Set = Set::of(&[Kind::Comma, Kind::CloseBrace]);
        let open = self.take()?;
        let mut entries = Box::new(Entries::new(self.current.start));
        let unfit = 'rule: {
            attempt!('rule, self.sync(158, OPT_EXPR.or(CLOSE), At::Choice));
            if OPT_EXPR.has(self.kind()) {
                self.entries(&mut entries)?;
            }
            attempt!('rule, self.end_list(161, CLOSE));
            attempt!('rule, self.want(Kind::CloseBrace, 163, Then::Return));
            false
        };
        Ok((self.add(start, Form::Map { open, entries }), unfit))
    }

    fn message(&mut self, start: u32) -> Part {
        const CLOSE: Set = Set::of(&[Kind::Comma, Kind::CloseBrace]);
        let leading_dot = self.leading_dot()?;
        let mut names = vec![self.take()?];
        while self.kind() == Kind::Dot {
            self.take()?;
            names.push(self.take()?);
        }
        let open = self.take()?;
        let mut fields = Box::new(Entries::new(self.current.start));
        let unfit = 'rule: {
            attempt!('rule, self.sync(177, OPT_FIELD.or(CLOSE), At::Choice));
            if OPT_FIELD.has(self.kind()) {
                self.fields(&mut fields)?;
            }
            attempt!('rule, self.end_list(180, CLOSE));
            attempt!('rule, self.want(Kind::CloseBrace, 182, Then::Return));
            false
        };
        Ok((self.add(start, Form::Message { leading_dot, names, open, fields }), unfit))
    }

    fn arguments(&mut self, after: After) -> Result<Vec<Ref>, Stop> {
        self.enter(Rule::Arguments, after)?;
        let mut arguments = vec![self.expr(After::Comma)?];
        while self.kind() == Kind::Comma {
            self.take()?;
            arguments.push(self.expr(After::Comma)?);
        }
        self.leave(Rule::Arguments);
        Ok(arguments)
    }

    /// Whether a comma stands here and something of the set behind it, so that the list goes on.
    fn goes_on(&mut self, set: Set) -> Result<bool, Stop> {
        Ok(self.kind() == Kind::Comma && set.has(self.peek(2)?.kind))
    }

    fn elements(&mut self, elements: &mut Vec<Optional>) -> Result<(), Stop> {
        self.enter(Rule::Elements, After::CommaOrBracket)?;
        elements.push(self.opt_expr(After::Comma)?);
        while self.goes_on(OPT_EXPR)? {
            self.take()?;
            elements.push(self.opt_expr(After::Comma)?);
        }
        self.leave(Rule::Elements);
        Ok(())
    }

    fn opt_expr(&mut self, after: After) -> Result<Optional, Stop> {
        self.enter(Rule::OptExpr, after)?;
        let mut element = Optional { start: self.current.start, mark: None, value: Ref::NONE };
        let unfit = 'rule: {
            attempt!('rule, self.sync(238, OPT_EXPR, At::Choice));
            if self.kind() == Kind::Question {
                element.mark = Some(self.take()?);
            }
            element.value = self.expr(After::Nothing)?;
            false
        };
        self.close(Rule::OptExpr, unfit)?;
        Ok(element)
    }

    fn entries(&mut self, entries: &mut Entries<Optional>) -> Result<(), Stop> {
        self.enter(Rule::Entries, After::CommaOrBrace)?;
        let mut state = 221;
        let unfit = 'rule: {
            loop {
                entries.keys.push(self.opt_expr(After::Colon)?);
                entries.colons.push(attempt!('rule, self.want(Kind::Colon, state, Then::Expr)));
                entries.values.push(self.expr(After::Comma)?);
                if !self.goes_on(OPT_EXPR)? {
                    break 'rule false;
                }
                self.take()?;
                state = 225;
            }
        };
        self.close(Rule::Entries, unfit)
    }

    fn fields(&mut self, fields: &mut Entries<OptionalField>) -> Result<(), Stop> {
        self.enter(Rule::Fields, After::CommaOrBrace)?;
        fields.start = self.current.start;
        let mut state = 203;
        let unfit = 'rule: {
            loop {
                fields.keys.push(self.opt_field()?);
                fields.colons.push(attempt!('rule, self.want(Kind::Colon, state, Then::Expr)));
                fields.values.push(self.expr(After::Comma)?);
                if !self.goes_on(OPT_FIELD)? {
                    break 'rule false;
                }
                self.take()?;
                state = 207;
            }
        };
        self.close(Rule::Fields, unfit)
    }

    fn opt_field(&mut self) -> Result<OptionalField, Stop> {
        self.enter(Rule::OptField, After::Colon)?;
        let start = self.current.start;
        let mut field = OptionalField { start, mark: None, name: FieldName { start, token: None } };
        let unfit = 'rule: {
            attempt!('rule, self.sync(216, OPT_FIELD, At::Choice));
            if self.kind() == Kind::Question {
                field.mark = Some(self.take()?);
            }
            field.name = self.field_name(After::Nothing)?;
            false
        };
        self.close(Rule::OptField, unfit)?;
        Ok(field)
    }

    fn field_name(&mut self, after: After) -> Result<FieldName, Stop> {
        self.enter(Rule::FieldName, after)?;
        let mut name = FieldName { start: self.current.start, token: None };
        let unfit = 'rule: {
            attempt!('rule, self.sync(235, FIELD, At::Choice));
            if !FIELD.has(self.kind()) {
                break 'rule self.no_alternative(self.current);
            }
            name.token = Some(self.take()?);
            false
        };
        self.close(Rule::FieldName, unfit)?;
        Ok(name)
    }

    fn literal(&mut self) -> Result<Ref, Stop> {
        self.enter(Rule::Literal, After::Nothing)?;
        let start = self.current.start;
        let mut form = Form::Failed;
        let unfit = 'rule: {
            attempt!('rule, self.sync(256, LITERAL, At::Choice));
            let negative = self.kind() == Kind::Minus;
            let digits: Token = if negative { self.peek(2)? } else { self.current };
            form = match digits.kind {
                Kind::Int => Form::Int { negative, digits },
                Kind::Float => Form::Double { negative, digits },
                Kind::Uint if !negative => Form::Uint(digits),
                Kind::String if !negative => Form::String(digits),
                Kind::Bytes if !negative => Form::Bytes(digits),
                Kind::True if !negative => Form::Bool(true),
                Kind::False if !negative => Form::Bool(false),
                Kind::Null if !negative => Form::Null,
                _ => break 'rule self.no_alternative(digits),
            };
            if negative {
                self.take()?;
            }
            self.take()?;
            false
        };
        let node = self.add(start, form);
        self.close(Rule::Literal, unfit)?;
        Ok(node)
    }
}
