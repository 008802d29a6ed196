//! The generated household: 500 users and 5,000 expenses unless other numbers are asked for, the same
//! ones every time.
//!
//! Lengths are chosen so that the lists have the sizes that the thesis' measurements show (see
//! `docs/bodies.md`); names and words are our own.

mod parts;
pub(crate) mod random;
mod words;

use jiff::Timestamp;

pub use self::parts::{Part, PartCount};
use self::random::Random;
use super::model::{Expense, User};

/// Steps in the list of tags from one tag of an expense to the next, so that they differ.
const TAG_STEP: usize = 5;

/// How much is generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HouseholdSize {
    /// Users.
    pub users: u32,
    /// Expenses.
    pub expenses: u32,
    /// Tags on each expense, 0 to 3.
    pub tags_per_expense: u32,
}

impl Default for HouseholdSize {
    /// The numbers of the thesis.
    fn default() -> Self {
        Self {
            users: 500,
            expenses: 5_000,
            tags_per_expense: 0,
        }
    }
}

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
    /// Oldest first.
    pub expenses: Vec<Expense>,
}

impl Household {
    /// Always the same for the same size.
    pub fn generate(size: HouseholdSize) -> Self {
        let mut random = Random::new(SEED);
        let users: Vec<User> = (0..size.users)
            .map(|n| user(&mut random, n, size.users))
            .collect();
        let expenses = (0..size.expenses)
            .map(|n| Expense {
                tags: tags(n, size.tags_per_expense),
                ..expense(&mut random, n, &users)
            })
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

/// The names of all tags.
pub fn tag_names() -> &'static [&'static str] {
    &words::TAGS
}

/// Nothing is drawn for them, so that all else is the same with tags and without.
fn tags(number: u32, count: u32) -> Vec<String> {
    let first = usize::try_from(number).unwrap_or(0);
    let mut tags: Vec<String> = (0..usize::try_from(count).unwrap_or(0))
        .filter_map(|nth| words::TAGS.get((first + nth * TAG_STEP) % words::TAGS.len()))
        .map(|&name| name.to_owned())
        .collect();
    tags.sort_unstable();
    tags
}

fn user(random: &mut Random, number: u32, of: u32) -> User {
    // A minute apart, so that they follow each other by their numbers.
    let created_at = text_of_ms(FIRST_MS - MINUTE_MS * i64::from(of - number));
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

    fn usual() -> Household {
        Household::generate(HouseholdSize::default())
    }

    #[test]
    fn the_household_is_always_the_same() {
        let (one, other) = (usual(), usual());
        assert_eq!(one.users, other.users);
        assert_eq!(one.expenses, other.expenses);
    }

    #[test]
    fn ids_names_and_dates_are_distinct_and_have_their_lengths() {
        let Household { users, expenses } = usual();
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
        let expenses = usual().expenses;
        let mean =
            |of: fn(&Expense) -> usize| expenses.iter().map(of).sum::<usize>() as f64 / 5_000.0;
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

    #[test]
    fn as_much_is_generated_as_was_asked_for() {
        for (users, expenses, tags_per_expense) in [(1, 1, 0), (7, 20, 1), (20_000, 3, 3)] {
            let household = Household::generate(HouseholdSize {
                users,
                expenses,
                tags_per_expense,
            });
            assert_eq!(household.users.len(), users as usize);
            assert_eq!(household.expenses.len(), expenses as usize);
            for expense in household.expenses {
                let names: HashSet<&String> = expense.tags.iter().collect();
                assert_eq!(names.len(), tags_per_expense as usize);
                assert!(expense.tags.is_sorted() && expense.payee.is_some());
                assert_eq!(expense.date.len(), 24);
            }
        }
    }

    #[test]
    fn tags_change_nothing_else() {
        let mut tagged = Household::generate(HouseholdSize {
            tags_per_expense: 3,
            ..HouseholdSize::default()
        });
        for expense in &mut tagged.expenses {
            expense.tags.clear();
        }
        assert_eq!(tagged.expenses, usual().expenses);
    }
}
