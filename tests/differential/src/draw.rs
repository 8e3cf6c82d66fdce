//! Draws from the stream of random numbers of one case.

use fastrand::Rng;

/// The generator of a case: the same for the same seed and index on every machine, whatever the cases before it drew.
pub(crate) fn of_case(seed: u64, index: u64) -> Rng {
    // The odd constant spreads neighbouring seeds, which would share most of their cases if they were only added.
    Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ index.wrapping_mul(0xd134_2543_de82_ef95))
}

pub(crate) fn pick<'a, T: ?Sized>(rng: &mut Rng, from: &[&'a T]) -> &'a T {
    from[rng.usize(..from.len())]
}

pub(crate) fn one_in(rng: &mut Rng, n: u32) -> bool {
    rng.u32(..n) == 0
}

/// An index, drawn by weights of which at least one is not 0.
pub(crate) fn weighted(rng: &mut Rng, weights: &[u32]) -> usize {
    let mut left = rng.u32(..weights.iter().sum::<u32>());
    for (i, weight) in weights.iter().enumerate() {
        if left < *weight {
            return i;
        }
        left -= weight;
    }
    0
}
