//! Cookies (RFC 6265).

mod binding;
mod error;
#[cfg(test)]
mod fuzz;
mod jar;
mod received;
mod sent;

pub(super) use binding::{JarObject, lists};
pub(super) use error::CookieError;
pub(super) use jar::SharedJar;
pub(super) use received::Cookie;
pub(super) use sent::{check_name, pair, plain, received_pairs};
