//! `Set-Cookie`.

use std::time::{Duration, SystemTime};

use http::{HeaderMap, header::SET_COOKIE};

use super::CookieError;

/// A cookie that a server or a script has set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Cookie {
    pub(in super::super) name: String,
    /// Without the quotation marks around it.
    pub(in super::super) value: String,
    /// Whether there are quotation marks around the value.
    pub(in super::super) quoted: bool,
    /// The attribute as it is given; empty for the host alone.
    pub(in super::super) domain: String,
    /// The attribute as it is given; empty for the directory of the URL.
    pub(in super::super) path: String,
    pub(in super::super) http_only: bool,
    pub(in super::super) secure: bool,
    /// In seconds; 0 when it is not given, less when the cookie ends at once.
    pub(in super::super) max_age: i64,
    /// When it ends, as given.
    pub(in super::super) expires: Option<SystemTime>,
}

impl Cookie {
    /// The cookies that an answer sets; malformed ones are passed over, as browsers do.
    pub(in super::super) fn all(headers: &HeaderMap) -> Vec<Self> {
        headers
            .get_all(SET_COOKIE)
            .iter()
            .filter_map(|value| Self::parse(value.to_str().ok()?))
            .collect()
    }

    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(';').map(str::trim);
        let (name, value) = parts.next()?.split_once('=')?;
        if name.trim().is_empty() {
            return None;
        }
        let (value, quoted) = unquoted(value.trim());
        let mut cookie = Self {
            name: name.trim().to_owned(),
            value: value.to_owned(),
            quoted,
            ..Self::default()
        };
        for part in parts {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            let value = value.trim();
            match key.trim().to_ascii_lowercase().as_str() {
                "domain" => value.clone_into(&mut cookie.domain),
                "path" => value.clone_into(&mut cookie.path),
                "httponly" => cookie.http_only = true,
                "secure" => cookie.secure = true,
                "max-age" => cookie.max_age = max_age(value).unwrap_or(cookie.max_age),
                "expires" => cookie.expires = http_date(value),
                _ => {}
            }
        }
        Some(cookie)
    }

    /// Sets when it ends, from a date as HTTP writes it.
    ///
    /// # Errors
    /// When it is no date.
    pub(super) fn set_expires(&mut self, text: &str) -> Result<(), CookieError> {
        let date = http_date(text).ok_or_else(|| CookieError::Expires(text.to_owned()))?;
        self.expires = Some(date);
        Ok(())
    }

    /// When it ends; `None` for one that lasts as long as the jar.
    pub(super) fn ends(&self, now: SystemTime) -> Option<SystemTime> {
        match self.max_age {
            0 => self.expires,
            // Beyond what a time can say is never.
            age => now.checked_add(Duration::from_secs(u64::try_from(age).unwrap_or(0))),
        }
    }
}

/// A value without the quotation marks around it, and whether there were any.
pub(super) fn unquoted(value: &str) -> (&str, bool) {
    let inner = value
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    inner.map_or((value, false), |inner| (inner, true))
}

/// 0 or less means at once, and is -1, apart from "not given"; `None` for what is no number.
fn max_age(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let is_positive = digits.len() == text.len() && digits.bytes().any(|byte| byte != b'0');
    Some(if is_positive {
        text.parse().unwrap_or(i64::MAX)
    } else {
        -1
    })
}

fn http_date(text: &str) -> Option<SystemTime> {
    // An old form with dashes is still common.
    httpdate::parse_http_date(text)
        .or_else(|_| httpdate::parse_http_date(&text.replace('-', " ")))
        .ok()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_read_whatever_their_case_and_order() {
        let cookie = Cookie::parse(
            "a = \"b c\" ; SECURE; Path = /x; httponly;Domain=.Example.org; Max-Age=9; odd",
        );
        let cookie = cookie.unwrap();
        assert_eq!((cookie.name.as_str(), cookie.value.as_str()), ("a", "b c"));
        assert_eq!(
            (cookie.domain.as_str(), cookie.path.as_str()),
            (".Example.org", "/x")
        );
        assert!(cookie.quoted && cookie.secure && cookie.http_only);
        assert_eq!((cookie.max_age, cookie.expires), (9, None));
    }

    #[test]
    fn what_is_no_cookie_is_passed_over() {
        for text in ["", "a", "=b", " = b; Path=/"] {
            assert_eq!(Cookie::parse(text), None, "{text}");
        }
        assert_eq!(Cookie::parse("a=").unwrap().value, "");
        assert_eq!(Cookie::parse("a=\"").unwrap().value, "\"");
    }

    #[test]
    fn ages_that_are_no_numbers_are_not_given() {
        let ages = ["5", "0", "-3", "00", "+5", "", "x", "99999999999999999999"];
        let read = ages.map(|age| {
            Cookie::parse(&format!("a=b; Max-Age={age}"))
                .unwrap()
                .max_age
        });
        assert_eq!(read, [5, -1, -1, -1, 0, 0, 0, i64::MAX]);
        // No time is that late.
        let cookie = Cookie::parse("a=b; Max-Age=9223372036854775807").unwrap();
        assert_eq!(cookie.ends(SystemTime::now()), None);
    }
}
