//! The last argument of a request.

use std::{rc::Rc, time::Duration};

use http::{
    HeaderMap, HeaderName, HeaderValue, Method,
    header::{CONTENT_ENCODING, CONTENT_TYPE},
};
use rquickjs::{Class, Coerced, Ctx, Result, Value};

use super::{
    bindings::State,
    body::request_body,
    content_encoding::ContentEncoding,
    cookie::{JarObject, check_name, pair, plain},
    expected::Expected,
    request::{Auth, GivenCookie, HttpRequest, ResponseType},
    response::HttpUrl,
};
use crate::{
    engine::{Vu, each_property, is_object, throw},
    module::check::with_object_tags,
    options::parse_duration,
};

/// k6's default of `timeout`.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Reads the arguments of a request.
pub(super) fn request<'js>(
    ctx: &Ctx<'js>,
    vu: &Vu,
    state: &State,
    method: &str,
    url: &Value<'js>,
    body: Option<&Value<'js>>,
    params: Option<&Value<'js>>,
) -> Result<Rc<HttpRequest>> {
    let method = match method {
        "GET" => Method::GET,
        "POST" => Method::POST,
        other => Method::from_bytes(other.to_uppercase().as_bytes())
            .map_err(|_| throw(ctx, format!("{method:?} is no HTTP method")))?,
    };
    let (url, name) = url_and_name(ctx, state, url)?;
    let body = request_body(ctx, state.bodies(), body)?;
    let options = vu.options();
    let mut request = HttpRequest {
        method,
        url,
        name,
        headers: state.headers().none(),
        cookies: Vec::new(),
        jar: None,
        body: body.as_ref().map(|body| body.bytes.clone()),
        plain_body: None,
        auth: Auth::Basic,
        timeout: TIMEOUT,
        redirects: options.max_redirects(),
        response_type: if options.discard_response_bodies() {
            ResponseType::None
        } else {
            ResponseType::Text
        },
        expected: state.expected(),
        throw: options.throw(),
        tags: vu.tags(),
    };
    let mut compression = Vec::new();
    if let Some(params) = params.filter(|params| is_object(params)) {
        read_params(ctx, vu, state, (&mut request, &mut compression), params)?;
    }
    if let Some(content_type) = body.and_then(|body| body.content_type)
        && !request.headers.contains_key(CONTENT_TYPE)
    {
        request.headers = with_header(&request.headers, CONTENT_TYPE, content_type);
    }
    if !compression.is_empty() && request.body.is_some() {
        compress(ctx, vu, &mut request, &compression)?;
    }
    Ok(Rc::new(request))
}

/// Headers and one more, sorted.
fn with_header(headers: &HeaderMap, name: HeaderName, value: HeaderValue) -> Rc<HeaderMap> {
    let pairs = headers.iter();
    let mut pairs: Vec<_> = pairs
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    pairs.push((name, value));
    pairs.sort_by(|(one, _), (other, _)| one.as_str().cmp(other.as_str()));
    Rc::new(pairs.into_iter().collect())
}

/// Compresses the body, and says so in a header unless the script has that header.
fn compress(
    ctx: &Ctx<'_>,
    vu: &Vu,
    request: &mut HttpRequest,
    encodings: &[ContentEncoding],
) -> Result<()> {
    request.plain_body.clone_from(&request.body);
    let body = request.body.clone().unwrap_or_default();
    let body = (encodings.iter()).try_fold(body, |body, encoding| encoding.encode(&body));
    let body = body.map_err(|error| throw(ctx, format!("request parameter compression: {error}")));
    request.body = Some(body?);
    let names = encodings.iter().map(|encoding| encoding.name());
    let names = names.collect::<Vec<_>>().join(", ");
    let value = HeaderValue::try_from(&names).map_err(|error| throw(ctx, error.to_string()))?;
    match request.headers.get(CONTENT_ENCODING) {
        None => request.headers = with_header(&request.headers, CONTENT_ENCODING, value),
        Some(given) if *given != value => vu.test().log().warn(format!(
            "{} {}: the header Content-Encoding is {given:?} as the script has it, while the body is \
             in {names:?}, its compression; leave one of them out",
            request.method, request.url
        )),
        Some(_) => {}
    }
    Ok(())
}

fn url_and_name<'js>(
    ctx: &Ctx<'js>,
    state: &State,
    value: &Value<'js>,
) -> Result<(Rc<str>, Option<Rc<str>>)> {
    if let Some(url) = value.as_string() {
        return Ok((state.urls().of(ctx, url, Rc::from)?, None));
    }
    if let Some(url) = value.as_object().and_then(Class::<HttpUrl>::from_object) {
        let url = url.borrow();
        return Ok((url.url.as_str().into(), Some(url.name.as_str().into())));
    }
    let Coerced(url) = value.get::<Coerced<String>>()?;
    Ok((url.into(), None))
}

