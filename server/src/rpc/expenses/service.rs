//! The service over a store.

use std::fmt;

use bookstore_proto::v1::{
    ListExpensesRequest, ListExpensesResponse, ListUsersRequest, ListUsersResponse,
    expenses_service_server::ExpensesService,
};
use http::header::AUTHORIZATION;
use tonic::{Request, Response, Status, metadata::MetadataMap};

use super::{mask::fields_of, message, refusal::ExpensesRefusal};
use crate::expenses::{ExpenseFields, ExpenseFilter, Expenses, PartCount, Period};

/// The service over users and expenses.
pub struct ExpensesRpc {
    expenses: Expenses,
}

impl ExpensesRpc {
    /// The service over `expenses`.
    #[must_use]
    pub fn new(expenses: Expenses) -> Self {
        Self { expenses }
    }

    /// Refuses a call without a valid token, where one is asked for.
    fn check_token(&self, metadata: &MetadataMap) -> Result<(), ExpensesRefusal> {
        if !self.expenses.config.tokens.covers_others() {
            return Ok(());
        }
        let sent = metadata.get(AUTHORIZATION.as_str());
        let sent = sent.and_then(|value| value.to_str().ok());
        let now_s = jiff::Timestamp::now().as_second();
        Ok(self.expenses.tokens.check(sent, now_s)?)
    }

    async fn list(
        &self,
        request: &ListExpensesRequest,
    ) -> Result<ListExpensesResponse, ExpensesRefusal> {
        let fields = fields_of(request.field_mask.as_ref())?;
        let parts = PartCount::new(request.parts)?;
        let needed = if request.parts > 0 {
            fields | ExpenseFields::ID
        } else {
            fields
        };
        let expenses = self
            .expenses
            .store
            .expenses(&filter(request, needed)?)
            .await?;
        let message = |expense| message::expense(expense, fields, parts);
        Ok(ListExpensesResponse {
            expenses: expenses.into_iter().map(message).collect(),
        })
    }

    async fn users(&self) -> Result<ListUsersResponse, ExpensesRefusal> {
        let users = self.expenses.store.users().await?;
        Ok(ListUsersResponse {
            users: users.into_iter().map(message::user).collect(),
        })
    }
}

fn filter(
    request: &ListExpensesRequest,
    fields: ExpenseFields,
) -> Result<ExpenseFilter, ExpensesRefusal> {
    let given = |number: u32| (number != 0).then_some(number);
    let usual = ExpenseFilter::default();
    Ok(ExpenseFilter {
        id: None,
        skip: request.skip,
        limit: given(request.limit).unwrap_or(usual.limit),
        period: Period::new(given(request.month), given(request.year))?,
        resolved: request.resolved,
        fields,
    })
}

impl fmt::Debug for ExpensesRpc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExpensesRpc").finish_non_exhaustive()
    }
}

#[tonic::async_trait]
impl ExpensesService for ExpensesRpc {
    async fn list_expenses(
        &self,
        request: Request<ListExpensesRequest>,
    ) -> Result<Response<ListExpensesResponse>, Status> {
        self.check_token(request.metadata())?;
        Ok(Response::new(self.list(request.get_ref()).await?))
    }

    async fn list_users(
        &self,
        request: Request<ListUsersRequest>,
    ) -> Result<Response<ListUsersResponse>, Status> {
        self.check_token(request.metadata())?;
        Ok(Response::new(self.users().await?))
    }
}
