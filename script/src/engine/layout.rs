//! Objects whose properties are known without being listed.
//!
//! The engine keeps prototype, names, order and kinds of an object's properties in a *shape*, which objects
//! that were made the same way share. A shape that several objects share is never changed: whoever gains,
//! loses or redefines a property, or gets another prototype, is given another one. So when an object has the
//! shape of one that is kept here and that no script can reach, it has the same properties.
//!
//! The engine has no function that tells shapes apart. Where it keeps them is known of one version only, and
//! tried out once; where either fails there are no layouts, and properties are listed as ever.

use std::{ptr, slice, sync::OnceLock};

use rquickjs::{Ctx, Value, qjs};

use super::version;

/// How an object begins: `struct JSObject` of the engine.
#[repr(C)]
struct Head {
    links: [*const (); 2],
    flags_and_class: u64,
    shape: *const Shape,
    /// Of properties that hold values, in the order of the shape.
    values: *const qjs::JSValue,
}

enum Shape {}

/// What an ordinary object is like that has certain properties in a certain order, all of them enumerable
/// values, and no others. It must be dropped before the engine.
#[derive(Debug)]
pub(crate) struct Layout {
    runtime: *mut qjs::JSRuntime,
    /// Keeps the shape in use, so that it is neither changed nor freed.
    exemplar: *mut Head,
    class: qjs::JSClassID,
    shape: *const Shape,
    length: usize,
}

impl Layout {
    /// The layout of an object, if it is an ordinary one that has exactly these properties. `None`, too,
    /// when the object shares its shape with no other, or when there is no memory.
    pub(crate) fn of(ctx: &Ctx<'_>, object: &Value<'_>, names: &[qjs::JSAtom]) -> Option<Self> {
        let layout = is_understood(ctx).then(|| Self::new(ctx, names))??;
        layout.fits(object).then_some(layout)
    }

    fn new(ctx: &Ctx<'_>, names: &[qjs::JSAtom]) -> Option<Self> {
        let context = ctx.as_raw().as_ptr();
        // SAFETY: the context is in use; the object is owned, and by `layout` from there on.
        unsafe {
            let exemplar = qjs::JS_NewObject(context);
            if !qjs::JS_IsObject(exemplar) {
                drop(ctx.catch());
                return None;
            }
            let mut layout = Self {
                runtime: qjs::JS_GetRuntime(context),
                exemplar: head(exemplar).cast_mut(),
                class: qjs::JS_GetClassID(exemplar),
                shape: ptr::null(),
                length: names.len(),
            };
            for name in names {
                let flags = qjs::JS_PROP_C_W_E.cast_signed();
                let value = qjs::JS_UNDEFINED;
                if qjs::JS_DefinePropertyValue(context, exemplar, *name, value, flags) < 0 {
                    drop(ctx.catch());
                    return None;
                }
            }
            layout.shape = layout.current_shape();
            Some(layout)
        }
    }

    fn exemplar(&self) -> qjs::JSValue {
        qjs::JS_MKPTR(qjs::JS_TAG_OBJECT, self.exemplar.cast())
    }

    /// The shape of the exemplar now.
    fn current_shape(&self) -> *const Shape {
        // SAFETY: the exemplar is alive.
        unsafe { (*self.exemplar).shape }
    }

    /// Whether a value is an object of this layout.
    #[inline]
    pub(crate) fn fits(&self, value: &Value<'_>) -> bool {
        let value = value.as_raw();
        // SAFETY: the value is alive. What has a class is an object, and where those keep their shape was
        // tried out before there was a layout.
        unsafe { qjs::JS_GetClassID(value) == self.class && (*head(value)).shape == self.shape }
    }

    /// The values of an object's properties, in the order of their names; `None` when it is not of this
    /// layout. They belong to the object.
    ///
    /// # Safety
    /// The object is neither changed nor freed while they are used: no script runs.
    #[inline]
    pub(crate) unsafe fn values<'v>(&self, object: &'v Value<'_>) -> Option<&'v [qjs::JSValue]> {
        // SAFETY: an object of this layout has so many properties, all of which hold values.
        self.fits(object)
            .then(|| unsafe { slice::from_raw_parts((*head(object.as_raw())).values, self.length) })
    }
}

