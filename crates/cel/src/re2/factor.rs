//! Alternations: what all branches begin with is taken out, and branches of one character become a class. How large and
//! how deep an expression may be is counted behind this, so it is part of what Go accepts.

use std::sync::Arc;

use super::class::{append_class, append_folded_range, append_range};
use super::parse::{Parser, Stop};
use super::tree::{Flags, Node, Op};

/// How deep an alternation may go into another one. Each adds two levels to the tree, so one that goes deeper nests too
/// deeply in the end.
const MAX_DEPTH: usize = 500;

/// Neighbours in an alternation.
enum Group {
    /// A branch that begins like no neighbour.
    One(Node),
    /// Branches that begin with a text, whose case matters or not.
    Text(Vec<u32>, bool, Vec<Node>),
    /// Branches that begin with the same piece.
    Head(Vec<Node>),
}

/// An alternation of which branches are being taken together. It is on hold while the rests of a group are.
struct Level {
    groups: std::vec::IntoIter<Group>,
    /// Whether the groups are those with the same piece; they come behind those with a text.
    heads: bool,
    out: Vec<Node>,
    /// What the branches of the group on hold begin with.
    prefix: Option<Node>,
}

impl Level {
    fn new(branches: Vec<Node>) -> Level {
        Level { groups: text_groups(branches).into_iter(), heads: false, out: Vec::new(), prefix: None }
    }
}

