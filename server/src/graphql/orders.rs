//! The input of `reserveStock`.
//!
//! The derived types describe it in the schema. The derived reader copies every nested value once
//! per level, which for an order of 50 lines costs more than reserving it; [`Moved`] reads the same
//! values by moving them.

use std::borrow::Cow;

use async_graphql::{
    InputObject, InputObjectType, InputType, InputValueError, InputValueResult, Name, Value,
    indexmap::IndexMap, registry::Registry,
};

/// An order whose lines are to be reserved, all or none.
#[derive(Debug, InputObject)]
pub struct ReserveStockInput {
    /// The caller's own id of the order; handed back.
    pub order_id: String,
    /// What to reserve.
    pub lines: Vec<Moved<OrderLineInput>>,
}

/// One line of an order.
#[derive(Debug, InputObject)]
pub struct OrderLineInput {
    /// 13 digits.
    pub isbn: String,
    /// Copies, at least 1.
    pub quantity: i32,
}

/// An input object that is read by moving its fields' values.
#[derive(Debug)]
pub struct Moved<T>(pub T);

/// An input object that can be made of its fields' values.
pub trait FromFields: InputObjectType {
    /// Reads the fields; a missing one is read as an undefined value.
    fn from_fields(fields: IndexMap<Name, Value>) -> InputValueResult<Self>;
}

impl FromFields for ReserveStockInput {
    fn from_fields(fields: IndexMap<Name, Value>) -> InputValueResult<Self> {
        let (mut order_id, mut lines) = (None, None);
        for (name, value) in fields {
            match name.as_str() {
                "orderId" => order_id = Some(value),
                "lines" => lines = Some(value),
                _ => {}
            }
        }
        Ok(Self {
            order_id: InputType::parse(order_id).map_err(InputValueError::propagate)?,
            lines: InputType::parse(lines).map_err(InputValueError::propagate)?,
        })
    }
}

impl FromFields for OrderLineInput {
    fn from_fields(fields: IndexMap<Name, Value>) -> InputValueResult<Self> {
        let (mut isbn, mut quantity) = (None, None);
        for (name, value) in fields {
            match name.as_str() {
                "isbn" => isbn = Some(value),
                "quantity" => quantity = Some(value),
                _ => {}
            }
        }
        Ok(Self {
            isbn: InputType::parse(isbn).map_err(InputValueError::propagate)?,
            quantity: InputType::parse(quantity).map_err(InputValueError::propagate)?,
        })
    }
}

impl<T: FromFields> InputType for Moved<T> {
    type RawValueType = T;

    fn type_name() -> Cow<'static, str> {
        T::type_name()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        T::create_type_info(registry)
    }

    fn parse(value: Option<Value>) -> InputValueResult<Self> {
        match value {
            Some(Value::Object(fields)) => T::from_fields(fields)
                .map(Self)
                .map_err(InputValueError::propagate),
            other => Err(InputValueError::expected_type(other.unwrap_or_default())),
        }
    }

    fn to_value(&self) -> Value {
        self.0.to_value()
    }

    fn as_raw_value(&self) -> Option<&T> {
        Some(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use async_graphql::{Pos, value};

    use super::*;

    fn read<T: InputType>(value: &Value) -> String {
        match T::parse(Some(value.clone())) {
            Ok(input) => input.to_value().to_string(),
            Err(error) => error.into_server_error(Pos::default()).message,
        }
    }

    #[test]
    fn moving_reads_what_the_derived_reader_reads() {
        for line in [
            value!({ "quantity": 2, "isbn": "978" }),
            value!({ "isbn": "978" }),
            value!({ "isbn": 978, "quantity": 2 }),
            value!({ "isbn": "978", "quantity": "2" }),
            value!({ "isbn": "978", "quantity": 3_000_000_000_i64 }),
            value!({ "isbn": null, "quantity": 2, "more": 1 }),
            value!(1),
            value!(null),
        ] {
            assert_eq!(
                read::<Moved<OrderLineInput>>(&line),
                read::<OrderLineInput>(&line)
            );
            for order in [
                value!({ "orderId": "o", "lines": [line.clone(), line.clone()] }),
                value!({ "lines": line.clone(), "orderId": "o" }),
                value!({ "orderId": line.clone(), "lines": [] }),
                value!({ "orderId": "o" }),
            ] {
                assert_eq!(
                    read::<Moved<ReserveStockInput>>(&order),
                    read::<ReserveStockInput>(&order)
                );
            }
        }
        let line = value!({ "quantity": 2, "isbn": "978" });
        assert_eq!(
            read::<Moved<OrderLineInput>>(&line),
            "{isbn: \"978\", quantity: 2}"
        );
    }
}
