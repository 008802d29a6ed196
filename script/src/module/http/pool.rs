//! The open connections of one virtual user.

use std::{cell::RefCell, sync::Arc};

use measure::Traffic;

use super::{
    connection::{Connection, Timings},
    failure::Failure,
    url::Target,
};
use crate::test::Test;

/// Idle connections by scheme, host and port. There are few hosts, so that looking is cheaper than hashing;
/// connections are large, so that they stay where they are.
pub(super) struct Pool {
    test: Arc<Test>,
    traffic: Arc<Traffic>,
    #[expect(
        clippy::vec_box,
        reason = "they come and go with every request, and are too large to be copied each time"
    )]
    idle: RefCell<Vec<(String, Vec<Box<Connection>>)>>,
}

impl Pool {
    pub(super) fn new(test: Arc<Test>, traffic: Arc<Traffic>) -> Self {
        Self {
            test,
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
            self.forget_shared(&target.origin);
        }
        // In a box: it is large, and would be a part of every request that needs no new connection.
        let opened = Box::pin(Connection::open(target, &self.traffic, &self.test, timings));
        let opened = opened.await?;
        Ok(self.shared(target, Box::new(opened)))
    }

    /// An idle connection, or a part of one that is shared.
    fn take_idle(&self, origin: &str) -> Option<Box<Connection>> {
        let mut idle = self.idle.borrow_mut();
        let (_, connections) = idle.iter_mut().find(|(known, _)| known == origin)?;
        match connections.last()?.share() {
            Some(shared) => Some(Box::new(shared)),
            None => connections.pop(),
        }
    }

    /// Keeps a new connection for all who may share it. Another request may have opened one
    /// meanwhile; then that one is taken, as in Go.
    fn shared(&self, target: &Target, connection: Box<Connection>) -> Box<Connection> {
        let Some(share) = connection.share() else {
            return connection;
        };
        if self.test.options().no_connection_reuse() {
            return connection;
        }
        let known = {
            let idle = self.idle.borrow();
            let mut origins = idle.iter();
            let origin = origins.find(|(known, _)| *known == target.origin);
            origin.and_then(|(_, connections)| connections.iter().find_map(|known| known.share()))
        };
        if let Some(known) = known {
            return Box::new(known);
        }
        self.keep(target, Box::new(share));
        connection
    }

    /// Forgets a connection that was shared and has ended.
    fn forget_shared(&self, origin: &str) {
        let mut idle = self.idle.borrow_mut();
        if let Some((_, connections)) = idle.iter_mut().find(|(known, _)| known == origin) {
            connections.retain(|connection| !connection.is_shared());
        }
    }

    /// Keeps a connection for the next request, unless it ends with the last one.
    pub(super) fn give_back(&self, target: &Target, connection: Box<Connection>) {
        if connection.is_reusable() && !connection.is_shared() {
            self.keep(target, connection);
        }
    }

    fn keep(&self, target: &Target, connection: Box<Connection>) {
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
