//! Properties of the script's objects.

use std::{cell::RefCell, ptr, rc::Rc};

use rquickjs::{Ctx, Error, Object, Result, Value, qjs};

/// Names of properties that were read lately. Every name is a number of the engine's while somebody
/// holds it, so that one that is held here is known again without being read.
#[derive(Default)]
pub(crate) struct Names {
    known: RefCell<Vec<Known>>,
}

struct Known {
    name: HeldName,
    text: Rc<str>,
}

/// Names that are remembered.
const KNOWN: usize = 32;
/// Bytes of the longest: what is remembered takes memory in every virtual user.
const LONGEST: usize = 256;

impl Names {
    /// The text of a name.
    fn text(&self, ctx: &Ctx<'_>, atom: qjs::JSAtom) -> Result<Rc<str>> {
        let mut known = self.known.borrow_mut();
        if let Some(known) = known.iter().find(|known| known.name.atom == atom) {
            return Ok(Rc::clone(&known.text));
        }
        let text: Rc<str> = read(ctx, atom)?.into();
        if text.len() <= LONGEST {
            if known.len() == KNOWN {
                known.remove(0);
            }
            known.push(Known {
                name: HeldName::new(ctx, atom),
                text: Rc::clone(&text),
            });
        }
        Ok(text)
    }

    /// Forgets all, as the engine demands before its own end.
    pub(crate) fn clear(&self) {
        self.known.borrow_mut().clear();
    }
}

fn read(ctx: &Ctx<'_>, atom: qjs::JSAtom) -> Result<String> {
    // SAFETY: context and name are alive; the result is owned.
    let text = unsafe {
        let text = qjs::JS_AtomToString(ctx.as_raw().as_ptr(), atom);
        Value::from_raw(ctx.clone(), text)
    };
    text.as_string().ok_or(Error::Exception)?.to_string()
}

/// A name that stays itself while this lives.
struct HeldName {
    runtime: *mut qjs::JSRuntime,
    atom: qjs::JSAtom,
}

impl HeldName {
    fn new(ctx: &Ctx<'_>, atom: qjs::JSAtom) -> Self {
        let context = ctx.as_raw().as_ptr();
        // SAFETY: the context is in use, and the name is alive.
        unsafe {
            Self {
                runtime: qjs::JS_GetRuntime(context),
                atom: qjs::JS_DupAtom(context, atom),
            }
        }
    }
}

impl Drop for HeldName {
    fn drop(&mut self) {
        // SAFETY: the name was held in this runtime, which lives longer, and is freed once.
        unsafe { qjs::JS_FreeAtomRT(self.runtime, self.atom) };
    }
}

/// A name under which native code sets properties again and again.
pub(crate) struct KnownName(HeldName);

impl KnownName {
    /// # Errors
    /// When there is no memory.
    pub(crate) fn new(ctx: &Ctx<'_>, name: &str) -> Result<Self> {
        let context = ctx.as_raw().as_ptr();
        // SAFETY: the context is in use, and the name has as many bytes as it says.
        let atom = unsafe { qjs::JS_NewAtomLen(context, name.as_ptr().cast(), name.len() as _) };
        if atom == qjs::JS_ATOM_NULL {
            return Err(Error::Exception);
        }
        // SAFETY: the name is owned here from now on.
        let runtime = unsafe { qjs::JS_GetRuntime(context) };
        Ok(Self(HeldName { runtime, atom }))
    }

    /// Gives an object a property that can be written, listed and deleted.
    ///
    /// # Errors
    /// When the object takes none.
    pub(crate) fn set<'js>(&self, object: &Object<'js>, value: &Value<'js>) -> Result<()> {
        let flags = qjs::JS_PROP_C_W_E.cast_signed();
        let context = object.ctx().as_raw().as_ptr();
        // SAFETY: object and name are alive; the engine takes a part in the value of its own.
        let result = unsafe {
            qjs::JS_DefinePropertyValue(
                context,
                object.as_raw(),
                self.0.atom,
                qjs::JS_DupValue(context, value.as_raw()),
                flags,
            )
        };
        done(result)
    }

    /// Assigns a value to a property, as a script does.
    ///
    /// # Errors
    /// What the object throws.
    pub(crate) fn assign<'js>(&self, object: &Object<'js>, value: &Value<'js>) -> Result<()> {
        let context = object.ctx().as_raw().as_ptr();
        // SAFETY: as in `set`.
        let result = unsafe {
            let value = qjs::JS_DupValue(context, value.as_raw());
            qjs::JS_SetProperty(context, object.as_raw(), self.0.atom, value)
        };
        done(result)
    }
}

/// What the engine says of a property that was set.
fn done(result: i32) -> Result<()> {
    if result < 0 {
        Err(Error::Exception)
    } else {
        Ok(())
    }
}

/// An object without properties.
///
/// # Errors
/// When there is no memory.
pub(crate) fn empty_object<'js>(prototype: &Object<'js>) -> Result<Object<'js>> {
    let ctx = prototype.ctx();
    // SAFETY: context and prototype are alive; the result is owned.
    let object = unsafe {
        let object = qjs::JS_NewObjectProto(ctx.as_raw().as_ptr(), prototype.as_raw());
        Value::from_raw(ctx.clone(), object)
    };
    object.into_object().ok_or(Error::Exception)
}

