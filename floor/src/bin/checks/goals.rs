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

const fn goal(reach: f64, stretch: f64) -> Goal {
    Goal { reach, stretch }
}

const fn goals(time: (f64, f64), instructions: (f64, f64)) -> RowGoals {
    RowGoals {
        time: goal(time.0, time.1),
        instructions: goal(instructions.0, instructions.1),
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

/// The embedded runner's own CPU as a multiple of the load process's, both with one worker.
pub const RUNNER: [(&str, Goal); 6] = [
    ("L2-a-rest", goal(1.4, 1.1)),
    ("L2-a-grpc", goal(1.3, 1.0)),
    ("L50-a-grpc", goal(1.5, 1.2)),
    ("b-rest", goal(1.5, 1.5)),
    ("b-grpcweb", goal(1.4, 1.4)),
    ("b-graphql", goal(1.4, 1.4)),
];

/// The same as a multiple of oha's, for the two-line order in REST.
pub const OHA: (&str, Goal) = ("L2-a-rest", goal(1.2, 1.0));

/// Time from the start of the runner until 1,000 virtual users are ready, in seconds.
pub const READY_S: Goal = goal(2.0, 2.0);

/// Memory of a virtual user that is ready, in KB (1,000 bytes).
pub const KB_PER_VU: Goal = goal(300.0, 300.0);

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
    fn the_runners_goals_are_for_rows_that_there_are() {
        let rows = crate::row::rows(&Catalogue::built_in(), &[]).unwrap();
        let ids = RUNNER.iter().map(|(id, _)| id).chain([&OHA.0]);
        for id in ids {
            assert!(rows.iter().any(|row| row.id == *id), "{id}");
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
