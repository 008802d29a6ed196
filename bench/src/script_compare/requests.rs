//! Differences in what was sent.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    difference::{Difference, Part},
    traffic::{Request, Traffic},
};

/// Wire bytes of HTTP/2 may differ by this share: header compression and window updates depend on
/// when something was sent.
const HTTP2_TOLERANCE: f64 = 0.02;
/// Characters of a value that a message shows.
const SHOWN: usize = 120;
/// Bytes of a body that a message shows before a difference.
const BEFORE: usize = 24;
/// Bytes of a body that a message shows from a difference on.
const AFTER: usize = 32;

/// A kind of difference between requests, in how many pairs it occurs, and the first of them.
#[derive(Debug)]
struct Kind {
    pairs: usize,
    first: (String, String),
    request: String,
}

type Kinds = BTreeMap<String, Kind>;

/// Differences between the requests of two runs. When both made the same work, every request must
/// have its equal; else every *kind* of request must.
pub(super) fn differences(runner: &Traffic, k6: &Traffic, same_work: bool) -> Vec<Difference> {
    let (ours, theirs) = unmatched(runner, k6, same_work);
    let mut kinds = Kinds::new();
    let mut found = Vec::new();
    let mut theirs = by_name(&theirs);
    for (name, ours) in by_name(&ours) {
        let theirs = theirs.remove(&name).unwrap_or_default();
        for (one, other) in ours.iter().zip(&theirs) {
            describe(one, other, &mut kinds);
        }
        if ours.len() != theirs.len() {
            found.push(number(runner, k6, name));
        }
    }
    found.extend(theirs.into_keys().map(|name| number(runner, k6, name)));
    found.extend(kinds.into_iter().map(|(what, kind)| {
        let times = if kind.pairs == 1 {
            format!("{what} of {}", kind.request)
        } else {
            format!(
                "{what} of {} requests, first of {}",
                kind.pairs, kind.request
            )
        };
        Difference::new(Part::Request, times, kind.first.0, kind.first.1)
    }));
    if found.is_empty() && same_work {
        found.extend(wire_bytes(runner, k6));
    }
    found
}

/// The requests that have no equal in the other run.
fn unmatched<'a>(
    runner: &'a Traffic,
    k6: &'a Traffic,
    same_work: bool,
) -> (Vec<&'a Request>, Vec<&'a Request>) {
    let (ours, mut theirs) = (counted(runner), counted(k6));
    let mut left = Vec::new();
    for (request, count) in ours {
        let other = theirs.remove(request).unwrap_or(0);
        let (count, other) = if same_work {
            (count, other)
        } else {
            (1, other.min(1))
        };
        left.extend(std::iter::repeat_n(request, count.saturating_sub(other)));
        if other > count {
            theirs.insert(request, other - count);
        }
    }
    let theirs = theirs.into_iter().flat_map(|(request, count)| {
        std::iter::repeat_n(request, if same_work { count } else { 1 })
    });
    (left, theirs.collect())
}

fn counted(traffic: &Traffic) -> BTreeMap<&Request, usize> {
    let mut counted = BTreeMap::new();
    for request in &traffic.requests {
        *counted.entry(request).or_insert(0) += 1;
    }
    counted
}

fn by_name<'a>(requests: &[&'a Request]) -> BTreeMap<String, Vec<&'a Request>> {
    let mut named: BTreeMap<String, Vec<&Request>> = BTreeMap::new();
    for request in requests {
        named.entry(request.name()).or_default().push(request);
    }
    named
}

/// Another number of requests of one name.
fn number(runner: &Traffic, k6: &Traffic, name: String) -> Difference {
    let count = |traffic: &Traffic| {
        let named = traffic.requests.iter().filter(|one| one.name() == name);
        format!("sent {}", named.count())
    };
    let (runner, k6) = (count(runner), count(k6));
    Difference::new(Part::Request, name, runner, k6)
}

/// What is not the same in two requests of one name.
fn describe(ours: &Request, theirs: &Request, kinds: &mut Kinds) {
    let mut note = |what: String, runner: String, k6: String| {
        let kind = kinds.entry(what).or_insert_with(|| Kind {
            pairs: 0,
            first: (runner, k6),
            request: ours.name(),
        });
        kind.pairs += 1;
    };
    let names: BTreeSet<&String> = (ours.headers.iter().chain(&theirs.headers))
        .map(|(name, _)| name)
        .collect();
    for name in names {
        let (runner, k6) = (values(ours, name), values(theirs, name));
        if runner != k6 {
            note(
                format!("header {name}"),
                shown_values(&runner),
                shown_values(&k6),
            );
        }
    }
    if ours.body != theirs.body {
        let (runner, k6) = bodies(&ours.body, &theirs.body);
        note("body".to_owned(), runner, k6);
    }
    if ours.form != theirs.form && same_names(ours, theirs) {
        note(
            "form on the wire".to_owned(),
            ours.form.clone(),
            theirs.form.clone(),
        );
    }
}

fn values<'a>(request: &'a Request, name: &str) -> Vec<&'a str> {
    let named = request.headers.iter().filter(|(key, _)| key == name);
    named.map(|(_, value)| value.as_str()).collect()
}