/// Whether a value is an object of any kind. The engine's binding looks for the kind first.
pub(crate) fn is_object(value: &Value<'_>) -> bool {
    // SAFETY: only the value's own tag is looked at.
    unsafe { qjs::JS_IsObject(value.as_raw()) }
}

/// Calls `each` with the name and value of every own enumerable property of an object, in its order.
///
/// # Errors
/// What the object throws, and what `each` returns.
pub(crate) fn each_property<'js>(
    ctx: &Ctx<'js>,
    names: &Names,
    object: &Value<'js>,
    mut each: impl FnMut(&Rc<str>, Value<'js>) -> Result<()>,
) -> Result<()> {
    let properties = Properties::of(ctx, object)?;
    for atom in (0..properties.len()).map(|place| properties.atom(place)) {
        let text = names.text(ctx, atom)?;
        // SAFETY: context, object and name are alive; the result is owned.
        let value = unsafe {
            let value = qjs::JS_GetProperty(ctx.as_raw().as_ptr(), object.as_raw(), atom);
            Value::from_raw(ctx.clone(), value)
        };
        if value.is_exception() {
            return Err(Error::Exception);
        }
        each(&text, value)?;
    }
    Ok(())
}

/// The names of an object's own enumerable properties, in its order.
pub(crate) struct Properties<'c, 'js> {
    ctx: &'c Ctx<'js>,
    table: *mut qjs::JSPropertyEnum,
    length: u32,
}

impl<'c, 'js> Properties<'c, 'js> {
    /// # Errors
    /// What the object throws.
    pub(crate) fn of(ctx: &'c Ctx<'js>, object: &Value<'js>) -> Result<Self> {
        let mut properties = Self {
            ctx,
            table: ptr::null_mut(),
            length: 0,
        };
        let flags = qjs::JS_GPN_STRING_MASK | qjs::JS_GPN_ENUM_ONLY;
        // SAFETY: context and object are alive, and the table is freed when this is dropped.
        let result = unsafe {
            qjs::JS_GetOwnPropertyNames(
                ctx.as_raw().as_ptr(),
                &raw mut properties.table,
                &raw mut properties.length,
                object.as_raw(),
                flags.cast_signed(),
            )
        };
        if result < 0 {
            return Err(Error::Exception);
        }
        Ok(properties)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.length as usize
    }

    /// The name at a place below [`Self::len`], alive as long as `self`.
    pub(crate) fn atom(&self, place: usize) -> qjs::JSAtom {
        assert!(place < self.len(), "no property {place}");
        // SAFETY: the table has `length` entries.
        unsafe { (*self.table.add(place)).atom }
    }
}

impl Drop for Properties<'_, '_> {
    fn drop(&mut self) {
        if !self.table.is_null() {
            // SAFETY: the table came from this context with this length.
            unsafe {
                qjs::JS_FreePropertyEnum(self.ctx.as_raw().as_ptr(), self.table, self.length);
            }
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use rquickjs::{CatchResultExt, Context, Runtime};

    use super::*;

    fn listed(ctx: &Ctx<'_>, names: &Names, object: &str) -> Vec<String> {
        let object: Object = ctx.eval(format!("({object})")).unwrap();
        let mut listed = Vec::new();
        let each = |name: &Rc<str>, value: Value<'_>| {
            listed.push(format!("{name}={}", value.as_int().unwrap()));
            Ok(())
        };
        each_property(ctx, names, &object, each).catch(ctx).unwrap();
        listed
    }

    #[test]
    fn properties_come_in_order_and_names_are_not_mixed_up() {
        let context = Context::full(&Runtime::new().unwrap()).unwrap();
        let names = Names::default();
        context.with(|ctx| {
            let object = "{ b: 1, 'ä€': 2, 7: 3, [Symbol('s')]: 4, __proto__: { inherited: 5 } }";
            for _ in 0..2 {
                assert_eq!(listed(&ctx, &names, object), ["7=3", "b=1", "ä€=2"]);
            }
            for number in 0..3 * KNOWN {
                // Names that are not held are freed, so that their numbers are used again.
                let object = format!("{{ n{number}: 1, b: 2 }}");
                assert_eq!(
                    listed(&ctx, &names, &object),
                    [format!("n{number}=1"), "b=2".to_owned()]
                );
            }
            let long = "x".repeat(LONGEST + 1);
            listed(&ctx, &names, &format!("{{ {long}: 1 }}"));
            let known = names.known.borrow();
            assert!(known.len() == KNOWN && known.iter().all(|known| *known.text != *long));
        });
        names.clear();
    }

    #[test]
    fn what_an_object_throws_is_an_error() {
        let context = Context::full(&Runtime::new().unwrap()).unwrap();
        context.with(|ctx| {
            for object in [
                "({ get a() { throw new Error('x'); } })",
                "new Proxy({}, { ownKeys() { throw new Error('x'); } })",
            ] {
                let object: Object = ctx.eval(object).unwrap();
                let names = Names::default();
                let each = |_: &Rc<str>, _: Value<'_>| Ok(());
                assert!(each_property(&ctx, &names, &object, each).is_err());
                ctx.catch();
                names.clear();
            }
        });
    }
}
