//! The yardstick: a loop that does nothing but draw numbers and touch memory at random.

use std::hint::black_box;

/// xorshift64, each number increments a random 64-bit word of a 64 MiB array.
#[derive(Debug)]
pub struct BareLoop {
    words: Vec<u64>,
    state: u64,
}

impl BareLoop {
    /// Words of the array: 64 MiB. A power of two, so that a number becomes an index by masking.
    const WORDS: usize = 64 * 1024 * 1024 / size_of::<u64>();

    /// An array whose pages have been touched.
    pub fn new() -> Self {
        Self { words: vec![1; Self::WORDS], state: 0x9e37_79b9_7f4a_7c15 }
    }

    /// Goes round `times` times. Not inlined, for the same reason as the replay.
    #[inline(never)]
    pub fn run(&mut self, times: usize) {
        let mut state = self.state;
        for _ in 0..times {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let word = &mut self.words[state as usize & (Self::WORDS - 1)];
            *word = word.wrapping_add(1);
        }
        self.state = black_box(state);
    }
}

impl Default for BareLoop {
    fn default() -> Self {
        Self::new()
    }
}
