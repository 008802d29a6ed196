//! The schema's roots for reading and changing.
//!
//! Two rules hold here that other modules build on: only the fields of `Query` are nullable
//! (`nulls`), and the cost of a root field does not depend on its arguments (`documents`, `limits`).

use async_graphql::{
    Error, ErrorExtensions, ID, MergedObject, Object, ObjectType, Result, Schema, ValidationMode,
};

use crate::{
    domain::{EventFeed, Line, Order, SharedBookstore, reach},
    expenses::Expenses,
};

use super::{
    GraphqlConfig,
    composed::{self, Services},
    expense_changes::ExpensesMutation,
    expenses::ExpensesQuery,
    orders::{Moved, ReserveStockInput},
    published::{PublishedMutation, PublishedQuery},
    subscription::Subscriptions,
    types::{BookNode, ReserveStockPayload, domain_error},
};

/// The schema as async-graphql executes it.
pub type BookstoreSchema = Schema<Query, Mutation, Subscriptions>;

/// The same with users and expenses.
pub type SchemaWithExpenses = Schema<QueryWithExpenses, MutationWithExpenses, Subscriptions>;

/// The same over gRPC services.
pub type SchemaOverGrpc = Schema<composed::Query, composed::Mutation, Subscriptions>;

/// What can be read of books and household. async-graphql does not let it have the name of a part of it.
#[derive(MergedObject)]
pub struct QueryWithExpenses(Query, ExpensesQuery);

/// What can be changed of both.
#[derive(MergedObject)]
pub struct MutationWithExpenses(Mutation, ExpensesMutation);

/// What can be read.
pub struct Query {
    store: SharedBookstore,
}

/// What can be read.
#[Object]
impl Query {
    /// One book; null with an error when it does not exist.
    async fn book(&self, id: ID) -> Option<Result<BookNode<'_>>> {
        reach(&*self.store).await;
        Some(self.find_book(&id))
    }

    #[graphql(flatten)]
    #[expect(
        clippy::unused_async,
        reason = "async-graphql takes only async functions as resolvers"
    )]
    async fn published(&self) -> PublishedQuery {
        PublishedQuery
    }
}

impl Query {
    fn find_book(&self, id: &ID) -> Result<BookNode<'_>> {
        let number: i32 = id.parse().map_err(|_| not_a_book_id(id))?;
        match self.store.book(number) {
            Ok(book) => Ok(BookNode {
                store: &*self.store,
                book,
            }),
            Err(error) => Err(domain_error(&error)),
        }
    }
}

/// What can be changed.
pub struct Mutation {
    store: SharedBookstore,
}

/// What can be changed.
#[Object]
impl Mutation {
    /// Reserves every line of an order or none.
    async fn reserve_stock(&self, input: Moved<ReserveStockInput>) -> Result<ReserveStockPayload> {
        let Moved(input) = input;
        let lines: Vec<Line<'_>> = input
            .lines
            .iter()
            .map(|Moved(line)| Line {
                isbn: &line.isbn,
                quantity: line.quantity,
            })
            .collect();
        let order = Order {
            order_id: &input.order_id,
            lines: &lines,
        };
        reach(&*self.store).await;
        match self.store.reserve(&order) {
            Ok(reservation) => Ok(ReserveStockPayload(reservation)),
            Err(error) => Err(domain_error(&error)),
        }
    }

    #[graphql(flatten)]
    #[expect(
        clippy::unused_async,
        reason = "async-graphql takes only async functions as resolvers"
    )]
    async fn published(&self) -> PublishedMutation {
        PublishedMutation
    }
}

/// Builds the schema. Depth and complexity are checked by `limits` before execution.
pub fn build(
    store: SharedBookstore,
    config: &GraphqlConfig,
    validation: ValidationMode,
) -> BookstoreSchema {
    let query = Query {
        store: store.clone(),
    };
    let subscriptions = Subscriptions::new(store.events());
    with_rules(query, Mutation { store }, subscriptions, config, validation)
}

/// As [`build`], with users and expenses.
pub fn build_with_expenses(
    store: SharedBookstore,
    expenses: &Expenses,
    config: &GraphqlConfig,
    validation: ValidationMode,
) -> SchemaWithExpenses {
    let subscriptions = Subscriptions::new(store.events());
    let books = Query {
        store: store.clone(),
    };
    let changes = ExpensesMutation {
        store: expenses.store.clone(),
    };
    let query = QueryWithExpenses(books, ExpensesQuery::new(expenses));
    let mutation = MutationWithExpenses(Mutation { store }, changes);
    with_rules(query, mutation, subscriptions, config, validation)
}

/// As [`build`], over gRPC services instead of a store.
pub fn build_over_grpc(
    services: &Services,
    events: &EventFeed,
    config: &GraphqlConfig,
    validation: ValidationMode,
) -> SchemaOverGrpc {
    let (query, mutation) = composed::roots(services);
    let subscriptions = Subscriptions::new(events.clone());
    with_rules(query, mutation, subscriptions, config, validation)
}

fn with_rules<Q: ObjectType + 'static, M: ObjectType + 'static>(
    query: Q,
    mutation: M,
    subscriptions: Subscriptions,
    config: &GraphqlConfig,
    validation: ValidationMode,
) -> Schema<Q, M, Subscriptions> {
    let builder = Schema::build(query, mutation, subscriptions)
        .validation_mode(validation)
        .limit_recursive_depth(super::limits::PARSER_DEPTH);
    if config.introspection {
        builder.finish()
    } else {
        builder.disable_introspection().finish()
    }
}

pub(super) fn not_a_book_id(id: &ID) -> Error {
    Error::new(format!(
        "{:?} is not the id of a book; ids are whole numbers from 1 on",
        id.as_str()
    ))
    .extend_with(|_, extensions| extensions.set("code", "BAD_USER_INPUT"))
}
