//! What scripts give to `connect`, `invoke` and `Stream` besides the message.

use std::time::Duration;

use base64::{Engine, prelude::BASE64_STANDARD_NO_PAD};
use http::{HeaderMap, HeaderName, HeaderValue};
use rquickjs::{Coerced, Ctx, Error, Object, Result, Value};

use super::{protocol::Protocol, transport::WebSettings, web};
use crate::{
    engine::throw, global::inspect, module::bytes_of, options::parse_duration, tls::OwnTls,
};

/// Most bytes of a received message when the script does not say: grpc-go's default, which is
/// k6's.
const MOST_RECEIVED: usize = 4 << 20;
const CONNECT_TIMEOUT: Duration = Duration::from_mins(1);

/// Why parameters cannot be used.
#[derive(Debug)]
pub(super) enum ParamError {
    /// In k6's words.
    Text(String),
    /// The script threw while they were read.
    Script(Error),
}

impl From<Error> for ParamError {
    fn from(error: Error) -> Self {
        Self::Script(error)
    }
}

impl ParamError {
    /// Throws it, with what the parameters are for before it.
    pub(super) fn throw(self, ctx: &Ctx<'_>, what: &str) -> Error {
        match self {
            Self::Text(text) => throw(ctx, format!("{what}: {text}")),
            Self::Script(error) => error,
        }
    }
}

pub(super) type Read<T> = std::result::Result<T, ParamError>;

pub(super) fn wrong<T>(text: impl Into<String>) -> Read<T> {
    Err(ParamError::Text(text.into()))
}

/// How to connect.
#[derive(Debug)]
pub(super) struct ConnectParams {
    pub(super) plaintext: bool,
    pub(super) timeout: Duration,
    pub(super) reflect: bool,
    pub(super) reflect_metadata: HeaderMap,
    pub(super) most_received: usize,
    /// 0 for any number.
    pub(super) most_sent: usize,
    pub(super) authority: Option<String>,
    /// Certificates; empty for those of the options.
    pub(super) tls: OwnTls,
    /// What only gRPC-Web has; none for gRPC.
    pub(super) web: Option<WebSettings>,
}

impl Default for ConnectParams {
    fn default() -> Self {
        Self {
            plaintext: false,
            timeout: CONNECT_TIMEOUT,
            reflect: false,
            reflect_metadata: HeaderMap::new(),
            most_received: MOST_RECEIVED,
            most_sent: 0,
            authority: None,
            tls: OwnTls::default(),
            web: None,
        }
    }
}

impl ConnectParams {
    pub(super) fn read(value: Option<&Value<'_>>, protocol: Protocol) -> Read<Self> {
        let mut params = Self {
            web: (protocol == Protocol::Web).then(WebSettings::default),
            ..Self::default()
        };
        let Some(object) = object(value)? else {
            return Ok(params);
        };
        for entry in object.props::<String, Value>() {
            let (key, value) = entry?;
            match key.as_str() {
                "plaintext" => params.plaintext = boolean(&key, &value)?,
                "timeout" => params.timeout = duration(&value)?,
                "reflect" => params.reflect = boolean(&key, &value)?,
                "reflectMetadata" => {
                    params.reflect_metadata = metadata(&key, &value, protocol)?;
                }
                "maxReceiveSize" => match size(&key, &value)? {
                    0 => {}
                    size => params.most_received = size,
                },
                "maxSendSize" => params.most_sent = size(&key, &value)?,
                "tls" => params.tls = tls(&value)?,
                "authority" => params.authority = Some(text(&key, &value)?),
                _ if params.take_web(&key, &value)? => {}
                _ => return wrong(format!("unknown connect param: {key:?}")),
            }
        }
        if protocol == Protocol::Web && params.timeout.is_zero() {
            return wrong("invalid timeout value: it needs to be more than 0");
        }
        Ok(params)
    }

    fn take_web(&mut self, key: &str, value: &Value<'_>) -> Read<bool> {
        match &mut self.web {
            Some(settings) => web::connect_param(settings, key, value),
            None => Ok(false),
        }
    }

    pub(super) fn protocol(&self) -> Protocol {
        match self.web {
            Some(_) => Protocol::Web,
            None => Protocol::Grpc,
        }
    }
}

/// What becomes of the messages of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Wanted {
    #[default]
    Object,
    /// An `ArrayBuffer` of the encoded message.
    Bytes,
    Nothing,
}

/// How to make a call.
#[derive(Debug, Default)]
pub(super) struct CallParams {
    pub(super) metadata: HeaderMap,
    pub(super) tags: Vec<(String, String)>,
    pub(super) timeout: Option<Duration>,
    pub(super) wanted: Wanted,
}

impl CallParams {
    pub(super) fn read(value: Option<&Value<'_>>, protocol: Protocol) -> Read<Self> {
        let mut params = Self::default();
        let Some(object) = object(value)? else {
            return Ok(params);
        };
        for entry in object.props::<String, Value>() {
            let (key, value) = entry?;
            match key.as_str() {
                "metadata" => params.metadata = metadata(&key, &value, protocol)?,
                "tags" => params.tags = tags(&value)?,
                "timeout" => params.timeout = Some(duration(&value)?),
                "discardResponseMessage" => {
                    if value.get::<Coerced<bool>>()?.0 {
                        params.wanted = Wanted::Nothing;
                    }
                }
                "responseType" if protocol == Protocol::Web => {
                    params.wanted = web::response_type(&key, &value)?;
                }
                _ => return wrong(format!("unknown param: {key:?}")),
            }
        }
        Ok(params)
    }
}