impl Parser<'_> {
    /// A concatenation of nodes; concatenations among them are taken apart.
    pub(super) fn concatenation(&mut self, mut subs: Vec<Node>) -> Result<Node, Stop> {
        if let [_] = subs.as_slice()
            && let Some(only) = subs.pop()
        {
            return Ok(only);
        }
        self.allocate()?;
        let flat = self.flatten(subs, |op| matches!(op, Op::Concat));
        // Go leaves the flags of these nodes empty; nothing reads them.
        Ok(Node::new(Op::Concat, Flags(0), flat))
    }

    /// An alternation of nodes; alternations among them are taken apart.
    pub(super) fn alternation(&mut self, mut branches: Vec<Node>) -> Result<Node, Stop> {
        if let [_] = branches.as_slice()
            && let Some(only) = branches.pop()
        {
            return Ok(only);
        }
        let mut above: Vec<Level> = Vec::new();
        let mut level = self.level(branches)?;
        loop {
            match level.groups.next() {
                Some(Group::One(branch)) => level.out.push(branch),
                Some(group) => {
                    if above.len() >= MAX_DEPTH {
                        return Err(Stop::TooDeep);
                    }
                    let (prefix, rests) = self.take_out(group)?;
                    level.prefix = prefix;
                    let inner = self.level(rests)?;
                    above.push(std::mem::replace(&mut level, inner));
                }
                None if !level.heads => {
                    level.heads = true;
                    level.groups = head_groups(std::mem::take(&mut level.out)).into_iter();
                }
                None => {
                    let node = self.close(level.out)?;
                    let Some(mut outer) = above.pop() else { return Ok(node) };
                    self.allocate()?;
                    let subs = outer.prefix.take().into_iter().chain([node]).collect();
                    outer.out.push(Node::new(Op::Concat, Flags(0), subs));
                    level = outer;
                }
            }
        }
    }

    fn level(&mut self, branches: Vec<Node>) -> Result<Level, Stop> {
        self.allocate()?;
        Ok(Level::new(self.flatten(branches, |op| matches!(op, Op::Alternate))))
    }

    fn flatten(&mut self, nodes: Vec<Node>, inner: fn(&Op) -> bool) -> Vec<Node> {
        let mut flat = Vec::with_capacity(nodes.len());
        for node in nodes {
            if inner(&node.op) {
                self.release();
                flat.extend(node.subs);
            } else {
                flat.push(node);
            }
        }
        flat
    }

    /// The alternation of branches from which all beginnings have been taken out.
    fn close(&mut self, branches: Vec<Node>) -> Result<Node, Stop> {
        let mut joined = self.join_characters(branches)?;
        joined.dedup_by(|second, first| matches!((&second.op, &first.op), (Op::Empty, Op::Empty)));
        if let [_] = joined.as_slice()
            && let Some(only) = joined.pop()
        {
            self.release();
            return Ok(only);
        }
        Ok(Node::new(Op::Alternate, Flags(0), joined))
    }

    /// What the branches of a group begin with, and their rests.
    fn take_out(&mut self, group: Group) -> Result<(Option<Node>, Vec<Node>), Stop> {
        let mut prefix = None;
        let mut rests = Vec::new();
        match group {
            Group::One(branch) => rests.push(branch),
            Group::Text(text, fold, run) => {
                self.allocate()?;
                let length = text.len();
                let flags = Flags(if fold { Flags::FOLD } else { 0 });
                prefix = Some(Node::new(Op::Literal(text), flags, Vec::new()));
                for branch in run {
                    let rest = self.without_leading_text(branch, length);
                    self.check_limits(&rest)?;
                    rests.push(rest);
                }
            }
            Group::Head(run) => {
                for branch in run {
                    let (head, rest) = self.split_head(branch, prefix.is_some())?;
                    prefix.get_or_insert(head);
                    self.check_limits(&rest)?;
                    rests.push(rest);
                }
            }
        }
        Ok((prefix, rests))
    }

    /// Takes the first characters from a branch that begins with a text.
    fn without_leading_text(&mut self, mut branch: Node, count: usize) -> Node {
        match &mut branch.op {
            Op::Literal(runes) => {
                runes.drain(..count.min(runes.len()));
                if runes.is_empty() {
                    branch.op = Op::Empty;
                }
            }
            Op::Concat => {
                if let Some(Node { op, .. }) = branch.subs.first_mut()
                    && let Op::Literal(runes) = op
                {
                    runes.drain(..count.min(runes.len()));
                    if runes.is_empty() {
                        self.release();
                        branch.subs.remove(0);
                        if branch.subs.len() == 1
                            && let Some(only) = branch.subs.pop()
                        {
                            self.release();
                            return only;
                        }
                    } else if let Some(first) = branch.subs.first_mut() {
                        first.measure();
                    }
                }
            }
            _ => {}
        }
        branch.measure();
        branch
    }

    /// The piece that a branch begins with, and what is left of the branch.
    fn split_head(&mut self, mut branch: Node, free: bool) -> Result<(Node, Node), Stop> {
        if free {
            self.release();
        }
        if matches!(branch.op, Op::Concat) && !branch.subs.is_empty() {
            let head = branch.subs.remove(0);
            if branch.subs.len() == 1
                && let Some(only) = branch.subs.pop()
            {
                self.release();
                return Ok((head, only));
            }
            branch.measure();
            return Ok((head, branch));
        }
        self.allocate()?;
        Ok((branch, Node::new(Op::Empty, Flags(0), Vec::new())))
    }

    /// Makes one class of neighbours that match one character.
    fn join_characters(&mut self, branches: Vec<Node>) -> Result<Vec<Node>, Stop> {
        let mut out = Vec::with_capacity(branches.len());
        let mut run: Vec<Node> = Vec::new();
        for branch in branches {
            if branch.is_one() {
                run.push(branch);
                continue;
            }
            self.close_character_run(&mut out, std::mem::take(&mut run))?;
            out.push(branch);
        }
        self.close_character_run(&mut out, run)?;
        Ok(out)
    }

    fn close_character_run(&mut self, out: &mut Vec<Node>, mut run: Vec<Node>) -> Result<(), Stop> {
        if run.len() < 2 {
            out.extend(run);
            return Ok(());
        }
        // The others are added to the first of the most complex ones.
        let mut most = (0, (0, 0));
        for (index, node) in run.iter().enumerate() {
            let key = (node.rank(), node.weight());
            if index == 0 || key > most.1 {
                most = (index, key);
            }
        }
        run.swap(0, most.0);
        let mut nodes = run.into_iter();
        let Some(mut all) = nodes.next() else { return Ok(()) };
        for node in nodes {
            self.merge(&mut all, &node)?;
            self.release();
        }
        all.clean_class();
        out.push(all);
        Ok(())
    }

    /// Adds a node that matches one character to another one that is not simpler.
    pub(super) fn merge(&mut self, into: &mut Node, other: &Node) -> Result<(), Stop> {
        let literal = |node: &Node| match &node.op {
            Op::Literal(runes) => runes.first().copied(),
            _ => None,
        };
        match &mut into.op {
            Op::NotNewline if other.has_newline() => into.op = Op::Any,
            Op::Class(ranges) => {
                let shared = if Arc::strong_count(ranges) > 1 { ranges.len() } else { 0 };
                self.hold(shared + other.weight().div_ceil(2))?;
                let ranges = Arc::make_mut(ranges);
                match &other.op {
                    Op::Class(added) => append_class(ranges, added),
                    _ => {
                        if let Some(rune) = literal(other) {
                            append_literal(ranges, rune, other.flags);
                        }
                    }
                }
            }
            Op::Literal(_) => {
                let (Some(rune), Some(added)) = (literal(into), literal(other)) else { return Ok(()) };
                if rune != added || into.flags != other.flags {
                    self.hold(2)?;
                    let mut ranges = Vec::new();
                    append_literal(&mut ranges, rune, into.flags);
                    append_literal(&mut ranges, added, other.flags);
                    into.op = Op::Class(Arc::new(ranges));
                }
            }
            _ => {}
        }
        into.measure();
        Ok(())
    }
}

