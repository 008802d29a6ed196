//! Sparse fieldsets: `?fields=title,price`.

use std::borrow::Cow;

use axum::extract::FromRequestParts;
use http::request::Parts;
use serde::Deserialize;
use utoipa::openapi::{
    ArrayBuilder, ObjectBuilder, Required, Type,
    path::{Parameter, ParameterBuilder, ParameterIn, ParameterStyle},
};

use super::{RestError, id::Id};

/// The names of the fields that are wanted.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub(super) struct Fields(String);

impl Fields {
    /// Refuses a name that is not `known`.
    ///
    /// # Errors
    /// [`RestError::UnknownField`].
    pub(super) fn check(&self, known: &[&str]) -> Result<(), RestError> {
        match self.0.split(',').find(|name| !known.contains(name)) {
            None => Ok(()),
            Some(unknown) => Err(RestError::UnknownField {
                field: unknown.to_owned(),
                known: known.join(", "),
            }),
        }
    }

    /// `value`, when its field is wanted.
    pub(super) fn wanted<T>(&self, name: &str, value: T) -> Option<T> {
        self.0
            .split(',')
            .any(|wanted| wanted == name)
            .then_some(value)
    }
}

/// The thing of a path such as `/api/books/{id}`, and the fields of it that its query names; a query
/// without `fields` is passed over. One extractor, because each costs every request some instructions.
#[derive(Debug)]
pub(super) struct Wanted {
    pub(super) id: i32,
    pub(super) fields: Option<Fields>,
}

/// The parameter `fields` as the `OpenAPI` document describes it for a thing with these fields.
pub(super) fn described(known: &[&str]) -> Vec<Parameter> {
    let name = ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(known.iter().copied()));
    let names = ArrayBuilder::new().items(name).min_items(Some(1));
    let parameter = ParameterBuilder::new()
        .name("fields")
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .description(Some("Only these fields; all when it is not given"))
        .schema(Some(names))
        .style(Some(ParameterStyle::Form))
        .explode(Some(false));
    vec![parameter.build()]
}

impl<S: Send + Sync> FromRequestParts<S> for Wanted {
    type Rejection = RestError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, RestError> {
        let Id(id) = Id::from_request_parts(parts, state).await?;
        let fields = parts.uri.query().and_then(fields);
        Ok(Self { id, fields })
    }
}

/// The first value of `fields`; the names need no escapes but that of the comma.
fn fields(query: &str) -> Option<Fields> {
    let value = query
        .split('&')
        .find_map(|pair| pair.strip_prefix("fields="))?;
    let value = if value.contains('%') {
        Cow::Owned(value.replace("%2C", ",").replace("%2c", ","))
    } else {
        Cow::Borrowed(value)
    };
    Some(Fields(value.into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(query: &str) -> Option<String> {
        fields(query).map(|Fields(names)| names)
    }

    #[test]
    fn names_are_found_anywhere_in_the_query() {
        for (query, expected) in [
            ("fields=title,price", Some("title,price")),
            ("a=b&fields=id%2Ctitle&fields=x", Some("id,title")),
            ("fields=", Some("")),
            ("limit=2", None),
            ("Fields=id", None),
        ] {
            assert_eq!(names(query).as_deref(), expected, "{query}");
        }
    }

    #[test]
    fn only_known_names_pass_and_only_wanted_values_stay() {
        let fields = Fields("id,title".to_owned());
        assert!(fields.check(&["title", "id", "price"]).is_ok());
        let error = fields.check(&["id"]).map_err(|error| error.to_string());
        let expected = "there is no field \"title\" here; fields= takes id, with commas between";
        assert_eq!(error, Err(expected.to_owned()));
        assert!(Fields(String::new()).check(&["id"]).is_err());
        assert_eq!(fields.wanted("id", 1), Some(1));
        assert_eq!(fields.wanted("price", 1), None);
    }
}