impl Drop for Layout {
    fn drop(&mut self) {
        // SAFETY: the object was made in this runtime, which lives longer, and is freed once.
        unsafe { qjs::JS_FreeValueRT(self.runtime, self.exemplar()) };
    }
}

/// # Safety
/// The value is an object.
unsafe fn head(object: qjs::JSValue) -> *const Head {
    // SAFETY: objects are pointers.
    unsafe { qjs::JS_VALUE_GET_PTR(object).cast_const().cast() }
}

/// Whether the engine keeps shapes where they are looked for.
fn is_understood(ctx: &Ctx<'_>) -> bool {
    static UNDERSTOOD: OnceLock<bool> = OnceLock::new();
    *UNDERSTOOD.get_or_init(|| version::is_known() && does_as_known(ctx).unwrap_or(false))
}

/// Tries it out with two names; `None` when there is no memory.
fn does_as_known(ctx: &Ctx<'_>) -> Option<bool> {
    let context = ctx.as_raw().as_ptr();
    // SAFETY: the context is in use; names are freed below, and the layouts hold what they need.
    unsafe {
        let names = [c"a", c"b"].map(|name| qjs::JS_NewAtom(context, name.as_ptr()));
        let outcome = try_out(ctx, names);
        for name in names {
            qjs::JS_FreeAtom(context, name);
        }
        outcome
    }
}

