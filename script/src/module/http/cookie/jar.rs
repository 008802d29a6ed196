//! What is kept of cookies, and to whom it is sent.

use std::{cell::RefCell, net::IpAddr, rc::Rc, time::SystemTime};

use http::HeaderMap;

use super::{
    super::url::{Scheme, Target},
    Cookie, pair,
};

/// A jar of a virtual user, or one that its script has made.
pub(in super::super) type SharedJar = Rc<RefCell<CookieJar>>;

/// Cookies that are sent again to whom they are from.
#[derive(Debug, Default)]
pub(in super::super) struct CookieJar {
    /// In the order in which they were set for the first time.
    cookies: Vec<Kept>,
}

#[derive(Debug)]
struct Kept {
    cookie: Cookie,
    /// In small letters.
    domain: String,
    /// Whether hosts within the domain get it as well.
    has_subdomains: bool,
    path: String,
    ends: Option<SystemTime>,
}

impl CookieJar {
    /// Keeps the cookies of an answer.
    pub(in super::super) fn take(&mut self, target: &Target, headers: &HeaderMap) {
        for cookie in Cookie::all(headers) {
            self.set(target, cookie);
        }
    }

    /// Keeps a cookie for a URL, in place of one of the same name, domain and path; one that has ended
    /// removes that. False when the host may not set it, for its domain is another's.
    pub(super) fn set(&mut self, target: &Target, cookie: Cookie) -> bool {
        let Some((domain, has_subdomains)) = domain_of(&cookie, &target.host) else {
            return false;
        };
        let path = if cookie.path.starts_with('/') {
            cookie.path.clone()
        } else {
            default_path(target.path.path())
        };
        let now = SystemTime::now();
        let ends = cookie.ends(now);
        let kept = Kept {
            cookie,
            domain,
            has_subdomains,
            path,
            ends,
        };
        let same = |old: &Kept| {
            (&old.cookie.name, &old.domain, &old.path)
                == (&kept.cookie.name, &kept.domain, &kept.path)
        };
        match (self.cookies.iter().position(same), kept.is_over(now)) {
            (Some(place), true) => drop(self.cookies.remove(place)),
            (Some(place), false) => self.cookies[place] = kept,
            (None, true) => {}
            (None, false) => self.cookies.push(kept),
        }
        true
    }

    /// The cookies for a request: those of longer paths first, then those that were set first.
    pub(in super::super) fn matching(&self, target: &Target) -> Vec<&Cookie> {
        if self.cookies.is_empty() {
            return Vec::new();
        }
        let now = SystemTime::now();
        let matching = self.cookies.iter();
        let mut matching: Vec<_> = matching
            .filter(|kept| !kept.is_over(now) && kept.is_for(target))
            .collect();
        matching.sort_by_key(|kept| std::cmp::Reverse(kept.path.len()));
        matching.into_iter().map(|kept| &kept.cookie).collect()
    }

    /// Names, and what the header says of each.
    pub(in super::super) fn for_request(&self, target: &Target) -> Vec<(String, String)> {
        let matching = self.matching(target).into_iter();
        matching
            .map(|cookie| {
                let pair = pair(&cookie.name, &cookie.value, cookie.quoted);
                (cookie.name.clone(), pair)
            })
            .collect()
    }

    /// Forgets what a URL would be sent, or the cookies of a name among that.
    pub(super) fn forget(&mut self, target: &Target, name: Option<&str>) {
        self.cookies.retain(|kept| {
            !kept.is_for(target) || name.is_some_and(|name| kept.cookie.name != name)
        });
    }

    /// Forgets all.
    pub(in super::super) fn clear(&mut self) {
        self.cookies.clear();
    }
}

impl Kept {
    fn is_over(&self, now: SystemTime) -> bool {
        self.ends.is_some_and(|ends| ends <= now)
    }

    fn is_for(&self, target: &Target) -> bool {
        let host = target.host.as_str();
        (!self.cookie.secure || target.scheme == Scheme::Https)
            && (host.eq_ignore_ascii_case(&self.domain)
                || self.has_subdomains && is_within(host, &self.domain))
            && path_matches(target.path.path(), &self.path)
    }
}

/// The domain of a cookie that a host sets, and whether it is for other hosts in it, too.
fn domain_of(cookie: &Cookie, host: &str) -> Option<(String, bool)> {
    let host = host.to_ascii_lowercase();
    if cookie.domain.is_empty() {
        return Some((host, false));
    }
    let given = cookie.domain.to_ascii_lowercase();
    let domain = given.strip_prefix('.').unwrap_or(&given);
    if host.parse::<IpAddr>().is_ok() {
        // An address is no part of another.
        return (host == domain).then_some((host, false));
    }
    let is_name = !domain.is_empty() && !domain.starts_with('.') && !domain.ends_with('.');
    let is_own = is_name && (host == domain || is_within(&host, domain));
    is_own.then(|| (domain.to_owned(), true))
}

