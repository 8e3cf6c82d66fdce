//! Functions and macros as typed tables: what each is called, its overloads with their types, what it means, which
//! library brings it, what it costs and how it runs.

use std::cell::Cell;
use std::sync::Arc;

use crate::check::Checked;
use crate::issue::Issue;
use crate::re2::Regex;
use crate::types::Type;
use crate::value::{ErrorKind, EvalError, Outcome, Val};

/// A function with all of its overloads.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name: `size`, `math.greatest`, or that of an operator.
    pub name: Arc<str>,
    /// The name of the library that brings it: `standard`, `strings`.
    pub library: &'static str,
    /// What it does, in a sentence, for hovers.
    pub summary: &'static str,
    /// The overloads, in the order of cel-go: the first that fits decides.
    pub overloads: Vec<Overload>,
    /// One implementation for all overloads (cel-go's singleton binding). Then no overload has one of its own.
    pub singleton: Option<Singleton>,
    /// Whether the checker does not know the function, though it can run.
    pub undeclared: bool,
    /// Whether the values of the arguments are not compared with the types of the overload before a call
    /// (cel-go's `DisableTypeGuards`).
    pub unguarded: bool,
    /// What else its library looks for in an expression in which the checker finds nothing wrong.
    pub validator: Option<Validator>,
}

/// A further check of an expression that has passed the checker (cel-go's `ASTValidator`); what is wrong.
pub type Validator = fn(&Checked) -> Vec<Issue>;

/// One implementation for all overloads of a function.
#[derive(Clone, Debug)]
pub struct Singleton {
    /// How it runs.
    pub binding: Binding,
    /// Which first arguments it takes (cel-go's operand trait); none for all.
    pub operand: Option<fn(&Val) -> bool>,
}

/// A signature.
#[derive(Clone, Debug)]
pub struct Overload {
    /// cel-go's name of the overload: `size_string`.
    pub id: Arc<str>,
    /// Whether it is called as `receiver.name(…)`; the receiver is then the first parameter.
    pub member: bool,
    /// The types of the parameters.
    pub params: Vec<Type>,
    /// The type of the result.
    pub result: Type,
    /// How it runs, unless the function has one implementation for all.
    pub binding: Option<Binding>,
    /// Whether it takes errors as arguments.
    pub non_strict: bool,
    /// What a call costs, where it is not cel-go's default for the id.
    pub cost: Option<Cost>,
    /// An expression and its value, for hovers: `'hello'.size() // 5`.
    pub example: &'static str,
    /// The name of the library that brings it, which may be another than that of the other overloads.
    pub library: &'static str,
    /// What the function does here, in the words of that library.
    pub summary: &'static str,
}

/// How an overload runs. cel-go has three ways to bind a function, and the texts of its errors differ by them.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// Which way it is.
    pub shape: Shape,
    /// The implementation. It gets as many arguments as the overload has parameters.
    pub call: Implementation,
}

/// The way in which cel-go binds a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `UnaryBinding`.
    Unary,
    /// `BinaryBinding`.
    Binary,
    /// `FunctionBinding`.
    Function,
}

/// An implementation of an overload.
pub type Implementation = fn(&Context<'_>, &[Val]) -> Outcome;

/// The cost of a call from its arguments and its result (none if it failed); none for cel-go's default.
pub type Cost = fn(&[Val], Option<&Val>) -> Option<u64>;

/// How many bytes of text are passed over in the time of one step.
const BYTES_PER_STEP: usize = 256;
/// How many values are compared in the time of one step.
const VALUES_PER_STEP: usize = 8;
/// How many steps of a search with a regular expression take the time of one step.
const SEARCHES_PER_STEP: usize = 16;

/// What functions may use while an expression runs.
pub struct Context<'a> {
    /// How many more bytes values may take that functions make.
    pub(crate) memory: Cell<u64>,
    /// How many more steps functions may take that loop inside.
    pub(crate) steps: Cell<u64>,
    /// Asked from time to time: whether to give up.
    pub(crate) cancelled: Option<&'a (dyn Fn() -> bool + Sync)>,
    /// Compiled regular expressions by pattern.
    pub(crate) regexes: &'a crate::re2::Cache,
}

