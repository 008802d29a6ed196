//! Tokens that prove who asks: JSON Web Tokens (RFC 7519) signed with HMAC SHA-256 (RFC 7515, `HS256`).
//!
//! The general libraries for these bring RSA and elliptic curves along; one algorithm and two claims
//! need only the `hmac` crate.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD as BASE64};
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use thiserror::Error;
use uuid::Uuid;

/// How long a token is good for, in seconds.
const LIFETIME_S: i64 = 24 * 60 * 60;
/// `{"alg":"HS256","typ":"JWT"}`, the only head that is ever signed here.
const HEAD: &str = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9";

/// Why a request has not proved who asks.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum TokenError {
    /// There is none.
    #[error(
        "a token is needed; send the one of POST /api/v1/users/login as \"Authorization: Bearer TOKEN\""
    )]
    Missing,
    /// It is none of ours, or was changed.
    #[error(
        "the token was not made by this server since its start; log in with POST /api/v1/users/login"
    )]
    Foreign,
    /// It is too old.
    #[error("the token is older than 24 hours; log in with POST /api/v1/users/login")]
    Expired,
}

#[derive(Deserialize, Serialize)]
struct Claims {
    sub: String,
    username: String,
    iat: i64,
    exp: i64,
}

/// Makes tokens and checks them, with a key that is drawn at the start of the server.
#[derive(Clone)]
pub struct Tokens {
    keyed: Hmac<Sha256>,
}

impl Default for Tokens {
    fn default() -> Self {
        let halves = [Uuid::new_v4(), Uuid::new_v4()].map(Uuid::into_bytes);
        Self::with_key(&halves.concat())
    }
}

impl Tokens {
    fn with_key(key: &[u8]) -> Self {
        Self {
            keyed: Hmac::new_from_slice(key).expect("HMAC takes keys of any length"),
        }
    }

    /// A token for this user from `now_s` on, in seconds since 1970, for 24 hours.
    #[must_use]
    pub fn issue(&self, user_id: &str, username: &str, now_s: i64) -> String {
        let claims = Claims {
            sub: user_id.to_owned(),
            username: username.to_owned(),
            iat: now_s,
            exp: now_s.saturating_add(LIFETIME_S),
        };
        // Strings and numbers always have a JSON form.
        let claims = serde_json::to_vec(&claims).unwrap_or_default();
        let signed = format!("{HEAD}.{}", BASE64.encode(claims));
        let signature = self.keyed.clone().chain_update(&signed).finalize();
        format!("{signed}.{}", BASE64.encode(signature.into_bytes()))
    }

    /// Whether the value of an `Authorization` header proves who asks at `now_s`.
    ///
    /// # Errors
    /// [`TokenError`].
    pub fn check(&self, authorization: Option<&str>, now_s: i64) -> Result<(), TokenError> {
        let token = authorization
            .and_then(|value| value.split_once(' '))
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
            .map(|(_, token)| token.trim())
            .ok_or(TokenError::Missing)?;
        let claims = self.verified(token).ok_or(TokenError::Foreign)?;
        if now_s < claims.exp {
            Ok(())
        } else {
            Err(TokenError::Expired)
        }
    }

    fn verified(&self, token: &str) -> Option<Claims> {
        let (signed, signature) = token.rsplit_once('.')?;
        let claims = signed.strip_prefix(HEAD)?.strip_prefix('.')?;
        let signature = BASE64.decode(signature).ok()?;
        let keyed = self.keyed.clone().chain_update(signed);
        keyed.verify_slice(&signature).ok()?;
        serde_json::from_slice(&BASE64.decode(claims).ok()?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(tokens: &Tokens, token: &str, now_s: i64) -> Result<(), TokenError> {
        tokens.check(Some(&format!("Bearer {token}")), now_s)
    }

    #[test]
    fn a_token_is_good_for_24_hours() {
        let tokens = Tokens::default();
        let token = tokens.issue("id", "test0", 1_000);
        assert_eq!(check(&tokens, &token, 1_000), Ok(()));
        assert_eq!(check(&tokens, &token, 1_000 + 86_399), Ok(()));
        let late = check(&tokens, &token, 1_000 + 86_400);
        assert_eq!(late, Err(TokenError::Expired));
    }

    #[test]
    fn a_token_is_what_the_standard_describes() {
        let token = Tokens::with_key(b"key").issue("id", "test0", 0);
        let mut parts = token
            .split('.')
            .map(|part| BASE64.decode(part).unwrap_or_default());
        assert_eq!(
            parts.next().as_deref(),
            Some(&br#"{"alg":"HS256","typ":"JWT"}"#[..])
        );
        let claims = br#"{"sub":"id","username":"test0","iat":0,"exp":86400}"#;
        assert_eq!(parts.next().as_deref(), Some(&claims[..]));
        assert_eq!(parts.next().map(|signature| signature.len()), Some(32));
        assert_eq!(parts.next(), None);
        assert!(token.ends_with("BZJSDSRewjqmlHLTZSgGa2maDNBkV6Cx0_ZsgCy4NSM"));
    }

    #[test]
    fn nothing_else_is_taken_for_a_token() {
        let tokens = Tokens::default();
        let token = tokens.issue("id", "test0", 0);
        let unsigned = token.replace(HEAD, &BASE64.encode(r#"{"alg":"none","typ":"JWT"}"#));
        let shortened = &token[..token.len() - 1];
        let foreign = Tokens::default().issue("id", "test0", 0);
        for other in ["", "a", "a.b.c", "..", &unsigned, shortened, &foreign] {
            assert_eq!(
                check(&tokens, other, 0),
                Err(TokenError::Foreign),
                "{other}"
            );
        }
        for header in [None, Some(""), Some("Bearer"), Some("Basic dGVzdA==")] {
            assert_eq!(tokens.check(header, 0), Err(TokenError::Missing));
        }
    }
}
