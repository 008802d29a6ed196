//! The cookies of one virtual user.

use std::time::{Duration, SystemTime};

use http::{HeaderMap, header::SET_COOKIE};

use super::url::{Scheme, Target};

/// A cookie that a server has set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cookie {
    pub(super) name: String,
    pub(super) value: String,
    /// The attribute; empty for the host alone.
    pub(super) domain: String,
    pub(super) path: String,
    pub(super) http_only: bool,
    pub(super) secure: bool,
    /// In seconds; 0 when it is not given.
    pub(super) max_age: i64,
    /// When it ends, as given.
    pub(super) expires: Option<SystemTime>,
}

/// Cookies that are sent again to whom they are from.
#[derive(Debug, Default)]
pub(super) struct CookieJar {
    cookies: Vec<Kept>,
}

#[derive(Debug)]
struct Kept {
    cookie: Cookie,
    host: String,
    ends: Option<SystemTime>,
}

impl Cookie {
    /// The cookies that an answer sets; malformed ones are passed over, as browsers do.
    pub(super) fn all(headers: &HeaderMap) -> Vec<Self> {
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
        let mut cookie = Self {
            name: name.trim().to_owned(),
            value: value.trim().trim_matches('"').to_owned(),
            domain: String::new(),
            path: String::new(),
            http_only: false,
            secure: false,
            max_age: 0,
            expires: None,
        };
        for part in parts {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            match key.to_ascii_lowercase().as_str() {
                "domain" => value.trim_start_matches('.').clone_into(&mut cookie.domain),
                "path" => value.clone_into(&mut cookie.path),
                "httponly" => cookie.http_only = true,
                "secure" => cookie.secure = true,
                // 0 or less means at once; -1 says so apart from "not given".
                "max-age" => {
                    let age = value.parse::<i64>();
                    cookie.max_age = age.map_or(0, |age| if age > 0 { age } else { -1 });
                }
                "expires" => cookie.expires = http_date(value),
                _ => {}
            }
        }
        Some(cookie)
    }

    fn ends(&self, now: SystemTime) -> Option<SystemTime> {
        match self.max_age {
            0 => self.expires,
            age => Some(now + Duration::from_secs(u64::try_from(age).unwrap_or(0))),
        }
    }
}

fn http_date(text: &str) -> Option<SystemTime> {
    // An old form with dashes is still common.
    httpdate::parse_http_date(text)
        .or_else(|_| httpdate::parse_http_date(&text.replace('-', " ")))
        .ok()
}

impl CookieJar {
    /// Keeps the cookies of an answer.
    pub(super) fn take(&mut self, target: &Target, headers: &HeaderMap) {
        let now = SystemTime::now();
        for mut cookie in Cookie::all(headers) {
            if !cookie.domain.is_empty() && !is_within(&target.host, &cookie.domain) {
                continue;
            }
            if !cookie.path.starts_with('/') {
                cookie.path = default_path(target.path.path());
            }
            let host = target.host.clone();
            self.cookies.retain(|kept| {
                let same = &kept.cookie;
                (&same.name, &same.domain, &same.path)
                    != (&cookie.name, &cookie.domain, &cookie.path)
                    || kept.host != host
            });
            let ends = cookie.ends(now);
            if ends.is_none_or(|ends| ends > now) {
                self.cookies.push(Kept { cookie, host, ends });
            }
        }
    }

    /// Names and values for a request.
    pub(super) fn for_request(&self, target: &Target) -> Vec<(String, String)> {
        if self.cookies.is_empty() {
            return Vec::new();
        }
        let now = SystemTime::now();
        let path = target.path.path();
        self.cookies
            .iter()
            .filter(|kept| kept.ends.is_none_or(|ends| ends > now))
            .filter(|kept| !kept.cookie.secure || target.scheme == Scheme::Https)
            .filter(|kept| match kept.cookie.domain.as_str() {
                "" => kept.host == target.host,
                domain => is_within(&target.host, domain),
            })
            .filter(|kept| path_matches(path, &kept.cookie.path))
            .map(|kept| (kept.cookie.name.clone(), kept.cookie.value.clone()))
            .collect()
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.cookies.clear();
    }
}

fn is_within(host: &str, domain: &str) -> bool {
    host.eq_ignore_ascii_case(domain)
        || host
            .to_ascii_lowercase()
            .strip_suffix(&domain.to_ascii_lowercase())
            .is_some_and(|rest| rest.ends_with('.'))
}

fn path_matches(path: &str, prefix: &str) -> bool {
    path.strip_prefix(prefix)
        .is_some_and(|rest| rest.is_empty() || prefix.ends_with('/') || rest.starts_with('/'))
}

/// The directory of the path that set it.
fn default_path(path: &str) -> String {
    match path.rsplit_once('/') {
        Some(("", _)) | None => "/".to_owned(),
        Some((directory, _)) => directory.to_owned(),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn target(url: &str) -> Target {
        Target::parse(url).unwrap()
    }

    fn jar(set: &[&str]) -> CookieJar {
        let mut headers = HeaderMap::new();
        for cookie in set {
            headers.append(SET_COOKIE, HeaderValue::from_str(cookie).unwrap());
        }
        let mut jar = CookieJar::default();
        jar.take(&target("http://a.example.org/x/y"), &headers);
        jar
    }

    fn names(jar: &CookieJar, url: &str) -> String {
        let cookies = jar.for_request(&target(url));
        let names: Vec<_> = cookies.into_iter().map(|(name, _)| name).collect();
        names.join(",")
    }

    #[test]
    fn cookies_go_where_they_belong() {
        let jar = jar(&[
            "host=1",
            "root=2; Path=/",
            "wide=3; Domain=.example.org; Path=/",
            "foreign=4; Domain=other.org; Path=/",
            "tls=5; Secure; Path=/",
        ]);
        assert_eq!(names(&jar, "http://a.example.org/x/z"), "host,root,wide");
        assert_eq!(names(&jar, "http://a.example.org/xx"), "root,wide");
        assert_eq!(names(&jar, "http://b.example.org/"), "wide");
    }

    #[test]
    fn cookies_end() {
        let jar = jar(&[
            "past=1; Path=/; Expires=Wed, 21 Oct 2015 07:28:00 GMT",
            "dashes=1; Path=/; Expires=Wed, 21-Oct-2015 07:28:00 GMT",
            "gone=1; Path=/; Max-Age=0",
            "stays=1; Path=/; Max-Age=60",
        ]);
        assert_eq!(names(&jar, "http://a.example.org/"), "stays");
    }
}
