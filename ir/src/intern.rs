//! Append-only interning tables.
//!
//! An [`Interner`] gives every distinct value one dense `u32` handle. Values live as long as the table and never
//! move, so a reference to one may be held while others are added, from any thread and with no lock on reads.
//! Interning takes one short lock on one of a fixed number of shards, chosen by the value's hash.
//!
//! The number a value gets depends on the order in which threads arrive: handles compare for equality only, and no
//! output may depend on their order.

use std::hash::{BuildHasher, Hash};
use std::sync::RwLock;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

const SHARDS: usize = 16;

/// A table of distinct values under dense handles.
pub(crate) struct Interner<T> {
    items: boxcar::Vec<T>,
    shards: [RwLock<HashTable<u32>>; SHARDS],
}

impl<T: Hash + Eq> Interner<T> {
    /// An empty table.
    pub(crate) fn new() -> Self {
        Self { items: boxcar::Vec::new(), shards: std::array::from_fn(|_| RwLock::new(HashTable::new())) }
    }

    /// The value under `handle`.
    ///
    /// # Panics
    /// If `handle` did not come from this table.
    pub(crate) fn get(&self, handle: u32) -> &T {
        self.items.get(handle as usize).expect("a handle is used with the context that made it")
    }

    /// The handle of the value that equals `key`, made by `make` if there is none.
    ///
    /// `key` must hash and compare as the value that `make` returns does.
    pub(crate) fn intern<Q>(&self, key: &Q, make: impl FnOnce() -> T) -> u32
    where
        Q: Hash + ?Sized,
        T: InternKey<Q>,
    {
        let hash = FxBuildHasher.hash_one(key);
        // The low bits choose the bucket inside a shard, so the shard takes bits that the table does not look at.
        let shard = &self.shards[(hash >> 32) as usize % SHARDS];
        let equal = |&handle: &u32| self.get(handle).matches(key);
        if let Some(&handle) = shard.read().expect("no thread panics while it holds a shard").find(hash, equal) {
            return handle;
        }
        let mut table = shard.write().expect("no thread panics while it holds a shard");
        if let Some(&handle) = table.find(hash, equal) {
            return handle;
        }
        let handle = u32::try_from(self.items.push(make())).expect("fewer than 2^32 distinct values are interned");
        table.insert_unique(hash, handle, |&handle| self.get(handle).key_hash());
        handle
    }
}

/// How a stored value compares with a key that has not been stored yet.
pub(crate) trait InternKey<Q: ?Sized> {
    /// Whether the stored value equals the key.
    fn matches(&self, key: &Q) -> bool;
    /// The stored value's hash; equals the hash of an equal key.
    fn key_hash(&self) -> u64;
}

impl InternKey<str> for Box<str> {
    fn matches(&self, key: &str) -> bool {
        &**self == key
    }
    fn key_hash(&self) -> u64 {
        FxBuildHasher.hash_one(&**self)
    }
}

impl<T: Hash + Eq> InternKey<[T]> for Box<[T]> {
    fn matches(&self, key: &[T]) -> bool {
        &**self == key
    }
    fn key_hash(&self) -> u64 {
        FxBuildHasher.hash_one(&**self)
    }
}
