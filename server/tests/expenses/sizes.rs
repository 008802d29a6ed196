//! Bodies against the ones that the thesis' measurements show.

use super::household::{Household, TASK_A, TASK_B};

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