impl Context<'_> {
    /// Takes `bytes` from what values may take. Call it before building a string, list or map.
    pub fn charge(&self, bytes: usize) -> Result<(), EvalError> {
        match self.memory.get().checked_sub(bytes as u64) {
            Some(rest) => {
                self.memory.set(rest);
                Ok(())
            }
            None => Err(EvalError::of(
                ErrorKind::Limit,
                "the values of the expression take more memory than the limit",
            )),
        }
    }

    /// Takes `steps` from what functions may loop. Call it for work that grows faster than its arguments.
    pub fn work(&self, steps: usize) -> Result<(), EvalError> {
        match self.steps.get().checked_sub(steps as u64) {
            Some(rest) => self.steps.set(rest),
            None => {
                return Err(EvalError::of(
                    ErrorKind::Limit,
                    "the expression takes more steps than the limit",
                ));
            }
        }
        if self.cancelled.is_some_and(|cancelled| cancelled()) {
            return Err(EvalError::of(ErrorKind::Cancelled, "operation interrupted"));
        }
        Ok(())
    }

    /// Takes the time of passing over so many bytes of text from what functions may loop. Short texts are free: the
    /// call itself is a step.
    pub fn pass(&self, bytes: usize) -> Result<(), EvalError> {
        if bytes < BYTES_PER_STEP { Ok(()) } else { self.work(bytes / BYTES_PER_STEP) }
    }

    /// A compiled regular expression. What it takes to compile and to begin a search is counted even if it is in the
    /// cache, so that an expression takes the same steps each time.
    pub fn regex(&self, pattern: &str) -> Result<Arc<Regex>, EvalError> {
        self.work(pattern.len() / 4)?;
        let regex = match self.regexes.get(pattern) {
            Ok(regex) => regex,
            Err(error) => {
                // What is wrong is not in the cache, and may be found only behind classes of Unicode, which take long.
                let classes = pattern.matches("\\p").count() + pattern.matches("\\P").count();
                self.work(200 + 1000 * classes)?;
                return Err(error.into());
            }
        };
        self.work(regex.size() / 16)?;
        Ok(regex)
    }

    /// Takes the steps of searches with a regular expression ([`Regex::find`]) from what functions may loop. They are
    /// much smaller than those of other functions.
    pub fn search(&self) -> impl FnMut(usize) -> Result<(), EvalError> + '_ {
        self.fractions(SEARCHES_PER_STEP)
    }

    /// Takes the steps of comparisons ([`equal_within`](crate::value::equal::equal_within)) from what functions may
    /// loop. They are smaller than those of other functions.
    pub fn comparison(&self) -> impl FnMut(usize) -> Result<(), EvalError> + '_ {
        self.fractions(VALUES_PER_STEP)
    }

    /// Takes steps of which so many are one.
    fn fractions(&self, per_step: usize) -> impl FnMut(usize) -> Result<(), EvalError> + '_ {
        let mut open = 0_usize;
        move |steps| {
            open = open.saturating_add(steps);
            if open < per_step {
                return Ok(());
            }
            let whole = open / per_step;
            open %= per_step;
            self.work(whole)
        }
    }
}

impl Function {
    /// A function without overloads yet.
    pub fn new(library: &'static str, name: &str, summary: &'static str) -> Function {
        Function {
            name: name.into(),
            library,
            summary,
            overloads: Vec::new(),
            singleton: None,
            undeclared: false,
            unguarded: false,
            validator: None,
        }
    }

    /// Adds an overload.
    #[must_use]
    pub fn overload(mut self, overload: Overload) -> Function {
        self.overloads.push(overload);
        self
    }

    /// Sets one implementation for all overloads.
    #[must_use]
    pub fn singleton(
        mut self,
        shape: Shape,
        call: Implementation,
        operand: Option<fn(&Val) -> bool>,
    ) -> Function {
        self.singleton = Some(Singleton { binding: Binding { shape, call }, operand });
        self
    }
}

impl Overload {
    /// `name(params)`.
    pub fn global(id: &str, params: impl IntoIterator<Item = Type>, result: Type) -> Overload {
        Overload {
            id: id.into(),
            member: false,
            params: params.into_iter().collect(),
            result,
            binding: None,
            non_strict: false,
            cost: None,
            example: "",
            library: "",
            summary: "",
        }
    }

    /// `params[0].name(params[1..])`.
    pub fn member(id: &str, params: impl IntoIterator<Item = Type>, result: Type) -> Overload {
        Overload { member: true, ..Overload::global(id, params, result) }
    }

    /// Sets how it runs, as with `UnaryBinding`.
    #[must_use]
    pub fn unary(self, call: Implementation) -> Overload {
        self.bound(Shape::Unary, call)
    }

    /// Sets how it runs, as with `BinaryBinding`.
    #[must_use]
    pub fn binary(self, call: Implementation) -> Overload {
        self.bound(Shape::Binary, call)
    }

    /// Sets how it runs, as with `FunctionBinding`.
    #[must_use]
    pub fn function(self, call: Implementation) -> Overload {
        self.bound(Shape::Function, call)
    }

    fn bound(mut self, shape: Shape, call: Implementation) -> Overload {
        self.binding = Some(Binding { shape, call });
        self
    }

    /// Sets what a call costs.
    #[must_use]
    pub fn cost(mut self, cost: Cost) -> Overload {
        self.cost = Some(cost);
        self
    }

    /// Lets it take errors as arguments.
    #[must_use]
    pub fn non_strict(mut self) -> Overload {
        self.non_strict = true;
        self
    }

    /// Sets the example.
    #[must_use]
    pub fn example(mut self, example: &'static str) -> Overload {
        self.example = example;
        self
    }
}
