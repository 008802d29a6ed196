//! What the `OpenAPI` document says of users and expenses, against what the server does.

use http::Method;
use serde_json::Value;

use super::household::Household;

async fn document(household: &Household) -> Value {
    household.get("/openapi.json").await.json()
}

/// The paths under `/api/v1`, each with its operations.
fn paths(document: &Value) -> Vec<(&str, &Value)> {
    let paths = document["paths"].as_object().unwrap().iter();
    let ours = paths.filter(|(path, _)| path.starts_with("/api/v1/"));
    ours.map(|(path, item)| (path.as_str(), item)).collect()
}

#[tokio::test]
async fn every_documented_operation_is_served_with_its_example() {
    let household = Household::open_to_all().await;
    let document = document(&household).await;
    let mut operations = 0;
    // Of what was added last.
    let mut id = String::new();
    for (path, item) in paths(&document) {
        for name in ["post", "get", "put", "delete"] {
            let Some(operation) = item.get(name) else {
                continue;
            };
            assert_eq!(operation["security"], Value::Null, "{name} {path}");
            let method: Method = name.to_uppercase().parse().unwrap();
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            let example = schema["$ref"].as_str().map_or(&Value::Null, |reference| {
                let place = reference.trim_start_matches('#');
                &document.pointer(place).unwrap()["example"]
            });
            let address = path.replace("{id}", &id);
            let answer = household.send(method.clone(), &address, example).await;
            assert!(answer.status.is_success(), "{name} {path}");
            let documented = &operation["responses"][answer.status.as_str()];
            assert!(documented.is_object(), "{name} {path}: {}", answer.status);
            if method != Method::DELETE {
                let content_type = answer.headers["content-type"].to_str().unwrap();
                assert!(documented["content"][content_type].is_object(), "{path}");
            }
            if method == Method::POST && path != "/api/v1/users/login" {
                answer.data()["id"].as_str().unwrap().clone_into(&mut id);
            }
            operations += 1;
        }
    }
    assert_eq!(operations, 11);
}

#[tokio::test]
async fn a_token_is_documented_where_it_is_needed() {
    let household = Household::with(&[]).await;
    let document = document(&household).await;
    let scheme = &document["components"]["securitySchemes"]["token"];
    assert_eq!(scheme["scheme"], "bearer");
    for (path, item) in paths(&document) {
        for (method, operation) in item.as_object().unwrap() {
            let is_open = method == "post" && path.starts_with("/api/v1/users");
            assert_eq!(
                operation["security"].is_array(),
                !is_open,
                "{method} {path}"
            );
        }
    }
}
