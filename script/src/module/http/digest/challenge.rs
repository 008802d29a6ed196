//! What a server asks for.

use http::{HeaderMap, header::WWW_AUTHENTICATE};

use super::{DigestError, algorithm::Algorithm, header::challenges};

/// What a server asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Challenge {
    pub(super) realm: String,
    pub(super) nonce: String,
    pub(super) opaque: Option<String>,
    pub(super) algorithm: Algorithm,
    /// As the server names it, where it does.
    pub(super) algorithm_name: Option<String>,
    pub(super) quality: Quality,
    pub(super) hides_user: bool,
    /// Whether only the nonce of the last answer was too old.
    pub(in super::super) is_stale: bool,
}

/// What is protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quality {
    /// As before there was a choice (RFC 2069).
    Old,
    Auth,
    /// The body as well.
    AuthInt,
}

impl Challenge {
    /// The first that can be answered; the server has put the best first.
    ///
    /// # Errors
    /// When there is none: why the first of digest cannot.
    pub(in super::super) fn of(headers: &HeaderMap) -> Result<Self, DigestError> {
        let mut error = None;
        for value in headers.get_all(WWW_AUTHENTICATE) {
            let text = String::from_utf8_lossy(value.as_bytes());
            for (scheme, parameters) in challenges(&text) {
                let read = if scheme.eq_ignore_ascii_case("digest") {
                    Self::read(&parameters)
                } else {
                    Err(DigestError::OtherScheme(scheme))
                };
                match read {
                    Ok(challenge) => return Ok(challenge),
                    // What is wrong with one of digest says more than that there is another scheme.
                    Err(new) => {
                        let is_better = match &error {
                            None => true,
                            Some(DigestError::OtherScheme(_)) => {
                                !matches!(new, DigestError::OtherScheme(_))
                            }
                            Some(_) => false,
                        };
                        if is_better {
                            error = Some(new);
                        }
                    }
                }
            }
        }
        Err(error.unwrap_or(DigestError::NoChallenge))
    }

    fn read(parameters: &[(String, String)]) -> Result<Self, DigestError> {
        let parameter = |name: &str| {
            let mut parameters = parameters.iter();
            let found = parameters.find(|(known, _)| known.eq_ignore_ascii_case(name));
            found.map(|(_, value)| value.clone())
        };
        let is_set =
            |name: &str| parameter(name).is_some_and(|value| value.eq_ignore_ascii_case("true"));
        let algorithm_name = parameter("algorithm");
        Ok(Self {
            realm: parameter("realm").ok_or(DigestError::Missing("realm"))?,
            nonce: parameter("nonce").ok_or(DigestError::Missing("nonce"))?,
            opaque: parameter("opaque"),
            algorithm: Algorithm::of(algorithm_name.as_deref().unwrap_or("MD5"))?,
            algorithm_name,
            quality: Quality::of(parameter("qop").as_deref())?,
            hides_user: is_set("userhash"),
            is_stale: is_set("stale"),
        })
    }
}

impl Quality {
    fn of(list: Option<&str>) -> Result<Self, DigestError> {
        let Some(list) = list else {
            return Ok(Self::Old);
        };
        let has = |name: &str| {
            list.split(',')
                .any(|known| known.trim().eq_ignore_ascii_case(name))
        };
        if has("auth") {
            Ok(Self::Auth)
        } else if has("auth-int") {
            Ok(Self::AuthInt)
        } else {
            Err(DigestError::Quality(list.to_owned()))
        }
    }

    /// As headers have it.
    pub(super) fn name(self) -> Option<&'static str> {
        match self {
            Self::Old => None,
            Self::Auth => Some("auth"),
            Self::AuthInt => Some("auth-int"),
        }
    }
}
