//! Cookies from noise and from what looks like cookies.

use http::{HeaderMap, HeaderValue, header::SET_COOKIE};
use proptest::prelude::*;

use super::{super::url::Target, jar::CookieJar, received_pairs};

/// Pieces of `Set-Cookie`, and noise.
fn header() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("; ".to_owned()),
        Just("=".to_owned()),
        Just("\"".to_owned()),
        "[a-zA-Z]{1,3}",
        "(Domain|Path|Max-Age|Expires|Secure|HttpOnly)=?",
        "(\\.?(a\\.)?b|127\\.0\\.0\\.1|/x?/?)",
        "-?[0-9]{1,25}",
        "(Wed|Sun)[,a-z]{0,8} [0-9]{1,2}[- ](Oct|Feb)[- ][0-9]{2,5} [0-9:]{5,8} GMT",
        "[ -~\t]{0,6}",
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn a_jar_takes_anything_and_sends_no_more_cookies_than_were_set(
        headers in prop::collection::vec(header(), 0..8),
        url in "https?://(a\\.b|b|127\\.0\\.0\\.1)/[x/]{0,3}",
    ) {
        let target = Target::parse(&url).expect("a URL");
        let map: HeaderMap = headers
            .iter()
            .filter_map(|value| Some((SET_COOKIE, HeaderValue::from_str(value).ok()?)))
            .collect();
        let mut jar = CookieJar::default();
        jar.take(&target, &map);
        let sent = jar.for_request(&target);
        prop_assert!(sent.len() <= headers.len());
        let pairs: Vec<_> = sent.iter().map(|(_, pair)| pair.as_str()).collect();
        let line = pairs.join("; ");
        prop_assert!(HeaderValue::from_str(&line).is_ok(), "{line}");
        let names: Vec<_> = received_pairs(&line).map(|(name, _)| name.to_owned()).collect();
        let expected: Vec<_> = sent.iter().map(|(name, _)| name.clone()).collect();
        prop_assert_eq!(names, expected, "{}", line);
        jar.forget(&target, None);
        prop_assert!(jar.for_request(&target).is_empty());
    }
}
