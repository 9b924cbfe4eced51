//! Typed ids of the things in a body.

macro_rules! ids {
    ($($(#[$meta:meta])* $name:ident),* $(,)?) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(std::num::NonZeroU32);

        impl $name {
            /// The id of an index below `u32::MAX`.
            ///
            /// # Panics
            /// If the index is larger.
            #[must_use]
            pub fn from_index(index: usize) -> Self {
                let raw = u32::try_from(index + 1).expect("a body holds fewer than 2^32 - 1 things of a kind");
                Self(std::num::NonZeroU32::new(raw).expect("a successor is not zero"))
            }

            /// The index: dense, from 0, in order of creation, for side tables.
            #[must_use]
            pub fn index(self) -> usize {
                self.0.get() as usize - 1
            }
        }
    )*};
}

ids! {
    /// An operation of a body.
    OpId,
    /// A block of a body.
    BlockId,
    /// A region of a body.
    RegionId,
    /// An operation result or block argument of a body.
    ValueId,
    /// An operand: one use of a value.
    UseId,
    /// A successor: one use of a block.
    BlockUseId,
}
