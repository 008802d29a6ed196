//! Against the examples of the standards.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use http::{HeaderMap, HeaderValue, header::WWW_AUTHENTICATE};
use proptest::prelude::*;

use super::{super::url::User, Challenge, DigestError, Subject, client_nonce};

const MUFASA: &str = "Mufasa:Circle%20of%20Life";
/// The challenge and the client's nonce of RFC 7616, section 3.9.1, as far as they are the same for
/// all algorithms.
const CHALLENGE: &str = "realm=\"http-auth@example.org\", \
    nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", \
    opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\"";
const CLIENT_NONCE: &str = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ";

fn headers(values: &[&str]) -> HeaderMap {
    let values = values.iter();
    values
        .map(|value| (WWW_AUTHENTICATE, HeaderValue::from_str(value).unwrap()))
        .collect()
}

fn answer(challenge: &str, user: &str, client_nonce: &str, uri: &str) -> String {
    let challenge = Challenge::of(&headers(&[challenge])).unwrap();
    let user = User::for_test(user);
    let subject = Subject {
        user: &user,
        method: "GET",
        uri,
        body: b"body",
    };
    let answer = challenge.answer(subject, client_nonce).unwrap();
    String::from_utf8(answer.as_bytes().to_vec()).unwrap()
}

fn response(answer: &str) -> &str {
    let (_, rest) = answer.split_once("response=\"").unwrap();
    rest.split_once('"').unwrap().0
}

#[test]
fn the_examples_of_the_standards_are_answered() {
    let of_qop = |more: &str| {
        let challenge = format!("Digest qop=\"auth, auth-int\", {CHALLENGE}{more}");
        answer(&challenge, MUFASA, CLIENT_NONCE, "/dir/index.html")
    };
    let md5 = of_qop(", algorithm=MD5");
    assert_eq!(response(&md5), "8ca523f5e9506fed4657c9700eebdbec");
    assert_eq!(
        md5,
        "Digest username=\"Mufasa\", realm=\"http-auth@example.org\", \
         nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", uri=\"/dir/index.html\", \
         response=\"8ca523f5e9506fed4657c9700eebdbec\", algorithm=MD5, \
         opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\", qop=auth, nc=00000001, \
         cnonce=\"f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ\""
    );
    assert_eq!(
        response(&of_qop(", algorithm=SHA-256")),
        "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"
    );
    assert_eq!(
        response(&of_qop(", algorithm=md5-sess")),
        "e783283f46242139c486a698fec7211d"
    );
}

#[test]
fn the_examples_of_older_standards_are_answered() {
    let challenge = "Digest realm=\"testrealm@host.com\", \
        nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\"";
    let user = "Mufasa:Circle%20Of%20Life";
    let newer = answer(
        &format!("{challenge}, qop=auth"),
        user,
        "0a4f113b",
        "/dir/index.html",
    );
    assert_eq!(response(&newer), "6629fae49393a05397450978507c4ef1");
    assert!(!newer.contains("algorithm"), "{newer}");
    let old = answer(
        challenge,
        "Mufasa:CircleOfLife",
        "0a4f113b",
        "/dir/index.html",
    );
    assert_eq!(response(&old), "1949323746fe6a43ef61f9606e7febea");
    assert!(!old.contains("cnonce") && !old.contains("nc="), "{old}");
}

#[test]
fn names_can_be_hidden_and_bodies_protected() {
    let challenge = "Digest realm=\"api@example.org\", qop=\"auth\", algorithm=SHA-512-256, \
        nonce=\"5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK\", userhash=true";
    let user = "J%C3%A4s%C3%B8n%20Doe:Secret,%20or%20not%3F";
    let hidden = answer(
        challenge,
        user,
        "NTg6RKcb9boFIAS3KrFK9BGeh+niz/sm",
        "/doe.json",
    );
    assert_eq!(
        response(&hidden),
        "7a4e1192babbba02e91182d2895bfdbf7adafc6e48d4e517ca301974843d840c"
    );
    let name = "username=\"793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b\"";
    assert!(
        hidden.contains(name) && hidden.ends_with("userhash=true"),
        "{hidden}"
    );
    let challenge = format!("Digest qop=auth-int, algorithm=SHA-256, {CHALLENGE}");
    let protected = answer(&challenge, MUFASA, CLIENT_NONCE, "/dir/index.html");
    assert_eq!(
        response(&protected),
        "2fa9fd5a55eaefc542900085331c15a0d8dcebeb505811bdd82a5b1f49ae156e"
    );
    let odd = answer("Digest realm=\"a\\\"b\", nonce=n", "q%22:p", "c", "/");
    assert!(odd.contains(r#"username="q\"", realm="a\"b""#), "{odd}");
}

#[test]
fn the_first_challenge_that_can_be_answered_is_taken() {
    let nonce = |values: &[&str]| Challenge::of(&headers(values)).map(|found| found.nonce);
    let found = nonce(&[
        "Negotiate, Basic realm=\"x\"",
        "Digest realm=r, nonce=1, algorithm=SHA-1, Digest realm=r, nonce=2, stale=TRUE",
        "Digest realm=r, nonce=3",
    ]);
    assert_eq!(found.as_deref(), Ok("2"));
    for (values, error) in [
        (&[][..], DigestError::NoChallenge),
        (
            &["Negotiate, NTLM"],
            DigestError::OtherScheme("Negotiate".to_owned()),
        ),
        (&["NTLM", "Digest realm=r"], DigestError::Missing("nonce")),
        (&["Digest nonce=r"], DigestError::Missing("realm")),
        (
            &["Digest realm=r, nonce=1, algorithm=SHA-1"],
            DigestError::Algorithm("SHA-1".to_owned()),
        ),
        (
            &["Digest realm=r, nonce=1, qop=\"other\""],
            DigestError::Quality("other".to_owned()),
        ),
    ] {
        assert_eq!(nonce(values), Err(error));
    }
    let stale = Challenge::of(&headers(&["Digest realm=r, nonce=2, stale=TRUE"])).unwrap();
    assert!(stale.is_stale);
    assert_ne!(client_nonce(), client_nonce());
}

proptest! {
    #[test]
    fn any_challenge_is_answered_or_refused(
        text in "((Digest|Basic|realm|nonce|qop|algorithm|opaque|stale|userhash)|=|, ?| |\"|\\\\|MD5|auth|[ -~\\x80-\\xff]{1,3}){0,20}",
    ) {
        let text = format!("Digest realm=\"r\", nonce=n, {text}");
        let value = HeaderValue::from_bytes(text.as_bytes());
        prop_assume!(value.is_ok());
        let map = HeaderMap::from_iter([(WWW_AUTHENTICATE, value.unwrap())]);
        let user = User::for_test("q%22%0A:p");
        let subject = Subject { user: &user, method: "GET", uri: "/", body: b"" };
        if let Ok(challenge) = Challenge::of(&map) {
            // The user's line break cannot be sent, but its hash.
            let hides_user = text.contains("userhash");
            prop_assert!(challenge.answer(subject, "c").is_err() || hides_user);
        }
    }
}
