//! Tags of samples.

use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap},
    fmt,
    rc::Rc,
};

type Pairs = Rc<BTreeMap<Rc<str>, Rc<str>>>;

/// An immutable set of tags. Two sets of one worker are equal exactly when their ids are.
#[derive(Clone)]
pub struct TagSet {
    id: usize,
    pairs: Pairs,
}

impl TagSet {
    /// The value of a tag.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        self.pairs.get(key).map(AsRef::as_ref)
    }

    /// All tags, sorted by key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(key, value)| (&**key, &**value))
    }

    /// Its number among the sets of this worker, from 0.
    #[must_use]
    pub fn id(&self) -> usize {
        self.id
    }
}

impl fmt::Debug for TagSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// All tag sets of one worker.
#[derive(Debug)]
pub struct TagSets {
    known: RefCell<HashMap<Pairs, TagSet>>,
    empty: TagSet,
}

impl Default for TagSets {
    fn default() -> Self {
        let empty = TagSet {
            id: 0,
            pairs: Pairs::default(),
        };
        let known = HashMap::from([(Rc::clone(&empty.pairs), empty.clone())]);
        Self {
            known: RefCell::new(known),
            empty,
        }
    }
}

impl TagSets {
    /// The set without tags.
    #[must_use]
    pub fn empty(&self) -> TagSet {
        self.empty.clone()
    }

    /// A set with these tags too; they replace those of the same key.
    pub fn with<'a>(
        &self,
        base: &TagSet,
        tags: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> TagSet {
        let mut pairs = (*base.pairs).clone();
        for (key, value) in tags {
            pairs.insert(key.into(), value.into());
        }
        self.intern(pairs)
    }

    /// The set without a tag.
    pub fn without(&self, base: &TagSet, key: &str) -> TagSet {
        let mut pairs = (*base.pairs).clone();
        pairs.remove(key);
        self.intern(pairs)
    }

    fn intern(&self, pairs: BTreeMap<Rc<str>, Rc<str>>) -> TagSet {
        let mut known = self.known.borrow_mut();
        if let Some(set) = known.get(&pairs) {
            return set.clone();
        }
        let set = TagSet {
            id: known.len(),
            pairs: Rc::new(pairs),
        };
        known.insert(Rc::clone(&set.pairs), set.clone());
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sets_have_one_id() {
        let sets = TagSets::default();
        let one = sets.with(&sets.empty(), [("a", "1"), ("b", "2")]);
        let two = sets.with(&sets.with(&sets.empty(), [("b", "2")]), [("a", "1")]);
        assert_eq!(one.id(), two.id());
        assert_eq!(sets.without(&one, "b").get("a"), Some("1"));
        assert_eq!(
            sets.without(&sets.without(&one, "b"), "a").id(),
            sets.empty().id()
        );
    }
}
