//! Native functions that scripts call for every operation.
//!
//! The engine's binding makes values of all arguments, each of which owns itself and a part in the
//! context. That costs more than such a function does, so its arguments are lent here instead.

use std::{
    any::Any,
    cell::Cell,
    ffi::{CStr, c_int},
    marker::PhantomData,
    mem::ManuallyDrop,
    ops::Deref,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    ptr::{self, NonNull},
    slice,
};

use rquickjs::{Ctx, Error, Exception, Function, Result, Value, qjs};

use super::vu::throw_uncatchable;

/// A function for scripts.
pub(crate) trait Native {
    /// Its `name`.
    const NAME: &CStr;
    /// Its `length`: how many arguments it asks for.
    const LENGTH: c_int;

    /// What it does.
    ///
    /// # Errors
    /// What it throws.
    fn call<'js>(ctx: &Ctx<'js>, arguments: &Arguments<'_, 'js>) -> Result<Value<'js>>;
}

/// The function as a value of JavaScript.
///
/// # Errors
/// When there is no memory.
pub(crate) fn native_function<'js, N: Native>(ctx: &Ctx<'js>) -> Result<Function<'js>> {
    // SAFETY: the context is in use, the name is copied, and the result is owned.
    let function = unsafe {
        let function = qjs::JS_NewCFunction2(
            ctx.as_raw().as_ptr(),
            Some(enter::<N>),
            N::NAME.as_ptr(),
            N::LENGTH,
            qjs::JSCFunctionEnum_JS_CFUNC_generic,
            0,
        );
        Value::from_raw(ctx.clone(), function)
    };
    function.into_function().ok_or(Error::Exception)
}

/// What a function was called with.
pub(crate) struct Arguments<'a, 'js> {
    ctx: &'a Ctx<'js>,
    values: &'a [qjs::JSValue],
}

impl<'a, 'js> Arguments<'a, 'js> {
    /// The argument at a place, from 0; `None` where the caller gave none.
    pub(crate) fn get(&self, place: usize) -> Option<Lent<'a, 'js>> {
        let raw = *self.values.get(place)?;
        // SAFETY: neither this copy of the handle nor the value is dropped, and both live in the caller
        // as long as the arguments do.
        let value = unsafe { Value::from_raw(ptr::read(self.ctx), raw) };
        Some(Lent {
            value: ManuallyDrop::new(value),
            _lender: PhantomData,
        })
    }
}

/// A value that belongs to the caller.
pub(crate) struct Lent<'a, 'js> {
    value: ManuallyDrop<Value<'js>>,
    _lender: PhantomData<&'a qjs::JSValue>,
}

impl<'js> Deref for Lent<'_, 'js> {
    type Target = Value<'js>;

    fn deref(&self) -> &Value<'js> {
        &self.value
    }
}

thread_local! {
    /// What a native function panicked with. The engine's frames are left by an exception, as nothing may
    /// unwind through them; whoever called the engine goes on with the panic.
    static PANIC: Cell<Option<Box<dyn Any + Send>>> = const { Cell::new(None) };
}

/// Goes on with the panic of a native function, if there was one. Call it where the engine has returned.
pub(super) fn resume_panic() {
    if let Some(payload) = PANIC.take() {
        resume_unwind(payload);
    }
}

/// The function as the engine calls it.
unsafe extern "C" fn enter<N: Native>(
    context: *mut qjs::JSContext,
    _this: qjs::JSValue,
    count: c_int,
    arguments: *mut qjs::JSValue,
) -> qjs::JSValue {
    let Some(context) = NonNull::new(context) else {
        return qjs::JS_EXCEPTION;
    };
    // SAFETY: the engine runs in this context, so it is in use.
    let ctx = unsafe { Ctx::from_raw(context) };
    let values = match usize::try_from(count) {
        // SAFETY: the engine gives as many arguments as it says, and keeps them during the call.
        Ok(count) if count > 0 => unsafe { slice::from_raw_parts(arguments, count) },
        _ => &[],
    };
    let call = || N::call(&ctx, &Arguments { ctx: &ctx, values });
    let result = catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|payload| {
        PANIC.set(Some(payload));
        Err(throw_uncatchable(&ctx, "a native function panicked"))
    });
    match result {
        Ok(value) => handed_over(value),
        Err(Error::Exception) => qjs::JS_EXCEPTION,
        Err(error) => {
            Exception::throw_type(&ctx, &error.to_string());
            qjs::JS_EXCEPTION
        }
    }
}

/// A value whose owner is the engine from now on.
fn handed_over(value: Value<'_>) -> qjs::JSValue {
    let value = ManuallyDrop::new(value);
    // SAFETY: the value itself is not dropped, so its handle is dropped once.
    drop(unsafe { ptr::read(value.ctx()) });
    value.as_raw()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use rquickjs::{CatchResultExt, Context, Runtime, String as Text};

    use super::*;

    /// Tells what it was given.
    struct Tell;

    impl Native for Tell {
        const NAME: &CStr = c"tell";
        const LENGTH: c_int = 2;

        fn call<'js>(ctx: &Ctx<'js>, arguments: &Arguments<'_, 'js>) -> Result<Value<'js>> {
            let told = (0..3).map(|place| {
                let argument = arguments.get(place);
                argument.map_or("none".to_owned(), |value| crate::global::inspect(&value))
            });
            let told: Vec<_> = told.collect();
            match told[0].as_str() {
                "\"throw\"" => Err(super::super::throw(ctx, "thrown")),
                "\"panic\"" => panic!("at the disco"),
                "\"wrong\"" => arguments
                    .get(0)
                    .unwrap()
                    .get::<i32>()
                    .map(|_| unreachable!()),
                _ => Ok(Text::from_str(ctx.clone(), &told.join(" "))?.into_value()),
            }
        }
    }

    fn with_tell<R>(test: impl FnOnce(&Ctx<'_>) -> R) -> R {
        let context = Context::full(&Runtime::new().unwrap()).unwrap();
        context.with(|ctx| {
            let tell = native_function::<Tell>(&ctx).unwrap();
            ctx.globals().set("tell", tell).unwrap();
            test(&ctx)
        })
    }

    #[test]
    fn arguments_arrive_and_results_leave_with_nothing_lost_or_freed_twice() {
        with_tell(|ctx| {
            let code = "let told; for (let i = 0; i < 1000; i++) told = tell({ a: 'b' + i }, 'x' + i); \
                        [told, tell(1, null, 3, 4), tell(undefined), tell.name, tell.length].join('; ')";
            let told: String = ctx.eval(code).catch(ctx).unwrap();
            let expected = "{ a: 'b999' } 'x999' none; 1 null 3; null none none; tell; 2";
            assert_eq!(told.replace('"', "'"), expected);
        });
    }

    #[test]
    fn errors_are_exceptions_that_a_script_can_catch() {
        with_tell(|ctx| {
            let code = "['throw', 'wrong'].map(arg => { try { tell(arg) } catch (e) { return e.name } }).join()";
            let caught: String = ctx.eval(code).catch(ctx).unwrap();
            assert_eq!(caught, "Error,TypeError");
        });
    }

    #[test]
    fn a_panic_goes_on_behind_the_engine() {
        let caught = catch_unwind(|| {
            with_tell(|ctx| {
                let code = "try { tell('panic') } catch { } 1";
                ctx.eval::<i32, _>(code).unwrap_err();
                ctx.catch();
                resume_panic();
            });
        });
        let payload = caught.unwrap_err();
        assert_eq!(payload.downcast_ref(), Some(&"at the disco"));
        resume_panic();
    }
}
