//! Which expenses a list holds.

use super::{ExpenseError, ExpenseFields};

/// Expenses in a list when the request does not say how many.
const DEFAULT_LIMIT: u32 = 50;

/// Which expenses, newest first, and how much of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpenseFilter {
    /// Only the one with this id.
    pub id: Option<String>,
    /// So many of the newest are passed over.
    pub skip: u32,
    /// At most so many.
    pub limit: u32,
    /// Only those paid within it.
    pub period: Option<Period>,
    /// Only resolved ones, or only others.
    pub resolved: Option<bool>,
    /// Only these fields are read.
    pub fields: ExpenseFields,
}

impl Default for ExpenseFilter {
    fn default() -> Self {
        Self {
            id: None,
            skip: 0,
            limit: DEFAULT_LIMIT,
            period: None,
            resolved: None,
            fields: ExpenseFields::all(),
        }
    }
}

/// A month or a year in UTC. Neither its first instant nor that of the next one belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Period {
    /// RFC 3339 text of its first instant.
    pub after: String,
    /// RFC 3339 text of the next one's first instant.
    pub before: String,
}

impl Period {
    /// The period that these name; `None` when neither is given.
    ///
    /// # Errors
    /// There is no such month or year, or a month has no year.
    pub fn new(month: Option<u32>, year: Option<u32>) -> Result<Option<Self>, ExpenseError> {
        if let Some(year) = year.filter(|year| !(1..=9998).contains(year)) {
            return Err(ExpenseError::BadYear { year });
        }
        if let Some(month) = month.filter(|month| !(1..=12).contains(month)) {
            return Err(ExpenseError::BadMonth { month });
        }
        match (month, year) {
            (None, None) => Ok(None),
            (Some(month), None) => Err(ExpenseError::MonthWithoutYear { month }),
            (None, Some(year)) => Ok(Some(Self::between((year, 1), (year + 1, 1)))),
            (Some(12), Some(year)) => Ok(Some(Self::between((year, 12), (year + 1, 1)))),
            (Some(month), Some(year)) => Ok(Some(Self::between((year, month), (year, month + 1)))),
        }
    }

    fn between(first: (u32, u32), next: (u32, u32)) -> Self {
        let text = |(year, month)| format!("{year:04}-{month:02}-01T00:00:00.000Z");
        Self {
            after: text(first),
            before: text(next),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_ends_where_the_next_one_begins() {
        for (month, year, after, before) in [
            (Some(2), 2020, "2020-02", "2020-03"),
            (Some(12), 2020, "2020-12", "2021-01"),
            (None, 2020, "2020-01", "2021-01"),
        ] {
            let period = Period::new(month, Some(year)).ok().flatten();
            let text = |start| format!("{start}-01T00:00:00.000Z");
            let expected = Period {
                after: text(after),
                before: text(before),
            };
            assert_eq!(period, Some(expected));
        }
        assert!(matches!(Period::new(None, None), Ok(None)));
    }

    #[test]
    fn periods_that_do_not_exist_are_named() {
        for (month, year, named) in [
            (Some(0), Some(2020), "the month 0 "),
            (Some(13), Some(2020), "the month 13 "),
            (Some(3), None, "the month 3 needs a year"),
            (None, Some(0), "the year 0 "),
            (None, Some(9999), "the year 9999 "),
        ] {
            let error = Period::new(month, year).map_err(|error| error.to_string());
            assert!(
                error.is_err_and(|message| message.contains(named)),
                "{named}"
            );
        }
    }
}
