//! Cloning that reuses memory.

/// Implements `Clone` for a type of these fields. `clone_from` copies field by field, so that the heap memory of what
/// is overwritten is used again: seeking in a timeline overwrites one pool with another of nearly the same size.
macro_rules! clone_reusing {
    ($name:ident { $($field:ident),+ $(,)? }) => {
        impl Clone for $name {
            fn clone(&self) -> Self {
                Self { $($field: Clone::clone(&self.$field)),+ }
            }

            fn clone_from(&mut self, source: &Self) {
                $(Clone::clone_from(&mut self.$field, &source.$field);)+
            }
        }
    };
}

pub(crate) use clone_reusing;
