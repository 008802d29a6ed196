//! How the expenses are served: the flags beside `--expenses`.

use clap::Args;

use super::StyleScope;
use crate::setting::parse_connections;

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
}
