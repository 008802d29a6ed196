//! The tree of groups and checks.

use std::fmt::Write as _;

use md5::{Digest, Md5};
use serde_json::{Value, json};

use super::Totals;

/// A group with what is in it.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    pub(super) name: String,
    pub(super) path: String,
    pub(super) groups: Vec<Group>,
    pub(super) checks: Vec<Check>,
}

/// A check.
#[derive(Clone, Debug)]
pub(super) struct Check {
    pub(super) name: String,
    pub(super) path: String,
    pub(super) passes: u64,
    pub(super) fails: u64,
}

impl Group {
    /// The root, with everything that was recorded.
    pub(super) fn root(totals: &Totals) -> Self {
        let mut root = Self::default();
        for group in &totals.groups {
            root.descend(&group.path);
        }
        for check in &totals.checks {
            let group = root.descend(&check.group);
            group.checks.push(Check {
                path: format!("{}::{}", group.path, check.name),
                name: check.name.clone(),
                passes: check.passes,
                fails: check.fails,
            });
        }
        root
    }

    /// The group at a path such as `::outer::inner`, made if need be.
    fn descend(&mut self, path: &str) -> &mut Self {
        let mut group = self;
        for name in path.split("::").skip(1) {
            let known = group.groups.iter().position(|known| known.name == name);
            let place = known.unwrap_or_else(|| {
                let path = format!("{}::{name}", group.path);
                group.groups.push(Self {
                    name: name.to_owned(),
                    path,
                    ..Self::default()
                });
                group.groups.len() - 1
            });
            group = &mut group.groups[place];
        }
        group
    }

    /// As `handleSummary` gets it.
    pub(super) fn data(&self) -> Value {
        let groups: Vec<Value> = self.groups.iter().map(Self::data).collect();
        let checks: Vec<Value> = self.checks.iter().map(Check::data).collect();
        json!({
            "name": self.name,
            "path": self.path,
            "id": id(&self.path),
            "groups": groups,
            "checks": checks,
        })
    }

    /// As `--summary-export` has it: by name.
    pub(super) fn export(&self) -> Value {
        let groups: serde_json::Map<_, _> = (self.groups.iter())
            .map(|group| (group.name.clone(), group.export()))
            .collect();
        let checks: serde_json::Map<_, _> = (self.checks.iter())
            .map(|check| (check.name.clone(), check.data()))
            .collect();
        json!({
            "name": self.name,
            "path": self.path,
            "id": id(&self.path),
            "groups": groups,
            "checks": checks,
        })
    }
}

impl Check {
    fn data(&self) -> Value {
        json!({
            "name": self.name,
            "path": self.path,
            "id": id(&self.path),
            "passes": self.passes,
            "fails": self.fails,
        })
    }
}

/// k6's id of a group or check: the MD5 of its path.
fn id(path: &str) -> String {
    let digest = Md5::digest(path.as_bytes());
    digest.iter().fold(String::new(), |mut id, byte| {
        // Writing to a string cannot fail.
        let _ = write!(id, "{byte:02x}");
        id
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_has_the_id_of_nothing() {
        assert_eq!(id(""), "d41d8cd98f00b204e9800998ecf8427e");
    }

    #[test]
    fn paths_become_a_tree() {
        let mut root = Group::default();
        root.descend("::a::b");
        root.descend("::a");
        assert_eq!(root.groups.len(), 1);
        assert_eq!(root.groups[0].groups[0].path, "::a::b");
    }
}
