//! How many expenses are asked for, and who has to show a token for them.

use http::HeaderValue;

use super::{LoadError, settings::unusable};
use crate::catalogue::Style;

/// Expenses in the lists of the thesis.
const USUAL_LIMIT: u32 = 500;
const MOST_EXPENSES: u32 = 100_000;
const MOST_PARTS: u32 = 50;

/// What the environment says about the expenses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Household {
    /// Expenses in a list.
    pub limit: u32,
    /// Parts of each expense that are asked for beside it.
    pub parts: u32,
    /// Which styles show a token.
    pub scope: Scope,
    /// The token, once there is one.
    pub token: Option<HeaderValue>,
}

/// Styles that show a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// None.
    Off,
    /// REST.
    Rest,
    /// All.
    All,
}

impl Default for Household {
    fn default() -> Self {
        Self {
            limit: USUAL_LIMIT,
            parts: 0,
            scope: Scope::Rest,
            token: None,
        }
    }
}

impl Household {
    /// Reads `LIMIT`, `PARTS`, `EXPENSES_TOKENS` and `EXPENSES_TOKEN`.
    pub(super) fn resolve(variable: impl Fn(&str) -> Option<String>) -> Result<Self, LoadError> {
        let number = |name, usual, least, most| match variable(name) {
            None => Ok(usual),
            Some(text) => match text.parse() {
                Ok(number) if (least..=most).contains(&number) => Ok(number),
                _ => Err(unusable(
                    name,
                    &text,
                    format!("give a whole number from {least} to {most}"),
                )),
            },
        };
        let scope = match variable("EXPENSES_TOKENS").as_deref() {
            None | Some("rest") => Scope::Rest,
            Some("off") => Scope::Off,
            Some("all") => Scope::All,
            Some(text) => {
                let problem = "give off, rest or all, as the server was told".to_owned();
                return Err(unusable("EXPENSES_TOKENS", text, problem));
            }
        };
        let token = variable("EXPENSES_TOKEN").map(|token| {
            bearer(&token).ok_or_else(|| {
                let problem = "give a token of POST /api/v1/users/login".to_owned();
                unusable("EXPENSES_TOKEN", &token, problem)
            })
        });
        Ok(Self {
            limit: number("LIMIT", USUAL_LIMIT, 1, MOST_EXPENSES)?,
            parts: number("PARTS", 0, 0, MOST_PARTS)?,
            scope,
            token: token.transpose()?,
        })
    }

    /// Whether requests of this style show a token.
    pub(super) fn asks_for_token(&self, style: Style) -> bool {
        match self.scope {
            Scope::Off => false,
            Scope::Rest => style == Style::Rest,
            Scope::All => true,
        }
    }

    /// What a request of this style shows.
    pub(super) fn token_of(&self, style: Style) -> Option<HeaderValue> {
        self.token.clone().filter(|_| self.asks_for_token(style))
    }
}

/// A token as a header's value; `None` where it has signs that no header can hold.
pub(super) fn bearer(token: &str) -> Option<HeaderValue> {
    HeaderValue::from_str(&format!("Bearer {token}")).ok()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn resolve(given: &[(&str, &str)]) -> Result<Household, LoadError> {
        Household::resolve(|name| {
            let found = given.iter().find(|(key, _)| *key == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_usual_household_is_the_thesis() {
        let household = resolve(&[]).unwrap();
        assert_eq!((household.limit, household.parts), (500, 0));
        assert_eq!(household.scope, Scope::Rest);
    }

    #[test]
    fn a_token_is_shown_by_the_styles_in_its_scope() {
        let shown = |scope| {
            let household =
                resolve(&[("EXPENSES_TOKENS", scope), ("EXPENSES_TOKEN", "t")]).unwrap();
            (
                household.token_of(Style::Rest),
                household.token_of(Style::GraphQl),
            )
        };
        let token = || Some(HeaderValue::from_static("Bearer t"));
        assert_eq!(shown("off"), (None, None));
        assert_eq!(shown("rest"), (token(), None));
        assert_eq!(shown("all"), (token(), token()));
    }

    #[test]
    fn what_cannot_be_used_is_named() {
        for (name, value) in [
            ("LIMIT", "0"),
            ("LIMIT", "many"),
            ("PARTS", "51"),
            ("EXPENSES_TOKENS", "some"),
            ("EXPENSES_TOKEN", "a\nb"),
        ] {
            let error = resolve(&[(name, value)]).unwrap_err().to_string();
            assert!(error.contains(name), "{error}");
        }
    }
}
