//! What a caller says of an expense or a user, and what of it is accepted.

use jiff::Timestamp;

use super::{ExpenseError, generator::moment_text};

/// Most characters of a title.
const TITLE: usize = 255;
/// Most characters of a description, as in the thesis' service.
const DESCRIPTION: usize = 1_500;
/// Most characters of a tag.
const TAG: usize = 50;
/// Most tags of an expense.
const TAGS: usize = 20;
/// Most characters of a name.
const USERNAME: usize = 64;
/// Most characters of a password.
const PASSWORD: usize = 256;
/// Characters of RFC 3339 in UTC with milliseconds, for the years 0 to 9999.
const MOMENT: usize = 24;

/// An expense that is to be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExpenseDraft {
    /// 1 to 255 characters.
    pub title: String,
    /// Up to 1,500 characters, which may be line breaks.
    pub description: String,
    /// In hundredths of the currency's unit, from 0 to 2,147,483,647.
    pub price_cents: i64,
    /// RFC 3339; when left out, now for a new expense and unchanged for one that exists.
    pub date: Option<String>,
    /// Whether everyone has paid their part.
    pub resolved: bool,
    /// The id of who paid.
    pub payee_id: Option<String>,
    /// Up to 20 names of 1 to 50 characters; order and repetition do not matter.
    pub tags: Vec<String>,
}

impl ExpenseDraft {
    /// The same with date and tags in the form in which they are kept.
    ///
    /// # Errors
    /// The first thing that is not accepted.
    pub(super) fn checked(mut self) -> Result<Self, ExpenseError> {
        check_text("title", &self.title, 1, TITLE)?;
        check_length("description", &self.description, 0, DESCRIPTION)?;
        check_characters("description", &self.description, "\n\r\t")?;
        if i32::try_from(self.price_cents).map_or(true, i32::is_negative) {
            let price = self.price_cents;
            return Err(ExpenseError::BadPrice { price });
        }
        check_count("tags", self.tags.len(), 0, TAGS)?;
        for tag in &self.tags {
            check_text("tag", tag, 1, TAG)?;
        }
        self.tags.sort_unstable();
        self.tags.dedup();
        self.date = self.date.map(moment).transpose()?;
        Ok(self)
    }
}

/// A user that is to be written.
#[derive(Clone, PartialEq, Eq)]
pub struct UserDraft {
    /// 1 to 64 characters, and no other user's.
    pub username: String,
    /// 1 to 256 characters.
    pub password: String,
}

impl UserDraft {
    /// # Errors
    /// The first thing that is not accepted.
    pub(super) fn check(&self) -> Result<(), ExpenseError> {
        check_username(&self.username)?;
        check_password(&self.password)
    }
}

pub(super) fn check_username(username: &str) -> Result<(), ExpenseError> {
    check_text("username", username, 1, USERNAME)
}

/// Never repeats it.
pub(super) fn check_password(password: &str) -> Result<(), ExpenseError> {
    check_length("password", password, 1, PASSWORD)
}

pub(super) fn check_count(
    what: &'static str,
    count: usize,
    least: usize,
    most: usize,
) -> Result<(), ExpenseError> {
    if (least..=most).contains(&count) {
        return Ok(());
    }
    Err(ExpenseError::BadCount {
        what,
        count,
        least,
        most,
    })
}

/// A line of text.
fn check_text(
    what: &'static str,
    text: &str,
    least: usize,
    most: usize,
) -> Result<(), ExpenseError> {
    check_length(what, text, least, most)?;
    check_characters(what, text, "")
}

fn check_length(
    what: &'static str,
    text: &str,
    least: usize,
    most: usize,
) -> Result<(), ExpenseError> {
    let characters = text.chars().count();
    if (least..=most).contains(&characters) {
        return Ok(());
    }
    Err(ExpenseError::BadLength {
        what,
        characters,
        least,
        most,
    })
}

/// Control characters are refused but for the `allowed` ones.
fn check_characters(what: &'static str, text: &str, allowed: &str) -> Result<(), ExpenseError> {
    let refused = |character: char| character.is_control() && !allowed.contains(character);
    if text.contains(refused) {
        let text = text.to_owned();
        return Err(ExpenseError::ControlCharacter { what, text });
    }
    Ok(())
}

/// In UTC with milliseconds, as all moments are kept, so that they sort as texts.
fn moment(date: String) -> Result<String, ExpenseError> {
    let kept = date
        .parse()
        .ok()
        .map(|moment: Timestamp| moment_text(moment));
    kept.filter(|text| text.len() == MOMENT)
        .ok_or(ExpenseError::BadDate { date })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn draft() -> ExpenseDraft {
        ExpenseDraft {
            title: "Soap".to_owned(),
            ..ExpenseDraft::default()
        }
    }

    #[test]
    fn what_is_at_the_bounds_is_accepted() {
        let draft = ExpenseDraft {
            title: "ä".repeat(255),
            description: "\n".repeat(1_500),
            price_cents: i32::MAX.into(),
            tags: (10..30).map(|number| format!("tag {number}")).collect(),
            ..draft()
        };
        assert_eq!(draft.clone().checked().unwrap(), draft);
        let user = UserDraft {
            username: "n".repeat(64),
            password: "\u{1}".repeat(256),
        };
        assert!(user.check().is_ok());
    }

    #[test]
    fn dates_are_kept_in_utc_and_tags_sorted_and_once() {
        let draft = ExpenseDraft {
            date: Some("2021-03-01T01:00:00.0009+02:00".to_owned()),
            tags: ["food", "car", "food"].map(str::to_owned).to_vec(),
            ..draft()
        };
        let checked = draft.checked().unwrap();
        assert_eq!(checked.date.as_deref(), Some("2021-02-28T23:00:00.000Z"));
        assert_eq!(checked.tags, ["car", "food"]);
    }

    #[test]
    fn what_is_not_accepted_is_named_with_its_bounds() {
        let with = |change: fn(&mut ExpenseDraft)| {
            let mut draft = draft();
            change(&mut draft);
            draft.checked().unwrap_err().to_string()
        };
        for (message, named) in [
            (with(|draft| draft.title.clear()), "the title has 0"),
            (
                with(|draft| draft.title = "t".repeat(256)),
                "256 characters; send 1 to 255",
            ),
            (with(|draft| draft.title.push('\0')), r"Soap\0"),
            (with(|draft| draft.title.push('\n')), r"Soap\n"),
            (
                with(|draft| draft.description = "d".repeat(1_501)),
                "send 0 to 1500",
            ),
            (with(|draft| draft.description.push('\0')), "description"),
            (with(|draft| draft.price_cents = -1), "the price -1"),
            (
                with(|draft| draft.price_cents = 2_147_483_648),
                "to 2147483647",
            ),
            (
                with(|draft| draft.date = Some("2021-02-30".to_owned())),
                "the date \"2021-02-30\"",
            ),
            (
                with(|draft| draft.date = Some("-000001-01-01T00:00:00Z".to_owned())),
                "the years 0 to 9999",
            ),
            (
                with(|draft| draft.tags = vec![String::new()]),
                "the tag has 0",
            ),
            (
                with(|draft| draft.tags = vec!["t".to_owned(); 21]),
                "21 tags; send 0 to 20",
            ),
        ] {
            assert!(message.contains(named), "{message}");
        }
    }

    #[test]
    fn a_refused_password_is_not_repeated() {
        let message = check_password(&"secret".repeat(50))
            .unwrap_err()
            .to_string();
        assert_eq!(message, "the password has 300 characters; send 1 to 256");
    }
}