fn read_params<'js>(
    ctx: &Ctx<'js>,
    vu: &Vu,
    state: &State,
    (request, compression): (&mut HttpRequest, &mut Vec<ContentEncoding>),
    params: &Value<'js>,
) -> Result<()> {
    each_property(ctx, vu.names(), params, |name, value| {
        if value.is_undefined() || (value.is_null() && **name != *"responseCallback") {
            return Ok(());
        }
        if **name == *"compression" {
            *compression = encodings(ctx, &value)?;
            return Ok(());
        }
        read_param(ctx, vu, state, request, name, &value)
    })
}

/// What `compression` says.
fn encodings<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> Result<Vec<ContentEncoding>> {
    let Coerced(text) = value.get::<Coerced<String>>()?;
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    ContentEncoding::list(&text)
        .map_err(|error| throw(ctx, format!("request parameter compression: {error}")))
}

fn read_param<'js>(
    ctx: &Ctx<'js>,
    vu: &Vu,
    state: &State,
    request: &mut HttpRequest,
    name: &str,
    value: &Value<'js>,
) -> Result<()> {
    let wrong = |expected: &str| {
        let value = crate::global::inspect(value);
        throw(
            ctx,
            format!("request parameter {name}: {value} cannot be used; give {expected}"),
        )
    };
    match name {
        "headers" => {
            if !is_object(value) {
                return Err(wrong("an object of strings"));
            }
            let mut pairs = Vec::new();
            each_property(ctx, vu.names(), value, |name, value| {
                pairs.push((Rc::clone(name), header_value(ctx, state, &value)?));
                Ok(())
            })?;
            request.headers = state.headers().sorted(pairs).map_err(|(name, value)| {
                throw(ctx, format!("the header {name}: {value:?} cannot be sent"))
            })?;
        }
        "tags" => {
            let tags = value
                .as_object()
                .ok_or_else(|| wrong("an object of strings"))?;
            request.tags = with_object_tags(vu, &request.tags, tags)?;
            if let Some(name) = request.tags.get("name") {
                request.name = Some(name.into());
            }
        }
        "cookies" => {
            let cookies = value
                .as_object()
                .ok_or_else(|| wrong("an object of strings"))?;
            for entry in cookies.props::<String, Value>() {
                let (name, value) = entry?;
                let (value, replaces) = match value.as_object() {
                    Some(cookie) => (
                        cookie.get::<_, Coerced<String>>("value")?.0,
                        cookie.get::<_, Coerced<bool>>("replace")?.0,
                    ),
                    None => (value.get::<Coerced<String>>()?.0, false),
                };
                check_name(&name)
                    .map_err(|error| throw(ctx, format!("request parameter cookies: {error}")))?;
                request.cookies.push(GivenCookie {
                    pair: pair(&name, &plain(&value), false),
                    name,
                    replaces,
                });
            }
        }
        "jar" => {
            let jar = value.as_object().and_then(Class::<JarObject>::from_object);
            let jar = jar
                .ok_or_else(|| wrong("what http.cookieJar() returns, or a new http.CookieJar()"))?;
            request.jar = Some(Rc::clone(&jar.borrow().jar));
        }
        "timeout" => {
            request.timeout = timeout(value).ok_or_else(|| wrong("ms, or a string such as 10s"))?;
        }
        "redirects" => {
            let redirects = value.as_number().filter(|count| *count >= 0.0);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "not negative; a fraction of a redirect is none"
            )]
            let redirects = redirects.map(|count| count as u64);
            request.redirects = redirects.ok_or_else(|| wrong("a whole number from 0 on"))?;
        }
        "responseType" => {
            request.response_type = match value.get::<Coerced<String>>()?.0.as_str() {
                "text" => ResponseType::Text,
                "binary" => ResponseType::Binary,
                "none" => ResponseType::None,
                _ => return Err(wrong("text, binary or none")),
            };
        }
        "responseCallback" => request.expected = Expected::from_js(ctx, value)?,
        "throw" => request.throw = value.get::<Coerced<bool>>()?.0,
        "auth" => match value.get::<Coerced<String>>()?.0.as_str() {
            "basic" => request.auth = Auth::Basic,
            "digest" => request.auth = Auth::Digest,
            "ntlm" => {
                return Err(wrong(
                    "basic or digest; NTLM is not built into this runner, so run the script with k6",
                ));
            }
            _ => return Err(wrong("basic or digest")),
        },
        // As k6 does.
        _ => {}
    }
    Ok(())
}

fn header_value<'js>(ctx: &Ctx<'js>, state: &State, value: &Value<'js>) -> Result<Rc<str>> {
    match value.as_string() {
        Some(text) => state.header_values().of(ctx, text, Rc::from),
        None => Ok(value.get::<Coerced<String>>()?.0.into()),
    }
}

fn timeout(value: &Value<'_>) -> Option<Duration> {
    if let Some(ms) = value.as_number() {
        return Duration::try_from_secs_f64(ms / 1e3).ok();
    }
    parse_duration(&value.as_string()?.to_string().ok()?)
}
