//! What the `OpenAPI` document says of users and expenses.

use utoipa::{
    OpenApi,
    openapi::{
        self,
        path::Operation,
        security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme},
    },
};

use super::{change, list, login, users};

/// The name of the token in the document.
const TOKEN: &str = "token";
/// POSTs of who has no token yet.
const OPEN: [&str; 2] = ["/api/v1/users", "/api/v1/users/login"];

#[derive(OpenApi)]
#[openapi(paths(
    login::log_in,
    users::all,
    users::create,
    users::one,
    users::change,
    users::delete,
    list::all,
    list::one,
    change::create,
    change::replace,
    change::delete,
))]
struct Document;

/// The paths under `/api/v1`, and where a token is needed when `needs_token`.
pub fn document(needs_token: bool) -> openapi::OpenApi {
    let mut document = Document::openapi();
    if needs_token {
        let scheme = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("Of POST /api/v1/users/login"))
            .build();
        document
            .components
            .get_or_insert_default()
            .add_security_scheme(TOKEN, SecurityScheme::Http(scheme));
        for (path, item) in &mut document.paths.paths {
            let operations = [&mut item.get, &mut item.put, &mut item.delete];
            operations.into_iter().flatten().for_each(guard);
            let post = item
                .post
                .as_mut()
                .filter(|_| !OPEN.contains(&path.as_str()));
            post.into_iter().for_each(guard);
        }
    }
    document
}

/// Says that an operation needs the token.
fn guard(operation: &mut Operation) {
    let nothing: [&str; 0] = [];
    operation.security = Some(vec![SecurityRequirement::new(TOKEN, nothing)]);
}