/// # Safety
/// The names are alive.
unsafe fn try_out(ctx: &Ctx<'_>, [a, b]: [qjs::JSAtom; 2]) -> Option<bool> {
    let context = ctx.as_raw().as_ptr();
    let made = |names: &[qjs::JSAtom]| Layout::new(ctx, names);
    let known = made(&[a, b])?;
    let others = [made(&[])?, made(&[a])?, made(&[b, a])?];
    let same = made(&[a, b])?;
    let is_same = |other: &Layout| other.current_shape() == known.current_shape();
    if !is_same(&same) || others.iter().any(is_same) {
        return Some(false);
    }
    // SAFETY: the objects are alive; numbers are owned by nobody.
    unsafe {
        let set = |name, number| {
            let flags = qjs::JS_PROP_C_W_E.cast_signed();
            let number = qjs::JS_MKVAL(qjs::JS_TAG_INT, number);
            qjs::JS_DefinePropertyValue(context, same.exemplar(), name, number, flags) >= 0
        };
        if !set(a, 1_234_567) || !set(b, -7_654_321) || !is_same(&same) {
            return Some(false);
        }
        let values = slice::from_raw_parts((*same.exemplar).values, 2);
        let numbers = [values[0], values[1]]
            .map(|value| qjs::JS_IsInt(value).then(|| qjs::JS_VALUE_GET_INT(value)));
        if numbers != [Some(1_234_567), Some(-7_654_321)] {
            return Some(false);
        }
        qjs::JS_DeleteProperty(context, same.exemplar(), a, 0);
        Some(!is_same(&same))
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use proptest::prelude::*;
    use rquickjs::{Context, Function, Runtime};

    use super::*;
    use crate::engine::Properties;

    fn with_engine(test: impl for<'js> FnOnce(&Ctx<'js>)) {
        let context = Context::full(&Runtime::new().unwrap()).unwrap();
        context.with(|ctx| test(&ctx));
    }

    /// The layout of an object as it is listed.
    fn layout_of<'js>(ctx: &Ctx<'js>, object: &Value<'js>) -> Option<Layout> {
        let properties = Properties::of(ctx, object).unwrap();
        let names: Vec<_> = (0..properties.len())
            .map(|place| properties.atom(place))
            .collect();
        Layout::of(ctx, object, &names)
    }

    fn to_number(value: qjs::JSValue) -> f64 {
        // SAFETY: the kind is looked at first.
        unsafe {
            if qjs::JS_IsInt(value) {
                qjs::JS_VALUE_GET_INT(value).into()
            } else {
                assert!(qjs::JS_TAG_IS_FLOAT64(qjs::JS_VALUE_GET_TAG(value)));
                qjs::JS_VALUE_GET_FLOAT64(value)
            }
        }
    }

    /// Where this fails, every object is listed, which is right and slow: see [`version::is_known`].
    #[test]
    fn this_engine_is_understood() {
        with_engine(|ctx| assert!(is_understood(ctx)));
    }

    #[test]
    fn objects_that_were_made_the_same_way_are_known_again() {
        with_engine(|ctx| {
            let first: Value = ctx.eval("({ isbn: 'a', quantity: 1.5 })").unwrap();
            let layout = layout_of(ctx, &first).unwrap();
            for source in [
                "({ isbn: 'b', quantity: 2 })",
                "JSON.parse('{\"isbn\":\"b\",\"quantity\":2}')",
                "(() => { const a = {}; a.isbn = 'b'; a.quantity = 2; return a; })()",
                "({ ...{ isbn: 'b', quantity: 2 } })",
                "Object.assign({ isbn: 'c' }, { isbn: 'b', quantity: 2 })",
                "Object.preventExtensions({ isbn: 'b', quantity: 2 })",
            ] {
                let twin: Value = ctx.eval(source).unwrap();
                // SAFETY: no script runs meanwhile.
                let values = unsafe { layout.values(&twin) }.unwrap();
                assert_eq!((values.len(), to_number(values[1])), (2, 2.0), "{source}");
            }
        });
    }

    /// Of these, none has the properties of `{ isbn, quantity }` as they are listed, and nothing else.
    #[test]
    fn no_other_object_is_taken_for_one_of_a_layout() {
        with_engine(|ctx| {
            let first: Value = ctx.eval("({ isbn: 'a', quantity: 1 })").unwrap();
            let layout = layout_of(ctx, &first).unwrap();
            for other in [
                "({})",
                "({ isbn: 'a' })",
                "({ quantity: 1, isbn: 'a' })",
                "({ isbn: 'a', quantity: 1, more: 2 })",
                "({ isbn: 'a', get quantity() { return 1; } })",
                "({ isbn: 'a', quantity: 1, __proto__: { more: 2 } })",
                "({ isbn: 'a', quantity: 1, __proto__: null })",
                "({ isbn: 'a', quantity: 1, [Symbol('more')]: 2 })",
                "Object.freeze({ isbn: 'a', quantity: 1 })",
                "new (class { isbn = 'a'; quantity = 1; })()",
                "new Proxy({ isbn: 'a', quantity: 1 }, {})",
                "Object.assign([], { isbn: 'a', quantity: 1 })",
                "Object.assign(() => 1, { isbn: 'a', quantity: 1 })",
                // Its elements are no part of its shape, which is that of an ordinary object.
                "(() => {
                    function Plain() {}
                    Plain.prototype = Object.prototype;
                    const bytes = Reflect.construct(Uint8Array, [3], Plain);
                    bytes.isbn = 'a';
                    bytes.quantity = 1;
                    return bytes;
                })()",
                "'text'",
                "1",
                "1.5",
                "null",
                "undefined",
                "Symbol('s')",
                "1n",
            ] {
                let value: Value = ctx.eval(other).unwrap();
                assert!(!layout.fits(&value), "{other}");
            }
        });
    }

    #[test]
    fn objects_that_have_changed_are_not_taken_for_what_they_were() {
        with_engine(|ctx| {
            let make = "({ isbn: 'a', quantity: 1 })";
            let first: Value = ctx.eval(make).unwrap();
            let layout = layout_of(ctx, &first).unwrap();
            for change in [
                "delete object.isbn",
                "delete object.isbn, object.isbn = 'a'",
                "object.more = 1",
                "Object.defineProperty(object, 'isbn', { get: () => 'a' })",
                "Object.defineProperty(object, 'isbn', { enumerable: false })",
                "Object.setPrototypeOf(object, { more: 1 })",
            ] {
                let change: Function = ctx.eval(format!("(object) => {{ {change} }}")).unwrap();
                // Both the object whose layout was taken and one that came later.
                let later: Value = ctx.eval(make).unwrap();
                assert!(layout.fits(&later), "{make}");
                for object in [first.clone(), later] {
                    change.call::<_, ()>((object.clone(),)).unwrap();
                    assert!(!layout.fits(&object));
                }
            }
            drop(first);
            assert!(layout.fits(&ctx.eval(make).unwrap()));
        });
    }

    /// What scripts can do to one of some objects, `object`, with one of some names and a number.
    const CHANGES: [&str; 12] = [
        "object[name] = number",
        "object[name] = number",
        "object[name] = number",
        "delete object[name]",
        "Object.defineProperty(object, name, { get: () => number, configurable: true })",
        "Object.defineProperty(object, name, { enumerable: number % 2 > 0, configurable: true, value: number })",
        "Object.defineProperty(object, name, { writable: number % 2 > 0, configurable: true, value: number })",
        "object[Symbol.for(name)] = number",
        "Object.setPrototypeOf(object, number % 2 > 0 ? Object.prototype : { [name]: number })",
        "objects[place] = { ...object }",
        "objects[place] = {}",
        "number % 4 > 0 || Object.freeze(object)",
    ];

    /// Whether an object has exactly these properties, all of them ordinary values.
    const IS_AS_LISTED: &str = "(object, names) =>
        Object.getPrototypeOf(object) === Object.prototype &&
        JSON.stringify(Reflect.ownKeys(object).map(String)) === JSON.stringify(names) &&
        Object.values(Object.getOwnPropertyDescriptors(object)).every(
            (property) => property.enumerable && property.writable && property.configurable)";

    proptest! {
        #[test]
        fn a_layout_fits_exactly_what_has_its_properties(
            changes in proptest::collection::vec((0..12_usize, 0..4_u32, 0..3_u32, 0..100_i32), 1..60),
        ) {
            with_engine(|ctx| {
                let _: Value = ctx.eval("globalThis.objects = [{}, {}, {}, {}]").unwrap();
                let changers = CHANGES.map(|change| -> Function {
                    let source = format!(
                        "(place, name, number) => {{ const object = objects[place]; {change}; }}"
                    );
                    ctx.eval(source).unwrap()
                });
                let is_as_listed: Function = ctx.eval(IS_AS_LISTED).unwrap();
                let get: Function = ctx.eval("(place) => objects[place]").unwrap();
                let values_of: Function = ctx.eval("Object.values").unwrap();
                let keys_of: Function = ctx.eval("Object.keys").unwrap();
                let mut layouts: Vec<(Value, Layout)> = Vec::new();
                for (change, place, name, number) in changes {
                    let name = ["a", "b", "c"][name as usize];
                    // What is frozen refuses, as modules and other strict code are told.
                    if changers[change].call::<_, ()>((place, name, number)).is_err() {
                        ctx.catch();
                    }
                    let object: Value = get.call((place,)).unwrap();
                    if let Some(layout) = layout_of(ctx, &object) {
                        layouts.push((keys_of.call((object,)).unwrap(), layout));
                    }
                    for place in 0..4 {
                        let object: Value = get.call((place,)).unwrap();
                        for (names, layout) in &layouts {
                            if !layout.fits(&object) {
                                continue;
                            }
                            let is: bool = is_as_listed.call((object.clone(), names.clone())).unwrap();
                            assert!(is);
                            let expected: Vec<f64> = values_of.call((object.clone(),)).unwrap();
                            // SAFETY: no script runs meanwhile.
                            let values = unsafe { layout.values(&object) }.unwrap();
                            let found: Vec<_> = values.iter().map(|value| to_number(*value)).collect();
                            assert_eq!(found, expected);
                        }
                    }
                }
            });
        }
    }
}
