//! The schema's input types, read from its own SDL, in a form that values can be compared with.

use async_graphql::parser::{
    self,
    types::{BaseType, InputObjectType, Type, TypeKind, TypeSystemDefinition},
};
use hashbrown::HashMap;

/// Every input object of the schema.
#[derive(Debug, Default)]
pub struct InputTypes {
    objects: Vec<InputObject>,
    by_name: HashMap<String, usize>,
}

/// An input object's fields, in the schema's order.
#[derive(Debug, Default)]
pub struct InputObject {
    pub fields: Vec<InputField>,
}

/// One field of an input object.
#[derive(Debug)]
pub struct InputField {
    pub name: String,
    pub shape: Shape,
    /// Whether it may be left out.
    pub optional: bool,
}

/// What values a type takes.
#[derive(Clone, Debug)]
pub struct Shape {
    pub nullable: bool,
    pub kind: Kind,
}

/// A type without its nullability.
#[derive(Clone, Debug)]
pub enum Kind {
    Int,
    Float,
    String,
    Boolean,
    Id,
    List(Box<Shape>),
    /// Position in [`InputTypes`].
    Object(usize),
    /// Not one of the above; only async-graphql's own validation can judge it.
    Unknown,
}

impl InputTypes {
    /// Reads the input types of a schema that async-graphql printed.
    pub fn from_sdl(sdl: &str) -> Result<Self, parser::Error> {
        let document = parser::parse_schema(sdl)?;
        let definitions: Vec<(&str, &InputObjectType)> = document
            .definitions
            .iter()
            .filter_map(|definition| match definition {
                TypeSystemDefinition::Type(ty) => match &ty.node.kind {
                    TypeKind::InputObject(object) => Some((ty.node.name.node.as_str(), object)),
                    _ => None,
                },
                _ => None,
            })
            .collect();
        let mut types = Self {
            objects: Vec::with_capacity(definitions.len()),
            by_name: definitions
                .iter()
                .enumerate()
                .map(|(index, (name, _))| ((*name).to_owned(), index))
                .collect(),
        };
        for (_, object) in definitions {
            let fields = object.fields.iter().map(|field| InputField {
                name: field.node.name.node.to_string(),
                shape: types.shape(&field.node.ty.node),
                optional: field.node.ty.node.nullable || field.node.default_value.is_some(),
            });
            let object = InputObject {
                fields: fields.collect(),
            };
            types.objects.push(object);
        }
        Ok(types)
    }

    /// The shape of a type as a document writes it.
    pub fn shape(&self, ty: &Type) -> Shape {
        let kind = match &ty.base {
            BaseType::List(item) => Kind::List(Box::new(self.shape(item))),
            BaseType::Named(name) => match name.as_str() {
                "Int" => Kind::Int,
                "Float" => Kind::Float,
                "String" => Kind::String,
                "Boolean" => Kind::Boolean,
                "ID" => Kind::Id,
                name => self
                    .by_name
                    .get(name)
                    .map_or(Kind::Unknown, |&index| Kind::Object(index)),
            },
        };
        Shape {
            nullable: ty.nullable,
            kind,
        }
    }

    /// The input object at `index`, which a [`Kind::Object`] of these types names.
    pub fn object(&self, index: usize) -> &InputObject {
        &self.objects[index]
    }

    /// The name of the input object at `index`.
    pub fn name_of(&self, index: usize) -> &str {
        self.by_name
            .iter()
            .find(|&(_, &at)| at == index)
            .map_or("input object", |(name, _)| name)
    }
}
