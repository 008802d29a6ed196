//! `http.batch()`: several requests at once, within the limits of the options.

use std::{collections::HashMap, rc::Rc};

use futures_util::future::join_all;
use rquickjs::{Array, Class, Coerced, Ctx, Object, Result, Value, function::Opt};
use tokio::sync::Semaphore;

use super::{
    answer::Answer,
    bindings::{State, response},
    client::Client,
    params,
    request::HttpRequest,
    response::HttpUrl,
};
use crate::engine::{Vu, throw, wait};

/// Sends all of an array or an object of requests, and gives their answers in the same form.
pub(super) fn batch<'js>(ctx: Ctx<'js>, requests: Opt<Value<'js>>) -> Result<Value<'js>> {
    let requests = requests
        .0
        .unwrap_or_else(|| Value::new_undefined(ctx.clone()));
    let vu = Vu::of(&ctx)?;
    vu.require_running(&ctx, "an HTTP request")?;
    let state = vu.state::<State>();
    let mut names = Vec::new();
    let mut parsed = Vec::new();
    if let Some(list) = requests.as_array() {
        for entry in list.iter::<Value>() {
            parsed.push(batch_entry(&ctx, &vu, &state, &entry?)?);
        }
    } else if let Some(object) = requests.as_object() {
        for entry in object.props::<String, Value>() {
            let (name, entry) = entry?;
            parsed.push(batch_entry(&ctx, &vu, &state, &entry)?);
            names.push(name);
        }
    } else {
        return Err(throw(
            &ctx,
            format!(
                "batch() takes an array or an object of requests, not {}",
                crate::global::inspect(&requests)
            ),
        ));
    }
    let client = state.client(&vu);
    let limits = Limits::new(&vu, &parsed);
    let answers = parsed
        .into_iter()
        .map(|request| limits.send(&client, request));
    let answers = wait(&ctx, join_all(answers))?;
    if requests.is_array() {
        let array = Array::new(ctx.clone())?;
        for (place, answer) in answers.into_iter().enumerate() {
            array.set(place, response(&ctx, &state, answer)?)?;
        }
        return Ok(array.into_value());
    }
    let object = Object::new(ctx.clone())?;
    for (name, answer) in names.into_iter().zip(answers) {
        object.set(name, response(&ctx, &state, answer)?)?;
    }
    Ok(object.into_value())
}

/// How many requests of a batch run at once.
enum Limits {
    /// All of them: there are no more than may run.
    None,
    /// So many.
    Some {
        all: Semaphore,
        by_host: HashMap<String, Semaphore>,
    },
}

impl Limits {
    fn new(vu: &Vu, requests: &[Rc<HttpRequest>]) -> Self {
        let permits = |limit: u64| {
            let limit = usize::try_from(limit).unwrap_or(usize::MAX);
            Semaphore::new(limit.min(Semaphore::MAX_PERMITS))
        };
        let options = vu.options();
        if requests.len() as u64 <= options.batch().min(options.batch_per_host()) {
            return Self::None;
        }
        let hosts = requests.iter().map(|request| host(&request.url).to_owned());
        Self::Some {
            all: permits(options.batch()),
            by_host: hosts
                .map(|host| (host, permits(options.batch_per_host())))
                .collect(),
        }
    }

    async fn send(&self, client: &Client, request: Rc<HttpRequest>) -> Box<Answer> {
        let Self::Some { all, by_host } = self else {
            return client.send(request).await;
        };
        // They are never closed, so there is a permit in the end.
        let _all = all.acquire().await;
        let _host = match by_host.get(host(&request.url)) {
            Some(limit) => limit.acquire().await.ok(),
            None => None,
        };
        client.send(request).await
    }
}

/// Host and port of a URL, as text.
fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}

/// A URL, `[method, url, body, params]`, or `{ method, url, body, params }`.
fn batch_entry<'js>(
    ctx: &Ctx<'js>,
    vu: &Vu,
    state: &State,
    entry: &Value<'js>,
) -> Result<Rc<HttpRequest>> {
    if let Some(parts) = entry.as_array() {
        let part = |place: usize| parts.get::<Value>(place);
        if parts.len() < 2 {
            let given = crate::global::inspect(entry);
            let message = format!("batch(): {given} is no [method, url, body, params]");
            return Err(throw(ctx, message));
        }
        let Coerced(method) = parts.get::<Coerced<String>>(0)?;
        return params::request(
            ctx,
            vu,
            state,
            &method,
            &part(1)?,
            Some(&part(2)?),
            Some(&part(3)?),
        );
    }
    let fields = entry
        .as_object()
        .filter(|object| Class::<HttpUrl>::from_object(object).is_none());
    let Some(fields) = fields else {
        return params::request(ctx, vu, state, "GET", entry, None, None);
    };
    let method: Option<String> = fields.get("method")?;
    let url: Value = fields.get("url")?;
    if url.is_undefined() {
        return Err(throw(ctx, "batch(): a request has no url"));
    }
    let body: Value = fields.get("body")?;
    let entry_params: Value = fields.get("params")?;
    let method = method.as_deref().unwrap_or("GET");
    params::request(
        ctx,
        vu,
        state,
        method,
        &url,
        Some(&body),
        Some(&entry_params),
    )
}
