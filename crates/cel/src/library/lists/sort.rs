//! The order in which Go's `sort.Slice` leaves elements.
//!
//! `sortBy` may meet equal keys, and `sort.Slice` is not stable: where equal elements end up depends on the steps of
//! its algorithm, a pattern-defeating quicksort (package `sort`, `pdqsort_func`). To give the same list, this takes the
//! same steps. Comparisons that contradict each other, as with NaN, do no harm: every index is checked.

/// Up to how many elements insertion sort is used.
const SHORT: usize = 12;
/// From how many elements on the pivot is the median of three medians, and repairs of a nearly sorted range are tried.
const LONG: usize = 50;
/// How many pairs out of order a nearly sorted range may have.
const MAX_REPAIRS: usize = 5;
/// How many exchanges the choice of a pivot makes in a range that is sorted the wrong way round.
const ALL_EXCHANGED: usize = 12;

/// The indexes `0..len` in the order of `less`, which compares elements by their first index.
pub(super) fn permutation(len: usize, less: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut sorter = Sorter { order: (0..len).collect(), less };
    sorter.quicksort(0, len, bits(len));
    sorter.order
}

/// The number of bits of a number.
fn bits(value: usize) -> u32 {
    usize::BITS - value.leading_zeros()
}

struct Sorter<F> {
    order: Vec<usize>,
    less: F,
}

/// What the choice of a pivot tells about the range.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hint {
    Unknown,
    Increasing,
    Decreasing,
}

impl<F: Fn(usize, usize) -> bool> Sorter<F> {
    /// Whether the element at one position is less than that at another.
    fn less(&self, left: usize, right: usize) -> bool {
        match (self.order.get(left), self.order.get(right)) {
            (Some(&left), Some(&right)) => (self.less)(left, right),
            _ => false,
        }
    }

    fn swap(&mut self, left: usize, right: usize) {
        if left < self.order.len() && right < self.order.len() {
            self.order.swap(left, right);
        }
    }

    /// Sorts `start..end`. After `bad_choices` pivots that split it badly, heapsort takes over.
    fn quicksort(&mut self, mut start: usize, mut end: usize, mut bad_choices: u32) {
        let mut balanced = true;
        let mut partitioned = true;
        loop {
            let len = end.saturating_sub(start);
            if len <= SHORT {
                self.insertion_sort(start, end);
                return;
            }
            if bad_choices == 0 {
                self.heapsort(start, end);
                return;
            }
            if !balanced {
                self.break_patterns(start, end);
                bad_choices -= 1;
            }
            let (mut pivot, mut hint) = self.choose_pivot(start, end);
            if hint == Hint::Decreasing {
                if let Some(range) = self.order.get_mut(start..end) {
                    range.reverse();
                }
                pivot = (end - 1) - (pivot - start);
                hint = Hint::Increasing;
            }
            if balanced && partitioned && hint == Hint::Increasing && self.repair(start, end) {
                return;
            }
            // What stands before the range is not greater than anything in it. If it is not less than the pivot
            // either, the pivot is the least of the range, and all that are equal to it are in place at once.
            if start > 0 && !self.less(start - 1, pivot) {
                start = self.partition_equal(start, end, pivot);
                continue;
            }
            let (middle, already) = self.partition(start, end, pivot);
            partitioned = already;
            let (left, right) = (middle - start, end - middle);
            balanced = left.min(right) >= len / 8;
            // The shorter part is sorted by a call, so that calls nest no deeper than the length has bits.
            if left < right {
                self.quicksort(start, middle, bad_choices);
                start = middle + 1;
            } else {
                self.quicksort(middle + 1, end, bad_choices);
                end = middle;
            }
        }
    }

    fn insertion_sort(&mut self, start: usize, end: usize) {
        for next in start + 1..end {
            let mut at = next;
            while at > start && self.less(at, at - 1) {
                self.swap(at, at - 1);
                at -= 1;
            }
        }
    }

    fn heapsort(&mut self, start: usize, end: usize) {
        let len = end - start;
        for root in (0..=(len.saturating_sub(1)) / 2).rev() {
            self.sift_down(root, len, start);
        }
        for last in (0..len).rev() {
            self.swap(start, start + last);
            self.sift_down(0, last, start);
        }
    }

