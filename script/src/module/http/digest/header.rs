//! `WWW-Authenticate`: schemes and their parameters (RFC 9110, section 11.6.1).

/// A scheme with its parameters.
pub(super) type Asked = (String, Vec<(String, String)>);

/// The challenges of a header; what is malformed in one of them is passed over.
pub(super) fn challenges(header: &str) -> Vec<Asked> {
    let mut challenges: Vec<Asked> = Vec::new();
    for part in parts(header) {
        let (head, value) = match part.split_once('=') {
            Some((head, value)) => (head.trim_end(), Some(value)),
            None => (part, None),
        };
        // Only a scheme is followed by a space; without `=`, the word is one.
        let name = match (head.split_once(char::is_whitespace), value) {
            (Some((scheme, name)), _) => {
                challenges.push((scheme.to_owned(), Vec::new()));
                name.trim_start()
            }
            (None, Some(_)) => head,
            (None, None) => {
                challenges.push((head.to_owned(), Vec::new()));
                continue;
            }
        };
        if let (Some(value), Some((_, parameters))) = (value, challenges.last_mut()) {
            parameters.push((name.to_owned(), unquoted(value.trim())));
        }
    }
    challenges
}

/// What is between the commas that stand outside of quotation marks.
fn parts(header: &str) -> impl Iterator<Item = &str> {
    let (mut in_quotes, mut is_escaped) = (false, false);
    let parts = header.split(move |letter: char| {
        if is_escaped {
            is_escaped = false;
            return false;
        }
        match letter {
            '"' => in_quotes = !in_quotes,
            '\\' => is_escaped = in_quotes,
            ',' => return !in_quotes,
            _ => {}
        }
        false
    });
    parts.map(str::trim).filter(|part| !part.is_empty())
}

fn unquoted(value: &str) -> String {
    let Some(inner) = value.strip_prefix('"') else {
        return value.to_owned();
    };
    let mut text = String::with_capacity(inner.len());
    let mut letters = inner.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => break,
            '\\' => text.extend(letters.next()),
            _ => text.push(letter),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(header: &str) -> String {
        let challenges = challenges(header).into_iter();
        let shown = challenges.map(|(scheme, parameters)| {
            let parameters = parameters.into_iter();
            let parameters: Vec<_> = parameters
                .map(|(name, value)| format!("{name}<{value}>"))
                .collect();
            format!("{scheme}({})", parameters.join(" "))
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn challenges_and_their_parameters_are_told_apart() {
        for (header, expected) in [
            ("Digest realm=\"a\", nonce=b", "Digest(realm<a> nonce<b>)"),
            ("Negotiate, NTLM", "Negotiate() NTLM()"),
            (
                "Basic realm=\"x, y\",  Digest  realm = \"q\\\"\\\\\" , qop=\"auth,auth-int\"",
                "Basic(realm<x, y>) Digest(realm<q\"\\> qop<auth,auth-int>)",
            ),
            (
                "Negotiate abc==, Digest nonce=\"=\"",
                "Negotiate(abc<=>) Digest(nonce<=>)",
            ),
            (", ,", ""),
            ("a=b", ""),
            (
                "Digest realm=\"open, nonce=1",
                "Digest(realm<open, nonce=1>)",
            ),
        ] {
            assert_eq!(shown(header), expected, "{header}");
        }
    }
}
