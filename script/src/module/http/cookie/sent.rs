//! `Cookie`.

use super::{CookieError, received::unquoted};

/// A name and a value as the header has them. Values with spaces and commas are between quotation
/// marks, as Go writes them.
pub(in super::super) fn pair(name: &str, value: &str, quoted: bool) -> String {
    if quoted || value.contains([' ', ',']) {
        format!("{name}=\"{value}\"")
    } else {
        format!("{name}={value}")
    }
}

/// The value of a script without what may not be in a cookie, as Go drops it.
pub(in super::super) fn plain(value: &str) -> String {
    let allowed = |letter: &char| matches!(letter, ' '..='~') && !"\";\\".contains(*letter);
    value.chars().filter(allowed).collect()
}

/// Whether a script may name a cookie so.
///
/// # Errors
/// When the header would say something else.
pub(in super::super) fn check_name(name: &str) -> Result<(), CookieError> {
    let allowed = |byte: u8| byte.is_ascii_graphic() && !b"=;,\"".contains(&byte);
    if !name.is_empty() && name.bytes().all(allowed) {
        Ok(())
    } else {
        Err(CookieError::Name(name.to_owned()))
    }
}

/// The names and values of a header.
pub(in super::super) fn received_pairs(header: &str) -> impl Iterator<Item = (&str, &str)> {
    header.split(';').filter_map(|pair| {
        let (name, value) = pair.trim().split_once('=')?;
        Some((name, unquoted(value).0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_read_as_it_was_written() {
        let given = [("a", "1", false), ("b", "x, y", false), ("c", "z", true)];
        let header = given.map(|(name, value, quoted)| pair(name, value, quoted));
        let header = header.join("; ");
        assert_eq!(header, "a=1; b=\"x, y\"; c=\"z\"");
        let read: Vec<_> = received_pairs(&header).collect();
        assert_eq!(read, [("a", "1"), ("b", "x, y"), ("c", "z")]);
    }

    #[test]
    fn a_value_cannot_become_another_cookie() {
        assert_eq!(plain("a; b=\"\\\r\nä c\u{7f}"), "a b= c");
        for name in ["", "a b", "a=b", "a;b", "a\r\n", "ä"] {
            assert_eq!(check_name(name), Err(CookieError::Name(name.to_owned())));
        }
        assert_eq!(check_name("__Host-id.1"), Ok(()));
    }
}
