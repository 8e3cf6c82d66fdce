//! Expressions as cel-go answers them.

use std::path::Path;

use convoy_cel::check::{check, unchecked};
use convoy_cel::env::Env;
use convoy_cel::eval::{Limits, Program, Variables};
use convoy_cel::function::{Function, Overload};
use convoy_cel::issue::report;
use convoy_cel::library::Library;
use convoy_cel::parse::parse;
use convoy_cel::types::Type;
use convoy_cel::value::{ErrorKind, Val};
use convoy_value::json::{self, Kind, Node};

use crate::case::Case;
use crate::data;

pub mod text;

/// The newest version of a library.
const NEWEST: u32 = u32::MAX;

/// What an evaluation may cost: as much as the oracle lets it.
const COST_LIMIT: u64 = 10_000_000;
/// What cel-go says of one that costs more.
const COST_LIMIT_TEXT: &str = "operation cancelled: actual cost limit exceeded";

/// The libraries by the names that cases and the oracle have for them, in the order in which they are added.
const LIBRARIES: &[(&str, Library)] = &[
    ("standard", Library::Standard),
    ("optional", Library::Optional),
    ("strings", Library::Strings),
    ("lists", Library::Lists),
    ("math", Library::Math),
    ("encoders", Library::Encoders),
    ("sets", Library::Sets),
    ("bindings", Library::Bindings),
    ("two-variable", Library::TwoVariable),
    ("network", Library::Network),
    ("regex", Library::Regex),
];

/// What an expression may use, and what its variables are.
#[derive(Clone, Debug)]
pub struct Setting {
    env: Env,
    variables: Variables,
    /// Runs what was only parsed.
    pub disable_check: bool,
    /// Runs nothing.
    pub check_only: bool,
}

/// What came of an expression.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The value in the encoding of the cases, with the entries of maps in the order of their text; none also for a
    /// value that is too large to write down.
    pub out: Option<String>,
    /// The type that the checker found.
    pub ty: Option<String>,
    /// The phase, `parse`, `check`, `program` or `eval`, and the text.
    pub error: Option<(&'static str, String)>,
    /// The actual cost of the evaluation, also of one that failed.
    pub cost: Option<u64>,
    /// The error is a limit of ours, where cel-go may go on.
    pub limit: bool,
}

impl Setting {
    /// The setting of a case. Its `env` names a file beside the cases that has the members which the case lacks.
    ///
    /// # Errors
    ///
    /// A type, value or library that there is not, or a file that cannot be read.
    pub fn of_case(case: &Case, folder: &Path) -> Result<Setting, String> {
        let shared = match case.text("env") {
            Some(name) => {
                let path = folder.join(format!("{name}.json"));
                let text = std::fs::read_to_string(&path);
                let text = text.map_err(|error| format!("{}: {error}", path.display()))?;
                Some(Case::parse(&text).map_err(|error| format!("{}: {error}", path.display()))?)
            }
            None => None,
        };
        let field =
            |name: &str| case.get(name).or_else(|| shared.as_ref().and_then(|shared| shared.get(name)));
        let off = |name: &str| field(name).is_some_and(|node| node.kind == Kind::Bool(false));
        let on = |name: &str| field(name).is_some_and(|node| node.kind == Kind::Bool(true));

        let mut env = libraries(field("libraries"))?;
        env.container = case.text("container").unwrap_or("").into();
        env.options.homogeneous_literals = on("homogeneous");
        env.options.cross_type_numeric_comparisons = !off("cross_type");
        env.options.macros = !on("disable_macros");
        for pair in items(field("vars")) {
            let (name, ty) = named(pair)?;
            env.variables.insert(name.into(), text::parse_type(ty)?);
        }
        for function in items(field("fns")) {
            env.add_function(declared(function)?)?;
        }

        let mut variables = Variables::default();
        if let Some(Kind::Object(members)) = field("data").map(|node| &node.kind) {
            for member in members {
                let value = data::value(&member.value);
                variables.insert(member.key.clone(), Val::from(&value));
            }
        }
        for pair in items(field("bind")) {
            let (name, value) = named(pair)?;
            variables.insert(name.into(), text::parse_value(value)?);
        }
        Ok(Setting { env, variables, disable_check: on("disable_check"), check_only: on("check_only") })
    }

