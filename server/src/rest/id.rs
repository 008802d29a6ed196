//! The id in a path.

use axum::extract::{FromRequestParts, Path, path::ErrorKind, rejection::PathRejection};
use http::request::Parts;
use utoipa::{
    IntoParams,
    openapi::path::{Parameter, ParameterBuilder, ParameterIn},
    openapi::{KnownFormat, ObjectBuilder, Required, SchemaFormat, Type},
};

use super::RestError;

/// The one parameter of a path such as `/api/books/{id}`.
#[derive(Clone, Copy, Debug)]
pub struct Id(pub i32);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = RestError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, RestError> {
        match Path::<i32>::from_request_parts(parts, state).await {
            Ok(Path(id)) => Ok(Self(id)),
            Err(rejection) => Err(RestError::BadId {
                value: value_of(rejection),
            }),
        }
    }
}

impl IntoParams for Id {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let schema = ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int32)))
            .minimum(Some(i32::MIN))
            .maximum(Some(i32::MAX))
            .examples([1]);
        let parameter = ParameterBuilder::new()
            .name("id")
            .parameter_in(ParameterIn::Path)
            .required(Required::True)
            .description(Some("Ids count from 1"))
            .schema(Some(schema));
        vec![parameter.build()]
    }
}

/// The text that is no id.
fn value_of(rejection: PathRejection) -> String {
    let text = rejection.body_text();
    match rejection {
        PathRejection::FailedToDeserializePathParams(failure) => match failure.into_kind() {
            ErrorKind::ParseError { value, .. }
            | ErrorKind::ParseErrorAtIndex { value, .. }
            | ErrorKind::ParseErrorAtKey { value, .. } => value,
            _ => text,
        },
        _ => text,
    }
}
