//! Evaluation: an expression over the values of its variables, with the values, errors, error texts and costs of cel-go.
//!
//! A [`Program`] is planned once and run many times. Planning turns the tree into steps as cel-go's planner does: chains
//! of fields and indices become one *attribute* with qualifiers, calls are bound to their overloads, macros are loops.
//! The shape of the steps decides the texts of errors (which name the whole chain or a node's number) and the costs, so
//! that it follows cel-go's closely. Start reading at [`Program`], then `plan`, then `run`.

mod attribute;
mod cost;
mod depth;
mod dispatch;
mod grow;
mod plan;
mod run;
mod step;

use std::collections::HashMap;
use std::sync::Arc;

use crate::ast::Id;
use crate::check::Checked;
use crate::env::{Env, Provider};
use crate::re2;
use crate::value::{ErrorKind, EvalError, Outcome, Val};

pub use cost::MAX_TRACKED;

/// Values of variables by name.
pub type Variables = HashMap<Arc<str>, Val>;

/// What an evaluation may use, and what it reports.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// How many steps it may take; each node that is evaluated is one, and functions that loop count their rounds.
    pub steps: u64,
    /// How many bytes the values may take that it makes.
    pub memory: u64,
    /// The greatest cost by cel-go's count; none for no limit. A limit turns `track_cost` on.
    pub cost: Option<u64>,
    /// Whether to count the cost.
    pub track_cost: bool,
    /// Whether `has()` costs something (cel-go: yes, kube-apiserver: no).
    pub presence_test_has_cost: bool,
    /// Whether to keep the value of each node ([`Evaluation::values`]).
    pub record: bool,
    /// Whether to go on behind an error as far as that can be done, to find all of them ([`Evaluation::further`]).
    pub all_errors: bool,
    /// Asked from time to time: whether to give up.
    pub cancelled: Option<&'a (dyn Fn() -> bool + Sync)>,
}

impl std::fmt::Debug for Limits<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Limits")
            .field("steps", &self.steps)
            .field("memory", &self.memory)
            .finish_non_exhaustive()
    }
}

impl Default for Limits<'_> {
    fn default() -> Self {
        Limits {
            steps: 1_000_000,
            memory: 64 << 20,
            cost: None,
            track_cost: false,
            presence_test_has_cost: true,
            record: false,
            all_errors: false,
            cancelled: None,
        }
    }
}

/// What came of an evaluation.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The value or the error.
    pub result: Outcome,
    /// The cost by cel-go's count, 0 if it was not asked for.
    pub cost: u64,
    /// With [`Limits::record`]: the last value of each node, by cel-go's number.
    pub values: HashMap<Id, Outcome>,
    /// With [`Limits::all_errors`]: the errors besides that of `result`, each of which would end the evaluation too if
    /// the others were mended, at most 100. An error that `&&`, `||` or `?:` absorbs is none.
    pub further: Vec<EvalError>,
}

/// An expression that is ready to run.
#[derive(Debug)]
pub struct Program {
    root: step::Step,
    /// Whether its values could nest deeper than may be.
    too_deep: bool,
    globals: Vec<Arc<str>>,
    provider: Arc<dyn Provider>,
    regexes: re2::Cache,
}

impl Program {
    /// Plans an expression.
    ///
    /// # Errors
    /// cel-go's text where an expression that was not checked cannot be planned: a function with other numbers of
    /// arguments, an unknown message type.
    pub fn new(checked: &Checked, env: &Env) -> Result<Program, String> {
        let mut planner = plan::Planner::new(checked, env);
        let Some(root) = checked.ast.root else {
            return Err("the expression has no tree".to_owned());
        };
        let root = planner.plan(root)?;
        Ok(Program {
            too_deep: depth::deepest(&root, &env.functions) > depth::MAX_DEPTH,
            root,
            globals: planner.into_globals(),
            provider: Arc::clone(&env.provider),
            regexes: re2::Cache::default(),
        })
    }

    /// The names of the variables that the expression may read.
    pub fn variables(&self) -> &[Arc<str>] {
        &self.globals
    }

    /// Runs it. If its values could nest too deeply to be handled (1000 lists or maps in each other), it is not run, and
    /// the result is a limit.
    pub fn eval(&self, variables: &Variables, limits: &Limits<'_>) -> Evaluation {
        if self.too_deep {
            let message = "the values of the expression nest deeper than the limit";
            let error = EvalError::of(ErrorKind::Limit, message).labelled(self.root.id);
            return Evaluation { result: Err(error), cost: 0, values: HashMap::new(), further: Vec::new() };
        }
        run::evaluate(self, variables, limits)
    }
}
