//! What a request returns.

use std::time::UNIX_EPOCH;

use http::{HeaderMap, header::COOKIE};
use rquickjs::{
    ArrayBuffer, Class, Coerced, Ctx, Error, IntoJs, JsLifetime, Object, Persistent, Result,
    String as Text, Value, class::Trace, function::Opt,
};

use super::{
    answer::Answer,
    cookie::{Cookie, lists, received_pairs},
    json_path::{PathError, select},
    request::ResponseType,
};
use crate::{
    engine::{KnownName, empty_object, throw, wait},
    http1::canonical,
};

/// The answer to a request. What nearly every script reads of it are properties of the object's own; the
/// other parts become JavaScript values when they are read.
#[derive(Trace, JsLifetime)]
#[rquickjs::class]
pub(crate) struct Response {
    #[qjs(skip_trace)]
    answer: Box<Answer>,
}

/// What all such objects of a virtual user share.
pub(super) struct ResponseForm {
    prototype: Persistent<Object<'static>>,
    status: KnownName,
    body: KnownName,
    /// Objects with none, one and both of the properties. The engine forgets how an object is laid out with
    /// the last of its kind, and would work it out anew for every answer.
    _kept: [Persistent<Object<'static>>; 3],
}

impl ResponseForm {
    /// # Errors
    /// When there is no memory.
    pub(super) fn new(ctx: &Ctx<'_>) -> Result<Self> {
        let prototype = Class::<Response>::prototype(ctx)?.ok_or(Error::Unknown)?;
        let (status, body) = (KnownName::new(ctx, "status")?, KnownName::new(ctx, "body")?);
        let kept = |names: &[&KnownName]| -> Result<_> {
            let object = empty_object(&prototype)?;
            for name in names {
                name.set(&object, &Value::new_null(ctx.clone()))?;
            }
            Ok(Persistent::save(ctx, object))
        };
        Ok(Self {
            _kept: [kept(&[])?, kept(&[&status])?, kept(&[&status, &body])?],
            prototype: Persistent::save(ctx, prototype),
            status,
            body,
        })
    }
}

impl Response {
    /// The object for an answer.
    ///
    /// # Errors
    /// When there is no memory.
    pub(super) fn object<'js>(
        ctx: &Ctx<'js>,
        form: &ResponseForm,
        answer: Box<Answer>,
    ) -> Result<Class<'js, Self>> {
        let status = Value::new_int(ctx.clone(), answer.status.into());
        let body = body(ctx, &answer)?;
        let prototype = form.prototype.clone().restore(ctx)?;
        let object = Class::instance_proto(Self { answer }, prototype)?;
        form.status.set(&object, &status)?;
        form.body.set(&object, &body)?;
        Ok(object)
    }
}

/// A string or an `ArrayBuffer`; null where there is no body or none is wanted.
fn body<'js>(ctx: &Ctx<'js>, answer: &Answer) -> Result<Value<'js>> {
    let without_body = matches!(answer.status, 0 | 100..=199 | 204 | 304);
    match answer.request.response_type {
        _ if without_body => Ok(Value::new_null(ctx.clone())),
        ResponseType::None => Ok(Value::new_null(ctx.clone())),
        ResponseType::Text => {
            let text = match std::str::from_utf8(&answer.body) {
                Ok(text) => Text::from_str(ctx.clone(), text)?,
                Err(_) => Text::from_str(ctx.clone(), &String::from_utf8_lossy(&answer.body))?,
            };
            Ok(text.into_value())
        }
        ResponseType::Binary => ArrayBuffer::new_copy(ctx.clone(), &answer.body)?.into_js(ctx),
    }
}

#[rquickjs::methods]
#[expect(clippy::unused_self, reason = "a method of JavaScript")]
impl Response {
    #[qjs(get, enumerable)]
    fn status_text(&self) -> String {
        self.answer.status_text()
    }

