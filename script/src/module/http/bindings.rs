//! What the module exports.

use std::{
    cell::{OnceCell, RefCell},
    ffi::{CStr, c_int},
    pin::pin,
    rc::Rc,
};

use bytes::Bytes;
use rquickjs::{
    Class, Coerced, Ctx, Function, Object, Promise, Result, Value,
    function::{Opt, Rest},
    module::{Declarations, Exports, ModuleDef},
};

use super::{
    answer::Answer,
    batch::batch,
    client::Client,
    cookie::JarObject,
    expected::{Expected, expected_statuses},
    file::file,
    params,
    request::HeaderCache,
    response::{HttpUrl, Response, ResponseForm},
    texts::Texts,
};
use crate::{
    engine::{Arguments, Native, Vu, native_function, throw, wait},
    tls::TlsVersion,
};

/// `get`, `post` and the like.
pub(crate) struct Http;

/// What the module keeps for a virtual user.
#[derive(Default)]
pub(super) struct State {
    client: OnceCell<Rc<Client>>,
    expected: RefCell<Expected>,
    headers: HeaderCache,
    header_values: Texts<Rc<str>>,
    urls: Texts<Rc<str>>,
    bodies: Texts<Bytes>,
    response_form: OnceCell<ResponseForm>,
}

impl State {
    /// What `setResponseCallback()` has set.
    pub(super) fn expected(&self) -> Expected {
        self.expected.borrow().clone()
    }

    /// Headers that requests had lately.
    pub(super) fn headers(&self) -> &HeaderCache {
        &self.headers
    }

    /// Values that headers had lately.
    pub(super) fn header_values(&self) -> &Texts<Rc<str>> {
        &self.header_values
    }

    /// URLs that were used lately.
    pub(super) fn urls(&self) -> &Texts<Rc<str>> {
        &self.urls
    }

    /// Strings that were sent lately.
    pub(super) fn bodies(&self) -> &Texts<Bytes> {
        &self.bodies
    }

    fn response_form(&self, ctx: &Ctx<'_>) -> Result<&ResponseForm> {
        if let Some(form) = self.response_form.get() {
            return Ok(form);
        }
        let form = ResponseForm::new(ctx)?;
        Ok(self.response_form.get_or_init(|| form))
    }

    /// The client of the user, told of its iteration.
    pub(super) fn client(&self, vu: &Vu) -> Rc<Client> {
        let client = self.client.get_or_init(|| Rc::new(Client::new(vu)));
        client.enter(vu.iteration());
        Rc::clone(client)
    }
}

const NAMES: [&str; 18] = [
    "get",
    "head",
    "post",
    "put",
    "patch",
    "del",
    "options",
    "request",
    "asyncRequest",
    "batch",
    "expectedStatuses",
    "setResponseCallback",
    "url",
    "file",
    "default",
    "Response",
    "cookieJar",
    "CookieJar",
];

impl ModuleDef for Http {
    fn declare(declarations: &Declarations<'_>) -> Result<()> {
        for name in NAMES {
            declarations.declare(name)?;
        }
        for version in TlsVersion::ALL {
            declarations.declare(version.constant())?;
        }
        Ok(())
    }

    fn evaluate<'js>(ctx: &Ctx<'js>, exports: &Exports<'js>) -> Result<()> {
        let http = Object::new(ctx.clone())?;
        let function = |name: &str, function: Result<Function<'js>>| http.set(name, function?);
        function("get", native_function::<Get>(ctx))?;
        function("head", native_function::<Head>(ctx))?;
        function("post", native_function::<Post>(ctx))?;
        function("put", native_function::<Put>(ctx))?;
        function("patch", native_function::<Patch>(ctx))?;
        function("del", native_function::<Delete>(ctx))?;
        function("options", native_function::<Options>(ctx))?;
        function("request", Function::new(ctx.clone(), request))?;
        function("asyncRequest", Function::new(ctx.clone(), async_request))?;
        function("batch", Function::new(ctx.clone(), batch))?;
        function(
            "expectedStatuses",
            Function::new(ctx.clone(), expected_statuses),
        )?;
        function(
            "setResponseCallback",
            Function::new(ctx.clone(), set_response_callback),
        )?;
        function("url", Function::new(ctx.clone(), url))?;
        function("file", Function::new(ctx.clone(), file))?;
        function("cookieJar", Function::new(ctx.clone(), cookie_jar))?;
        Class::<JarObject>::define(&http)?;
        Class::<Response>::define(&http)?;
        for version in TlsVersion::ALL {
            http.set(version.constant(), version.name())?;
            exports.export(version.constant(), version.name())?;
        }
        for name in NAMES {
            if name != "default" {
                exports.export(name, http.get::<_, Value>(name)?)?;
            }
        }
        exports.export("default", http)?;
        Ok(())
    }
}

type Argument<'js> = Opt<Value<'js>>;
type ResponseObject<'js> = Class<'js, Response>;