/// Whether a name ends with another after a dot.
fn is_within(host: &str, domain: &str) -> bool {
    host.to_ascii_lowercase()
        .strip_suffix(domain)
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
    use http::{HeaderValue, header::SET_COOKIE};

    use super::*;

    const URL: &str = "http://a.example.org/x/y";

    fn target(url: &str) -> Target {
        Target::parse(url).unwrap()
    }

    fn take(jar: &mut CookieJar, url: &str, set: &[&str]) {
        let mut headers = HeaderMap::new();
        for cookie in set {
            headers.append(SET_COOKIE, HeaderValue::from_str(cookie).unwrap());
        }
        jar.take(&target(url), &headers);
    }

    fn jar(url: &str, set: &[&str]) -> CookieJar {
        let mut jar = CookieJar::default();
        take(&mut jar, url, set);
        jar
    }

    fn pairs(jar: &CookieJar, url: &str) -> String {
        let cookies = jar.for_request(&target(url));
        let pairs: Vec<_> = cookies.into_iter().map(|(_, pair)| pair).collect();
        pairs.join("; ")
    }

    #[test]
    fn cookies_go_where_they_belong() {
        let jar = jar(
            URL,
            &[
                "host=1",
                "root=2; Path=/",
                "wide=3; Domain=.Example.org; Path=/",
                "foreign=4; Domain=other.org; Path=/",
                "below=4; Domain=b.a.example.org; Path=/",
                "dots=4; Domain=..example.org; Path=/",
                "end=4; Domain=example.org.; Path=/",
                "tls=5; Secure; Path=/",
            ],
        );
        assert_eq!(
            pairs(&jar, "http://a.example.org/x/z"),
            "host=1; root=2; wide=3"
        );
        assert_eq!(pairs(&jar, "http://A.EXAMPLE.ORG/xx"), "root=2; wide=3");
        assert_eq!(pairs(&jar, "http://b.example.org/"), "wide=3");
        assert_eq!(pairs(&jar, "http://example.org/"), "wide=3");
        assert_eq!(pairs(&jar, "http://anexample.org/"), "");
        assert_eq!(pairs(&jar, "http://b.a.example.org/x/"), "wide=3");
        let secure = pairs(&jar, "https://a.example.org/");
        assert_eq!(secure, "root=2; wide=3; tls=5");
    }

    #[test]
    fn an_address_shares_with_nobody() {
        let jar = jar(
            "http://127.0.0.1/",
            &["own=1; Domain=127.0.0.1", "part=2; Domain=0.0.1", "bare=3"],
        );
        assert_eq!(pairs(&jar, "http://127.0.0.1/"), "own=1; bare=3");
        assert_eq!(pairs(&jar, "http://1.127.0.0.1/"), "");
    }

    #[test]
    fn longer_paths_go_first_then_those_that_were_set_first() {
        let mut jar = jar(
            "http://h/",
            &[
                "a=1; Path=/",
                "b=2; Path=/",
                "a=3; Path=/long/er",
                "c=4; Path=/long",
            ],
        );
        assert_eq!(pairs(&jar, "http://h/long/er"), "a=3; c=4; a=1; b=2");
        // A new value keeps the old one's place.
        take(&mut jar, "http://h/", &["a=5; Path=/; Domain=h"]);
        assert_eq!(pairs(&jar, "http://h/"), "a=5; b=2");
    }

    #[test]
    fn cookies_end() {
        let mut jar = jar(
            URL,
            &[
                "past=1; Path=/; Expires=Wed, 21 Oct 2015 07:28:00 GMT",
                "dashes=1; Path=/; Expires=Wed, 21-Oct-2015 07:28:00 GMT",
                "gone=1; Path=/; Max-Age=0",
                "both=1; Path=/; Max-Age=60; Expires=Wed, 21 Oct 2015 07:28:00 GMT",
                "odd=1; Path=/; Expires=tomorrow",
                "stays=1; Path=/; Max-Age=60",
                "ever=1; Path=/; Max-Age=9223372036854775807",
            ],
        );
        assert_eq!(pairs(&jar, URL), "both=1; odd=1; stays=1; ever=1");
        take(
            &mut jar,
            URL,
            &["odd=; Path=/; Max-Age=-1", "stays=2; Path=/"],
        );
        assert_eq!(pairs(&jar, URL), "both=1; stays=2; ever=1");
    }

    #[test]
    fn what_a_url_is_sent_can_be_forgotten() {
        let set = [
            "a=1; Path=/",
            "b=2; Path=/; Domain=example.org",
            "c=3; Path=/other",
        ];
        let mut jar = jar(URL, &set);
        jar.forget(&target(URL), Some("a"));
        assert_eq!(pairs(&jar, URL), "b=2");
        jar.forget(&target(URL), Some("c"));
        jar.forget(&target(URL), None);
        assert_eq!(pairs(&jar, URL), "");
        assert_eq!(pairs(&jar, "http://a.example.org/other"), "c=3");
    }
}