    #[qjs(get, enumerable)]
    fn headers<'js>(&self, ctx: Ctx<'js>) -> Result<Object<'js>> {
        headers_object(&ctx, self.answer.headers())
    }

    #[qjs(get, enumerable)]
    fn cookies<'js>(&self, ctx: Ctx<'js>) -> Result<Object<'js>> {
        let cookies = Cookie::all(self.answer.headers()).into_iter();
        let objects: Result<Vec<_>> = cookies
            .map(|cookie| Ok((cookie.name.clone(), cookie_object(&ctx, &cookie)?)))
            .collect();
        lists(&ctx, objects?)
    }

    #[qjs(get, enumerable)]
    fn url(&self) -> String {
        self.answer.url.to_string()
    }

    #[qjs(get, enumerable)]
    fn proto(&self) -> &'static str {
        self.answer.proto
    }

    #[qjs(get, enumerable)]
    fn remote_ip(&self) -> String {
        let remote = self.answer.remote;
        remote
            .map(|remote| remote.ip().to_string())
            .unwrap_or_default()
    }

    #[qjs(get, enumerable)]
    fn remote_port(&self) -> u16 {
        self.answer
            .remote
            .map(|remote| remote.port())
            .unwrap_or_default()
    }

    #[qjs(get, enumerable)]
    fn error(&self) -> String {
        let failure = self.answer.failure.as_ref();
        failure
            .map(|failure| failure.message.clone())
            .unwrap_or_default()
    }

    #[qjs(get, enumerable)]
    fn error_code(&self) -> u16 {
        match &self.answer.failure {
            Some(failure) => failure.code,
            None if self.answer.status >= 400 => 1000 + self.answer.status,
            None => 0,
        }
    }

    #[qjs(get, enumerable)]
    fn tls_version(&self) -> &'static str {
        self.answer.session.unwrap_or_default().version
    }

    #[qjs(get, enumerable)]
    fn tls_cipher_suite(&self) -> &'static str {
        self.answer.session.unwrap_or_default().cipher_suite
    }

    #[qjs(get, enumerable)]
    fn timings<'js>(&self, ctx: Ctx<'js>) -> Result<Object<'js>> {
        let timings = &self.answer.timings;
        let object = Object::new(ctx)?;
        for (name, duration) in [
            ("duration", timings.duration()),
            ("blocked", timings.blocked),
            ("looking_up", std::time::Duration::ZERO),
            ("connecting", timings.connecting),
            ("tls_handshaking", timings.tls_handshaking),
            ("sending", timings.sending),
            ("waiting", timings.waiting),
            ("receiving", timings.receiving),
        ] {
            object.set(name, duration.as_secs_f64() * 1e3)?;
        }
        Ok(object)
    }

    #[qjs(get, enumerable)]
    fn request<'js>(&self, ctx: Ctx<'js>) -> Result<Object<'js>> {
        let request = &self.answer.request;
        let object = Object::new(ctx.clone())?;
        object.set("method", request.method.as_str())?;
        object.set("url", &*request.url)?;
        object.set("headers", header_lists(&ctx, &self.answer.sent.headers)?)?;
        object.set("cookies", self.sent_cookies(&ctx)?)?;
        let body = request.plain_body.as_ref().or(request.body.as_ref());
        let body = body.map_or(&[][..], |body| body);
        object.set("body", &*String::from_utf8_lossy(body))?;
        Ok(object)
    }

    fn json<'js>(&self, ctx: Ctx<'js>, selector: Opt<Value<'js>>) -> Result<Value<'js>> {
        let body = &self.answer.body;
        if self.answer.request.response_type == ResponseType::None || body.is_empty() {
            return Err(throw(
                &ctx,
                "json(): the body is null, so there is nothing to read; the request failed, or it \
                 was made with responseType none",
            ));
        }
        let selector = selector.0.filter(|selector| !selector.is_undefined());
        let Some(selector) = selector else {
            return ctx.json_parse(&**body);
        };
        let Coerced(selector) = selector.get::<Coerced<String>>()?;
        // Waiting for nothing moves the recursion of the parser to the thread's own stack.
        let found = wait(&ctx, async { select_json(body, &selector) })?;
        match found.map_err(|error| throw(&ctx, format!("json(): {error}")))? {
            Some(found) => ctx.json_parse(found),
            None => Ok(Value::new_undefined(ctx)),
        }
    }

    fn html<'js>(&self, ctx: Ctx<'js>) -> Result<Value<'js>> {
        Err(not_built(&ctx, "html()"))
    }

    #[qjs(rename = "submitForm")]
    fn submit_form<'js>(&self, ctx: Ctx<'js>) -> Result<Value<'js>> {
        Err(not_built(&ctx, "submitForm()"))
    }

    #[qjs(rename = "clickLink")]
    fn click_link<'js>(&self, ctx: Ctx<'js>) -> Result<Value<'js>> {
        Err(not_built(&ctx, "clickLink()"))
    }

    #[qjs(rename = "toJSON")]
    fn to_json<'js>(&self, ctx: Ctx<'js>) -> Result<Object<'js>> {
        let object = Object::new(ctx.clone())?;
        object.set("remote_ip", self.remote_ip())?;
        object.set("remote_port", self.remote_port())?;
        object.set("url", self.url())?;
        object.set("status", self.answer.status)?;
        object.set("status_text", self.status_text())?;
        object.set("proto", self.proto())?;
        object.set("headers", self.headers(ctx.clone())?)?;
        object.set("body", body(&ctx, &self.answer)?)?;
        object.set("cookies", self.cookies(ctx.clone())?)?;
        object.set("timings", self.timings(ctx.clone())?)?;
        object.set("error", self.error())?;
        object.set("error_code", self.error_code())?;
        object.set("request", self.request(ctx)?)?;
        Ok(object)
    }
}

