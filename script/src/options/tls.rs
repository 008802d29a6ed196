//! Options about TLS.

use serde_json::Value;

use super::{Layer, OptionError, fields::Fields};
use crate::tls::{
    CIPHER_SUITES, CipherSuites, ClientAuth, Identity, TlsSettings, TlsVersion, TlsVersions,
};

const VERSION: &str = "tls1.2 or tls1.3, or an object with min and max; older versions need k6";
const DOMAINS: &str = "a list of names such as example.com or *.example.com";

/// What all sources together say.
///
/// # Errors
/// When versions and suites leave nothing to agree on.
pub(super) fn settings(layer: &Layer) -> Result<TlsSettings, OptionError> {
    let settings = TlsSettings {
        skips_verification: layer.insecure_skip_tls_verify.unwrap_or_default(),
        versions: layer.tls_versions.unwrap_or_default(),
        cipher_suites: layer.tls_cipher_suites.clone(),
        auth: layer.tls_auth.clone().unwrap_or_default(),
        roots: layer.tls_roots.clone().unwrap_or_default(),
    };
    settings
        .check()
        .map_err(|error| OptionError::Tls(error.to_string()))?;
    Ok(settings)
}

/// `tlsVersion`: a name, or an object with the oldest and the newest.
pub(super) fn versions(fields: &mut Fields) -> Result<Option<TlsVersions>, OptionError> {
    fields.read("tlsVersion", VERSION, |value| {
        let default = TlsVersions::default();
        let versions = match value {
            Value::Object(range) => TlsVersions {
                min: bound(range.get("min"), default.min)?,
                max: bound(range.get("max"), default.max)?,
            },
            other => {
                let version = TlsVersion::named(other.as_str()?)?;
                TlsVersions {
                    min: version,
                    max: version,
                }
            }
        };
        (!versions.available().is_empty()).then_some(versions)
    })
}

/// One end of a range; `default` where the script does not say.
fn bound(value: Option<&Value>, default: TlsVersion) -> Option<TlsVersion> {
    match value {
        None | Some(Value::Null) => Some(default),
        Some(value) => match value.as_str()? {
            "" => Some(default),
            name => TlsVersion::named(name),
        },
    }
}

/// `tlsCipherSuites`: names of suites of TLS 1.2.
pub(super) fn cipher_suites(fields: &mut Fields) -> Result<Option<CipherSuites>, OptionError> {
    let Some(names) = fields.texts("tlsCipherSuites")? else {
        return Ok(None);
    };
    CipherSuites::named(&names)
        .map(Some)
        .map_err(|name| OptionError::Value {
            name: fields.name("tlsCipherSuites"),
            value: format!("{name:?}"),
            expected: CIPHER_SUITES,
        })
}

/// `tlsAuth`: certificates to show, each for some domains or for every server.
pub(super) fn auth(fields: &mut Fields) -> Result<Option<Vec<ClientAuth>>, OptionError> {
    let expected = "a list of objects with cert, key and domains";
    let Some(entries) = fields.read("tlsAuth", expected, |value| {
        let entries = value.as_array()?.iter();
        entries
            .map(|entry| entry.as_object().cloned())
            .collect::<Option<Vec<_>>>()
    })?
    else {
        return Ok(None);
    };
    let read = entries
        .into_iter()
        .enumerate()
        .map(|(place, entry)| client_auth(&mut Fields::new(&format!("tlsAuth[{place}]."), entry)));
    read.collect::<Result<_, _>>().map(Some)
}

fn client_auth(fields: &mut Fields) -> Result<ClientAuth, OptionError> {
    let domains = fields.read("domains", DOMAINS, |value| {
        let items = value.as_array()?.iter();
        items
            .map(|item| item.as_str().map(str::to_owned))
            .collect::<Option<Vec<_>>>()
    })?;
    let cert = pem(fields, "cert")?;
    let key = pem(fields, "key")?;
    // It decrypts a key; where the key is encrypted, that is told.
    fields.take("password");
    let identity = Identity::from_pem(&cert, &key).map_err(|error| OptionError::Identity {
        name: fields.name(""),
        why: error.to_string(),
    })?;
    match fields.left().next() {
        Some(name) => Err(OptionError::Unknown { name }),
        None => Ok(ClientAuth {
            domains: domains.unwrap_or_default(),
            identity,
        }),
    }
}

fn pem(fields: &mut Fields, field: &str) -> Result<String, OptionError> {
    let expected = "the text of a PEM file";
    let name = fields.name(field);
    match fields.take(field) {
        Some(Value::String(text)) => Ok(text),
        // Not shown: it may be a key.
        Some(_) => Err(OptionError::Value {
            name,
            value: "what is no string".to_owned(),
            expected,
        }),
        None => Err(OptionError::Missing { name, expected }),
    }
}
