//! The module `k6/data`.

use std::sync::Arc;

use rquickjs::{
    Ctx, Function, Object, Result, Value,
    module::{Declarations, Exports, ModuleDef},
};

use super::shared_arrays::SharedArrays;
use crate::engine::{Vu, throw};

/// `SharedArray`.
pub(super) struct Data;

/// The class, given what makes the content: items are parsed when they are read, and frozen.
const CLASS: &str = "(make) => {
    const freeze = (value) => {
        if (typeof value === 'object' && value !== null) Object.values(value).forEach(freeze);
        return Object.freeze(value);
    };
    const isIndex = (name) => typeof name === 'string' && /^(0|[1-9][0-9]*)$/.test(name);
    const refuse = () => { throw new TypeError('a SharedArray cannot be changed'); };
    return class SharedArray {
        constructor(name, fill) {
            const { length, item } = make(name, fill);
            const read = (name) => (Number(name) < length ? freeze(JSON.parse(item(Number(name)))) : undefined);
            return new Proxy([], {
                get: (target, name, proxy) => {
                    if (name === 'length') return length;
                    return isIndex(name) ? read(name) : Reflect.get(target, name, proxy);
                },
                has: (target, name) => (isIndex(name) ? Number(name) < length : name in target),
                ownKeys: () => [...Array(length).keys()].map(String).concat('length'),
                getOwnPropertyDescriptor: (_, name) => {
                    if (name === 'length') return { value: length, writable: true, enumerable: false, configurable: false };
                    if (!isIndex(name) || Number(name) >= length) return undefined;
                    return { value: read(name), writable: true, enumerable: true, configurable: true };
                },
                set: refuse,
                deleteProperty: refuse,
                defineProperty: refuse,
            });
        }
    };
}";

impl ModuleDef for Data {
    fn declare(declarations: &Declarations<'_>) -> Result<()> {
        declarations.declare("SharedArray")?;
        declarations.declare("default")?;
        Ok(())
    }

    fn evaluate<'js>(ctx: &Ctx<'js>, exports: &Exports<'js>) -> Result<()> {
        let define: Function = ctx.eval(CLASS)?;
        let class: Value = define.call((Function::new(ctx.clone(), make)?,))?;
        let all = Object::new(ctx.clone())?;
        all.set("SharedArray", class.clone())?;
        exports.export("SharedArray", class)?;
        exports.export("default", all)?;
        Ok(())
    }
}

/// The content of the array of that name; the first virtual user to ask makes it.
fn make<'js>(ctx: Ctx<'js>, name: String, fill: Function<'js>) -> Result<Object<'js>> {
    let vu = Vu::of(&ctx)?;
    vu.require_init(&ctx, "a SharedArray")?;
    if name.is_empty() {
        return Err(throw(&ctx, "a SharedArray needs a name"));
    }
    let shared = vu.test().shared::<SharedArrays>();
    let items = match shared.get(&name) {
        Some(items) => items,
        None => shared.insert(name, fill_items(&ctx, &fill)?),
    };
    let object = Object::new(ctx.clone())?;
    object.set("length", items.len())?;
    let item = move |place: usize| items.get(place).map(ToString::to_string);
    object.set("item", Function::new(ctx, item)?)?;
    Ok(object)
}

fn fill_items<'js>(ctx: &Ctx<'js>, fill: &Function<'js>) -> Result<Vec<Arc<str>>> {
    let value: Value = fill.call(())?;
    let Some(array) = value.as_array() else {
        return Err(throw(
            ctx,
            "the function of a SharedArray must return an array",
        ));
    };
    array
        .iter::<Value>()
        .map(|item| {
            let json = ctx.json_stringify(item?)?;
            let json = json.map(|json| json.to_string()).transpose()?;
            Ok(json.unwrap_or_else(|| "null".to_owned()).into())
        })
        .collect()
}
