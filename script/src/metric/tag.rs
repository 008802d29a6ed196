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
    extended: RefCell<Vec<Extended>>,
    empty: TagSet,
}

/// A set that was made of another by one more tag.
#[derive(Debug)]
struct Extended {
    base: usize,
    key: Rc<str>,
    value: Rc<str>,
    set: TagSet,
}

/// Extended sets that are remembered.
const EXTENDED: usize = 32;

impl Default for TagSets {
    fn default() -> Self {
        let empty = TagSet {
            id: 0,
            pairs: Pairs::default(),
        };
        let known = HashMap::from([(Rc::clone(&empty.pairs), empty.clone())]);
        Self {
            known: RefCell::new(known),
            extended: RefCell::default(),
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

    /// A set with this tag too. It is found without making it when it was made lately.
    pub fn with_tag(&self, base: &TagSet, key: &str, value: &str) -> TagSet {
        let mut extended = self.extended.borrow_mut();
        let known = extended
            .iter()
            .find(|known| known.base == base.id && *known.value == *value && *known.key == *key);
        if let Some(known) = known {
            return known.set.clone();
        }
        let set = self.with(base, [(key, value)]);
        if extended.len() == EXTENDED {
            extended.remove(0);
        }
        extended.push(Extended {
            base: base.id,
            key: key.into(),
            value: value.into(),
            set: set.clone(),
        });
        set
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
    fn a_remembered_set_is_the_one_that_would_be_made() {
        let sets = TagSets::default();
        let base = sets.with(&sets.empty(), [("a", "1")]);
        for round in 0..2 {
            for value in 0..EXTENDED + 3 {
                let value = value.to_string();
                for (base, key) in [(&base, "b"), (&base, "a"), (&sets.empty(), "b")] {
                    let set = sets.with_tag(base, key, &value);
                    let made = sets.with(base, [(key, value.as_str())]);
                    assert_eq!(set.id(), made.id(), "round {round}, {key}={value}");
                }
            }
        }
    }

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
