//! How much rows do at full load, where others are offered a share of it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the rows of a group reached in a closed loop before the first round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Maximum {
    /// The group, for example `L2-a`.
    pub group: String,
    /// Operations per second by row id.
    pub ops_per_s: BTreeMap<String, f64>,
}

impl Maximum {
    /// The row that reached the least, and that many operations per second.
    #[must_use]
    pub fn slowest(&self) -> Option<(&str, f64)> {
        let rows = self.ops_per_s.iter().map(|(row, rate)| (&**row, *rate));
        rows.min_by(|one, other| one.1.total_cmp(&other.1))
    }

    /// So many % of what the slowest row reached, in operations per second; the same for every row.
    #[must_use]
    pub fn offered(&self, percent: f64) -> Option<f64> {
        self.slowest().map(|(_, rate)| rate * percent / 100.0)
    }
}

/// The id of a row or group without its rate, and of a repetition that of its row.
pub(crate) fn without_rate(id: &str) -> String {
    let id = id.split_once('#').map_or(id, |(id, _)| id);
    let Some((name, condition)) = id.split_once('@') else {
        return id.to_owned();
    };
    let parts = condition.split(',');
    let others: Vec<&str> = parts.filter(|part| !part.starts_with("rate=")).collect();
    if others.is_empty() {
        name.to_owned()
    } else {
        format!("{name}@{}", others.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_the_slowest_row() {
        let ops_per_s = [
            ("a-rest", 9_000.0),
            ("a-graphql", 6_000.0),
            ("a-grpc", 7_000.0),
        ];
        let maximum = Maximum {
            group: "L2-a".to_owned(),
            ops_per_s: ops_per_s.map(|(row, rate)| (row.to_owned(), rate)).into(),
        };
        assert_eq!(maximum.slowest(), Some(("a-graphql", 6_000.0)));
        assert_eq!(maximum.offered(25.0), Some(1_500.0));
    }
}
