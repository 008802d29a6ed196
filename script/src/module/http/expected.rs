//! Which answers a script expects.

use rquickjs::{Class, Ctx, JsLifetime, Object, Result, Value, class::Trace, function::Rest};

use crate::engine::throw;

/// Decides whether an answer counts as failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Expected {
    /// 200 to 399.
    #[default]
    Default,
    /// Statuses in one of these ranges.
    Statuses(Vec<(u16, u16)>),
    /// Nothing is decided, and no `http_req_failed` recorded.
    Undecided,
}

impl Expected {
    /// `None` when nothing is to be decided.
    pub(super) fn holds(&self, status: u16) -> Option<bool> {
        match self {
            Self::Default => Some((200..400).contains(&status)),
            Self::Statuses(ranges) => Some(
                ranges
                    .iter()
                    .any(|&(low, high)| (low..=high).contains(&status)),
            ),
            Self::Undecided => None,
        }
    }

    /// What `expectedStatuses()` or null says.
    pub(super) fn from_js<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> Result<Self> {
        if value.is_null() {
            return Ok(Self::Undecided);
        }
        let class = value
            .as_object()
            .and_then(Class::<ExpectedStatuses>::from_object);
        match class {
            Some(class) => Ok(Self::Statuses(class.borrow().ranges.clone())),
            None => Err(throw(
                ctx,
                "a response callback is what http.expectedStatuses() returns, or null",
            )),
        }
    }
}

/// What `expectedStatuses()` returns.
#[derive(Trace, JsLifetime)]
#[rquickjs::class]
pub(super) struct ExpectedStatuses {
    #[qjs(skip_trace)]
    ranges: Vec<(u16, u16)>,
}

#[rquickjs::methods]
impl ExpectedStatuses {}

/// `expectedStatuses(200, { min: 300, max: 399 })`.
pub(super) fn expected_statuses<'js>(
    ctx: Ctx<'js>,
    statuses: Rest<Value<'js>>,
) -> Result<Class<'js, ExpectedStatuses>> {
    let wrong = || {
        throw(
            &ctx,
            "expectedStatuses() takes status codes and ranges such as { min: 200, max: 299 }",
        )
    };
    let mut ranges = Vec::new();
    for status in statuses.0 {
        let range = match status.as_object() {
            None => code(&status).map(|status| (status, status)),
            Some(range) => range_of(range),
        };
        ranges.push(range.ok_or_else(wrong)?);
    }
    if ranges.is_empty() {
        return Err(wrong());
    }
    Class::instance(ctx.clone(), ExpectedStatuses { ranges })
}

fn range_of(range: &Object<'_>) -> Option<(u16, u16)> {
    let end = |name: &str| code(&range.get(name).ok()?);
    Some((end("min")?, end("max")?))
}

/// A whole number that a status may be.
fn code(value: &Value<'_>) -> Option<u16> {
    let number = value.as_number()?;
    (0..=u16::MAX).find(|code| f64::from(*code).total_cmp(&number).is_eq())
}
