//! Objects of the engine without the cost of converting names.

use std::{marker::PhantomData, mem::ManuallyDrop, ops::Deref, ptr};

use rquickjs::{Ctx, Error, Function, Object, Result, Value, qjs};

use crate::engine::{Properties, ascii};

/// A property name that the engine has interned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::module::grpc) struct Name(qjs::JSAtom);

impl Name {
    /// The name that the engine has this number for.
    pub(super) fn of(atom: qjs::JSAtom) -> Self {
        Self(atom)
    }
}

/// Interned names of one virtual user. Keep it in [`Vu::state`](crate::engine::Vu::state): it
/// must be dropped before the engine.
#[derive(Debug)]
pub(in crate::module::grpc) struct Names {
    runtime: *mut qjs::JSRuntime,
    held: Vec<Name>,
    plain: usize,
}

impl Names {
    pub(in crate::module::grpc) fn new(ctx: &Ctx<'_>) -> Result<Self> {
        let object = Object::new(ctx.clone())?;
        Ok(Self {
            // SAFETY: the context is in use.
            runtime: unsafe { qjs::JS_GetRuntime(ctx.as_raw().as_ptr()) },
            held: Vec::new(),
            plain: prototype(ctx, object.as_value()),
        })
    }

    /// Interns a name for as long as `self` lives.
    pub(in crate::module::grpc) fn intern(&mut self, ctx: &Ctx<'_>, text: &str) -> Result<Name> {
        let length = text.len().try_into().map_err(|_| Error::Unknown)?;
        // SAFETY: the text is alive during the call, which copies it.
        let atom =
            unsafe { qjs::JS_NewAtomLen(ctx.as_raw().as_ptr(), text.as_ptr().cast(), length) };
        if atom == qjs::JS_ATOM_NULL {
            return Err(Error::Exception);
        }
        self.held.push(Name(atom));
        Ok(Name(atom))
    }

    /// Whether a value is an object like those of literals, so that `JSON.stringify` would print
    /// its own properties and nothing else.
    pub(super) fn is_plain(&self, ctx: &Ctx<'_>, value: &Value<'_>) -> bool {
        // Proxies run code of the script for every question.
        value.is_object() && !value.is_proxy() && prototype(ctx, value) == self.plain
    }
}

impl Drop for Names {
    fn drop(&mut self) {
        for name in &self.held {
            // SAFETY: each name was interned in this runtime, which outlives `self`, and is
            // freed once.
            unsafe { qjs::JS_FreeAtomRT(self.runtime, name.0) };
        }
    }
}

/// Tells prototypes apart; 0 for none.
fn prototype(ctx: &Ctx<'_>, value: &Value<'_>) -> usize {
    // SAFETY: context and value are alive; the result is owned.
    let prototype = unsafe {
        Held::new(
            ctx,
            qjs::JS_GetPrototype(ctx.as_raw().as_ptr(), value.as_raw()),
        )
    };
    if !prototype.is_object() {
        return 0;
    }
    // SAFETY: objects are pointers; this one is compared and never followed.
    unsafe { qjs::JS_VALUE_GET_PTR(prototype.as_raw()) as usize }
}

/// An owned value that borrows its context. A [`Value`] counts as one more user of the context,
/// which takes a call of the engine when it is made and another when it is dropped.
pub(super) struct Held<'c, 'js> {
    ctx: &'c Ctx<'js>,
    value: ManuallyDrop<Value<'js>>,
}

impl<'c, 'js> Held<'c, 'js> {
    /// # Safety
    ///
    /// The value is of this context, and nobody else frees it.
    unsafe fn new(ctx: &'c Ctx<'js>, value: qjs::JSValue) -> Self {
        // SAFETY: this copy of the handle is not dropped, and the handle itself lives longer.
        let copy = unsafe { ptr::read(ctx) };
        // SAFETY: the caller owns the value.
        let value = ManuallyDrop::new(unsafe { Value::from_raw(copy, value) });
        Self { ctx, value }
    }
}

impl<'js> Deref for Held<'_, 'js> {
    type Target = Value<'js>;

    fn deref(&self) -> &Value<'js> {
        &self.value
    }
}

impl Drop for Held<'_, '_> {
    fn drop(&mut self) {
        // SAFETY: the value is owned and freed once; the context is alive.
        unsafe { qjs::JS_FreeValue(self.ctx.as_raw().as_ptr(), self.value.as_raw()) };
    }
}

/// A value that belongs to an object and is not freed meanwhile.
pub(super) struct Lent<'c, 'js> {
    value: ManuallyDrop<Value<'js>>,
    ctx: PhantomData<&'c Ctx<'js>>,
}

impl<'c, 'js> Lent<'c, 'js> {
    /// # Safety
    ///
    /// The value is of this context, and its owner keeps it as long as this lives.
    pub(super) unsafe fn new(ctx: &'c Ctx<'js>, value: qjs::JSValue) -> Self {
        // SAFETY: this copy of the handle is not dropped, and the handle itself lives longer.
        let copy = unsafe { ptr::read(ctx) };
        // SAFETY: the value is not dropped.
        let value = ManuallyDrop::new(unsafe { Value::from_raw(copy, value) });
        let ctx = PhantomData;
        Self { value, ctx }
    }

