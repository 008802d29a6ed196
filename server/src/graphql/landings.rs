//! Landings of meteorites as types of the schema, with the keys that REST has.

use std::borrow::Cow;

use async_graphql::{
    ContextSelectionSet, InputObject, InputType, InputValueError, InputValueResult, Name, Object,
    OutputType, Positioned, ServerResult, Value, indexmap::IndexMap, parser::types::Field,
    registry::Registry,
};

use super::orders::{FromFields, Moved};
use crate::meteorites::{Landing, POINT, Place, whole};

/// One landing.
#[derive(Debug)]
pub struct LandingNode(pub &'static Landing);

/// One landing of a meteorite. None of its fields can fail, so that some may be null.
#[Object(name = "Landing", serial)]
impl LandingNode {
    /// Its number; they ascend with gaps.
    async fn id(&self) -> u32 {
        self.0.id
    }

    /// Where it was found.
    async fn name(&self) -> &str {
        &self.0.name
    }

    /// `Fell` or `Found`.
    async fn fall(&self) -> &str {
        self.0.fall
    }

    /// Where it landed; null where that is not known.
    async fn geo_location(&self) -> Option<LocationNode> {
        self.0.place.map(LocationNode)
    }

    /// In grams; null where it is not known.
    async fn mass(&self) -> Option<Number> {
        self.0.mass_g.map(Number)
    }

    /// Whether the name is in use.
    async fn name_type(&self) -> &str {
        self.0.name_type
    }

    /// The kind of stone, as a short code.
    async fn rec_class(&self) -> &str {
        &self.0.class
    }

    /// In degrees; null where the place is not known.
    #[graphql(name = "recLAT")]
    async fn latitude(&self) -> Option<Number> {
        self.0.place.map(|place| Number(place.latitude))
    }

    /// In degrees; null where the place is not known.
    #[graphql(name = "recLONG")]
    async fn longitude(&self) -> Option<Number> {
        self.0.place.map(|place| Number(place.longitude))
    }

    /// The first moment of its year, RFC 3339 in UTC; null where the year is not known.
    async fn year(&self) -> Option<String> {
        self.0.year.map(|year| year.to_string())
    }
}

/// A place.
#[derive(Debug)]
pub struct LocationNode(Place);

/// Where a meteorite landed.
#[Object(name = "GeoLocation", serial)]
impl LocationNode {
    /// Always `Point`.
    async fn r#type(&self) -> &str {
        POINT
    }

    /// Longitude and latitude in degrees.
    async fn coordinates(&self) -> [Number; 2] {
        [Number(self.0.longitude), Number(self.0.latitude)]
    }
}

/// A `Float` that has no `.0` when it is whole.
#[derive(Debug)]
pub struct Number(f64);

impl OutputType for Number {
    fn type_name() -> Cow<'static, str> {
        <f64 as OutputType>::type_name()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        <f64 as OutputType>::create_type_info(registry)
    }

    async fn resolve(
        &self,
        _: &ContextSelectionSet<'_>,
        _: &Positioned<Field>,
    ) -> ServerResult<Value> {
        Ok(whole(self.0).map_or_else(|| Value::from(self.0), Value::from))
    }
}

/// A landing that is sent; every field is needed, and null where it is not known.
#[derive(Debug, InputObject)]
pub struct LandingInput {
    /// Its number.
    pub id: u32,
    /// Where it was found.
    pub name: String,
    /// `Fell` or `Found`.
    pub fall: String,
    /// Where it landed, where that is known.
    pub geo_location: Option<Moved<GeoLocationInput>>,
    /// In grams, where it is known.
    pub mass: Option<f64>,
    /// Whether the name is in use.
    pub name_type: String,
    /// The kind of stone, as a short code.
    pub rec_class: String,
    /// In degrees, where the place is known.
    #[graphql(name = "recLAT")]
    pub latitude: Option<f64>,
    /// In degrees, where the place is known.
    #[graphql(name = "recLONG")]
    pub longitude: Option<f64>,
    /// The first moment of its year, RFC 3339 in UTC, where the year is known.
    pub year: Option<String>,
}

/// Where a meteorite landed.
#[derive(Debug, InputObject)]
pub struct GeoLocationInput {
    /// Always `Point`.
    pub r#type: String,
    /// Longitude and latitude in degrees.
    pub coordinates: [f64; 2],
}

impl FromFields for LandingInput {
    fn from_fields(mut fields: IndexMap<Name, Value>) -> InputValueResult<Self> {
        let given = &mut fields;
        Ok(Self {
            id: take(given, "id")?,
            name: take(given, "name")?,
            fall: take(given, "fall")?,
            geo_location: take(given, "geoLocation")?,
            mass: take(given, "mass")?,
            name_type: take(given, "nameType")?,
            rec_class: take(given, "recClass")?,
            latitude: take(given, "recLAT")?,
            longitude: take(given, "recLONG")?,
            year: take(given, "year")?,
        })
    }
}

impl FromFields for GeoLocationInput {
    fn from_fields(mut fields: IndexMap<Name, Value>) -> InputValueResult<Self> {
        Ok(Self {
            r#type: take(&mut fields, "type")?,
            coordinates: take(&mut fields, "coordinates")?,
        })
    }
}

/// Moves the value of a field out of an object and reads it.
fn take<T: InputType, O: InputType>(
    fields: &mut IndexMap<Name, Value>,
    name: &str,
) -> Result<T, InputValueError<O>> {
    InputType::parse(fields.swap_remove(name)).map_err(InputValueError::propagate)
}
