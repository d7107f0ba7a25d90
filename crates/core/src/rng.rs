//! The one source of chance: seeded, ours, and therefore the same on every platform for ever.

/// xorshift64* seeded through splitmix64, so that neighbouring seeds give unrelated streams.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(u64);

impl Rng {
    /// A generator for a seed; every seed is allowed.
    pub const fn new(seed: u64) -> Self {
        let mut mixed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        // xorshift stays at zero for ever, so the one seed that mixes to zero takes another start.
        Self(if mixed == 0 { 0x9e37_79b9_7f4a_7c15 } else { mixed })
    }

    /// The next 64 bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number in `0..bound` by multiply-and-shift; 0 when `bound` is 0. The bias is below 2^-32.
    pub const fn below(&mut self, bound: u32) -> u32 {
        (((self.next_u64() >> 32) * bound as u64) >> 32) as u32
    }

    /// True in `numerator` out of `denominator` cases.
    pub const fn chance(&mut self, numerator: u32, denominator: u32) -> bool {
        self.below(denominator) < numerator
    }
}

#[cfg(test)]
mod tests {
    use super::Rng;

    #[test]
    fn neighbouring_seeds_differ_and_a_seed_repeats() {
        let first: Vec<u64> = (0..8).map(|seed| Rng::new(seed).next_u64()).collect();
        let mut distinct = first.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), 8);
        assert_eq!(first, (0..8).map(|seed| Rng::new(seed).next_u64()).collect::<Vec<_>>());
    }

    #[test]
    fn below_covers_its_range_and_nothing_else() {
        let mut rng = Rng::new(42);
        let mut seen = [false; 7];
        for _ in 0..1000 {
            seen[rng.below(7) as usize] = true;
        }
        assert_eq!(seen, [true; 7]);
        assert_eq!(rng.below(0), 0);
    }
}
