//! What was worked out last, by what it was worked out for.

/// At most so many values; the oldest goes first.
pub(crate) struct Kept<K, V> {
    most: usize,
    values: Vec<(K, V)>,
}

impl<K: PartialEq, V: Clone> Kept<K, V> {
    /// Nothing yet.
    pub(crate) const fn new(most: usize) -> Self {
        Self { most, values: Vec::new() }
    }

    /// What was worked out for a key, if it is still here.
    pub(crate) fn get(&self, key: &K) -> Option<V> {
        self.values.iter().find(|(known, _)| known == key).map(|(_, value)| value.clone())
    }

    /// Takes in what was just worked out.
    pub(crate) fn keep(&mut self, key: K, value: V) {
        if self.values.len() >= self.most {
            self.values.remove(0);
        }
        self.values.push((key, value));
    }
}

#[cfg(test)]
mod tests {
    use super::Kept;

    #[test]
    fn the_oldest_goes_first() {
        let mut kept = Kept::new(2);
        [1, 2, 3].into_iter().for_each(|key| kept.keep(key, key * 10));
        assert_eq!([1, 2, 3].map(|key| kept.get(&key)), [None, Some(20), Some(30)]);
    }
}
