//! Parts of a metric, named `metric{tag:value,…}`.

use super::TagSet;

/// The samples of a metric that carry certain tags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submetric {
    /// As written, for example `http_reqs{scenario:default}`.
    pub name: String,
    /// The tags, all of which a sample must have.
    pub tags: Vec<(String, String)>,
}

/// Why a text names no metric.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SubmetricError {
    /// There is none of that name.
    #[error("no metric has the name {0:?}; metrics of the script must be made in its init code")]
    UnknownMetric(String),
    /// The part in braces is no list of tags.
    #[error("{0:?} is no part of a metric; write metric{{tag:value,other:value}}")]
    Malformed(String),
}

impl Submetric {
    /// Splits `metric` or `metric{tag:value}`.
    pub(super) fn parse(text: &str) -> Result<(&str, Option<Self>), SubmetricError> {
        let malformed = || SubmetricError::Malformed(text.to_owned());
        let Some((metric, rest)) = text.split_once('{') else {
            return Ok((text.trim(), None));
        };
        let inside = rest.trim_end().strip_suffix('}').ok_or_else(malformed)?;
        let mut tags = Vec::new();
        for pair in inside.split(',').filter(|pair| !pair.trim().is_empty()) {
            let (key, value) = pair.split_once(':').ok_or_else(malformed)?;
            tags.push((unquoted(key), unquoted(value)));
        }
        if tags.is_empty() {
            return Err(malformed());
        }
        let name = text.to_owned();
        Ok((metric.trim(), Some(Self { name, tags })))
    }

    /// Whether samples with these tags belong to it.
    pub(super) fn has(&self, tags: &TagSet) -> bool {
        self.tags
            .iter()
            .all(|(key, value)| tags.get(key) == Some(value))
    }
}

fn unquoted(text: &str) -> String {
    text.trim().trim_matches(['"', '\'']).to_owned()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read() {
        let (metric, part) = Submetric::parse("http_reqs{ scenario : 'a', status:200}").unwrap();
        assert_eq!(metric, "http_reqs");
        let tags = part.unwrap().tags;
        let expected = [("scenario", "a"), ("status", "200")];
        assert_eq!(tags, expected.map(|(k, v)| (k.to_owned(), v.to_owned())));
        assert_eq!(Submetric::parse("checks").unwrap(), ("checks", None));
    }

    #[test]
    fn a_value_may_have_colons() {
        let (_, part) = Submetric::parse("group_duration{group:::outer}").unwrap();
        assert_eq!(part.unwrap().tags[0].1, "::outer");
    }

    #[test]
    fn malformed_parts_are_refused() {
        for text in ["a{", "a{}", "a{b}", "a{b:c"] {
            assert_eq!(
                Submetric::parse(text),
                Err(SubmetricError::Malformed(text.to_owned()))
            );
        }
    }
}