/// A function for every method. `$body` says whether there is a body between URL and parameters.
macro_rules! methods {
    ($($function:ident: $name:literal, $method:literal, $body:literal);*) => {
        $(struct $function;

        impl Native for $function {
            const NAME: &CStr = $name;
            const LENGTH: c_int = if $body { 3 } else { 2 };

            fn call<'js>(ctx: &Ctx<'js>, arguments: &Arguments<'_, 'js>) -> Result<Value<'js>> {
                let Some(url) = arguments.get(0) else {
                    return Err(throw(ctx, concat!("a ", $method, " takes a URL as its first argument")));
                };
                let (body, params) = if $body {
                    (arguments.get(1), arguments.get(2))
                } else {
                    (None, arguments.get(1))
                };
                send(ctx, $method, &url, body.as_deref(), params.as_deref()).map(Class::into_value)
            }
        })*
    };
}

methods!(
    Get: c"get", "GET", false;
    Head: c"head", "HEAD", false;
    Post: c"post", "POST", true;
    Put: c"put", "PUT", true;
    Patch: c"patch", "PATCH", true;
    Delete: c"del", "DELETE", true;
    Options: c"options", "OPTIONS", true
);

fn request<'js>(
    ctx: Ctx<'js>,
    method: Opt<Coerced<String>>,
    url: Argument<'js>,
    body: Argument<'js>,
    params: Argument<'js>,
) -> Result<ResponseObject<'js>> {
    let (method, url) = method_and_url(&ctx, method, url)?;
    send(&ctx, &method, &url, body.0.as_ref(), params.0.as_ref())
}

fn method_and_url<'js>(
    ctx: &Ctx<'js>,
    method: Opt<Coerced<String>>,
    url: Argument<'js>,
) -> Result<(String, Value<'js>)> {
    let given = method.0.map(|method| method.0).zip(url.0);
    given.ok_or_else(|| throw(ctx, "a request needs a method and a URL"))
}

fn send<'js>(
    ctx: &Ctx<'js>,
    method: &str,
    url: &Value<'js>,
    body: Option<&Value<'js>>,
    params: Option<&Value<'js>>,
) -> Result<ResponseObject<'js>> {
    let vu = Vu::of(ctx)?;
    vu.require_running(ctx, "an HTTP request")?;
    let state = vu.state::<State>();
    let request = params::request(ctx, &vu, &state, method, url, body, params)?;
    let client = state.client(&vu);
    // Pinned here: one that is handed over is copied.
    let answer = wait(ctx, pin!(client.send(request)))?;
    response(ctx, &state, answer)
}

/// The object for an answer, or an exception where failures throw.
pub(super) fn response<'js>(
    ctx: &Ctx<'js>,
    state: &State,
    answer: Box<Answer>,
) -> Result<ResponseObject<'js>> {
    match &answer.failure {
        Some(failure) if answer.request.throw => Err(throw(
            ctx,
            format!("{} {}: {}", answer.method, answer.url, failure.message),
        )),
        _ => Response::object(ctx, state.response_form(ctx)?, answer),
    }
}

fn async_request<'js>(
    ctx: Ctx<'js>,
    method: Opt<Coerced<String>>,
    url: Argument<'js>,
    body: Argument<'js>,
    params: Argument<'js>,
) -> Result<Promise<'js>> {
    let vu = Vu::of(&ctx)?;
    vu.require_running(&ctx, "an HTTP request")?;
    let state = vu.state::<State>();
    let (method, url) = method_and_url(&ctx, method, url)?;
    let request = params::request(
        &ctx,
        &vu,
        &state,
        &method,
        &url,
        body.0.as_ref(),
        params.0.as_ref(),
    )?;
    let client = state.client(&vu);
    vu.events().promise(
        &ctx,
        async move { client.send(request).await },
        |ctx, answer| {
            let state = Vu::of(ctx)?.state::<State>();
            response(ctx, &state, answer).map(Class::into_value)
        },
    )
}

fn set_response_callback<'js>(ctx: Ctx<'js>, callback: Value<'js>) -> Result<()> {
    let expected = Expected::from_js(&ctx, &callback)?;
    Vu::of(&ctx)?.state::<State>().expected.replace(expected);
    Ok(())
}

/// The jar of the virtual user, for this iteration.
fn cookie_jar(ctx: Ctx<'_>) -> Result<Class<'_, JarObject>> {
    let vu = Vu::of(&ctx)?;
    vu.require_running(&ctx, "cookieJar()")?;
    let jar = vu.state::<State>().client(&vu).jar();
    JarObject::object(&ctx, jar)
}

/// A tagged template: the name keeps the places of the values open.
fn url(
    ctx: Ctx<'_>,
    parts: Vec<String>,
    values: Rest<Coerced<String>>,
) -> Result<Class<'_, HttpUrl>> {
    let mut values = values.0.into_iter();
    let (mut url, mut name) = (String::new(), String::new());
    for (place, part) in parts.iter().enumerate() {
        if place > 0 {
            url.push_str(&values.next().map(|value| value.0).unwrap_or_default());
            name.push_str("${}");
        }
        url.push_str(part);
        name.push_str(part);
    }
    Class::instance(ctx, HttpUrl { url, name })
}
