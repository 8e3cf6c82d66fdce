//! The program of a regular expression: the instructions of a machine that follows all ways through the expression at
//! once, in the order of their priority.

use std::sync::Arc;

use super::Error;
use super::class::Range;
use super::tree::{Flags, Node, Op};
use super::unicode;

/// How many instructions a program may have.
const MAX_INSTRUCTIONS: usize = 1 << 18;
/// How many nodes are walked at most; repetitions walk theirs again and again.
const MAX_STEPS: usize = 1 << 22;

/// The number of an instruction.
pub(super) type Address = u32;

/// The instruction that never matches.
const FAIL: Address = 0;

/// An instruction.
#[derive(Debug)]
pub(super) enum Inst {
    /// No match on this way.
    Fail,
    /// A match.
    Match,
    /// This character.
    Rune(u32, Address),
    /// One of these few characters.
    Orbit(&'static [u32], Address),
    /// A character of a class.
    Class(Arc<Vec<Range>>, Address),
    /// Any character but a line break.
    NotNewline(Address),
    /// Any character.
    Any(Address),
    /// Both ways, the first one with priority.
    Split(Address, Address),
    /// Holds the place in a slot.
    Save(usize, Address),
    /// On, if the place is such a one.
    Look(Look, Address),
}

/// What a place in the text may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    BeginLine,
    EndLine,
    BeginText,
    EndText,
    WordBoundary,
    NoWordBoundary,
}

/// A program.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) insts: Vec<Inst>,
    pub(super) start: Address,
    /// What every match begins with, to find where one may be.
    pub(super) prefix: String,
    /// Whether a match begins only where the text does.
    pub(super) anchored: bool,
    /// The ranges of all classes, for the memory it takes.
    pub(super) ranges: usize,
}

impl Program {
    pub(super) fn new(tree: &Node) -> Result<Program, Error> {
        let insts = vec![Inst::Fail, Inst::Match];
        let mut compiler = Compiler { insts, steps: 0, ranges: 0, at: 1, jobs: Vec::new() };
        compiler.run(tree)?;
        let Compiler { insts, ranges, at: start, .. } = compiler;
        let (prefix, anchored) = beginning(&insts, start);
        Ok(Program { insts, start, prefix, anchored, ranges })
    }

    pub(super) fn get(&self, address: Address) -> &Inst {
        self.insts.get(address as usize).unwrap_or(&Inst::Fail)
    }
}

/// What every match begins with, and whether it begins where the text does.
fn beginning(insts: &[Inst], start: Address) -> (String, bool) {
    let mut prefix = String::new();
    let mut at = start;
    loop {
        match insts.get(at as usize) {
            Some(Inst::Rune(rune, next)) => {
                let Some(letter) = char::from_u32(*rune) else { break };
                prefix.push(letter);
                at = *next;
            }
            Some(Inst::Look(look, next)) if prefix.is_empty() => {
                if *look == Look::BeginText {
                    return (String::new(), true);
                }
                at = *next;
            }
            Some(Inst::Save(_, next)) if prefix.is_empty() => at = *next,
            _ => break,
        }
    }
    // With a condition or a group before it, the text alone does not tell where a match may begin.
    if !matches!(insts.get(start as usize), Some(Inst::Rune(..))) {
        prefix.clear();
    }
    (prefix, false)
}

