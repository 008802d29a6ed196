//! The last argument of a request.

use std::{rc::Rc, time::Duration};

use http::{Method, header::CONTENT_TYPE};
use rquickjs::{Class, Coerced, Ctx, Result, Value};

use super::{
    bindings::State,
    body::request_body,
    expected::Expected,
    request::{HttpRequest, ResponseType},
    response::HttpUrl,
};
use crate::{
    engine::{Vu, each_property, is_object, throw},
    module::check::with_object_tags,
    options::parse_duration,
};

/// k6's default of `timeout`.
const TIMEOUT: Duration = Duration::from_mins(1);
/// Parameters of k6 that are not built.
const NOT_BUILT: [&str; 2] = ["jar", "compression"];

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
        body: body.as_ref().map(|body| body.bytes.clone()),
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
    if let Some(params) = params.filter(|params| is_object(params)) {
        read_params(ctx, vu, state, &mut request, params)?;
    }
    if let Some(content_type) = body.and_then(|body| body.content_type)
        && !request.headers.contains_key(CONTENT_TYPE)
    {
        let mut pairs: Vec<_> = request
            .headers
            .iter()
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        pairs.push((CONTENT_TYPE, content_type));
        pairs.sort_by(|(one, _), (other, _)| one.as_str().cmp(other.as_str()));
        request.headers = Rc::new(pairs.into_iter().collect());
    }
    Ok(Rc::new(request))
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
    request: &mut HttpRequest,
    params: &Value<'js>,
) -> Result<()> {
    each_property(ctx, vu.names(), params, |name, value| {
        if value.is_undefined() || (value.is_null() && **name != *"responseCallback") {
            return Ok(());
        }
        read_param(ctx, vu, state, request, name, &value)
    })
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
                request.cookies.push((name, value, replaces));
            }
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
            "basic" => {}
            _ => return Err(wrong("basic; other kinds need k6")),
        },
        _ if NOT_BUILT.contains(&name) => {
            return Err(throw(
                ctx,
                format!(
                    "the request parameter {name} is not built into this runner; run the script \
                     with k6"
                ),
            ));
        }
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
