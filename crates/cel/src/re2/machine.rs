//! The machine that runs a program over a text. It reads the text once, and follows at every character each instruction
//! at most once, so that its time is bounded by the length of the text times that of the program.

use super::class::contains;
use super::program::{Address, Inst, Look, Program};

/// The places of a match, those of the whole match first: where each group begins and ends.
pub(super) type Slots = Vec<Option<usize>>;

/// The ways that wait for a character, in the order of their priority.
struct Queue {
    /// Where an instruction stands in `dense`, if it stands there.
    sparse: Vec<u32>,
    /// The instructions, each with the row of its places.
    dense: Vec<(Address, u32)>,
}

impl Queue {
    fn new(length: usize) -> Queue {
        Queue { sparse: vec![0; length], dense: Vec::new() }
    }

    /// Adds an instruction, unless it is there.
    fn insert(&mut self, address: Address) -> bool {
        let index = self.dense.len() as u32;
        let Some(place) = self.sparse.get_mut(address as usize) else { return false };
        if self.dense.get(*place as usize).is_some_and(|(other, _)| *other == address) {
            return false;
        }
        *place = index;
        self.dense.push((address, NO_ROW));
        true
    }
}

/// The mark of an instruction that does not wait for a character.
const NO_ROW: u32 = u32::MAX;

/// The places of all ways, in rows.
struct Rows {
    width: usize,
    places: Vec<Option<usize>>,
    free: Vec<u32>,
}

impl Rows {
    fn get(&self, row: u32) -> &[Option<usize>] {
        let start = row as usize * self.width;
        self.places.get(start..start + self.width).unwrap_or(&[])
    }

    /// A row with these places.
    fn take(&mut self, slots: &[Option<usize>]) -> u32 {
        if self.width == 0 {
            return 0;
        }
        if let Some(row) = self.free.pop() {
            let start = row as usize * self.width;
            if let Some(places) = self.places.get_mut(start..start + self.width) {
                places.copy_from_slice(slots);
            }
            return row;
        }
        let row = (self.places.len() / self.width) as u32;
        self.places.extend_from_slice(slots);
        row
    }

    fn give_back(&mut self, row: u32) {
        if self.width > 0 && row != NO_ROW {
            self.free.push(row);
        }
    }
}

/// What a search takes even if it ends at once.
const BEGINNING: usize = 16;

/// A step of following the instructions that need no character.
enum Task {
    Follow(Address),
    /// Sets a slot back, behind the ways on which it was another.
    Restore(usize, Option<usize>),
}

/// A search in one text.
pub(super) struct Machine<'a> {
    program: &'a Program,
    text: &'a str,
    /// The ways of this place and the next one.
    now: Queue,
    next: Queue,
    rows: Rows,
    tasks: Vec<Task>,
    /// The places on the way that is being followed.
    current: Slots,
}