    /// The value for longer than its owner keeps it.
    pub(super) fn held(&self, ctx: &'c Ctx<'js>) -> Held<'c, 'js> {
        // SAFETY: context and value are alive; the duplicate is owned.
        unsafe {
            let value = qjs::JS_DupValue(ctx.as_raw().as_ptr(), self.value.as_raw());
            Held::new(ctx, value)
        }
    }
}

impl<'js> Deref for Lent<'_, 'js> {
    type Target = Value<'js>;

    fn deref(&self) -> &Value<'js> {
        &self.value
    }
}

/// The name of a property, at a place below their number.
pub(super) fn name(properties: &Properties<'_, '_>, place: usize) -> Name {
    Name(properties.atom(place))
}

/// The value of a property.
pub(super) fn get<'c, 'js>(
    ctx: &'c Ctx<'js>,
    object: &Value<'js>,
    name: Name,
) -> Result<Held<'c, 'js>> {
    // SAFETY: context, object and name are alive; the result is owned.
    thrown(unsafe {
        Held::new(
            ctx,
            qjs::JS_GetProperty(ctx.as_raw().as_ptr(), object.as_raw(), name.0),
        )
    })
}

/// An element of an array.
pub(super) fn element<'c, 'js>(
    ctx: &'c Ctx<'js>,
    array: &Value<'js>,
    place: u32,
) -> Result<Held<'c, 'js>> {
    // SAFETY: context and array are alive; the result is owned.
    thrown(unsafe {
        Held::new(
            ctx,
            qjs::JS_GetPropertyUint32(ctx.as_raw().as_ptr(), array.as_raw(), place),
        )
    })
}

fn thrown<'c, 'js>(value: Held<'c, 'js>) -> Result<Held<'c, 'js>> {
    if value.is_exception() {
        return Err(Error::Exception);
    }
    Ok(value)
}

/// Gives an object an own property, whatever its prototype has.
pub(in crate::module::grpc) fn set<'js>(
    ctx: &Ctx<'js>,
    object: &Value<'js>,
    name: Name,
    value: Value<'js>,
) -> Result<()> {
    // SAFETY: context, object and name are alive; the call takes over the duplicate.
    let result = unsafe {
        qjs::JS_DefinePropertyValue(
            ctx.as_raw().as_ptr(),
            object.as_raw(),
            name.0,
            qjs::JS_DupValue(ctx.as_raw().as_ptr(), value.as_raw()),
            qjs::JS_PROP_C_W_E.cast_signed(),
        )
    };
    drop(value);
    if result < 0 {
        return Err(Error::Exception);
    }
    Ok(())
}

/// Gives an object an own property whose value a function makes when it is read.
pub(in crate::module::grpc) fn set_getter<'js>(
    ctx: &Ctx<'js>,
    object: &Value<'js>,
    name: Name,
    getter: &Function<'js>,
) -> Result<()> {
    let flags = qjs::JS_PROP_CONFIGURABLE | qjs::JS_PROP_ENUMERABLE;
    // SAFETY: context, object, name and getter are alive; the call takes over the duplicate.
    let result = unsafe {
        qjs::JS_DefinePropertyGetSet(
            ctx.as_raw().as_ptr(),
            object.as_raw(),
            name.0,
            qjs::JS_DupValue(ctx.as_raw().as_ptr(), getter.as_raw()),
            qjs::JS_UNDEFINED,
            flags.cast_signed(),
        )
    };
    if result < 0 {
        return Err(Error::Exception);
    }
    Ok(())
}

/// The text of a name.
pub(super) fn text_of<'js>(ctx: &Ctx<'js>, name: Name) -> Result<Value<'js>> {
    // SAFETY: context and name are alive; the result is owned.
    let value = unsafe {
        Value::from_raw(
            ctx.clone(),
            qjs::JS_AtomToString(ctx.as_raw().as_ptr(), name.0),
        )
    };
    if value.is_exception() {
        return Err(Error::Exception);
    }
    Ok(value)
}

/// Reads a string without keeping a copy; `None` when it has half of a surrogate pair, which has
/// no UTF-8. `read` runs no script.
pub(super) fn with_text<R>(
    ctx: &Ctx<'_>,
    string: &Value<'_>,
    read: impl FnOnce(&str) -> R,
) -> Result<Option<R>> {
    // SAFETY: the value is alive, and no script runs.
    if let Some(text) = unsafe { ascii(ctx, string) } {
        return Ok(Some(read(text)));
    }
    let mut length = 0;
    // SAFETY: context and value are alive; the text is freed below.
    let text =
        unsafe { qjs::JS_ToCStringLen(ctx.as_raw().as_ptr(), &raw mut length, string.as_raw()) };
    if text.is_null() {
        return Err(Error::Exception);
    }
    // SAFETY: the engine gave a text of this length, and it is not freed before `read` returns.
    let bytes = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length) };
    let result = std::str::from_utf8(bytes).ok().map(read);
    // SAFETY: the text came from this context and is freed once.
    unsafe { qjs::JS_FreeCString(ctx.as_raw().as_ptr(), text) };
    Ok(result)
}