    fn sift_down(&mut self, mut root: usize, len: usize, first: usize) {
        loop {
            let mut child = 2 * root + 1;
            if child >= len {
                return;
            }
            if child + 1 < len && self.less(first + child, first + child + 1) {
                child += 1;
            }
            if !self.less(first + root, first + child) {
                return;
            }
            self.swap(first + root, first + child);
            root = child;
        }
    }

    /// Exchanges three elements in the middle for others that Go's generator picks.
    fn break_patterns(&mut self, start: usize, end: usize) {
        let len = end - start;
        if len < 8 {
            return;
        }
        let mut random = len as u64;
        let mask = (1_u64 << bits(len)) - 1;
        let middle = start + (len / 4) * 2;
        for at in [middle - 1, middle, middle + 1] {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let mut other = (random & mask) as usize;
            if other >= len {
                other -= len;
            }
            self.swap(at, start + other);
        }
    }

    fn choose_pivot(&self, start: usize, end: usize) -> (usize, Hint) {
        let len = end - start;
        let quarter = len / 4;
        let mut exchanges = 0;
        let (mut low, mut middle, mut high) = (start + quarter, start + quarter * 2, start + quarter * 3);
        if len >= 8 {
            if len >= LONG {
                low = self.median(low - 1, low, low + 1, &mut exchanges);
                middle = self.median(middle - 1, middle, middle + 1, &mut exchanges);
                high = self.median(high - 1, high, high + 1, &mut exchanges);
            }
            middle = self.median(low, middle, high, &mut exchanges);
        }
        let hint = match exchanges {
            0 => Hint::Increasing,
            ALL_EXCHANGED => Hint::Decreasing,
            _ => Hint::Unknown,
        };
        (middle, hint)
    }

    fn median(&self, first: usize, second: usize, third: usize, exchanges: &mut usize) -> usize {
        let mut ordered = |left: usize, right: usize| {
            if self.less(right, left) {
                *exchanges += 1;
                (right, left)
            } else {
                (left, right)
            }
        };
        let (first, second) = ordered(first, second);
        let (second, _) = ordered(second, third);
        ordered(first, second).1
    }

    /// Puts a few elements in place; true if the range is sorted then.
    fn repair(&mut self, start: usize, end: usize) -> bool {
        let mut next = start + 1;
        for _ in 0..MAX_REPAIRS {
            while next < end && !self.less(next, next - 1) {
                next += 1;
            }
            if next == end {
                return true;
            }
            if end - start < LONG {
                return false;
            }
            self.swap(next, next - 1);
            if next - start >= 2 {
                for at in (1..next).rev() {
                    if !self.less(at, at - 1) {
                        break;
                    }
                    self.swap(at, at - 1);
                }
            }
            if end - next >= 2 {
                for at in next + 1..end {
                    if !self.less(at, at - 1) {
                        break;
                    }
                    self.swap(at, at - 1);
                }
            }
        }
        false
    }

    /// Moves what is less than the pivot before it. Returns where the pivot ends up and whether nothing had to move.
    fn partition(&mut self, start: usize, end: usize, pivot: usize) -> (usize, bool) {
        self.swap(start, pivot);
        // `low..rest` is not yet partitioned.
        let (mut low, mut rest) = (start + 1, end);
        let mut already = true;
        loop {
            while low < rest && self.less(low, start) {
                low += 1;
            }
            while low < rest && !self.less(rest - 1, start) {
                rest -= 1;
            }
            if low >= rest {
                break;
            }
            already = false;
            self.swap(low, rest - 1);
            low += 1;
            rest -= 1;
        }
        self.swap(rest - 1, start);
        (rest - 1, already)
    }

    /// Moves what is not greater than the pivot to the start. Returns where the greater ones begin.
    fn partition_equal(&mut self, start: usize, end: usize, pivot: usize) -> usize {
        self.swap(start, pivot);
        let (mut low, mut rest) = (start + 1, end);
        loop {
            while low < rest && !self.less(start, low) {
                low += 1;
            }
            while low < rest && self.less(start, rest - 1) {
                rest -= 1;
            }
            if low >= rest {
                return low;
            }
            self.swap(low, rest - 1);
            low += 1;
            rest -= 1;
        }
    }
}
