//! Answers one GraphQL request: limits, operation, variables, then execution by async-graphql.

use async_graphql::{
    Executor, ObjectType, Positioned, Request, Response, Schema, ServerError, ValidationMode,
    Value,
    parser::{
        self, parse_query,
        types::{DocumentOperations, ExecutableDocument, OperationDefinition, OperationType},
    },
};

use futures_util::stream::BoxStream;

use super::{
    GraphqlConfig,
    documents::{DocumentCache, ReadyDocument},
    envelope::Envelope,
    inputs::InputTypes,
    limits, nulls,
    persisted::Persisted,
    refusal::{Refusal, set_code},
    subscription::Subscriptions,
    variables::Declared,
};

/// Everything that is made once per server, whatever its schema.
pub struct Engine<S> {
    /// Validates every document.
    strict: S,
    /// Executes documents that `strict` accepted before, without the rules that it checked then.
    trusting: S,
    sdl: String,
    inputs: InputTypes,
    documents: Option<DocumentCache>,
    persisted: Persisted,
    config: GraphqlConfig,
}

/// How a request reached the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Queries only.
    Get,
    /// Queries and mutations.
    Post,
}

/// The outcome of a request.
pub enum Answer {
    /// It was executed; `data` is present, and there may be field errors.
    Executed(Response),
    /// Validation refused it.
    Invalid(Vec<ServerError>),
    /// It was refused before.
    Refused(Refusal),
}

impl<Q, M> Engine<Schema<Q, M, Subscriptions>>
where
    Q: ObjectType + 'static,
    M: ObjectType + 'static,
{
    /// Builds the schema twice, validating and not.
    ///
    /// # Errors
    /// When async-graphql cannot read the SDL that it wrote.
    pub fn new(
        build: impl Fn(ValidationMode) -> Schema<Q, M, Subscriptions>,
        config: &GraphqlConfig,
    ) -> Result<Self, parser::Error> {
        let strict = build(ValidationMode::Strict);
        let sdl = strict.sdl();
        Ok(Self {
            inputs: InputTypes::from_sdl(&sdl)?,
            trusting: build(ValidationMode::Fast),
            strict,
            sdl,
            documents: config.document_cache.then(DocumentCache::new),
            persisted: Persisted::new(config.persisted),
            config: config.clone(),
        })
    }
}

impl<S: Executor> Engine<S> {
    /// The schema in the schema definition language.
    pub fn sdl(&self) -> String {
        self.sdl.clone()
    }

    /// Answers a request.
    pub async fn answer(&self, mut envelope: Envelope<'_>, method: Method) -> Answer {
        let candidate = match self.persisted.resolve(&mut envelope) {
            Ok(candidate) => candidate,
            Err(refusal) => return Answer::Refused(refusal),
        };
        let answer = match self.ready_document(&envelope, method) {
            Some(document) => self.execute_ready(document, envelope).await,
            None => self.execute_new(envelope, method).await,
        };
        let answer = answer.unwrap_or_else(Answer::Refused);
        if let Some(candidate) = candidate
            && matches!(answer, Answer::Executed(_))
        {
            self.persisted.keep(candidate);
        }
        answer
    }

