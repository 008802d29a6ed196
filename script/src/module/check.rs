//! `check()`.

use std::ffi::{CStr, c_int};

use rquickjs::{Ctx, Object, Result, Value};

use super::core::plain_function;
use crate::{
    engine::{Arguments, Native, Vu, each_property, is_object, throw},
    metric::{Builtin, TagSet},
};

/// `check(value, checks, tags)`: counts every entry of `checks` as passed or failed; true when all passed.
pub(super) struct Check;

impl Native for Check {
    const NAME: &CStr = c"check";
    const LENGTH: c_int = 3;

    fn call<'js>(ctx: &Ctx<'js>, arguments: &Arguments<'_, 'js>) -> Result<Value<'js>> {
        let vu = Vu::of(ctx)?;
        vu.require_running(ctx, "check()")?;
        let checks = arguments.get(1).filter(|checks| is_object(checks));
        let (Some(value), Some(checks)) = (arguments.get(0), checks) else {
            return Err(throw(
                ctx,
                "check() takes an object of checks as its second argument",
            ));
        };
        let mut tag_set = vu.tags();
        if let Some(tags) = arguments.get(2)
            && let Some(tags) = tags.as_object()
        {
            tag_set = with_object_tags(&vu, &tag_set, tags)?;
        }
        let mut all = true;
        each_property(ctx, vu.names(), &checks, |name, condition| {
            if name.contains("::") {
                return Err(throw(
                    ctx,
                    format!("check {name:?}: a name must not contain \"::\""),
                ));
            }
            let passed = passes(ctx, &vu, name, &value, &condition);
            count(&vu, &tag_set, name, matches!(passed, Ok(true)));
            all &= passed?;
            Ok(())
        })?;
        Ok(Value::new_bool(ctx.clone(), all))
    }
}

fn passes<'js>(
    ctx: &Ctx<'js>,
    vu: &Vu,
    name: &str,
    value: &Value<'js>,
    condition: &Value<'js>,
) -> Result<bool> {
    if !condition.is_function() {
        return Ok(truthy(condition));
    }
    let function = plain_function(ctx, vu, condition, format_args!("check {name:?}"))?;
    let result: Value = function.call((value.clone(),))?;
    Ok(truthy(&result))
}

fn truthy(value: &Value<'_>) -> bool {
    if let Some(flag) = value.as_bool() {
        return flag;
    }
    value
        .get::<rquickjs::Coerced<bool>>()
        .is_ok_and(|coerced| coerced.0)
}

fn count(vu: &Vu, tags: &TagSet, name: &str, passed: bool) {
    let recorder = vu.recorder();
    let tags = if vu.options().has_system_tag("check") {
        &recorder.tags().with_tag(tags, "check", name)
    } else {
        tags
    };
    recorder.record(Builtin::Checks.id(), tags, f64::from(u8::from(passed)));
    recorder.count_check(tags.get("group").unwrap_or_default(), name, passed);
}

/// The tags of `{ key: value }` too; values become strings.
pub(super) fn with_object_tags(vu: &Vu, base: &TagSet, tags: &Object<'_>) -> Result<TagSet> {
    let mut pairs = Vec::new();
    for entry in tags.props::<String, rquickjs::Coerced<String>>() {
        let (key, value) = entry?;
        pairs.push((key, value.0));
    }
    let pairs = pairs
        .iter()
        .map(|(key, value)| (key.as_str(), value.as_str()));
    Ok(vu.recorder().tags().with(base, pairs))
}
