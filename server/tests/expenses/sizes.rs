//! Bodies against the ones that the thesis' measurements show.

use bookstore_proto::v1::ListExpensesRequest;
use prost::Message as _;

use super::{
    calls::{Protocol, mask},
    household::{Household, TASK_A, TASK_B},
};

/// Bytes of REST's list, its list of unresolved ones, task A and task B in GraphQL.
const OURS: [usize; 4] = [217_091, 217_087, 256_107, 7_980];
/// The same from the thesis' raw results, less 270 to 275 bytes of head.
const PUBLISHED: [usize; 4] = [216_927, 218_209, 255_944, 7_961];

#[tokio::test]
async fn the_users_are_72_400_bytes() {
    let household = Household::open_to_all().await;
    assert_eq!(household.get("/api/v1/users").await.body.len(), 72_400);
}

#[tokio::test]
async fn lists_of_500_have_the_published_sizes() {
    let household = Household::open_to_all().await;
    let rest = household.get("/api/v1/expenses?limit=500").await;
    let unresolved = household.get("/api/v1/expenses?resolved=false&limit=500");
    let sizes = [
        rest.body.len(),
        unresolved.await.body.len(),
        household.query(TASK_A).await.body.len(),
        household.query(TASK_B).await.body.len(),
    ];
    assert_eq!(sizes, OURS);
    for (ours, published) in OURS.into_iter().zip(PUBLISHED) {
        assert!(
            ours.abs_diff(published) * 100 <= published,
            "{ours} of {published}"
        );
    }
}

#[tokio::test]
async fn task_a_has_78_bytes_per_expense_more_than_rest() {
    let household = Household::open_to_all().await;
    let rest = household.get("/api/v1/expenses?limit=500").await.body.len();
    let graphql = household.query(TASK_A).await.body.len();
    let envelopes = r#"{"data":{"getExpenses":}}"#.len() - r#"{"data":}"#.len();
    assert_eq!(graphql - rest, 78 * 500 + envelopes);
}

/// The two timestamps of the payee are what GraphQL's answer has more.
#[tokio::test]
async fn an_expanded_payee_makes_up_the_difference() {
    let household = Household::open_to_all().await;
    let plain = household.get("/api/v1/expenses?limit=500").await.body.len();
    let expanded = household.get("/api/v1/expenses?limit=500&expand=payee");
    assert_eq!(expanded.await.body.len() - plain, 78 * 500);
}

#[test]
fn task_a_is_a_query_of_136_characters() {
    assert_eq!(TASK_A.len(), 136);
}

/// Protobuf has no names of fields and no quotes, and numbers in binary; texts are the same.
#[tokio::test]
async fn messages_have_their_sizes() {
    let household = Household::open_to_all().await;
    let users = household.list_users(Protocol::Grpc, None).await.unwrap();
    let list = async |resolved, paths: &[&str]| {
        let request = ListExpensesRequest {
            limit: 500,
            resolved,
            field_mask: Some(mask(paths)),
            ..ListExpensesRequest::default()
        };
        let answer = household.list_expenses(Protocol::Grpc, &request).await;
        answer.unwrap().encoded_len()
    };
    let sizes = [
        users.encoded_len(),
        list(None, &[]).await,
        list(Some(false), &["price_cents"]).await,
    ];
    assert_eq!(sizes, [50_390, 180_855, 2_915]);
}

/// The lists grow by as much as a user or an expense takes.
#[tokio::test]
async fn a_household_has_the_size_that_was_asked_for() {
    for (users, expenses, tags, users_bytes, expenses_bytes) in [
        (1, 1, 0, 153, 456),
        (500, 5_000, 0, 72_400, 2_167_154),
        (1_000, 100, 3, 144_900, 45_666),
    ] {
        let household = Household::filled(&[
            &format!("--expenses-users={users}"),
            &format!("--expenses-count={expenses}"),
            &format!("--expenses-tags={tags}"),
        ])
        .await;
        let listed = household.get("/api/v1/expenses?limit=10000").await;
        let bytes = [
            household.get("/api/v1/users").await.body.len(),
            listed.body.len(),
        ];
        assert_eq!(bytes, [users_bytes, expenses_bytes], "{users} {expenses}");
        let list = listed.data();
        assert_eq!(list.as_array().map(Vec::len), Some(expenses));
        assert_eq!(list[0]["tags"].as_array().map(Vec::len), Some(tags));
    }
}

/// Each part is a row of four fields with their names.
#[tokio::test]
async fn lists_with_parts_have_their_sizes() {
    let household = Household::open_to_all().await;
    let mut sizes = Vec::new();
    for count in [0, 10, 50] {
        let path = format!("/api/v1/expenses?limit=500&parts={count}");
        sizes.push(household.get(&path).await.body.len());
    }
    assert_eq!(sizes, [222_591, 499_689, 1_628_085]);
}
