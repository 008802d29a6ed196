//! What the project sets out to reach: cost as a multiple of the floor's.

/// A goal for one figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// To be reached.
    pub reach: f64,
    /// Ambitious.
    pub stretch: f64,
}

/// Goals of one row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowGoals {
    /// CPU time.
    pub time: Goal,
    /// User-space instructions.
    pub instructions: Goal,
}

const fn goals(time: (f64, f64), instructions: (f64, f64)) -> RowGoals {
    RowGoals {
        time: Goal {
            reach: time.0,
            stretch: time.1,
        },
        instructions: Goal {
            reach: instructions.0,
            stretch: instructions.1,
        },
    }
}

const ROWS: [(&str, RowGoals); 10] = [
    ("L2-a-rest", goals((1.4, 1.3), (2.2, 1.8))),
    ("L50-a-rest", goals((2.6, 2.2), (11.0, 9.0))),
    ("L2-a-grpc", goals((1.3, 1.25), (1.4, 1.25))),
    ("L50-a-grpc", goals((2.0, 1.7), (3.0, 2.3))),
    ("L2-a-graphql", goals((2.3, 2.0), (6.0, 4.5))),
    ("L50-a-graphql", goals((6.0, 4.5), (33.0, 20.0))),
    ("b-rest", goals((1.25, 1.2), (1.8, 1.5))),
    ("b-rest-bff", goals((1.35, 1.25), (2.0, 1.7))),
    ("b-grpcweb", goals((1.8, 1.5), (2.1, 1.7))),
    ("b-graphql", goals((3.2, 2.5), (9.0, 5.0))),
];

/// The load process's own CPU as a multiple of wrk's (HTTP/1.1): there is no stretch.
pub const WRK: Goal = Goal {
    reach: 1.25,
    stretch: 1.25,
};

/// The same for h2load (HTTP/2).
pub const H2LOAD: Goal = Goal {
    reach: 1.1,
    stretch: 1.1,
};

/// The goals of a row; the extra cells have none.
pub fn of(row_id: &str) -> Option<RowGoals> {
    ROWS.iter()
        .find(|(id, _)| *id == row_id)
        .map(|(_, goals)| *goals)
}

impl Goal {
    /// `2.2 (1.8)`, or one number where both are the same.
    pub fn words(self) -> String {
        if self.reach.total_cmp(&self.stretch).is_eq() {
            format!("{}", self.reach)
        } else {
            format!("{} ({})", self.reach, self.stretch)
        }
    }

    /// How a ratio compares with the goal, in a word.
    pub fn verdict(self, ratio: f64) -> &'static str {
        if ratio > self.reach {
            "missed"
        } else if ratio > self.stretch || self.reach.total_cmp(&self.stretch).is_eq() {
            "reached"
        } else {
            "stretch"
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use bookstore_bench::catalogue::Catalogue;

    use super::*;

    #[test]
    fn exactly_the_default_cells_have_goals() {
        for row in crate::row::rows(&Catalogue::built_in(), &[]).unwrap() {
            assert_eq!(of(&row.id).is_some(), row.cell.default, "{}", row.id);
        }
    }

    #[test]
    fn a_ratio_is_compared_with_both_values() {
        let goal = of("L2-a-rest").unwrap().instructions;
        assert_eq!(goal.words(), "2.2 (1.8)");
        assert_eq!(goal.verdict(2.3), "missed");
        assert_eq!(goal.verdict(2.2), "reached");
        assert_eq!(goal.verdict(1.8), "stretch");
        assert_eq!(WRK.words(), "1.25");
        assert_eq!(WRK.verdict(1.0), "reached");
    }
}
