//! The module `k6/metrics`.

use rquickjs::{
    Class, Coerced, Ctx, JsLifetime, Object, Result, Value,
    class::Trace,
    function::Opt,
    module::{Declarations, Exports, ModuleDef},
};

use super::check::with_object_tags;
use crate::{
    engine::{Vu, throw},
    metric::{Contains, Kind, MetricId},
};

/// `Counter`, `Gauge`, `Rate` and `Trend`.
pub(super) struct Metrics;

impl ModuleDef for Metrics {
    fn declare(declarations: &Declarations<'_>) -> Result<()> {
        for name in ["Counter", "Gauge", "Rate", "Trend", "default"] {
            declarations.declare(name)?;
        }
        Ok(())
    }

    fn evaluate<'js>(ctx: &Ctx<'js>, exports: &Exports<'js>) -> Result<()> {
        let all = Object::new(ctx.clone())?;
        Class::<Counter>::define(&all)?;
        Class::<Gauge>::define(&all)?;
        Class::<Rate>::define(&all)?;
        Class::<Trend>::define(&all)?;
        for name in ["Counter", "Gauge", "Rate", "Trend"] {
            exports.export(name, all.get::<_, Value>(name)?)?;
        }
        exports.export("default", all)?;
        Ok(())
    }
}

/// A metric that a script has made.
#[derive(Clone)]
struct Custom {
    name: String,
    id: MetricId,
}

impl Custom {
    fn new(ctx: &Ctx<'_>, name: &str, kind: Kind, contains: Contains) -> Result<Self> {
        let vu = Vu::of(ctx)?;
        vu.require_init(ctx, "a metric")?;
        let id = (vu.test().registry())
            .register(name, kind, contains)
            .map_err(|error| throw(ctx, error.to_string()))?;
        Ok(Self {
            name: name.to_owned(),
            id,
        })
    }

    fn add<'js>(&self, ctx: &Ctx<'js>, value: &Value<'js>, tags: &Opt<Value<'js>>) -> Result<()> {
        let vu = Vu::of(ctx)?;
        vu.require_running(ctx, &format!("add() of the metric {}", self.name))?;
        let Some(number) = number(value) else {
            return unusable(ctx, &vu, &self.name, value);
        };
        let mut tag_set = vu.tags();
        if let Some(tags) = tags.0.as_ref().and_then(Value::as_object) {
            tag_set = with_object_tags(&vu, &tag_set, tags)?;
        }
        vu.recorder().record(self.id, &tag_set, number);
        Ok(())
    }
}

fn number(value: &Value<'_>) -> Option<f64> {
    if let Some(flag) = value.as_bool() {
        return Some(f64::from(u8::from(flag)));
    }
    if value.is_null() || value.is_undefined() {
        return None;
    }
    let Coerced(number) = value.get::<Coerced<f64>>().ok()?;
    (!number.is_nan()).then_some(number)
}

fn unusable(ctx: &Ctx<'_>, vu: &Vu, name: &str, value: &Value<'_>) -> Result<()> {
    let message = format!(
        "{} is no value for the metric {name}; give it a number",
        crate::global::inspect(value)
    );
    if vu.options().throw() {
        return Err(throw(ctx, message));
    }
    vu.test().log().warn(message);
    Ok(())
}

macro_rules! metric_class {
    ($name:ident, $kind:expr, $doc:literal) => {
        #[doc = $doc]
        #[derive(Trace, JsLifetime)]
        #[rquickjs::class]
        struct $name {
            #[qjs(skip_trace)]
            metric: Custom,
        }

        #[rquickjs::methods]
        impl $name {
            #[qjs(constructor)]
            fn new(ctx: Ctx<'_>, name: String, is_time: Opt<bool>) -> Result<Self> {
                let contains = match is_time.0 {
                    Some(true) => Contains::Time,
                    _ => Contains::Default,
                };
                Ok(Self {
                    metric: Custom::new(&ctx, &name, $kind, contains)?,
                })
            }

            #[qjs(get)]
            fn name(&self) -> String {
                self.metric.name.clone()
            }

            fn add<'js>(
                &self,
                ctx: Ctx<'js>,
                value: Value<'js>,
                tags: Opt<Value<'js>>,
            ) -> Result<()> {
                self.metric.add(&ctx, &value, &tags)
            }
        }
    };
}

metric_class!(Counter, Kind::Counter, "A sum.");
metric_class!(Gauge, Kind::Gauge, "A last value.");
metric_class!(Rate, Kind::Rate, "A share.");
metric_class!(Trend, Kind::Trend, "A distribution.");
