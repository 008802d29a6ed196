//! How the expenses are served: the flags beside `--expenses`.

use clap::Args;

use super::{HouseholdSize, ResolverStyle, StyleScope};
use crate::setting::{parse_connections, parse_household, parse_tags};

/// Settings of the expenses that a command line can change.
#[derive(Args, Clone, Debug)]
pub struct ExpensesConfig {
    /// Which styles ask for a token of POST /api/v1/users/login before they answer about expenses;
    /// with `all`, GraphQL asks for it whatever the query.
    #[arg(
        id = "expenses-tokens",
        long = "expenses-tokens",
        value_name = "STYLES",
        env = "BOOKSTORE_EXPENSES_TOKENS",
        value_enum,
        hide_short_help = true
    )]
    #[arg(default_value_t = StyleScope::Rest, help_heading = "Expenses")]
    pub tokens: StyleScope,

    /// Which styles add CORS headers to what they answer about expenses, and answer preflights; with
    /// `all`, GraphQL adds them whatever the query.
    #[arg(
        id = "expenses-cors",
        long = "expenses-cors",
        value_name = "STYLES",
        env = "BOOKSTORE_EXPENSES_CORS",
        value_enum,
        hide_short_help = true
    )]
    #[arg(default_value_t = StyleScope::Off, help_heading = "Expenses")]
    pub cors: StyleScope,

    /// Which styles write one line to standard error for each request about expenses; with `all`,
    /// GraphQL writes it whatever the query.
    #[arg(
        id = "expenses-request-log",
        long = "expenses-request-log",
        value_name = "STYLES",
        env = "BOOKSTORE_EXPENSES_REQUEST_LOG",
        value_enum,
        hide_short_help = true
    )]
    #[arg(default_value_t = StyleScope::Off, help_heading = "Expenses")]
    pub request_log: StyleScope,

    /// The connections to a file or server of expenses, each of which reads by itself; `memory` has one.
    #[arg(id = "expenses-connections", long = "expenses-connections", allow_negative_numbers = true, value_name = "COUNT", env = "BOOKSTORE_EXPENSES_CONNECTIONS", value_parser = parse_connections)]
    #[arg(default_value_t = 4, help_heading = "Expenses", hide_short_help = true)]
    pub connections: u32,

    /// How GraphQL comes by the payers and tags of a list of expenses: by one statement that joins them,
    /// by one more for the payers and one for the tags, or by one for each payer and each expense.
    #[arg(
        id = "expenses-resolvers",
        long = "expenses-resolvers",
        value_name = "HOW",
        env = "BOOKSTORE_EXPENSES_RESOLVERS",
        value_enum,
        hide_short_help = true
    )]
    #[arg(default_value_t = ResolverStyle::Join, help_heading = "Expenses")]
    pub resolvers: ResolverStyle,

    /// The users that an empty database of expenses is filled with; one that holds some stays as it is.
    #[arg(id = "expenses-users", long = "expenses-users", allow_negative_numbers = true, value_name = "COUNT", env = "BOOKSTORE_EXPENSES_USERS", value_parser = parse_household)]
    #[arg(
        default_value_t = HouseholdSize::default().users,
        help_heading = "Expenses",
        hide_short_help = true
    )]
    pub users: u32,

    /// The expenses that an empty database is filled with; one that holds some stays as it is.
    #[arg(id = "expenses-count", long = "expenses-count", allow_negative_numbers = true, value_name = "COUNT", env = "BOOKSTORE_EXPENSES_COUNT", value_parser = parse_household)]
    #[arg(
        default_value_t = HouseholdSize::default().expenses,
        help_heading = "Expenses",
        hide_short_help = true
    )]
    pub count: u32,

    /// The tags on each expense that an empty database is filled with, 0 to 3.
    #[arg(id = "expenses-tags", long = "expenses-tags", allow_negative_numbers = true, value_name = "COUNT", env = "BOOKSTORE_EXPENSES_TAGS", value_parser = parse_tags)]
    #[arg(
        default_value_t = HouseholdSize::default().tags_per_expense,
        help_heading = "Expenses",
        hide_short_help = true
    )]
    pub tags: u32,
}

impl ExpensesConfig {
    /// What an empty database is filled with.
    #[must_use]
    pub fn household(&self) -> HouseholdSize {
        HouseholdSize {
            users: self.users,
            expenses: self.count,
            tags_per_expense: self.tags,
        }
    }
}
