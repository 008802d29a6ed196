//! A server that lets in who proves to know the password (RFC 7616).

use std::fmt::Write;

use http::{HeaderValue, header};
use md5::{Digest, Md5};
use serde_json::json;
use sha2::Sha256;

use crate::server::{Answer, Question, reply};

const REALM: &str = "books, and \"more\"";
const USER: &str = "reader";
const PASSWORD: &str = "p:ss wörd";

/// Answers to `/digest/KIND`: an algorithm; `stale`, whose first nonce is always too old; `other`, which
/// wants another scheme; or `open`, which wants nothing.
pub fn answer(question: &Question, kind: &str) -> Answer {
    let given = question.headers().get(header::AUTHORIZATION);
    let given = given.map(|value| value.to_str().unwrap().to_owned());
    let is_known = |given: &str, nonce: &str| is_proven(question, kind, given, nonce);
    match (kind, &given) {
        ("other", _) => refuse("Negotiate, Basic realm=\"x\""),
        ("open", _) => reply(200, "text/plain", format!("{given:?}")),
        ("stale", Some(given)) if is_known(given, "old") => {
            refuse(&challenge(kind, "new", ", stale=true"))
        }
        ("stale", None) => refuse(&challenge(kind, "old", "")),
        (_, Some(given)) if is_known(given, "new") => {
            let body = json!({ "sent": question.body().len(), "proof": given });
            reply(200, "application/json", body.to_string())
        }
        (_, _) => refuse(&challenge(kind, "new", "")),
    }
}

fn challenge(kind: &str, nonce: &str, more: &str) -> String {
    let algorithm = algorithm(kind);
    let realm = REALM.replace('"', "\\\"");
    format!(
        "Digest realm=\"{realm}\", nonce=\"{nonce}\", algorithm={algorithm}, qop=\"auth-int,auth\"{more}"
    )
}

fn algorithm(kind: &str) -> &str {
    if kind == "stale" { "MD5" } else { kind }
}

fn refuse(challenge: &str) -> Answer {
    let mut answer = reply(401, "text/plain", "who are you?");
    let headers = answer.headers_mut();
    headers.insert(
        header::WWW_AUTHENTICATE,
        HeaderValue::from_str(challenge).unwrap(),
    );
    headers.insert(
        header::SET_COOKIE,
        HeaderValue::from_static("asked=yes; Path=/digest"),
    );
    answer
}

fn is_proven(question: &Question, kind: &str, given: &str, nonce: &str) -> bool {
    let parameter = |name: &str| {
        let (_, rest) = given.split_once(&format!("{name}="))?;
        let rest = rest.trim_start_matches('"');
        let end = rest.find(['"', ',']).unwrap_or(rest.len());
        Some(&rest[..end])
    };
    let hash = |text: &str| match algorithm(kind) {
        "SHA-256" => hex(&Sha256::digest(text)),
        _ => hex(&Md5::digest(text)),
    };
    let (Some(client_nonce), Some(count)) = (parameter("cnonce"), parameter("nc")) else {
        return false;
    };
    let secret = hash(&format!("{USER}:{REALM}:{PASSWORD}"));
    let request = hash(&format!("{}:{}", question.method(), question.uri()));
    let response = hash(&format!(
        "{secret}:{nonce}:{count}:{client_nonce}:auth:{request}"
    ));
    given.starts_with("Digest ")
        && parameter("response") == Some(&response)
        && parameter(" nonce") == Some(nonce)
        && count == "00000001"
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}
