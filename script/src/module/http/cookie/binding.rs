//! `CookieJar` in JavaScript.

use std::{cell::RefCell, rc::Rc};

use rquickjs::{
    Class, Coerced, Ctx, Error, IntoJs, JsLifetime, Object, Result, Value, class::Trace,
    function::Opt, object::Property,
};

use super::{super::url::Target, Cookie, CookieError, SharedJar, check_name, plain};
use crate::engine::{Vu, throw};

/// A cookie jar that a script holds.
#[derive(Trace, JsLifetime)]
#[rquickjs::class(rename = "CookieJar")]
pub(in super::super) struct JarObject {
    #[qjs(skip_trace)]
    pub(in super::super) jar: SharedJar,
}

#[rquickjs::methods]
impl JarObject {
    /// An empty one.
    #[qjs(constructor)]
    fn new() -> Self {
        Self {
            jar: Rc::new(RefCell::default()),
        }
    }

    fn set<'js>(
        &self,
        ctx: Ctx<'js>,
        url: Opt<Value<'js>>,
        name: Opt<Coerced<String>>,
        value: Opt<Value<'js>>,
        options: Opt<Value<'js>>,
    ) -> Result<bool> {
        let target = target(&ctx, "set", url)?;
        let wrong = |error: CookieError| throw(&ctx, format!("CookieJar.set(): {error}"));
        let name = name.0.map(|name| name.0).unwrap_or_default();
        check_name(&name).map_err(wrong)?;
        let mut cookie = Cookie {
            name,
            value: plain(&text(value.0)?.unwrap_or_default()),
            ..Cookie::default()
        };
        if let Some(options) = given(options.0) {
            let options = options.as_object().ok_or_else(|| {
                wrong(CookieError::Option {
                    option: "options",
                    value: crate::global::inspect(&options),
                    expected: "an object",
                })
            })?;
            read_options(&mut cookie, options, wrong)?;
        }
        let (name, domain) = (cookie.name.clone(), cookie.domain.clone());
        let is_kept = self.jar.borrow_mut().set(&target, cookie);
        if !is_kept {
            let host = &target.host;
            Vu::of(&ctx)?.test().log().warn(format!(
                "the cookie {name} was not set: its domain {domain:?} is not that of the host {host:?}"
            ));
        }
        Ok(is_kept)
    }

    #[qjs(rename = "cookiesForURL")]
    fn cookies_for_url<'js>(&self, ctx: Ctx<'js>, url: Opt<Value<'js>>) -> Result<Object<'js>> {
        let target = target(&ctx, "cookiesForURL", url)?;
        let jar = self.jar.borrow();
        let cookies = jar.matching(&target).into_iter();
        lists(
            &ctx,
            cookies.map(|cookie| (cookie.name.clone(), cookie.value.as_str())),
        )
    }

    fn clear<'js>(&self, ctx: Ctx<'js>, url: Opt<Value<'js>>) -> Result<()> {
        let target = target(&ctx, "clear", url)?;
        self.jar.borrow_mut().forget(&target, None);
        Ok(())
    }

    fn delete<'js>(
        &self,
        ctx: Ctx<'js>,
        url: Opt<Value<'js>>,
        name: Opt<Coerced<String>>,
    ) -> Result<()> {
        let target = target(&ctx, "delete", url)?;
        let name = name.0.map(|name| name.0).unwrap_or_default();
        self.jar.borrow_mut().forget(&target, Some(&name));
        Ok(())
    }
}

impl JarObject {
    /// The object for a jar.
    ///
    /// # Errors
    /// When there is no memory.
    pub(in super::super) fn object<'js>(
        ctx: &Ctx<'js>,
        jar: SharedJar,
    ) -> Result<Class<'js, Self>> {
        Class::instance(ctx.clone(), Self { jar })
    }
}

/// An object of the values by name, each name with a list.
///
/// # Errors
/// When there is no memory.
pub(in super::super) fn lists<'js, V: IntoJs<'js>>(
    ctx: &Ctx<'js>,
    values: impl IntoIterator<Item = (String, V)>,
) -> Result<Object<'js>> {
    let mut lists: Vec<(String, Vec<V>)> = Vec::new();
    for (name, value) in values {
        match lists.iter_mut().find(|(known, _)| *known == name) {
            Some((_, list)) => list.push(value),
            None => lists.push((name, vec![value])),
        }
    }
    let object = Object::new(ctx.clone())?;
    for (name, list) in lists {
        // Defined, as a cookie may be called like what assigning means something else for.
        let property = Property::from(list.into_js(ctx)?);
        object.prop(name, property.writable().enumerable().configurable())?;
    }
    Ok(object)
}

fn target<'js>(ctx: &Ctx<'js>, method: &str, url: Opt<Value<'js>>) -> Result<Target> {
    let url = text(url.0)?.unwrap_or_default();
    Target::parse(&url)
        .map_err(|failure| throw(ctx, format!("CookieJar.{method}(): {}", failure.message)))
}

fn read_options(
    cookie: &mut Cookie,
    options: &Object<'_>,
    wrong: impl Fn(CookieError) -> Error,
) -> Result<()> {
    let option = |name: &str| {
        options
            .get::<_, Value>(name)
            .map(|value| given(Some(value)))
    };
    let flag = |name: &str| -> Result<bool> {
        let value = option(name)?.map(|value| value.get::<Coerced<bool>>());
        Ok(value.transpose()?.is_some_and(|flag| flag.0))
    };
    cookie.domain = text(option("domain")?)?.unwrap_or_default();
    cookie.path = text(option("path")?)?.unwrap_or_default();
    cookie.secure = flag("secure")?;
    cookie.http_only = flag("http_only")?;
    if let Some(value) = option("max_age")? {
        let seconds = value.as_number().filter(|seconds| seconds.is_finite());
        let seconds = seconds.ok_or_else(|| {
            wrong(CookieError::Option {
                option: "max_age",
                value: crate::global::inspect(&value),
                expected: "seconds",
            })
        })?;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "parts of a second are none, and what is beyond the range is its end"
        )]
        let seconds = seconds as i64;
        cookie.max_age = seconds;
    }
    let expires = text(option("expires")?)?.filter(|expires| !expires.is_empty());
    match expires {
        Some(expires) => cookie.set_expires(&expires).map_err(wrong),
        None => Ok(()),
    }
}

fn given(value: Option<Value<'_>>) -> Option<Value<'_>> {
    value.filter(|value| !value.is_undefined() && !value.is_null())
}

fn text(value: Option<Value<'_>>) -> Result<Option<String>> {
    let text = given(value).map(|value| value.get::<Coerced<String>>());
    Ok(text.transpose()?.map(|text| text.0))
}