/// What is left to do. The tree may be a thousand levels deep, so this stands in a list and not on the stack.
enum Job<'t> {
    /// The instructions of a node, which go on where `Compiler::at` is.
    Emit(&'t Node),
    /// Behind the content of a group: where it begins goes into the slot.
    Begin(usize),
    /// Behind a branch of an alternation with the number: the branches before it.
    Branch { node: &'t Node, index: usize, next: Address, later: Option<Address> },
    /// Behind the content of `x+` or `x*`: whether to go round again.
    Loop { again: Address, next: Address, lazy: bool, kind: Kind },
    /// Behind the content of `x?`: whether to go into it, and so many more of them before.
    Optional { node: &'t Node, left: u32, next: Address, lazy: bool },
    /// So many of the content, one before the other.
    Times(&'t Node, u32),
}

/// The kinds of loops.
#[derive(Clone, Copy)]
enum Kind {
    /// `x+`.
    Plus,
    /// `x*`.
    Star,
    /// `x*` where x can be empty. It is `(x+)?`, since else the way through an empty x would come with the wrong
    /// priority.
    EmptyStar,
}

struct Compiler<'t> {
    insts: Vec<Inst>,
    steps: usize,
    ranges: usize,
    /// Where the instructions begin that have been made last, which follow those that are made next.
    at: Address,
    jobs: Vec<Job<'t>>,
}

impl<'t> Compiler<'t> {
    /// Makes all instructions of a tree, the last ones first.
    fn run(&mut self, tree: &'t Node) -> Result<(), Error> {
        self.jobs.push(Job::Emit(tree));
        while let Some(job) = self.jobs.pop() {
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return Err(Error::limit());
            }
            match job {
                Job::Emit(node) => self.emit(node)?,
                Job::Begin(slot) => self.push(Inst::Save(slot, self.at))?,
                Job::Branch { node, index, next, later } => {
                    if let Some(later) = later {
                        self.push(Inst::Split(self.at, later))?;
                    }
                    if let Some(index) = index.checked_sub(1)
                        && let Some(branch) = node.subs.get(index)
                    {
                        self.jobs.push(Job::Branch { node, index, next, later: Some(self.at) });
                        self.jobs.push(Job::Emit(branch));
                        self.at = next;
                    }
                }
                Job::Loop { again, next, lazy, kind } => {
                    let decision = split(self.at, next, lazy);
                    if let Some(slot) = self.insts.get_mut(again as usize) {
                        *slot = decision;
                    }
                    match kind {
                        Kind::Plus => {}
                        Kind::Star => self.at = again,
                        Kind::EmptyStar => self.push(split(self.at, next, lazy))?,
                    }
                }
                Job::Optional { node, left, next, lazy } => {
                    self.push(split(self.at, next, lazy))?;
                    self.optional(node, left, next, lazy);
                }
                Job::Times(node, left) => {
                    if let Some(left) = left.checked_sub(1) {
                        self.jobs.push(Job::Times(node, left));
                        self.content(node);
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds an instruction; those that are made next go on there.
    fn push(&mut self, inst: Inst) -> Result<(), Error> {
        if self.insts.len() >= MAX_INSTRUCTIONS {
            return Err(Error::limit());
        }
        self.at = self.insts.len() as Address;
        self.insts.push(inst);
        Ok(())
    }

    fn content(&mut self, node: &'t Node) {
        self.jobs.extend(node.subs.first().map(Job::Emit));
    }

    fn emit(&mut self, node: &'t Node) -> Result<(), Error> {
        let next = self.at;
        let lazy = node.flags.has(Flags::LAZY);
        let look = match &node.op {
            Op::Never | Op::Open(_) | Op::Bar => {
                self.at = FAIL;
                return Ok(());
            }
            Op::Empty => return Ok(()),
            Op::Literal(runes) => {
                let fold = node.flags.has(Flags::FOLD);
                for &rune in runes.iter().rev() {
                    let orbit = if fold { unicode::orbit(rune) } else { &[] };
                    let inst = if orbit.is_empty() {
                        Inst::Rune(rune, self.at)
                    } else {
                        Inst::Orbit(orbit, self.at)
                    };
                    self.push(inst)?;
                }
                return Ok(());
            }
            Op::Class(ranges) if ranges.is_empty() => {
                self.at = FAIL;
                return Ok(());
            }
            Op::Class(ranges) => {
                self.ranges += ranges.len();
                return self.push(Inst::Class(Arc::clone(ranges), next));
            }
            Op::NotNewline => return self.push(Inst::NotNewline(next)),
            Op::Any => return self.push(Inst::Any(next)),
            Op::Capture(number) => {
                self.push(Inst::Save(number * 2 + 1, next))?;
                self.jobs.push(Job::Begin(number * 2));
                self.content(node);
                return Ok(());
            }
            Op::Star | Op::Repeat(0, None) => {
                let nullable = node.subs.first().is_some_and(|sub| sub.nullable);
                return self.repeat(node, lazy, if nullable { Kind::EmptyStar } else { Kind::Star });
            }
            Op::Plus => return self.repeat(node, lazy, Kind::Plus),
            Op::Quest => {
                self.optional(node, 1, next, lazy);
                return Ok(());
            }
            // `x{2,}` is `xx+`.
            Op::Repeat(min, None) => {
                self.jobs.push(Job::Times(node, min - 1));
                return self.repeat(node, lazy, Kind::Plus);
            }
            // `x{2,5}` is `xx(x(x(x)?)?)?`.
            Op::Repeat(min, Some(max)) => {
                self.jobs.push(Job::Times(node, *min));
                self.optional(node, max.saturating_sub(*min), next, lazy);
                return Ok(());
            }
            Op::Concat => {
                self.jobs.extend(node.subs.iter().map(Job::Emit));
                return Ok(());
            }
            Op::Alternate => {
                let index = node.subs.len().saturating_sub(1);
                self.jobs.push(Job::Branch { node, index, next, later: None });
                self.jobs.extend(node.subs.last().map(Job::Emit));
                return Ok(());
            }
            Op::BeginLine => Look::BeginLine,
            Op::EndLine => Look::EndLine,
            Op::BeginText => Look::BeginText,
            Op::EndText => Look::EndText,
            Op::WordBoundary => Look::WordBoundary,
            Op::NoWordBoundary => Look::NoWordBoundary,
        };
        self.push(Inst::Look(look, next))
    }

    fn repeat(&mut self, node: &'t Node, lazy: bool, kind: Kind) -> Result<(), Error> {
        let next = self.at;
        // The instruction is set as soon as it is known where the content begins.
        self.push(Inst::Fail)?;
        self.jobs.push(Job::Loop { again: self.at, next, lazy, kind });
        self.content(node);
        Ok(())
    }

    /// So many of `x?` before what has been made.
    fn optional(&mut self, node: &'t Node, count: u32, next: Address, lazy: bool) {
        if let Some(left) = count.checked_sub(1) {
            self.jobs.push(Job::Optional { node, left, next, lazy });
            self.content(node);
        }
    }
}

/// Into the content or on; a lazy one rather goes on.
fn split(content: Address, next: Address, lazy: bool) -> Inst {
    if lazy { Inst::Split(next, content) } else { Inst::Split(content, next) }
}
