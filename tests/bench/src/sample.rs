use std::hint::black_box;
use std::time::{Duration, Instant};

/// One side of a comparison.
pub(crate) struct Side<'a> {
    pub(crate) name: &'static str,
    run: Box<dyn FnMut() -> usize + 'a>,
    times: Vec<Duration>,
}

impl<'a> Side<'a> {
    /// A side whose run gives a number that depends on its whole work, so that none of it can be left out.
    pub(crate) fn new(name: &'static str, run: impl FnMut() -> usize + 'a) -> Self {
        Side { name, run: Box::new(run), times: Vec::new() }
    }

    /// The median of the times.
    pub(crate) fn median(&self) -> Duration {
        let mut times = self.times.clone();
        times.sort();
        times[times.len() / 2]
    }
}

/// Runs all sides in turns, so that a slow moment of the machine meets all of them alike; the first round only
/// warms up.
pub(crate) fn measure(sides: &mut [Side<'_>], rounds: usize) {
    for round in 0..=rounds {
        for side in &mut *sides {
            let start = Instant::now();
            black_box((side.run)());
            let time = start.elapsed();
            if round > 0 {
                side.times.push(time);
            }
        }
    }
}

/// Nanoseconds of processor time that this thread has used; where the system does not tell, of the clock.
pub(crate) fn processor_time(start: Instant) -> f64 {
    let used = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let used = used.as_deref().and_then(|text| text.split(' ').next()).and_then(|first| first.parse().ok());
    used.unwrap_or_else(|| start.elapsed().as_nanos() as f64)
}

/// The middle one of some times.
pub(crate) fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
