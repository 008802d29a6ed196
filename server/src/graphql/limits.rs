//! What a document may ask for at most, found out in time proportional to its text.
//!
//! Validation and execution write fragments out wherever they are spread, so a short text can ask
//! for exponentially many fields. Each fragment is weighed once here, before either begins.

use async_graphql::{
    Name, Positioned, Value, Variables,
    parser::types::{
        Directive, ExecutableDocument, Field, OperationDefinition, Selection, SelectionSet,
    },
};
use async_graphql_value::Value as InputValue;
use hashbrown::HashMap;

use super::{GraphqlConfig, refusal::Refusal};

/// Levels at which async-graphql's parser gives up; its grammar recurses, so text that nests deeper
/// must not reach it.
pub const PARSER_DEPTH: usize = 64;
/// Bytes of a document. Bulk data belongs in variables, which are cheap to read.
const MAX_DOCUMENT_BYTES: usize = 64 * 1024;
/// Arguments, or directives, or variables in one place; validation compares them pair by pair.
const MAX_ARGUMENTS: usize = 32;
/// Reviews counted for a book when the query does not say how many.
const ASSUMED_REVIEWS: usize = 10;
/// Landings counted in a list of them. There are 1,000, but nobody can ask for more: all fields of the list
/// fit into the usual limit once and not twice.
const LANDINGS_COUNTED: usize = 50;
/// Lists of the introspection types. Nested in each other they multiply; the schema's own types
/// have no fields of these names.
const INTROSPECTION_LISTS: [&str; 5] = [
    "fields",
    "inputFields",
    "interfaces",
    "possibleTypes",
    "enumValues",
];

/// Refuses a text that is too long or nests too deeply to be parsed.
pub fn check_text(text: &str) -> Result<(), Refusal> {
    if text.len() > MAX_DOCUMENT_BYTES {
        return Err(Refusal::TooLong {
            bytes: text.len(),
            limit: MAX_DOCUMENT_BYTES,
        });
    }
    if bracket_depth(text.as_bytes()) > PARSER_DEPTH {
        return Err(Refusal::TooDeep {
            limit: PARSER_DEPTH,
        });
    }
    Ok(())
}

/// How deeply brackets nest outside strings and comments.
fn bracket_depth(mut rest: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    while let [first, after @ ..] = rest {
        rest = match first {
            b'{' | b'[' | b'(' => {
                depth += 1;
                deepest = deepest.max(depth);
                after
            }
            b'}' | b']' | b')' => {
                depth = depth.saturating_sub(1);
                after
            }
            b'#' => after_line(after),
            b'"' => match after {
                [b'"', b'"', block @ ..] => after_block_string(block),
                _ => after_string(after),
            },
            _ => after,
        };
    }
    deepest
}

fn after_line(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
    &text[end.unwrap_or(text.len())..]
}

fn after_string(mut text: &[u8]) -> &[u8] {
    loop {
        text = match text {
            [b'"' | b'\n' | b'\r', after @ ..] => return after,
            [b'\\', _, after @ ..] | [_, after @ ..] => after,
            [] => return text,
        };
    }
}

fn after_block_string(mut text: &[u8]) -> &[u8] {
    loop {
        text = match text {
            [b'"', b'"', b'"', after @ ..] => return after,
            [b'\\', b'"', b'"', b'"', after @ ..] | [_, after @ ..] => after,
            [] => return text,
        };
    }
}

/// Refuses a document that nests too deeply or asks for too much with these variables.
pub fn check_document(
    document: &ExecutableDocument,
    variables: &Variables,
    config: &GraphqlConfig,
) -> Result<(), Refusal> {
    let mut scale = Scale {
        document,
        variables,
        config,
        max_depth: config.max_depth.min(PARSER_DEPTH),
        fragments: HashMap::new(),
    };
    let mut cost = 0_usize;
    let mut operations: Vec<_> = document.operations.iter().collect();
    // By name, so that of several faults the same one is reported every time.
    operations.sort_by_key(|&(name, _)| name);
    for (name, operation) in operations {
        let place = || format!("operation {:?}", name.map_or("", Name::as_str));
        check_count(operation.node.variable_definitions.len(), place)?;
        check_directives(&operation.node.directives, place)?;
        cost = cost.saturating_add(scale.selection(&operation.node.selection_set, 1)?.cost);
    }
    // Validation walks unused fragments too.
    let mut fragments: Vec<_> = document.fragments.keys().collect();
    fragments.sort();
    for name in fragments {
        scale.fragment(name, 1)?;
    }
    if cost > config.max_complexity {
        return Err(Refusal::TooComplex {
            cost,
            limit: config.max_complexity,
        });
    }
    Ok(())
}

/// What a selection amounts to with its fragments written out.
#[derive(Clone, Copy, Default)]
struct Weight {
    /// Levels from here on.
    depth: usize,
    /// Fields that are resolved.
    cost: usize,
    /// Whether it holds a list of [`INTROSPECTION_LISTS`].
    introspection_list: bool,
}

impl Weight {
    /// One level further out.
    fn below(self) -> Self {
        Self {
            depth: self.depth + 1,
            ..self
        }
    }

    fn beside(self, other: Self) -> Self {
        Self {
            depth: self.depth.max(other.depth),
            cost: self.cost.saturating_add(other.cost),
            introspection_list: self.introspection_list || other.introspection_list,
        }
    }
}

