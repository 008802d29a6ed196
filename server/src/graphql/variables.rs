//! Compares a request's variables with the types that its operation declares for them.
//!
//! async-graphql judges variables only where they are used, in the middle of execution. Judging
//! them before it keeps a mutation from being half done, and tells cached documents whether they
//! may skip validation.

use async_graphql::{Name, Positioned, Value, Variables, parser::types::VariableDefinition};

use super::{
    inputs::{InputTypes, Kind, Shape},
    refusal::Refusal,
};

/// The longest piece of a wrong value that an error repeats, in characters.
const SHOWN_CHARS: usize = 60;

/// The variables that an operation declares.
#[derive(Debug)]
pub struct Declared {
    variables: Vec<Variable>,
}

#[derive(Debug)]
struct Variable {
    name: Name,
    shape: Shape,
    has_default: bool,
}

/// How well acceptable values fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// Every variable is declared, given, and of its type as it stands.
    Exact,
    /// Acceptable as far as can be told here, by a default, a coercion or something unknown.
    Loose,
}

impl Declared {
    /// What these definitions declare.
    pub fn new(definitions: &[Positioned<VariableDefinition>], types: &InputTypes) -> Self {
        let variables = definitions.iter().map(|definition| Variable {
            name: definition.node.name.node.clone(),
            shape: types.shape(&definition.node.var_type.node),
            has_default: definition.node.default_value.is_some(),
        });
        Self {
            variables: variables.collect(),
        }
    }

    /// Judges the request's values.
    ///
    /// # Errors
    /// [`Refusal::Variable`], naming the place and the value.
    pub fn check(&self, values: &Variables, types: &InputTypes) -> Result<Fit, Refusal> {
        let mut check = Check {
            types,
            fit: if values.len() == self.variables.len() {
                Fit::Exact
            } else {
                Fit::Loose
            },
        };
        for variable in &self.variables {
            check.variable(variable, values.get(&variable.name))?;
        }
        Ok(check.fit)
    }
}

struct Check<'t> {
    types: &'t InputTypes,
    fit: Fit,
}

/// A misfit, with its path from the inside out.
struct Misfit {
    path: Vec<String>,
    problem: String,
}

impl Misfit {
    fn new(problem: String) -> Self {
        Self {
            path: Vec::new(),
            problem,
        }
    }

    fn inside(mut self, segment: String) -> Self {
        self.path.push(segment);
        self
    }

    fn into_refusal(self, name: &Name) -> Refusal {
        let place = self
            .path
            .iter()
            .rev()
            .fold(name.to_string(), |place, segment| place + segment);
        Refusal::Variable {
            place,
            problem: self.problem,
        }
    }
}

impl Check<'_> {
    fn variable(&mut self, variable: &Variable, value: Option<&Value>) -> Result<(), Refusal> {
        match value {
            Some(value) => self
                .value(value, &variable.shape)
                .map_err(|misfit| misfit.into_refusal(&variable.name)),
            None if variable.shape.nullable || variable.has_default => {
                self.fit = Fit::Loose;
                Ok(())
            }
            None => Err(Misfit::new(format!(
                "is missing; give it a value of type {}",
                self.type_name(&variable.shape)
            ))
            .into_refusal(&variable.name)),
        }
    }

    fn value(&mut self, value: &Value, shape: &Shape) -> Result<(), Misfit> {
        let fits = match (&shape.kind, value) {
            (_, Value::Null) => shape.nullable,
            (Kind::Unknown, _) => {
                self.fit = Fit::Loose;
                true
            }
            (Kind::List(item), Value::List(values)) => return self.list(values, item),
            (Kind::List(item), single) => {
                self.fit = Fit::Loose;
                return self.value(single, item);
            }
            (Kind::Object(index), Value::Object(_)) => return self.object(value, *index),
            (Kind::Int, Value::Number(number)) => number
                .as_i64()
                .is_some_and(|number| i32::try_from(number).is_ok()),
            (Kind::Id, Value::Number(number)) => {
                self.fit = Fit::Loose;
                number.is_i64()
            }
            (Kind::Float, Value::Number(_))
            | (Kind::String | Kind::Id, Value::String(_))
            | (Kind::Boolean, Value::Boolean(_)) => true,
            _ => false,
        };
        if fits {
            Ok(())
        } else {
            Err(Misfit::new(format!(
                "is {}; a value of type {} is needed",
                shown(value),
                self.type_name(shape)
            )))
        }
    }

    fn list(&mut self, values: &[Value], item: &Shape) -> Result<(), Misfit> {
        for (index, value) in values.iter().enumerate() {
            self.value(value, item)
                .map_err(|misfit| misfit.inside(format!("[{index}]")))?;
        }
        Ok(())
    }

    fn object(&mut self, value: &Value, index: usize) -> Result<(), Misfit> {
        let Value::Object(given) = value else {
            return Ok(());
        };
        let types = self.types;
        let fields = &types.object(index).fields;
        for (nth, (name, value)) in given.iter().enumerate() {
            // Most clients send the fields in the schema's order.
            let field = fields
                .get(nth)
                .filter(|field| field.name == name.as_str())
                .or_else(|| fields.iter().find(|field| field.name == name.as_str()));
            let Some(field) = field else {
                let known: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
                return Err(Misfit::new(format!(
                    "is no field of {}; its fields are {}",
                    types.name_of(index),
                    known.join(", ")
                ))
                .inside(format!(".{name}")));
            };
            self.value(value, &field.shape)
                .map_err(|misfit| misfit.inside(format!(".{name}")))?;
        }
        if given.len() == fields.len() {
            return Ok(());
        }
        let missing = fields
            .iter()
            .find(|field| !field.optional && !given.contains_key(field.name.as_str()));
        match missing {
            None => Ok(()),
            Some(field) => Err(Misfit::new(format!(
                "is missing; give it a value of type {}",
                self.type_name(&field.shape)
            ))
            .inside(format!(".{}", field.name))),
        }
    }

    fn type_name(&self, shape: &Shape) -> String {
        let name = match &shape.kind {
            Kind::Int => "Int".to_owned(),
            Kind::Float => "Float".to_owned(),
            Kind::String => "String".to_owned(),
            Kind::Boolean => "Boolean".to_owned(),
            Kind::Id => "ID".to_owned(),
            Kind::List(item) => format!("[{}]", self.type_name(item)),
            Kind::Object(index) => self.types.name_of(*index).to_owned(),
            Kind::Unknown => "its declaration".to_owned(),
        };
        if shape.nullable { name } else { name + "!" }
    }
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= SHOWN_CHARS {
        text
    } else {
        text.chars().take(SHOWN_CHARS).chain(['…']).collect()
    }
}
