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
        let mut kept = self.shelf();
        kept.text_bytes += key.len();
        if let Some((replaced, _)) = kept.entries.push(key, Arc::new(ready)) {
            kept.text_bytes -= replaced.len();
        }
        while kept.entries.len() > MAX_ENTRIES || kept.text_bytes > MAX_TEXT_BYTES {
            let Some((dropped, _)) = kept.entries.pop_lru() else {
                break;
            };
            kept.text_bytes -= dropped.len();
        }
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn named_key(text: &str, operation_name: &str) -> String {
    [text, "\0", operation_name].concat()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use async_graphql::{parser::parse_query, value};

    use super::*;

    const SDL: &str = "input In { a: Int! b: [ID!] } type Query { f(in: In!, n: Int): Int }";

    fn types() -> InputTypes {
        InputTypes::from_sdl(SDL).unwrap()
    }

    fn prepare(text: &str, name: Option<&str>) -> Option<ReadyDocument> {
        let document = parse_query(text).unwrap();
        let operation = document.operations.iter().next().unwrap().1;
        ReadyDocument::prepare(&document, operation, name, &types())
    }

    #[test]
    fn only_documents_that_do_not_depend_on_variables_are_kept() {
        for kept in [
            "{ f(in: {a: 1}) }",
            "query($i: In!) { f(in: $i) }",
            "query($i: In!, $n: Int) { a: f(in: $i, n: $n) f(in: {a: 2}) @skip(if: true) }",
            "{ f(in: {a: 1}) ...F } fragment F on Query { f(in: {a: 1}) }",
        ] {
            assert!(prepare(kept, None).is_some(), "{kept}");
        }
        for not_kept in [
            "query($a: Int!) { f(in: {a: $a}) }",
            "query($a: ID!) { f(in: {a: 1, b: [$a]}) }",
            "query($i: In! = {a: 1}) { f(in: $i) }",
            "query($s: Boolean!) { f(in: {a: 1}) @skip(if: $s) }",
            "query($s: Boolean!) @d(if: $s) { f(in: {a: 1}) }",
            "query($n: Int) { f(in: {a: 1}) { g(n: $n) } }",
            "query($i: In!) { ... { f(in: $i) } }",
            "query($i: In!) { ...F } fragment F on Query { f(in: $i) }",
            "query($s: Boolean!) { ...F @skip(if: $s) } fragment F on Query { f(in: {a: 1}) }",
            "query($s: Boolean!) { ...F } fragment F on Query @d(if: $s) { f(in: {a: 1}) }",
        ] {
            assert!(prepare(not_kept, None).is_none(), "{not_kept}");
        }
    }

    #[test]
    fn only_variables_beyond_doubt_are_accepted() {
        let ready = prepare("query($i: In!, $n: Int) { f(in: $i, n: $n) }", None).unwrap();
        let accepts = |variables| ready.accepts(&Variables::from_value(variables), &types());
        assert!(accepts(value!({ "i": { "a": 1 }, "n": 2 })));
        assert!(accepts(value!({ "n": null, "i": { "b": ["x"], "a": -1 } })));
        assert!(accepts(value!({ "n": 2, "i": { "a": 1, "b": null } })));
        for doubtful in [
            value!({}),
            value!({ "i": { "a": 1 } }),
            value!({ "i": { "a": 1 }, "n": 2, "x": 3 }),
            value!({ "i": { "a": 1 }, "x": 2 }),
            value!({ "i": null, "n": 2 }),
            value!({ "i": { "a": null }, "n": 2 }),
            value!({ "i": { "b": [] }, "n": 2 }),
            value!({ "i": { "a": 1, "c": 1 }, "n": 2 }),
            value!({ "i": { "a": "1" }, "n": 2 }),
            value!({ "i": { "a": 2_147_483_648_i64 }, "n": 2 }),
            value!({ "i": { "a": 1.0 }, "n": 2 }),
            value!({ "i": { "a": 1, "b": "x" }, "n": 2 }),
            value!({ "i": { "a": 1, "b": [null] }, "n": 2 }),
            value!({ "i": { "a": 1, "b": [7] }, "n": 2 }),
            value!({ "i": { "a": 1 }, "n": true }),
            value!({ "i": [{ "a": 1 }], "n": 2 }),
        ] {
            assert!(!accepts(doubtful.clone()), "{doubtful}");
        }
    }

    #[test]
    fn text_and_operation_name_are_the_key() {
        let cache = DocumentCache::new();
        let text = "query Q { f(in: {a: 1}) }";
        cache.keep(text, prepare(text, Some("Q")).unwrap());
        assert!(cache.find(text, Some("Q")).is_some());
        assert!(cache.find(text, None).is_none());
        assert!(cache.find(text, Some("R")).is_none());
        assert!(cache.find(&named_key(text, "Q"), None).is_none());
        cache.keep(text, prepare(text, None).unwrap());
        assert!(cache.find(text, None).is_some());
    }

    #[test]
    fn entries_and_bytes_are_bounded_and_the_oldest_go_first() {
        let cache = DocumentCache::new();
        let sizes = || {
            let shelf = cache.shelf();
            let bytes: usize = shelf.entries.iter().map(|(key, _)| key.len()).sum();
            assert_eq!(bytes, shelf.text_bytes);
            (shelf.entries.len(), bytes)
        };
        let first = "{ f(in: {a: 0}) }";
        let keep = |text: &str| cache.keep(text, prepare(text, None).unwrap());
        keep(first);
        keep(first);
        assert_eq!(sizes(), (1, first.len()));
        for number in 1..=MAX_ENTRIES {
            keep(&format!("{{ f(in: {{a: {number}}}) }}"));
        }
        assert_eq!(sizes().0, MAX_ENTRIES);
        assert!(cache.find(first, None).is_none());
        for number in 0..12 {
            keep(&format!(
                "{{ f(in: {{a: {number}}}) }} #{}",
                "x".repeat(60_000)
            ));
        }
        let (entries, bytes) = sizes();
        assert!(entries < 12 && bytes <= MAX_TEXT_BYTES, "{entries} {bytes}");
        keep(&format!(
            "{{ f(in: {{a: 1}}) }} #{}",
            "x".repeat(MAX_TEXT_BYTES)
        ));
        assert_eq!(
            sizes(),
            (entries, bytes),
            "one huge text drives nothing out"
        );
    }
}