fn object<'a, 'js>(value: Option<&'a Value<'js>>) -> Read<Option<&'a Object<'js>>> {
    let given = value.filter(|value| !value.is_null() && !value.is_undefined());
    let Some(value) = given else {
        return Ok(None);
    };
    match value.as_object() {
        Some(object) => Ok(Some(object)),
        None => wrong(format!("{} is not an object", inspect(value))),
    }
}

pub(super) fn boolean(key: &str, value: &Value<'_>) -> Read<bool> {
    match value.as_bool() {
        Some(value) => Ok(value),
        None => wrong(format!(
            "invalid {key} value: '{}', it needs to be boolean",
            inspect(value)
        )),
    }
}

pub(super) fn text(key: &str, value: &Value<'_>) -> Read<String> {
    match value.as_string() {
        Some(text) => Ok(text.to_string()?),
        None => wrong(format!(
            "invalid {key} value: '{}', it needs to be a string",
            inspect(value)
        )),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the range is checked"
)]
fn size(key: &str, value: &Value<'_>) -> Read<usize> {
    match value.as_number() {
        Some(bytes) if bytes.fract() == 0.0 && bytes < 0.0 => wrong(format!(
            "invalid {key} value: '{bytes}, it needs to be a positive integer"
        )),
        Some(bytes) if bytes.fract() == 0.0 && bytes <= f64::from(u32::MAX) => Ok(bytes as usize),
        _ => wrong(format!(
            "invalid {key} value: '{}', it needs to be an integer",
            inspect(value)
        )),
    }
}

fn duration(value: &Value<'_>) -> Read<Duration> {
    let duration = match (value.as_number(), value.as_string()) {
        (Some(ms), _) => Duration::try_from_secs_f64(ms / 1e3).ok(),
        (None, Some(text)) => parse_duration(&text.to_string()?),
        (None, None) => None,
    };
    match duration {
        Some(duration) => Ok(duration),
        None => wrong(format!(
            "invalid timeout value: {}; give milliseconds as a number, or a text such as \"10s\"",
            inspect(value)
        )),
    }
}

/// Certificates and a key in PEM. A password would be for a key that is encrypted, which is told when
/// the key is read.
fn tls(value: &Value<'_>) -> Read<OwnTls> {
    let Some(object) = value.as_object() else {
        return wrong(format!(
            "invalid tls value: '{}', expected (optional) keys: cert, key, password, and cacerts",
            inspect(value)
        ));
    };
    let mut own = OwnTls::default();
    for entry in object.props::<String, Value>() {
        let (key, value) = entry?;
        match key.as_str() {
            "cert" => own.cert = Some(pem(&key, &value)?),
            "key" => own.key = Some(pem(&key, &value)?),
            "password" => drop(pem(&key, &value)?),
            "cacerts" => match value.as_array() {
                Some(list) => {
                    for item in list.iter::<Value>() {
                        own.roots.push(pem(&key, &item?)?);
                    }
                }
                None => own.roots.push(pem(&key, &value)?),
            },
            _ => {}
        }
    }
    Ok(own)
}

fn pem(key: &str, value: &Value<'_>) -> Read<String> {
    match value.as_string() {
        Some(text) => Ok(text.to_string()?),
        None => wrong(format!(
            "invalid tls {key} value: '{}', it needs to be a PEM formatted string",
            inspect(value)
        )),
    }
}

fn tags(value: &Value<'_>) -> Read<Vec<(String, String)>> {
    let mut tags = Vec::new();
    let Some(object) = object(Some(value))? else {
        return Ok(tags);
    };
    for entry in object.props::<String, Value>() {
        let (key, value) = entry?;
        if !value.is_string() && !value.is_number() && !value.is_bool() {
            return wrong(format!(
                "metric tags: the value of {key:?} is {}; only strings, booleans and numbers are \
                 accepted",
                inspect(&value)
            ));
        }
        tags.push((key, value.get::<Coerced<String>>()?.0));
    }
    Ok(tags)
}

pub(super) fn metadata(param: &str, value: &Value<'_>, protocol: Protocol) -> Read<HeaderMap> {
    let mut headers = HeaderMap::new();
    let is_absent = value.is_null() || value.is_undefined();
    let Some(object) = value.as_object() else {
        return if is_absent {
            Ok(headers)
        } else {
            wrong(format!("{param} must be an object with key-value pairs"))
        };
    };
    for entry in object.props::<String, Value>() {
        let (key, value) = entry?;
        let Ok(name) = HeaderName::try_from(key.to_ascii_lowercase()) else {
            return wrong(format!("metadata key {key:?} is not valid in a header"));
        };
        let text = if name.as_str().ends_with("-bin") {
            match bytes_of(&value) {
                Some(bytes) => BASE64_STANDARD_NO_PAD.encode(bytes),
                None => return wrong(format!("metadata value {key:?} value must be binary")),
            }
        } else {
            match value.as_string() {
                Some(text) => text.to_string()?,
                None => return wrong(format!("metadata value {key:?} must be a string")),
            }
        };
        if protocol == Protocol::Web {
            web::check_metadata(&key, &text)?;
        }
        let Ok(value) = HeaderValue::try_from(text) else {
            return wrong(format!(
                "metadata value of {key:?} is not valid in a header"
            ));
        };
        headers.insert(name, value);
    }
    Ok(headers)
}

/// The text that names a method, with its leading slash.
pub(super) fn method_path(ctx: &Ctx<'_>, value: Option<&Value<'_>>) -> Result<String> {
    let given = value.filter(|value| !value.is_undefined() && !value.is_null());
    let text = match given {
        Some(value) => value.get::<Coerced<String>>()?.0,
        None => String::new(),
    };
    if text.is_empty() {
        return Err(throw(ctx, "method to invoke cannot be empty"));
    }
    Ok(if text.starts_with('/') {
        text
    } else {
        format!("/{text}")
    })
}