    /// The answers to a subscription, or the one answer to anything else.
    ///
    /// # Errors
    /// The answer, when the operation is no subscription or is refused.
    pub async fn subscribe(
        &self,
        mut envelope: Envelope<'_>,
    ) -> Result<BoxStream<'static, Response>, Answer> {
        if let Err(refusal) = self.persisted.resolve(&mut envelope) {
            return Err(Answer::Refused(refusal));
        }
        match self.checked(&envelope) {
            Ok((document, OperationType::Subscription)) => {
                let stream = self
                    .strict
                    .execute_stream(request_of(envelope, document), None);
                Ok(stream)
            }
            Ok(_) => Err(self.answer(envelope, Method::Post).await),
            Err(refusal) => Err(Answer::Refused(refusal)),
        }
    }

    /// A kept document, when it and the variables leave no doubt.
    fn ready_document(
        &self,
        envelope: &Envelope<'_>,
        method: Method,
    ) -> Option<ExecutableDocument> {
        let ready = self.documents.as_ref()?.find(
            envelope.query.as_deref()?,
            envelope.operation_name.as_deref(),
        )?;
        let allowed = method == Method::Post || !ready.is_mutation();
        (allowed && ready.accepts(&envelope.variables, &self.inputs)).then(|| ready.document())
    }

    async fn execute_ready(
        &self,
        document: ExecutableDocument,
        envelope: Envelope<'_>,
    ) -> Result<Answer, Refusal> {
        let mut request = Request::new(String::new()).variables(envelope.variables);
        request.set_parsed_query(document);
        Ok(classified(self.trusting.execute(request).await))
    }

    async fn execute_new(&self, envelope: Envelope<'_>, method: Method) -> Result<Answer, Refusal> {
        let (document, kind) = self.checked(&envelope)?;
        match kind {
            OperationType::Mutation if method == Method::Get => {
                return Err(Refusal::MutationOverGet);
            }
            OperationType::Subscription => return Err(Refusal::SubscriptionNeedsStream),
            _ => {}
        }
        let text = envelope.query.clone().unwrap_or_default();
        let operation_name = envelope.operation_name.clone();
        let ready = self.documents.as_ref().and_then(|documents| {
            let name = operation_name.as_deref();
            let operation = select(&document, name).ok()?;
            ReadyDocument::prepare(&document, operation, name, &self.inputs)
                .map(|ready| (documents, ready))
        });
        let response = self.strict.execute(request_of(envelope, document)).await;
        if let Some((documents, ready)) = ready
            && response.is_ok()
        {
            documents.keep(&text, ready);
        }
        Ok(classified(response))
    }

    /// The document with the kind of the operation that was asked for, within the limits.
    fn checked(
        &self,
        envelope: &Envelope<'_>,
    ) -> Result<(ExecutableDocument, OperationType), Refusal> {
        let text = envelope.query.as_deref().unwrap_or_default();
        limits::check_text(text)?;
        let document = parse_query(text)?;
        let operation = select(&document, envelope.operation_name.as_deref())?;
        let kind = operation.node.ty;
        limits::check_document(&document, &envelope.variables, &self.config)?;
        Declared::new(&operation.node.variable_definitions, &self.inputs)
            .check(&envelope.variables, &self.inputs)?;
        Ok((document, kind))
    }
}

fn request_of(envelope: Envelope<'_>, document: ExecutableDocument) -> Request {
    let mut request = Request::new(String::new()).variables(envelope.variables);
    if let Some(name) = envelope.operation_name {
        request = request.operation_name(name);
    }
    request.set_parsed_query(document);
    request
}

/// Tells refusals by validation from answers of the executor, whose errors name a field.
fn classified(mut response: Response) -> Answer {
    if response.is_ok() {
        return Answer::Executed(response);
    }
    let invalid =
        response.data == Value::Null && response.errors.iter().all(|error| error.path.is_empty());
    // The executor's own complaints that are left after validation are about argument values.
    let code = if invalid {
        "GRAPHQL_VALIDATION_FAILED"
    } else {
        "BAD_USER_INPUT"
    };
    for error in &mut response.errors {
        set_code(error, code);
    }
    if invalid {
        return Answer::Invalid(response.errors);
    }
    nulls::propagate(&mut response);
    Answer::Executed(response)
}

fn select<'d>(
    document: &'d ExecutableDocument,
    name: Option<&str>,
) -> Result<&'d Positioned<OperationDefinition>, Refusal> {
    match (&document.operations, name) {
        (DocumentOperations::Single(operation), None) => Ok(operation),
        (DocumentOperations::Single(_), Some(name)) => Err(Refusal::UnknownOperation {
            name: name.to_owned(),
            known: Vec::new(),
        }),
        (DocumentOperations::Multiple(operations), Some(name)) => {
            operations
                .get(name)
                .ok_or_else(|| Refusal::UnknownOperation {
                    name: name.to_owned(),
                    known: names(document),
                })
        }
        (DocumentOperations::Multiple(operations), None) => {
            let mut all = operations.values();
            match (all.next(), all.next()) {
                (Some(operation), None) => Ok(operation),
                _ => Err(Refusal::OperationNameMissing {
                    known: names(document),
                }),
            }
        }
    }
}