/// Adds a character of a pattern to a class.
fn append_literal(ranges: &mut Vec<(u32, u32)>, rune: u32, flags: Flags) {
    if flags.has(Flags::FOLD) {
        append_folded_range(ranges, rune, rune);
    } else {
        append_range(ranges, rune, rune);
    }
}

/// Takes branches together that begin with the same text.
fn text_groups(branches: Vec<Node>) -> Vec<Group> {
    let mut groups = Vec::with_capacity(branches.len());
    let mut run: Vec<Node> = Vec::new();
    let (mut text, mut fold): (Vec<u32>, bool) = (Vec::new(), false);
    for branch in branches {
        let (lead, lead_fold) = leading_text(&branch);
        if lead_fold == fold {
            let same = text.iter().zip(lead).take_while(|(left, right)| left == right).count();
            if same > 0 {
                text.truncate(same);
                run.push(branch);
                continue;
            }
        }
        let text = std::mem::replace(&mut text, lead.to_vec());
        add_group(&mut groups, std::mem::take(&mut run), |run| Group::Text(text, fold, run));
        fold = lead_fold;
        run.push(branch);
    }
    add_group(&mut groups, run, |run| Group::Text(text, fold, run));
    groups
}

/// Takes branches together that begin with the same character or class, or with a fixed number of them.
fn head_groups(branches: Vec<Node>) -> Vec<Group> {
    let mut groups = Vec::with_capacity(branches.len());
    let mut run: Vec<Node> = Vec::new();
    for branch in branches {
        let same = match (run.first().and_then(leading_node), leading_node(&branch)) {
            (Some(head), Some(other)) => head.is_same_head(other),
            _ => false,
        };
        if !same {
            add_group(&mut groups, std::mem::take(&mut run), Group::Head);
        }
        run.push(branch);
    }
    add_group(&mut groups, run, Group::Head);
    groups
}

fn add_group(groups: &mut Vec<Group>, mut run: Vec<Node>, group: impl FnOnce(Vec<Node>) -> Group) {
    if run.len() > 1 {
        groups.push(group(run));
    } else {
        groups.extend(run.pop().map(Group::One));
    }
}

/// The text that a branch begins with, and whether its case does not matter.
fn leading_text(branch: &Node) -> (&[u32], bool) {
    let first = match (&branch.op, branch.subs.first()) {
        (Op::Concat, Some(first)) => first,
        _ => branch,
    };
    match &first.op {
        Op::Literal(runes) => (runes, first.flags.has(Flags::FOLD)),
        _ => (&[], false),
    }
}

/// The piece that a branch begins with.
fn leading_node(branch: &Node) -> Option<&Node> {
    let first = match (&branch.op, branch.subs.first()) {
        (Op::Concat, Some(first)) => first,
        _ => branch,
    };
    (!matches!(first.op, Op::Empty)).then_some(first)
}
