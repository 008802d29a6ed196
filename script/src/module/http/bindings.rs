//! What the module exports.

use std::{
    cell::{OnceCell, RefCell},
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
    expected::{Expected, expected_statuses},
    file::file,
    params,
    request::HeaderCache,
    response::{HttpUrl, Response, ResponseForm},
    texts::Texts,
};
use crate::{
    engine::{Vu, throw, wait},
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

const NOT_BUILT: [&str; 2] = ["cookieJar", "CookieJar"];
const NAMES: [&str; 16] = [
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
];

impl ModuleDef for Http {
    fn declare(declarations: &Declarations<'_>) -> Result<()> {
        for name in NAMES.into_iter().chain(NOT_BUILT) {
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
        function("get", Function::new(ctx.clone(), get))?;
        function("head", Function::new(ctx.clone(), head))?;
        function("post", Function::new(ctx.clone(), post))?;
        function("put", Function::new(ctx.clone(), put))?;
        function("patch", Function::new(ctx.clone(), patch))?;
        function("del", Function::new(ctx.clone(), del))?;
        function("options", Function::new(ctx.clone(), options))?;
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
        for name in NOT_BUILT {
            let refuse = move |ctx: Ctx<'_>| -> Result<()> {
                Err(throw(
                    &ctx,
                    format!("http.{name} is not built into this runner; run the script with k6"),
                ))
            };
            function(name, Function::new(ctx.clone(), refuse))?;
        }
        Class::<Response>::define(&http)?;
        for version in TlsVersion::ALL {
            http.set(version.constant(), version.name())?;
            exports.export(version.constant(), version.name())?;
        }
        for name in NAMES.into_iter().chain(NOT_BUILT) {
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

fn get<'js>(
    ctx: Ctx<'js>,
    url: Argument<'js>,
    params: Argument<'js>,
) -> Result<ResponseObject<'js>> {
    send(&ctx, "GET", url.0.as_ref(), None, params.0.as_ref())
}

fn head<'js>(
    ctx: Ctx<'js>,
    url: Argument<'js>,
    params: Argument<'js>,
) -> Result<ResponseObject<'js>> {
    send(&ctx, "HEAD", url.0.as_ref(), None, params.0.as_ref())
}

/// Functions that take a URL, a body and parameters.
macro_rules! with_body {
    ($($name:ident: $method:literal),*) => {
        $(fn $name<'js>(
            ctx: Ctx<'js>,
            url: Argument<'js>,
            body: Argument<'js>,
            params: Argument<'js>,
        ) -> Result<ResponseObject<'js>> {
            send(&ctx, $method, url.0.as_ref(), body.0.as_ref(), params.0.as_ref())
        })*
    };
}

with_body!(post: "POST", put: "PUT", patch: "PATCH", del: "DELETE", options: "OPTIONS");

fn request<'js>(
    ctx: Ctx<'js>,
    method: Opt<Coerced<String>>,
    url: Argument<'js>,
    body: Argument<'js>,
    params: Argument<'js>,
) -> Result<ResponseObject<'js>> {
    let method = method_of(&ctx, method)?;
    send(
        &ctx,
        &method,
        url.0.as_ref(),
        body.0.as_ref(),
        params.0.as_ref(),
    )
}

fn send<'js>(
    ctx: &Ctx<'js>,
    method: &str,
    url: Option<&Value<'js>>,
    body: Option<&Value<'js>>,
    params: Option<&Value<'js>>,
) -> Result<ResponseObject<'js>> {
    let vu = Vu::of(ctx)?;
    vu.require_running(ctx, "an HTTP request")?;
    let state = vu.state::<State>();
    let url = given(ctx, url)?;
    let request = params::request(ctx, &vu, &state, method, url, body, params)?;
    let answer = wait(ctx, state.client(&vu).send(request))?;
    response(ctx, &state, answer)
}

fn given<'a, 'js>(ctx: &Ctx<'js>, url: Option<&'a Value<'js>>) -> Result<&'a Value<'js>> {
    url.ok_or_else(|| throw(ctx, "a request needs a URL"))
}

fn method_of(ctx: &Ctx<'_>, method: Opt<Coerced<String>>) -> Result<String> {
    let method = method.0.map(|method| method.0);
    method.ok_or_else(|| throw(ctx, "a request needs a method and a URL"))
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
    let method = method_of(&ctx, method)?;
    let request = params::request(
        &ctx,
        &vu,
        &state,
        &method,
        given(&ctx, url.0.as_ref())?,
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
