//! The generated household: 500 users and 5,000 expenses, the same ones every time.
//!
//! Lengths are chosen so that the lists have the sizes that the thesis' measurements show (see
//! `docs/bodies.md`); names and words are our own.

pub(crate) mod random;
mod words;

use jiff::Timestamp;

use self::random::Random;
use super::model::{Expense, User};

/// Users that are generated.
pub const USERS: u32 = 500;
/// Expenses that are generated.
pub const EXPENSES: u32 = 5_000;

const SEED: u64 = 0x00b0_0c5e;
/// 2020-01-01T00:00:00Z in milliseconds since 1970.
const FIRST_MS: i64 = 1_577_836_800_000;
const MINUTE_MS: i64 = 60_000;
/// Each expense has two hours of its own, so that all dates differ: the last ones are of February 2021.
const SLOT_MS: u32 = 2 * 60 * 60 * 1_000;
/// Prices in hundredths are below this.
const PRICE_BOUND: u32 = 100_000;

/// Everything that is generated.
pub struct Household {
    /// In the order of their numbers and of the times at which they were made.
    pub users: Vec<User>,
    /// Oldest first; without tags.
    pub expenses: Vec<Expense>,
}

impl Household {
    /// Always the same.
    pub fn generate() -> Self {
        let mut random = Random::new(SEED);
        let users: Vec<User> = (0..USERS).map(|n| user(&mut random, n)).collect();
        let expenses = (0..EXPENSES)
            .map(|n| expense(&mut random, n, &users))
            .collect();
        Self { users, expenses }
    }
}

/// The moment as RFC 3339 text with milliseconds, 24 characters.
pub fn moment_text(moment: Timestamp) -> String {
    format!("{moment:.3}")
}

fn text_of_ms(ms: i64) -> String {
    moment_text(Timestamp::from_millisecond(ms).unwrap_or_default())
}

fn user(random: &mut Random, number: u32) -> User {
    // A minute apart, so that they follow each other by their numbers.
    let created_at = text_of_ms(FIRST_MS - MINUTE_MS * i64::from(USERS - number));
    User {
        id: random.uuid(),
        username: format!("test{number}"),
        updated_at: created_at.clone(),
        created_at,
    }
}

fn expense(random: &mut Random, number: u32, users: &[User]) -> Expense {
    let slot_ms = i64::from(number) * i64::from(SLOT_MS);
    let date_ms = FIRST_MS + slot_ms + 1 + i64::from(random.below(SLOT_MS - 1));
    let written_at = text_of_ms(date_ms + MINUTE_MS);
    Expense {
        id: random.uuid(),
        title: words::title(random),
        description: words::description(random),
        price_cents: i64::from(random.below(PRICE_BOUND)),
        resolved: random.below(2) == 1,
        date: text_of_ms(date_ms),
        created_at: written_at.clone(),
        updated_at: written_at,
        payee: random.pick(users).cloned(),
        tags: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_household_is_always_the_same() {
        let (one, other) = (Household::generate(), Household::generate());
        assert_eq!(one.users, other.users);
        assert_eq!(one.expenses, other.expenses);
    }

    #[test]
    fn ids_names_and_dates_are_distinct_and_have_their_lengths() {
        let Household { users, expenses } = Household::generate();
        let names: HashSet<&str> = users.iter().map(|user| &*user.username).collect();
        let user_ids = users.iter().map(|user| &*user.id);
        let ids: HashSet<&str> = expenses
            .iter()
            .map(|one| &*one.id)
            .chain(user_ids)
            .collect();
        let dates: HashSet<&str> = expenses.iter().map(|one| &*one.date).collect();
        assert_eq!(
            (names.len(), users[499].username.as_str()),
            (500, "test499")
        );
        assert_eq!((ids.len(), dates.len()), (5_500, 5_000));
        assert!(ids.iter().all(|id| id.len() == 36));
        assert!(dates.iter().all(|date| date.len() == 24));
        assert!(users.is_sorted_by_key(|user| &user.created_at));
    }

    #[test]
    fn lengths_and_values_have_the_means_of_the_thesis() {
        let expenses = Household::generate().expenses;
        let mean = |of: fn(&Expense) -> usize| {
            expenses.iter().map(of).sum::<usize>() as f64 / f64::from(EXPENSES)
        };
        let near = |value: f64, target: f64, by: f64| (value - target).abs() < by;
        let title = mean(|expense| expense.title.len());
        let description = mean(|expense| expense.description.len());
        assert!(near(title, 24.0, 1.0), "{title}");
        assert!(
            near(title + description, 132.7, 2.0),
            "{title} + {description}"
        );
        let digits = mean(|expense| expense.price_cents.to_string().len());
        assert!(near(digits, 4.87, 0.05), "{digits}");
        let resolved = mean(|expense| usize::from(expense.resolved));
        assert!(near(resolved, 0.5, 0.03), "{resolved}");
        let name = mean(|expense| {
            expense
                .payee
                .as_ref()
                .map_or(0, |payee| payee.username.len())
        });
        assert!(near(name, 6.78, 0.05), "{name}");
    }
}
