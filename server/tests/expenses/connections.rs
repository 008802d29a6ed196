//! Several lists in one query, over one connection to a file and over several.

use super::household::Household;

const AT_ONCE: &str = "expenses_sql_statements_at_once_max";

/// The fields at the root of a query are begun together, so that only connections limit how many of their
/// statements run at once.
#[tokio::test]
async fn lists_of_one_query_are_read_at_once_over_as_many_connections() {
    for (connections, at_once) in [(1, 1.), (2, 2.), (3, 3.), (4, 3.)] {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("expenses.db");
        let place = format!("--expenses={}", path.display());
        let flag = format!("--expenses-connections={connections}");
        let household = Household::at(&place, &[&flag, "--expenses-count=300"]).await;
        let query = "{new:getExpenses(limit:300){title} \
                     resolved:getExpenses(resolved:true,limit:300){title} \
                     users:getUsers{username}}";
        let answer = household.query(query).await.json();
        assert_eq!(answer["data"]["new"].as_array().map(Vec::len), Some(300));
        assert_eq!(answer["data"]["users"].as_array().map(Vec::len), Some(500));
        let seen = household.metric(AT_ONCE).await;
        assert!((seen - at_once).abs() < 0.5, "{connections}: {seen}");
    }
}
