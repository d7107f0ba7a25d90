//! Which locks an operation takes.

/// How an allocator is locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// One lock for the pool (zsmalloc 6.2 to 6.10).
    Pool,
    /// As many pools, an object's pool chosen by hash, one lock each (zswap 6.7 to 6.10 had 32).
    Pools(u16),
    /// A lock per size class (zsmalloc up to 6.1).
    PerClass,
    /// A lock per size class and a read-write lock of the pool, read to find an object's class
    /// (zsmalloc since 6.11).
    PerClassAndPool,
    /// A lock per block type; the handle says the type (zblock).
    PerType,
}

/// One lock of a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LockKey {
    /// The lock of a pool.
    Pool(u16),
    /// The lock of a class or block type.
    Class(u16),
    /// The pool-wide read-write lock.
    Migrate,
}

/// How a lock is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Together with other readers.
    Shared,
    /// Alone.
    Exclusive,
}

/// One lock that an operation needs, and what it does under it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    /// The lock.
    pub lock: LockKey,
    /// How.
    pub mode: Mode,
    /// True for the short look-up under the pool-wide lock, false for the operation itself.
    pub lookup: bool,
}

impl Scheme {
    /// What an operation on an object of `class` takes, in order, one after the other. `hash` is the
    /// object's; it chooses the pool where there are several.
    pub fn needs(self, allocates: bool, class: u16, hash: u32) -> (Option<Need>, Need) {
        let work = |lock| Need { lock, mode: Mode::Exclusive, lookup: false };
        match self {
            Self::Pool => (None, work(LockKey::Pool(0))),
            Self::Pools(pools) => {
                let pool = (u64::from(hash) * u64::from(pools)) >> 32;
                (None, work(LockKey::Pool(pool as u16)))
            }
            Self::PerClass | Self::PerType => (None, work(LockKey::Class(class))),
            Self::PerClassAndPool => {
                let find = Need { lock: LockKey::Migrate, mode: Mode::Shared, lookup: true };
                ((!allocates).then_some(find), work(LockKey::Class(class)))
            }
        }
    }

    /// Every lock of the scheme, in order, for `classes` classes.
    pub fn locks(self, classes: u16) -> Vec<LockKey> {
        match self {
            Self::Pool => vec![LockKey::Pool(0)],
            Self::Pools(pools) => (0..pools).map(LockKey::Pool).collect(),
            Self::PerClass | Self::PerType => (0..classes).map(LockKey::Class).collect(),
            Self::PerClassAndPool => {
                (0..classes).map(LockKey::Class).chain(std::iter::once(LockKey::Migrate)).collect()
            }
        }
    }
}