impl Response {
    /// The cookies of the request.
    fn sent_cookies<'js>(&self, ctx: &Ctx<'js>) -> Result<Object<'js>> {
        let mut all = Vec::new();
        let header = self.answer.sent.headers.get(COOKIE);
        let header = header.and_then(|header| header.to_str().ok());
        for (name, value) in header.into_iter().flat_map(received_pairs) {
            let mut given = self.answer.request.cookies.iter();
            let cookie = Object::new(ctx.clone())?;
            cookie.set("name", name)?;
            cookie.set("value", value)?;
            let replaces = given.any(|given| given.name == name && given.replaces);
            cookie.set("replace", replaces)?;
            all.push((name.to_owned(), cookie));
        }
        lists(ctx, all)
    }
}

/// What a selector finds in a body, as JSON.
fn select_json(body: &[u8], selector: &str) -> std::result::Result<Option<String>, PathError> {
    let value =
        serde_json::from_slice(body).map_err(|error| PathError::NoJson(error.to_string()))?;
    Ok(select(&value, selector)?.map(|found| found.to_string()))
}

fn cookie_object<'js>(ctx: &Ctx<'js>, cookie: &Cookie) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    object.set("name", cookie.name.as_str())?;
    object.set("value", cookie.value.as_str())?;
    object.set("domain", cookie.domain.as_str())?;
    object.set("path", cookie.path.as_str())?;
    object.set("http_only", cookie.http_only)?;
    object.set("secure", cookie.secure)?;
    object.set("max_age", cookie.max_age)?;
    let expires = cookie
        .expires
        .and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    let expires_ms = expires.map(|since| since.as_secs_f64() * 1e3);
    object.set("expires", expires_ms.unwrap_or_default())?;
    Ok(object)
}

fn not_built(ctx: &Ctx<'_>, what: &str) -> Error {
    throw(
        ctx,
        format!("Response.{what} is not built into this runner; run the script with k6"),
    )
}

/// Headers by the names that Go gives them; several values are joined.
fn headers_object<'js>(ctx: &Ctx<'js>, headers: &HeaderMap) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    for (name, values) in headers_by_name(headers) {
        object.set(name, values.join(", "))?;
    }
    Ok(object)
}

/// Headers of a request, whose values k6 gives as an array each.
fn header_lists<'js>(ctx: &Ctx<'js>, headers: &HeaderMap) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    for (name, values) in headers_by_name(headers) {
        object.set(name, values)?;
    }
    Ok(object)
}

fn headers_by_name(headers: &HeaderMap) -> impl Iterator<Item = (String, Vec<String>)> {
    headers.keys().map(|name| {
        let values = headers.get_all(name).iter();
        let values = values.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        let name = canonical(name.as_str()).map(char::from).collect();
        (name, values.collect())
    })
}

/// A URL with a name of its own, from `` http.url`…` ``.
#[derive(Trace, JsLifetime)]
#[rquickjs::class(rename = "HTTPURL")]
pub(super) struct HttpUrl {
    #[qjs(get, enumerable)]
    pub(super) url: String,
    #[qjs(get, enumerable)]
    pub(super) name: String,
}

#[rquickjs::methods]
impl HttpUrl {
    #[qjs(rename = "toString")]
    fn text(&self) -> String {
        self.url.clone()
    }
}
