//! What shows that the client knows the password.

use std::{
    collections::hash_map::RandomState,
    fmt::Write,
    hash::{BuildHasher, Hasher},
};

use http::HeaderValue;

use super::{super::url::User, Challenge, DigestError, challenge::Quality};

/// What is answered for.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Subject<'a> {
    pub(in super::super) user: &'a User,
    pub(in super::super) method: &'a str,
    /// Path and query.
    pub(in super::super) uri: &'a str,
    pub(in super::super) body: &'a [u8],
}

impl Challenge {
    /// The `Authorization` for a request, with a nonce of the client's that was not used before.
    ///
    /// # Errors
    /// When it has letters that no header can have.
    pub(in super::super) fn answer(
        &self,
        subject: Subject<'_>,
        client_nonce: &str,
    ) -> Result<HeaderValue, DigestError> {
        /// Each of the server's nonces is used once.
        const COUNT: &str = "00000001";
        let hash = |text: &str| self.algorithm.hash.hex(text.as_bytes());
        let Subject {
            user,
            method,
            uri,
            body,
        } = subject;
        let (realm, nonce) = (&self.realm, &self.nonce);
        let mut secret = hash(&format!("{}:{realm}:{}", user.name, user.password));
        if self.algorithm.has_session {
            secret = hash(&format!("{secret}:{nonce}:{client_nonce}"));
        }
        let request = match self.quality {
            Quality::Old | Quality::Auth => format!("{method}:{uri}"),
            Quality::AuthInt => {
                format!("{method}:{uri}:{}", self.algorithm.hash.hex(body))
            }
        };
        let request = hash(&request);
        let quality = self.quality.name();
        let response = match quality {
            None => hash(&format!("{secret}:{nonce}:{request}")),
            Some(quality) => hash(&format!(
                "{secret}:{nonce}:{COUNT}:{client_nonce}:{quality}:{request}"
            )),
        };
        let name = if self.hides_user {
            hash(&format!("{}:{realm}", user.name))
        } else {
            user.name.clone()
        };
        let mut value = format!(
            "Digest username={}, realm={}, nonce={}, uri={}, response=\"{response}\"",
            quoted(&name),
            quoted(realm),
            quoted(nonce),
            quoted(uri)
        );
        // Writing to a string cannot fail.
        if let Some(name) = &self.algorithm_name {
            let _ = write!(value, ", algorithm={name}");
        }
        if let Some(opaque) = &self.opaque {
            let _ = write!(value, ", opaque={}", quoted(opaque));
        }
        if let Some(quality) = quality {
            let _ = write!(value, ", qop={quality}, nc={COUNT}");
        }
        if quality.is_some() || self.algorithm.has_session {
            let _ = write!(value, ", cnonce=\"{client_nonce}\"");
        }
        if self.hides_user {
            value.push_str(", userhash=true");
        }
        HeaderValue::from_bytes(value.as_bytes()).map_err(|_| DigestError::Letters(name))
    }
}

/// A nonce that nobody can guess.
pub(in super::super) fn client_nonce() -> String {
    // Every state has keys of its own, which begin at random.
    let random = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", random(), random())
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