    /// The environment.
    pub fn env(&self) -> &Env {
        &self.env
    }

    /// The values of the variables.
    pub fn variables(&self) -> &Variables {
        &self.variables
    }

    /// Parses, checks and runs an expression.
    pub fn ask(&self, expression: &str) -> Answer {
        let parsed = parse(expression, &self.env);
        if !parsed.issues.is_empty() {
            return Answer::refused("parse", report(expression, &parsed.issues));
        }
        let checked = if self.disable_check { unchecked(parsed.ast) } else { check(parsed.ast, &self.env) };
        if !checked.issues.is_empty() {
            return Answer::refused("check", report(expression, &checked.issues));
        }
        let mut answer = Answer::default();
        if !self.disable_check {
            let root = checked.ast.root.map(|root| checked.ast.id(root) as usize);
            let ty = root.and_then(|id| checked.types.get(id)).and_then(Option::as_ref);
            answer.ty = ty.map(text::of_type);
        }
        if self.check_only {
            return answer;
        }
        let program = match Program::new(&checked, &self.env) {
            Ok(program) => program,
            Err(text) => return Answer { error: Some(("program", text)), ..answer },
        };
        let limits = Limits { track_cost: true, cost: Some(COST_LIMIT), ..Limits::default() };
        let evaluation = program.eval(&self.variables, &limits);
        answer.cost = Some(evaluation.cost);
        match evaluation.result {
            Ok(value) => answer.out = text::of_value(&value),
            Err(error) => {
                answer.limit = error.0.kind == ErrorKind::Limit && error.message() != COST_LIMIT_TEXT;
                answer.error = Some(("eval", error.message().to_owned()));
            }
        }
        answer
    }
}

impl Answer {
    fn refused(phase: &'static str, text: String) -> Answer {
        Answer { error: Some((phase, text)), ..Answer::default() }
    }
}

/// The environment of the libraries that are named, each by its name or by name and version; of all without a list.
fn libraries(list: Option<&Node>) -> Result<Env, String> {
    let mut env = Env::new();
    let Some(list) = list else {
        for (_, library) in LIBRARIES {
            env.add(*library, NEWEST)?;
        }
        return Ok(env);
    };
    for item in items(Some(list)) {
        let (name, version) = match &item.kind {
            Kind::String(name) => (&**name, NEWEST),
            _ => {
                let (name, version) = named(item)?;
                let Kind::Number(version) = &version.kind else {
                    return Err("a version is no number".into());
                };
                (name, version.parse().map_err(|_| "a version is no number")?)
            }
        };
        let found = LIBRARIES.iter().find(|(known, _)| *known == name);
        let (_, library) = found.ok_or_else(|| format!("unknown library {name}"))?;
        env.add(*library, version)?;
    }
    Ok(env)
}

/// A function that is declared and cannot run.
fn declared(node: &Node) -> Result<Function, String> {
    let field = |name: &str| node.get(name).ok_or_else(|| format!("a function without {name}"));
    let text = |name: &str| match &field(name)?.kind {
        Kind::String(text) => Ok(&**text),
        _ => Err(format!("the {name} of a function is no text")),
    };
    let params: Vec<Type> =
        items(node.get("params")).iter().map(text::parse_type).collect::<Result<_, _>>()?;
    let result = text::parse_type(field("result")?)?;
    let member = node.get("inst").is_some_and(|node| node.kind == Kind::Bool(true));
    let make = if member { Overload::member } else { Overload::global };
    Ok(Function::new("declared", text("name")?, "").overload(make(text("id")?, params, result)))
}

/// The elements of a list; none of anything else.
fn items(node: Option<&Node>) -> &[Node] {
    match node.map(|node| &node.kind) {
        Some(Kind::Array(items)) => items,
        _ => &[],
    }
}

/// A list of a name and something else.
fn named(node: &Node) -> Result<(&str, &Node), String> {
    match items(Some(node)) {
        [Node { kind: Kind::String(name), .. }, other] => Ok((name, other)),
        _ => Err("not a list of a name and something else".to_owned()),
    }
}

/// A value of the oracle's answer in the form of [`Answer::out`].
///
/// # Errors
///
/// The text is no JSON.
pub fn canonical(text: &str) -> Result<String, json::Error> {
    json::parse(text).map(|node| text::canonical(&node))
}