struct Scale<'d> {
    document: &'d ExecutableDocument,
    variables: &'d Variables,
    config: &'d GraphqlConfig,
    max_depth: usize,
    /// `None` while the fragment is being weighed, so that a circle shows.
    fragments: HashMap<&'d str, Option<Weight>>,
}

impl<'d> Scale<'d> {
    /// Weighs the selections whose level is `level`, counted from 1.
    fn selection(
        &mut self,
        set: &'d Positioned<SelectionSet>,
        level: usize,
    ) -> Result<Weight, Refusal> {
        if set.node.items.is_empty() {
            return Ok(Weight::default());
        }
        self.check_depth(level)?;
        let mut total = Weight::default();
        for item in &set.node.items {
            let weight = match &item.node {
                Selection::Field(field) => self.field(&field.node, level)?,
                Selection::InlineFragment(fragment) => {
                    check_directives(&fragment.node.directives, || "a fragment".to_owned())?;
                    self.selection(&fragment.node.selection_set, level + 1)?
                        .below()
                }
                Selection::FragmentSpread(spread) => {
                    let name = &spread.node.fragment_name.node;
                    check_directives(&spread.node.directives, || format!("fragment {name:?}"))?;
                    self.fragment(name, level + 1)?.below()
                }
            };
            total = total.beside(weight);
        }
        Ok(total)
    }

    fn field(&mut self, field: &'d Field, level: usize) -> Result<Weight, Refusal> {
        let name = field.name.node.as_str();
        let place = || format!("field {name:?}");
        check_count(field.arguments.len(), place)?;
        check_directives(&field.directives, place)?;
        if !self.config.introspection && matches!(name, "__schema" | "__type") {
            return Err(Refusal::IntrospectionOff);
        }
        let inner = self.selection(&field.selection_set, level + 1)?;
        let is_list = INTROSPECTION_LISTS.contains(&name);
        if is_list && inner.introspection_list {
            return Err(Refusal::IntrospectionTooDeep {
                field: name.to_owned(),
            });
        }
        let items = match name {
            "reviews" => self.reviews_asked_for(field),
            "landings" => LANDINGS_COUNTED,
            _ => 1,
        };
        Ok(Weight {
            depth: inner.depth + 1,
            cost: inner.cost.saturating_mul(items).saturating_add(1),
            introspection_list: is_list || inner.introspection_list,
        })
    }

    fn fragment(&mut self, name: &'d Name, level: usize) -> Result<Weight, Refusal> {
        let Some(fragment) = self.document.fragments.get(name) else {
            // Validation reports unknown fragments.
            return Ok(Weight::default());
        };
        match self.fragments.get(name.as_str()) {
            Some(Some(weight)) => {
                self.check_depth((level + weight.depth).saturating_sub(1))?;
                return Ok(*weight);
            }
            Some(None) => {
                return Err(Refusal::FragmentCycle {
                    name: name.to_string(),
                });
            }
            None => {}
        }
        self.fragments.insert(name, None);
        check_directives(&fragment.node.directives, || format!("fragment {name:?}"))?;
        let weight = self.selection(&fragment.node.selection_set, level)?;
        self.fragments.insert(name, Some(weight));
        Ok(weight)
    }

    fn check_depth(&self, level: usize) -> Result<(), Refusal> {
        if level > self.max_depth {
            return Err(Refusal::TooDeep {
                limit: self.max_depth,
            });
        }
        Ok(())
    }

    fn reviews_asked_for(&self, field: &Field) -> usize {
        let asked = match field.get_argument("last").map(|value| &value.node) {
            Some(InputValue::Number(number)) => number.as_i64(),
            Some(InputValue::Variable(name)) => self.variable(name).and_then(|value| match value {
                Value::Number(number) => number.as_i64(),
                _ => None,
            }),
            _ => None,
        };
        asked.map_or(ASSUMED_REVIEWS, |asked| usize::try_from(asked).unwrap_or(0))
    }

    /// The variable's value, or else the default that an operation declares for it.
    fn variable(&self, name: &Name) -> Option<&Value> {
        let default = || {
            let of_operation = |operation: &'d Positioned<OperationDefinition>| {
                let definitions = &operation.node.variable_definitions;
                definitions
                    .iter()
                    .find(|definition| definition.node.name.node == *name)
                    .and_then(|definition| definition.node.default_value())
            };
            self.document
                .operations
                .iter()
                .find_map(|(_, operation)| of_operation(operation))
        };
        self.variables.get(name).or_else(default)
    }
}

fn check_directives(
    directives: &[Positioned<Directive>],
    place: impl Fn() -> String,
) -> Result<(), Refusal> {
    check_count(directives.len(), &place)?;
    for directive in directives {
        check_count(directive.node.arguments.len(), || {
            format!("directive {:?}", directive.node.name.node.as_str())
        })?;
    }
    Ok(())
}

fn check_count(count: usize, place: impl Fn() -> String) -> Result<(), Refusal> {
    if count > MAX_ARGUMENTS {
        return Err(Refusal::TooManyArguments {
            place: place(),
            count,
            limit: MAX_ARGUMENTS,
        });
    }
    Ok(())
}
