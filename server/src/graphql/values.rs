//! Reads variables from JSON.
//!
//! An order of 50 lines repeats the same few member names a hundred times. async-graphql's own
//! reader allocates each of them anew; this one shares them. Otherwise both read the same.

use std::{collections::BTreeMap, fmt};

use async_graphql::{Name, Number, Value, Variables, indexmap::IndexMap};
use serde::{
    Deserializer,
    de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor},
};

/// Names remembered in one request; looking through more would cost more than it spares.
const MAX_NAMES: usize = 16;

/// Reads a JSON object as variables, and null as none.
pub fn variables<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Variables, D::Error> {
    deserializer.deserialize_any(VariablesVisitor)
}

struct VariablesVisitor;

impl<'de> Visitor<'de> for VariablesVisitor {
    type Value = Variables;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a map of variables")
    }

    fn visit_unit<E: Error>(self) -> Result<Variables, E> {
        Ok(Variables::default())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Variables, A::Error> {
        let mut names = Names::default();
        let mut variables = Variables::default();
        let values: &mut BTreeMap<Name, Value> = &mut variables;
        while let Some(name) = members.next_key_seed(NameSeed(&mut names))? {
            let value = members.next_value_seed(ValueSeed(&mut names))?;
            values.insert(name, value);
        }
        Ok(variables)
    }
}

/// The names met so far.
#[derive(Default)]
struct Names(Vec<Name>);

impl Names {
    fn shared(&mut self, text: &str) -> Name {
        if let Some(known) = self.0.iter().find(|name| name.as_str() == text) {
            return known.clone();
        }
        let name = Name::new(text);
        if self.0.len() < MAX_NAMES {
            self.0.push(name.clone());
        }
        name
    }
}

struct NameSeed<'n>(&'n mut Names);

impl<'de> DeserializeSeed<'de> for NameSeed<'_> {
    type Value = Name;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Name, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for NameSeed<'_> {
    type Value = Name;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a name")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Name, E> {
        Ok(self.0.shared(text))
    }
}

struct ValueSeed<'n>(&'n mut Names);

impl<'de> DeserializeSeed<'de> for ValueSeed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueSeed<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Boolean(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(ValueSeed(self.0))? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = IndexMap::new();
        while let Some(name) = members.next_key_seed(NameSeed(self.0))? {
            let value = members.next_value_seed(ValueSeed(self.0))?;
            object.insert(name, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn values_are_those_that_async_graphql_reads() {
        let many: Vec<String> = (0..40).map(|n| format!("\"n{n}\": [{n}]")).collect();
        for text in [
            "null".to_owned(),
            "{}".to_owned(),
            r#"{"a": {"b": [{"a": "x\n\u00e9"}, null, true], "a": 1}, "a": {"a": 2, "a": 3}}"#
                .to_owned(),
            r#"{"i": -1, "u": 18446744073709551615, "f": 1.0, "e": 1e300, "z": -0.0}"#.to_owned(),
            format!("{{{}}}", many.join(",")),
        ] {
            let ours = variables(&mut serde_json::Deserializer::from_str(&text)).unwrap();
            let theirs: Variables = serde_json::from_str(&text).unwrap();
            assert_eq!(ours, theirs, "{text}");
        }
        for text in ["[]", "1", "\"x\"", "true", "{\"a\": [}"] {
            let read = variables(&mut serde_json::Deserializer::from_str(text));
            assert!(read.is_err(), "{text}");
        }
    }
}
