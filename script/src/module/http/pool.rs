//! The open connections of one virtual user.

use std::{cell::RefCell, sync::Arc};

use measure::Traffic;

use super::{
    connection::{Connection, Timings},
    failure::Failure,
    url::Target,
};

/// Idle connections by host and port. There are few hosts, so that looking is cheaper than hashing;
/// connections are large, so that they stay where they are.
pub(super) struct Pool {
    traffic: Arc<Traffic>,
    #[expect(
        clippy::vec_box,
        reason = "they come and go with every request, and are too large to be copied each time"
    )]
    idle: RefCell<Vec<(String, Vec<Box<Connection>>)>>,
}

impl Pool {
    pub(super) fn new(traffic: Arc<Traffic>) -> Self {
        Self {
            traffic,
            idle: RefCell::default(),
        }
    }

    /// An idle connection, or a new one.
    pub(super) async fn connection(
        &self,
        target: &Target,
        timings: &mut Timings,
    ) -> Result<Box<Connection>, Failure> {
        while let Some(mut connection) = self.take_idle(&target.origin) {
            if connection.is_usable().await {
                return Ok(connection);
            }
        }
        let (connection, connecting) = Connection::open(target, &self.traffic).await?;
        timings.connecting = connecting;
        Ok(Box::new(connection))
    }

    fn take_idle(&self, origin: &str) -> Option<Box<Connection>> {
        let mut idle = self.idle.borrow_mut();
        let (_, connections) = idle.iter_mut().find(|(known, _)| known == origin)?;
        connections.pop()
    }

    /// Keeps a connection for the next request, unless it ends with the last one.
    pub(super) fn give_back(&self, target: &Target, connection: Box<Connection>) {
        if !connection.is_reusable() {
            return;
        }
        let mut idle = self.idle.borrow_mut();
        match idle.iter_mut().find(|(known, _)| *known == target.origin) {
            Some((_, connections)) => connections.push(connection),
            None => idle.push((target.origin.clone(), vec![connection])),
        }
    }

    /// Closes all.
    pub(super) fn clear(&self) {
        self.idle.borrow_mut().clear();
    }
}
