//! Objects that a plan knows again.

use rquickjs::{Ctx, Value, qjs};

use super::shape::{Field, Kind, Label, Message};
use crate::engine::{Layout, Properties};

/// Layouts that are kept of a type: what builds a request in one place of a script makes one.
const MOST_KNOWN: usize = 4;
/// Objects whose layout could not be kept before no more are tried. Making one takes longer than listing.
const MOST_MISSED: usize = 16;

/// The layouts of the objects that were written as messages of a type.
#[derive(Debug, Default)]
pub(super) struct Layouts {
    known: Vec<Known>,
    missed: usize,
}

/// What an object of a layout has for a message.
#[derive(Debug)]
pub(super) struct Known {
    layout: Layout,
    /// The place of each value in the object and that of its field in the message, in the order of the
    /// fields' numbers.
    pub(super) fields: Box<[(usize, usize)]>,
    /// No value is an object, so that nothing that is written can run code of the script.
    pub(super) is_flat: bool,
}

impl Layouts {
    /// What is known of an object, and its values.
    ///
    /// # Safety
    /// No script runs while the values are used.
    #[inline]
    pub(super) unsafe fn find<'v>(
        &self,
        object: &'v Value<'_>,
    ) -> Option<(&Known, &'v [qjs::JSValue])> {
        self.known.iter().find_map(|known| {
            // SAFETY: as the caller says.
            let values = unsafe { known.layout.values(object) }?;
            Some((known, values))
        })
    }

    /// Keeps the layout of an object of which every property is a field of the message.
    pub(super) fn learn(
        &mut self,
        ctx: &Ctx<'_>,
        message: &Message,
        object: &Value<'_>,
        properties: &Properties<'_, '_>,
    ) {
        if self.known.len() == MOST_KNOWN || self.missed == MOST_MISSED {
            return;
        }
        match Known::of(ctx, message, object, properties) {
            Some(known) => self.known.push(known),
            None => self.missed += 1,
        }
    }
}

impl Known {
    fn of(
        ctx: &Ctx<'_>,
        message: &Message,
        object: &Value<'_>,
        properties: &Properties<'_, '_>,
    ) -> Option<Self> {
        let names: Vec<_> = (0..properties.len())
            .map(|place| properties.atom(place))
            .collect();
        let mut fields = Vec::with_capacity(names.len());
        for (place, name) in names.iter().enumerate() {
            fields.push((
                place,
                message.place_of_name(super::object::Name::of(*name))?,
            ));
        }
        let number = |(_, place): &(usize, usize)| message.fields[*place].number;
        fields.sort_unstable_by_key(number);
        // Of a field with both of its names the dynamic message knows what to think.
        let is_double = fields
            .windows(2)
            .any(|two| number(&two[0]) == number(&two[1]));
        if is_double {
            return None;
        }
        Some(Self {
            layout: Layout::of(ctx, object, &names)?,
            is_flat: fields
                .iter()
                .all(|(_, place)| is_flat(&message.fields[*place])),
            fields: fields.into(),
        })
    }
}

fn is_flat(field: &Field) -> bool {
    field.label == Label::Singular && matches!(field.kind, Kind::Scalar(_) | Kind::Enum(_))
}