/// Whether both have the same headers: if not, that was said already.
fn same_names(ours: &Request, theirs: &Request) -> bool {
    let names = |request: &Request| -> Vec<String> {
        request
            .headers
            .iter()
            .map(|(name, _)| name.clone())
            .collect()
    };
    names(ours) == names(theirs)
}

fn shown_values(values: &[&str]) -> String {
    match values {
        [] => "sends none".to_owned(),
        values => {
            let values: Vec<String> = values.iter().map(|value| shown(value)).collect();
            values.join(" and ")
        }
    }
}

fn shown(value: &str) -> String {
    if value.chars().count() <= SHOWN {
        return format!("{value:?}");
    }
    let start: String = value.chars().take(SHOWN).collect();
    format!("{start:?}…")
}

/// Two bodies by their lengths, and what they have around the place where they begin to differ.
fn bodies(ours: &[u8], theirs: &[u8]) -> (String, String) {
    let same = ours.iter().zip(theirs).take_while(|(a, b)| a == b).count();
    let start = same.saturating_sub(BEFORE);
    let side = |body: &[u8]| {
        let shown: Vec<u8> = body[start..].iter().copied().take(BEFORE + AFTER).collect();
        let (size, text) = (body.len(), shown.escape_ascii());
        format!("{size} bytes, from byte {start} on \"{text}\"")
    };
    (side(ours), side(theirs))
}

/// Bytes that equal requests do not explain.
fn wire_bytes(runner: &Traffic, k6: &Traffic) -> Option<Difference> {
    let compared = |traffic: &Traffic| traffic.sent_bytes - traffic.not_compared_bytes;
    let (ours, theirs) = (compared(runner), compared(k6));
    let tolerance = if runner.has_http2 || k6.has_http2 {
        HTTP2_TOLERANCE * ours as f64
    } else {
        0.0
    };
    (ours.abs_diff(theirs) as f64 > tolerance)
        .then(|| Difference::new(Part::Wire, "sent for equal requests", ours, theirs))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(target: &str, header: &str, body: &str) -> Request {
        Request {
            to: "BASE_URL".to_owned(),
            method: "POST".to_owned(),
            target: target.to_owned(),
            headers: vec![("x".to_owned(), header.to_owned())],
            body: body.as_bytes().to_vec(),
            form: "HTTP/1.1 x".to_owned(),
        }
    }

    fn traffic(requests: &[Request]) -> Traffic {
        Traffic {
            requests: requests.to_vec(),
            sent_bytes: 1000,
            ..Traffic::default()
        }
    }

    fn found(ours: &[Request], theirs: &[Request], same_work: bool) -> Vec<String> {
        let found = differences(&traffic(ours), &traffic(theirs), same_work);
        found.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_order_of_requests_does_not_matter() {
        let (a, b) = (request("/a", "1", ""), request("/b", "1", ""));
        let (ours, theirs) = ([a.clone(), b.clone(), a.clone()], [b, a.clone(), a]);
        assert_eq!(found(&ours, &theirs, true), [""; 0]);
    }

    #[test]
    fn equal_differences_are_told_once() {
        let ours = [request("/a", "1", "x"), request("/b", "1", "x")];
        let theirs = [request("/a", "2", "x"), request("/b", "2", "xy")];
        assert_eq!(
            found(&ours, &theirs, true),
            [
                "request    body of POST /b to BASE_URL: runner 1 bytes, from byte 0 on \"x\", k6 2 bytes, from byte 0 on \"xy\"",
                "request    header x of 2 requests, first of POST /a to BASE_URL: runner \"1\", k6 \"2\"",
            ]
        );
    }

    #[test]
    fn another_order_of_headers_is_another_form() {
        let ours = request("/a", "1", "");
        let theirs = Request {
            form: "HTTP/1.1 X".to_owned(),
            ..ours.clone()
        };
        assert_eq!(
            found(&[ours], &[theirs], true),
            [
                "request    form on the wire of POST /a to BASE_URL: runner HTTP/1.1 x, k6 HTTP/1.1 X"
            ]
        );
    }

    #[test]
    fn numbers_count_only_for_the_same_work() {
        let one = request("/a", "1", "");
        let ours = [one.clone(), one.clone()];
        let theirs = [one.clone(), one.clone(), one.clone()];
        assert_eq!(
            found(&ours, &theirs, true),
            ["request    POST /a to BASE_URL: runner sent 2, k6 sent 3"]
        );
        assert_eq!(found(&ours, &theirs, false), [""; 0]);
        assert_eq!(found(&ours, &[], false).len(), 1);
    }

    #[test]
    fn bytes_must_agree_exactly_in_http1_and_nearly_in_http2() {
        let with_bytes = |sent_bytes, has_http2| Traffic {
            sent_bytes,
            has_http2,
            ..Traffic::default()
        };
        for (theirs, has_http2, differs) in [
            (1001, false, true),
            (1020, true, false),
            (1021, true, true),
            (979, true, true),
        ] {
            let (ours, theirs) = (with_bytes(1000, has_http2), with_bytes(theirs, has_http2));
            let found = differences(&ours, &theirs, true);
            assert_eq!(!found.is_empty(), differs, "{theirs:?}");
        }
    }
}
