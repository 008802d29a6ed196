//! A bounded cache of documents that were parsed, found valid and executed without error before.
//!
//! What is kept may be executed again without validation, because nothing in it depends on the
//! variables but their own values: variables stand only as whole arguments of root fields, whose
//! cost does not depend on arguments, and no variable has a default. Everything else is not kept
//! and takes the full way every time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_graphql::{
    Positioned, Variables,
    parser::types::{
        Directive, DocumentOperations, ExecutableDocument, OperationDefinition, OperationType,
        Selection, SelectionSet,
    },
};
use async_graphql_value::Value as InputValue;
use lru::LruCache;

use super::{
    inputs::InputTypes,
    variables::{Declared, Fit},
};

/// Documents kept at most.
const MAX_ENTRIES: usize = 512;
/// Bytes of document text kept at most; a parsed document takes some twenty times its text.
const MAX_TEXT_BYTES: usize = 512 * 1024;

/// A document ready to be executed.
#[derive(Debug)]
pub struct ReadyDocument {
    /// The one operation that was selected, with the fragments.
    document: ExecutableDocument,
    /// The name it was selected by.
    operation_name: Option<Box<str>>,
    declared: Declared,
    is_mutation: bool,
}

impl ReadyDocument {
    /// The document's form to keep, or `None` when its validity or cost depends on variables.
    pub fn prepare(
        document: &ExecutableDocument,
        operation: &Positioned<OperationDefinition>,
        operation_name: Option<&str>,
        types: &InputTypes,
    ) -> Option<Self> {
        let definitions = &operation.node.variable_definitions;
        let independent = !definitions
            .iter()
            .any(|definition| definition.node.default_value.is_some())
            && !directives_use_variables(&operation.node.directives)
            && !selection_depends(&operation.node.selection_set, Level::Root)
            && !document.fragments.values().any(|fragment| {
                directives_use_variables(&fragment.node.directives)
                    || selection_depends(&fragment.node.selection_set, Level::Below)
            });
        independent.then(|| Self {
            document: ExecutableDocument {
                operations: DocumentOperations::Single(operation.clone()),
                fragments: document.fragments.clone(),
            },
            operation_name: operation_name.map(Into::into),
            declared: Declared::new(definitions, types),
            is_mutation: operation.node.ty == OperationType::Mutation,
        })
    }

    /// Whether these variables are beyond doubt.
    pub fn accepts(&self, variables: &Variables, types: &InputTypes) -> bool {
        matches!(self.declared.check(variables, types), Ok(Fit::Exact))
    }

    /// Whether executing it changes anything.
    pub fn is_mutation(&self) -> bool {
        self.is_mutation
    }

    /// A copy to execute.
    pub fn document(&self) -> ExecutableDocument {
        self.document.clone()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Root,
    Below,
}

fn selection_depends(set: &Positioned<SelectionSet>, level: Level) -> bool {
    set.node.items.iter().any(|item| {
        directives_use_variables(item.node.directives())
            || match &item.node {
                Selection::FragmentSpread(_) => false,
                Selection::InlineFragment(fragment) => {
                    selection_depends(&fragment.node.selection_set, Level::Below)
                }
                Selection::Field(field) => {
                    let argument_depends = |value: &InputValue| match value {
                        InputValue::Variable(_) => level == Level::Below,
                        value => uses_variable(value),
                    };
                    field
                        .node
                        .arguments
                        .iter()
                        .any(|(_, value)| argument_depends(&value.node))
                        || selection_depends(&field.node.selection_set, Level::Below)
                }
            }
    })
}

fn directives_use_variables(directives: &[Positioned<Directive>]) -> bool {
    directives
        .iter()
        .flat_map(|directive| &directive.node.arguments)
        .any(|(_, value)| uses_variable(&value.node))
}

fn uses_variable(value: &InputValue) -> bool {
    match value {
        InputValue::Variable(_) => true,
        InputValue::List(items) => items.iter().any(uses_variable),
        InputValue::Object(fields) => fields.values().any(uses_variable),
        _ => false,
    }
}

/// The cache.
#[derive(Debug)]
pub struct DocumentCache {
    shelf: Mutex<Shelf>,
}

#[derive(Debug)]
struct Shelf {
    entries: LruCache<String, Arc<ReadyDocument>>,
    text_bytes: usize,
}

impl DocumentCache {
    /// An empty cache.
    pub fn new() -> Self {
        Self {
            shelf: Mutex::new(Shelf {
                entries: LruCache::unbounded(),
                text_bytes: 0,
            }),
        }
    }

    /// The document kept for this text and operation name.
    pub fn find(&self, text: &str, operation_name: Option<&str>) -> Option<Arc<ReadyDocument>> {
        let ready = match operation_name {
            None => self.shelf().entries.get(text).cloned(),
            Some(name) => self.shelf().entries.get(&named_key(text, name)).cloned(),
        }?;
        // A text may end in what looks like the separator and a name.
        (ready.operation_name.as_deref() == operation_name).then_some(ready)
    }

    /// Keeps a document, at the cost of those not asked for the longest.
    pub fn keep(&self, text: &str, ready: ReadyDocument) {
        let key = match &ready.operation_name {
            None => text.to_owned(),
            Some(name) => named_key(text, name),
        };
        if key.len() > MAX_TEXT_BYTES {
            return;
        }
        let mut shelf = self.shelf();
        shelf.text_bytes += key.len();
        if let Some((replaced, _)) = shelf.entries.push(key, Arc::new(ready)) {
            shelf.text_bytes -= replaced.len();
        }
        while shelf.entries.len() > MAX_ENTRIES || shelf.text_bytes > MAX_TEXT_BYTES {
            let Some((dropped, _)) = shelf.entries.pop_lru() else {
                break;
            };
            shelf.text_bytes -= dropped.len();
        }
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn named_key(text: &str, operation_name: &str) -> String {
    [text, "\0", operation_name].concat()
}
