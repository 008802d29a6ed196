//! The cells whose caller gives up before it is answered.

use std::rc::Rc;

use http::HeaderValue;

use super::{Worker, call};
use crate::load::{
    LoadError,
    client::{GrpcGivenUp, HttpGivenUp},
    style::work::{self, RELAY_WORK},
    wire::Endpoint,
};

impl Worker {
    /// Drives the cells of scenario d.deadline.
    pub(super) async fn drive_given_up(
        self,
        endpoint: &Rc<Endpoint>,
        host: &HeaderValue,
        cell: &str,
    ) -> Result<u64, LoadError> {
        let patience = self.share.settings.patience;
        match cell {
            "d-deadline-grpc" => {
                let uri = call(endpoint, RELAY_WORK);
                self.drive(|| GrpcGivenUp::new(endpoint, uri.clone(), patience))
                    .await
            }
            "d-deadline-rest" => {
                let request = work::by_rest(host);
                self.drive(|| HttpGivenUp::new(endpoint, request.clone(), patience))
                    .await
            }
            _ => Err(LoadError::NoClient {
                cell: cell.to_owned(),
            }),
        }
    }
}
