//! What each style sends and what it must get back.

pub(super) mod costly;
pub(super) mod events;
pub(super) mod expenses;
pub(super) mod graphql;
pub(super) mod greeting;
pub(super) mod grpc_status;
pub(super) mod grpc_web;
pub(super) mod landing;
pub(super) mod message;
mod order;
pub(super) mod reservation;
pub(super) mod rest;
pub(super) mod screen;
pub(super) mod sparse;
pub(super) mod stream;
pub(super) mod work;

pub(super) use order::{ORDER_ID, Order};