impl<'a> Machine<'a> {
    /// A machine that finds the places of so many slots; without any, it only finds whether there is a match.
    pub(super) fn new(program: &'a Program, text: &'a str, slots: usize) -> Machine<'a> {
        let length = program.insts.len();
        Machine {
            program,
            text,
            now: Queue::new(length),
            next: Queue::new(length),
            rows: Rows { width: slots, places: Vec::new(), free: Vec::new() },
            tasks: Vec::new(),
            current: vec![None; slots],
        }
    }

    /// The first match that begins at `start` or behind. `spend` is told the steps as they are taken and may stop it.
    pub(super) fn find<E>(
        &mut self,
        start: usize,
        spend: &mut impl FnMut(usize) -> Result<(), E>,
    ) -> Result<Option<Slots>, E> {
        self.clear();
        let mut found: Option<Slots> = None;
        let mut at = start;
        let mut before = self.text.get(..start).and_then(|text| text.chars().next_back());
        let mut spent = BEGINNING;
        loop {
            if self.now.dense.is_empty() {
                if found.is_some() || (self.program.anchored && at != 0) {
                    break;
                }
                if !self.program.prefix.is_empty() {
                    let rest = self.text.get(at..).unwrap_or("");
                    let Some(skipped) = rest.find(self.program.prefix.as_str()) else { break };
                    if skipped > 0 {
                        spent += skipped / 16;
                        at += skipped;
                        before = self.text.get(..at).and_then(|text| text.chars().next_back());
                    }
                }
            }
            let after = self.text.get(at..).and_then(|text| text.chars().next());
            if found.is_none() {
                self.current.fill(None);
                if let Some(first) = self.current.first_mut() {
                    *first = Some(at);
                }
                let mut now =
                    std::mem::replace(&mut self.now, Queue { sparse: Vec::new(), dense: Vec::new() });
                self.follow(&mut now, self.program.start, at, before, after);
                self.now = now;
            }
            spent += self.now.dense.len() + 1;
            if spent >= 1024 {
                spend(std::mem::take(&mut spent))?;
            }
            let width = after.map_or(0, char::len_utf8);
            let behind = self.text.get(at + width..).and_then(|text| text.chars().next());
            self.step(at, after, behind, &mut found);
            let Some(letter) = after else { break };
            if found.is_some() && self.rows.width == 0 {
                break;
            }
            at += width;
            before = Some(letter);
            std::mem::swap(&mut self.now, &mut self.next);
        }
        spend(spent)?;
        Ok(found)
    }

    fn clear(&mut self) {
        self.now.dense.clear();
        self.next.dense.clear();
        self.rows.places.clear();
        self.rows.free.clear();
    }

    /// Takes all ways over a character.
    fn step(&mut self, at: usize, letter: Option<char>, behind: Option<char>, found: &mut Option<Slots>) {
        let mut now = std::mem::replace(&mut self.now, Queue { sparse: Vec::new(), dense: Vec::new() });
        let mut next = std::mem::replace(&mut self.next, Queue { sparse: Vec::new(), dense: Vec::new() });
        let width = letter.map_or(0, char::len_utf8);
        let mut matched = false;
        for &(address, row) in &now.dense {
            if row == NO_ROW {
                continue;
            }
            // A match ends the ways with less priority.
            if matched {
                self.rows.give_back(row);
                continue;
            }
            let inst = self.program.get(address);
            let target = match (inst, letter) {
                (Inst::Match, _) => {
                    let mut slots = self.rows.get(row).to_vec();
                    if let Some(end) = slots.get_mut(1) {
                        *end = Some(at);
                    }
                    *found = Some(slots);
                    matched = true;
                    None
                }
                (_, None) => None,
                (Inst::Rune(rune, target), Some(letter)) => (u32::from(letter) == *rune).then_some(*target),
                (Inst::Orbit(orbit, target), Some(letter)) => {
                    orbit.contains(&u32::from(letter)).then_some(*target)
                }
                (Inst::Class(class, target), Some(letter)) => {
                    contains(class, u32::from(letter)).then_some(*target)
                }
                (Inst::NotNewline(target), Some(letter)) => (letter != '\n').then_some(*target),
                (Inst::Any(target), Some(_)) => Some(*target),
                _ => None,
            };
            if let Some(target) = target {
                if self.rows.width > 0 {
                    let start = row as usize * self.rows.width;
                    if let Some(places) = self.rows.places.get(start..start + self.rows.width) {
                        self.current.copy_from_slice(places);
                    }
                }
                self.rows.give_back(row);
                self.follow(&mut next, target, at + width, letter, behind);
            } else {
                self.rows.give_back(row);
            }
        }
        now.dense.clear();
        (self.now, self.next) = (now, next);
    }

    /// Adds an instruction to a queue, and all that can be reached from it without a character.
    fn follow(
        &mut self,
        queue: &mut Queue,
        start: Address,
        at: usize,
        before: Option<char>,
        after: Option<char>,
    ) {
        self.tasks.push(Task::Follow(start));
        while let Some(task) = self.tasks.pop() {
            let address = match task {
                Task::Restore(slot, place) => {
                    if let Some(slot) = self.current.get_mut(slot) {
                        *slot = place;
                    }
                    continue;
                }
                Task::Follow(address) => address,
            };
            if !queue.insert(address) {
                continue;
            }
            match self.program.get(address) {
                Inst::Fail => {}
                Inst::Split(first, second) => {
                    self.tasks.push(Task::Follow(*second));
                    self.tasks.push(Task::Follow(*first));
                }
                Inst::Save(slot, next) => {
                    if let Some(place) = self.current.get_mut(*slot) {
                        self.tasks.push(Task::Restore(*slot, *place));
                        *place = Some(at);
                    }
                    self.tasks.push(Task::Follow(*next));
                }
                Inst::Look(look, next) => {
                    if holds(*look, before, after) {
                        self.tasks.push(Task::Follow(*next));
                    }
                }
                _ => {
                    let row = self.rows.take(&self.current);
                    if let Some((_, last)) = queue.dense.last_mut() {
                        *last = row;
                    }
                }
            }
        }
    }
}

/// Whether the place between two characters is such a one.
fn holds(look: Look, before: Option<char>, after: Option<char>) -> bool {
    let word =
        |letter: Option<char>| letter.is_some_and(|letter| letter == '_' || letter.is_ascii_alphanumeric());
    match look {
        Look::BeginLine => before.is_none_or(|letter| letter == '\n'),
        Look::EndLine => after.is_none_or(|letter| letter == '\n'),
        Look::BeginText => before.is_none(),
        Look::EndText => after.is_none(),
        Look::WordBoundary => word(before) != word(after),
        Look::NoWordBoundary => word(before) == word(after),
    }
}
