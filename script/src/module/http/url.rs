//! URLs as requests need them.

use std::rc::Rc;

use base64::{Engine, engine::general_purpose::STANDARD};
use http::{
    HeaderValue, Uri,
    uri::{InvalidUri, PathAndQuery},
};

use super::failure::Failure;

/// How a URL begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scheme {
    Http,
    /// HTTP over TLS.
    Https,
}

impl Scheme {
    fn name(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }

    fn port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }
}

/// An `http` or `https` URL, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) scheme: Scheme,
    /// As it is shown: without user and password.
    pub(super) url: Rc<str>,
    /// Scheme, host and port, to tell connections apart.
    pub(super) origin: String,
    /// Host without brackets, for the name lookup.
    pub(super) host: String,
    /// Port, that of the scheme where the URL has none.
    pub(super) port: u16,
    /// The value of `Host`.
    pub(super) host_header: HeaderValue,
    /// Path and query.
    pub(super) path: PathAndQuery,
    /// Who the URL says is asking.
    pub(super) user: Option<User>,
}

/// A user and a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct User {
    /// As the URL has them.
    written: String,
    pub(super) name: String,
    pub(super) password: String,
    /// `Authorization`, unless the script wants another kind.
    pub(super) basic: HeaderValue,
}

impl Target {
    pub(super) fn parse(text: &str) -> Result<Self, Failure> {
        let escaped = escape(text.trim());
        let invalid = |why: &str| Failure::invalid_url(text, why);
        let uri: Uri = escaped
            .parse()
            .map_err(|error: InvalidUri| invalid(&error.to_string()))?;
        let scheme = match uri.scheme_str() {
            Some("http") => Scheme::Http,
            Some("https") => Scheme::Https,
            Some(_) | None => return Err(invalid("it must begin with http:// or https://")),
        };
        let authority = uri.authority().ok_or_else(|| invalid("it has no host"))?;
        let (user, location) = match authority.as_str().rsplit_once('@') {
            Some((user, location)) => (Some(user), location),
            None => (None, authority.as_str()),
        };
        let host = authority.host().trim_matches(['[', ']']).to_owned();
        if host.is_empty() {
            return Err(invalid("it has no host"));
        }
        let path = uri.path_and_query().map_or("/", |path| path.as_str());
        let path = if path.starts_with('/') {
            path.to_owned()
        } else {
            format!("/{path}")
        };
        let header = |value: &str| HeaderValue::from_str(value).map_err(|_| invalid("bad host"));
        let port = authority.port_u16().unwrap_or(scheme.port());
        let name = scheme.name();
        Ok(Self {
            scheme,
            url: match user {
                Some(_) => format!("{name}://{location}{path}").into(),
                None => escaped.as_str().into(),
            },
            origin: format!("{name}://{host}:{port}"),
            host,
            port,
            host_header: header(location)?,
            path: path
                .parse()
                .map_err(|error: InvalidUri| invalid(&error.to_string()))?,
            user: user
                .map(|user| User::parse(user).ok_or_else(|| invalid("bad user or password")))
                .transpose()?,
        })
    }

    /// The URL that a `Location` means here.
    pub(super) fn join(&self, location: &str) -> String {
        let scheme = location.split_once("://").map(|(scheme, _)| scheme);
        if scheme.is_some_and(|scheme| !scheme.contains(['/', '?'])) {
            return location.to_owned();
        }
        let name = self.scheme.name();
        let user = self.user.as_ref().map(|user| format!("{}@", user.written));
        let user = user.unwrap_or_default();
        let origin = match self.host_header.to_str() {
            Ok(host) => format!("{name}://{user}{host}"),
            Err(_) => String::new(),
        };
        if let Some(rest) = location.strip_prefix("//") {
            return format!("{name}://{rest}");
        }
        if location.starts_with('/') {
            return format!("{origin}{location}");
        }
        let path = self.path.path();
        if location.starts_with('?') {
            return format!("{origin}{path}{location}");
        }
        let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
        format!("{origin}{directory}/{location}")
    }
}

impl User {
    fn parse(text: &str) -> Option<Self> {
        let (name, password) = text.split_once(':').unwrap_or((text, ""));
        let (name, password) = (percent_decoded(name), percent_decoded(password));
        let basic = format!("Basic {}", STANDARD.encode(format!("{name}:{password}")));
        Some(Self {
            written: text.to_owned(),
            basic: HeaderValue::try_from(basic).ok()?,
            name,
            password,
        })
    }

    /// A user for tests.
    #[cfg(test)]
    pub(super) fn for_test(text: &str) -> Self {
        Self::parse(text).unwrap_or_else(|| panic!("{text:?} is no user"))
    }
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let pair = tail
            .get(..2)
            .and_then(|pair| std::str::from_utf8(pair).ok());
        let code = pair.and_then(|pair| u8::from_str_radix(pair, 16).ok());
        match code {
            Some(code) if byte == b'%' => {
                bytes.push(code);
                rest = &tail[2..];
            }
            _ => {
                bytes.push(byte);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Adds a byte as `%XX`.
pub(super) fn push_escaped(text: &mut String, byte: u8) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    text.push('%');
    for digit in [byte >> 4, byte & 15] {
        text.push(char::from(DIGITS[usize::from(digit)]));
    }
}

/// Escapes what may not stand in a URL, and drops the fragment.
fn escape(text: &str) -> String {
    let text = text.split_once('#').map_or(text, |(before, _)| before);
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            push_escaped(&mut escaped, byte);
        }
    }
    escaped
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_taken_apart() {
        let target = Target::parse("http://user:p%40ss@localhost:8080/a b?q=ä#x").unwrap();
        assert_eq!((target.host.as_str(), target.port), ("localhost", 8080));
        assert_eq!(target.host_header, "localhost:8080");
        assert_eq!(target.path, "/a%20b?q=%C3%A4");
        assert_eq!(&*target.url, "http://localhost:8080/a%20b?q=%C3%A4");
        let user = target.user.unwrap();
        assert_eq!(
            (user.name.as_str(), user.password.as_str()),
            ("user", "p@ss")
        );
        assert_eq!(user.basic, "Basic dXNlcjpwQHNz");
        let bare = Target::parse("http://[::1]").unwrap();
        assert_eq!((bare.host.as_str(), bare.port), ("::1", 80));
        assert_eq!(bare.path, "/");
        let secure = Target::parse("https://user@h/x").unwrap();
        assert_eq!((secure.scheme, secure.port), (Scheme::Https, 443));
        assert_eq!(&*secure.url, "https://h/x");
        // A location without a host means the same user; one with a host nobody.
        assert_eq!(secure.join("/y"), "https://user@h/y");
        assert_eq!(secure.join("//h/y"), "https://h/y");
        let other = Target::parse("http://h:443/x").unwrap();
        assert_ne!(secure.origin, other.origin);
    }

    #[test]
    fn what_is_no_http_url_is_refused() {
        for url in ["", "localhost", "ftp://x/", "http://", "http:///x"] {
            assert_eq!(Target::parse(url).unwrap_err().code, 1020, "{url}");
        }
    }

    #[test]
    fn locations_are_joined() {
        let target = Target::parse("http://h:1/a/b?q").unwrap();
        for (location, url) in [
            ("http://other/", "http://other/"),
            ("//other/x", "http://other/x"),
            ("/c", "http://h:1/c"),
            ("c", "http://h:1/a/c"),
            ("?r", "http://h:1/a/b?r"),
            ("/c?to=http://x/", "http://h:1/c?to=http://x/"),
        ] {
            assert_eq!(target.join(location), url);
        }
    }
}