/// The names of a document's operations, sorted.
fn names(document: &ExecutableDocument) -> Vec<String> {
    let mut names: Vec<String> = document
        .operations
        .iter()
        .filter_map(|(name, _)| name.map(ToString::to_string))
        .collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::sync::Arc;

    use serde_json::json;

    use crate::{
        domain::InMemoryBookstore,
        graphql::schema::{self, BookstoreSchema},
    };

    use super::*;

    const RESERVE_STOCK: &str = include_str!("../../../k6/lib/documents/reserve-stock.graphql");
    const BOOK_DETAIL: &str = include_str!("../../../k6/lib/documents/book-detail.graphql");

    fn engine(document_cache: bool) -> Engine<BookstoreSchema> {
        let config = GraphqlConfig {
            document_cache,
            ..GraphqlConfig::default()
        };
        let store = Arc::new(InMemoryBookstore::default());
        Engine::new(|mode| schema::build(store.clone(), &config, mode), &config).unwrap()
    }

    fn body(query: &str, isbn: &str) -> Vec<u8> {
        let line = json!({ "isbn": isbn, "quantity": 1 });
        let variables = if query == BOOK_DETAIL {
            json!({ "id": "1" })
        } else {
            json!({ "input": { "orderId": "o", "lines": [line] } })
        };
        serde_json::to_vec(&json!({ "query": query, "variables": variables })).unwrap()
    }

    async fn is_ready_after(engine: &Engine<BookstoreSchema>, body: &[u8]) -> bool {
        let envelope = || Envelope::from_body(body).unwrap();
        engine.answer(envelope(), Method::Post).await;
        engine.ready_document(&envelope(), Method::Post).is_some()
    }

    #[tokio::test]
    async fn the_measured_documents_are_kept_after_their_first_success() {
        let engine = engine(true);
        assert!(!is_ready_after(&engine, &body(RESERVE_STOCK, "unknown")).await);
        for document in [RESERVE_STOCK, BOOK_DETAIL] {
            let body = body(document, "9780000000001");
            assert!(is_ready_after(&engine, &body).await);
            let by_get = engine.ready_document(&Envelope::from_body(&body).unwrap(), Method::Get);
            assert_eq!(by_get.is_some(), document == BOOK_DETAIL);
        }
    }

    #[tokio::test]
    async fn refused_documents_are_never_kept() {
        let engine = engine(true);
        for document in [
            "{ nope }",
            "query($id: ID!) { book(id: $id) { nope } }",
            "{",
        ] {
            let body = serde_json::to_vec(&json!({ "query": document })).unwrap();
            assert!(!is_ready_after(&engine, &body).await, "{document}");
        }
    }

    #[tokio::test]
    async fn without_the_cache_nothing_is_kept() {
        assert!(!is_ready_after(&engine(false), &body(BOOK_DETAIL, "")).await);
    }

    /// `nulls` takes for granted that nothing but the fields of `Query` is nullable, where fields can fail.
    #[test]
    fn only_root_fields_of_queries_are_nullable() {
        use async_graphql::parser::types::{TypeKind, TypeSystemDefinition};

        let schema = parser::parse_schema(engine(true).sdl()).unwrap();
        let mut seen = 0;
        for definition in schema.definitions {
            let TypeSystemDefinition::Type(ty) = definition else {
                continue;
            };
            let TypeKind::Object(object) = &ty.node.kind else {
                continue;
            };
            if ty.node.name.node == "Landing" {
                continue;
            }
            for field in &object.fields {
                let is_root = ty.node.name.node == "Query";
                assert_eq!(
                    field.node.ty.node.nullable, is_root,
                    "{}",
                    field.node.name.node
                );
                seen += 1;
            }
        }
        assert!(seen > 10);
    }
}
