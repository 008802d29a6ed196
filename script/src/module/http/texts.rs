//! Strings of a script that were read lately.

use std::cell::RefCell;

use rquickjs::{Ctx, Persistent, Result, String as Text, qjs};

/// What strings were made into. The engine's strings never change, so that one that is kept alive
/// here is known again by its address, without being read.
#[derive(Default)]
pub(super) struct Texts<T> {
    known: RefCell<Vec<Known<T>>>,
}

struct Known<T> {
    address: usize,
    _text: Persistent<Text<'static>>,
    made: T,
}

/// Strings that are remembered.
const KNOWN: usize = 8;
/// Bytes of the longest: what is remembered takes memory in every virtual user.
const LONGEST: usize = 4 << 10;

impl<T: Clone> Texts<T> {
    /// What `convert` makes of a string, which is asked only when the string is new.
    ///
    /// # Errors
    /// When the string has no UTF-8.
    pub(super) fn of<'js>(
        &self,
        ctx: &Ctx<'js>,
        text: &Text<'js>,
        convert: impl FnOnce(String) -> T,
    ) -> Result<T> {
        let address = address_of(text);
        let mut known = self.known.borrow_mut();
        if let Some(known) = known.iter().find(|known| known.address == address) {
            return Ok(known.made.clone());
        }
        let read = text.to_string()?;
        let is_kept = read.len() <= LONGEST;
        let made = convert(read);
        if is_kept {
            if known.len() == KNOWN {
                known.remove(0);
            }
            known.push(Known {
                address,
                _text: Persistent::save(ctx, text.clone()),
                made: made.clone(),
            });
        }
        Ok(made)
    }
}

/// Tells strings of one engine apart while they live.
fn address_of(text: &Text<'_>) -> usize {
    // SAFETY: strings are pointers; this one is compared and never followed.
    unsafe { qjs::JS_VALUE_GET_PTR(text.as_value().as_raw()) as usize }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use rquickjs::{Context, Runtime};

    use super::*;

    #[test]
    fn a_string_is_read_once_and_others_are_not_mixed_up() {
        let context = Context::full(&Runtime::new().unwrap()).unwrap();
        context.with(|ctx| {
            let texts = Texts::<String>::default();
            let text = Text::from_str(ctx.clone(), "a").unwrap();
            assert_eq!(texts.of(&ctx, &text, |text| text).unwrap(), "a");
            let again = texts.of(&ctx, &text, |_| "read again".to_owned());
            assert_eq!(again.unwrap(), "a");
            for number in 0..3 * KNOWN {
                // Each is freed unless it is kept, so that its memory is used again.
                let other: Text = ctx.eval(format!("'b' + {number}")).unwrap();
                let made = texts.of(&ctx, &other, |text| text).unwrap();
                assert_eq!(made, format!("b{number}"));
            }
            assert_eq!(texts.known.borrow().len(), KNOWN);
            let forgotten = texts.of(&ctx, &text, |_| "read again".to_owned());
            assert_eq!(forgotten.unwrap(), "read again");
        });
    }

    #[test]
    fn long_strings_are_not_kept() {
        let context = Context::full(&Runtime::new().unwrap()).unwrap();
        context.with(|ctx| {
            let texts = Texts::<usize>::default();
            let long = Text::from_str(ctx.clone(), &"x".repeat(LONGEST + 1)).unwrap();
            let made = texts.of(&ctx, &long, |text| text.len()).unwrap();
            assert_eq!(made, LONGEST + 1);
            assert!(texts.known.borrow().is_empty());
        });
    }
}
