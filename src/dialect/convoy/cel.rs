//! CEL as convoy runs it: the environment, and what an expression needs beyond it.
//!
//! convoy compiles an expression ahead of time with `cluster`, `self` and `object` as maps from strings to anything.
//! Which libraries its build has is not documented: cel-go's standard library is assumed, a setting adds others. An
//! expression that only compiles with a library that is not named is compiled with it, and told.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use convoy_cel::ast::Kind;
use convoy_cel::check::{Checked, Reference, check};
use convoy_cel::env::Env;
use convoy_cel::issue::Issue;
use convoy_cel::library::Library;
use convoy_cel::parse::parse;
use convoy_cel::types::Type;
use convoy_text::Span;

/// The variables of an expression.
pub const VARIABLES: [&str; 3] = ["cluster", "self", "object"];

/// The libraries that a setting may name: all but the standard one.
fn libraries() -> impl Iterator<Item = Library> {
    Library::ALL.iter().copied().filter(|library| *library != Library::Standard)
}

/// An expression, compiled.
#[derive(Debug)]
pub struct Compiled {
    /// The tree with its types, as far as there are any.
    pub checked: Checked,
    /// The environment that it was compiled in: the one that the settings give, and the libraries it needs besides.
    pub env: Arc<Env>,
    /// What is wrong with it, in cel-go's words.
    pub issues: Vec<Issue>,
    /// Whether the issues are those of the parser, behind which cel-go checks nothing.
    pub is_syntax: bool,
    /// What it uses of libraries that are not enabled.
    pub needs: Vec<Need>,
}

/// Something of a library that is not enabled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// The library.
    pub library: Library,
    /// The function, macro or operator.
    pub what: String,
    /// Where it stands.
    pub span: Span,
}

/// Compiles an expression for a build with these libraries.
pub fn compile(text: &str, enabled: &BTreeSet<Library>) -> Compiled {
    let mut with = enabled.clone();
    let mut best = compile_with(text, &with);
    let mut needs = Vec::new();
    if best.issues.is_empty() {
        return best;
    }
    // Where not even all libraries together mend anything, no search is needed.
    let candidates: Vec<Library> = libraries().filter(|l| !with.contains(l) && may_use(text, *l)).collect();
    let all: BTreeSet<Library> = with.iter().copied().chain(candidates.iter().copied()).collect();
    if candidates.is_empty() || weight(&compile_with(text, &all)) >= weight(&best) {
        return best;
    }
    while !best.issues.is_empty() {
        // The library that mends most goes first; one that mends nothing is not what is missing.
        let tries = candidates.iter().filter(|library| !with.contains(*library)).map(|library| {
            let mut more = with.clone();
            more.insert(*library);
            (compile_with(text, &more), *library)
        });
        let Some((next, library)) = tries.min_by_key(|(next, _)| weight(next)) else { break };
        if weight(&next) >= weight(&best) {
            break;
        }
        needs.extend(uses(&best, &next, library));
        with.insert(library);
        best = next;
    }
    best.needs = needs;
    best
}

/// Syntax errors weigh more than any others, since they hide them.
fn weight(compiled: &Compiled) -> (bool, usize) {
    (compiled.is_syntax, compiled.issues.len())
}

fn compile_with(text: &str, libraries: &BTreeSet<Library>) -> Compiled {
    let env = environment(libraries);
    let parsed = parse(text, &env);
    let is_syntax = !parsed.issues.is_empty();
    let checked = check(parsed.ast, &env);
    let issues = if is_syntax { parsed.issues } else { checked.issues.clone() };
    Compiled { checked, env, issues, is_syntax, needs: Vec::new() }
}

/// What an expression uses of a library: its macros and functions, else what is wrong without it.
fn uses(without: &Compiled, with: &Compiled, library: Library) -> Vec<Need> {
    let ast = &with.checked.ast;
    let macros = ast.macro_calls.iter().filter_map(|call| {
        let mut known = with.env.macros.iter().filter(|known| known.function == &*call.function);
        known
            .any(|known| known.library == library.name())
            .then(|| (call.function.to_string(), call.name_span))
    });
    let functions = ast.nodes.iter().filter_map(|node| {
        let Kind::Call { function, name_span, .. } = &node.kind else { return None };
        let known = with.env.functions.get(&**function)?;
        let is_written = name_span.text(&ast.text).starts_with(char::is_alphabetic);
        // Libraries may add overloads to a function of another one.
        let resolved = match with.checked.references.get(&node.id) {
            Some(Reference::Overloads(ids)) => ids.as_slice(),
            _ => &[],
        };
        let mut used = known.overloads.iter().filter(|overload| resolved.contains(&overload.id));
        let is_of_library =
            used.clone().next().is_some() && used.all(|overload| overload.library == library.name());
        (is_of_library && is_written).then(|| (function.to_string(), *name_span))
    });
    let mut needs: Vec<Need> = Vec::new();
    for (what, span) in macros.chain(functions) {
        // What an expansion is made of stands where the macro does.
        if !needs.iter().any(|need| need.span == span) {
            needs.push(Need { library, what, span });
        }
    }
    let mended = without.issues.iter().filter(|issue| {
        !with.issues.iter().any(|other| other.span == issue.span && other.message == issue.message)
    });
    for issue in mended {
        // The syntax of optional values is no function. A name that stands before one is told with it.
        let text = issue.span.text(&ast.text);
        if needs.is_empty() || text.ends_with('?') {
            needs.push(Need { library, what: text.to_owned(), span: issue.span });
        }
    }
    needs.sort_by_key(|need| need.span.start);
    needs
}

/// Whether a text has a name or a syntax of a library at all.
fn may_use(text: &str, library: Library) -> bool {
    if library == Library::Optional && (text.contains(".?") || text.contains("[?") || text.contains("{?")) {
        return true;
    }
    let standard = environment(&BTreeSet::new());
    let env = environment(&BTreeSet::from([library]));
    let last = |name: &str| name.rsplit('.').next().unwrap_or(name).to_owned();
    let functions = env.functions.iter().filter(|(name, function)| {
        standard.functions.get(*name).is_none_or(|known| known.overloads.len() != function.overloads.len())
    });
    functions.map(|(name, _)| last(name)).any(|name| text.contains(&name))
        || env
            .macros
            .iter()
            .any(|known| known.library == library.name() && text.contains(&last(known.function)))
}

/// The environment of expressions, made once for each set of libraries.
pub fn environment(libraries: &BTreeSet<Library>) -> Arc<Env> {
    static MADE: LazyLock<Mutex<HashMap<Vec<Library>, Arc<Env>>>> = LazyLock::new(Mutex::default);
    let key: Vec<Library> = libraries.iter().copied().collect();
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let env = made.entry(key).or_insert_with(|| {
        let mut env = Env::standard();
        for library in libraries {
            // Libraries of one version do not contradict each other.
            let _ = env.add(*library, u32::MAX);
        }
        for variable in VARIABLES {
            env.add_variable(variable, Type::map(Type::String, Type::Dyn));
        }
        Arc::new(env)
    });
    Arc::clone(env)
}
