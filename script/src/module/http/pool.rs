//! The open connections of one virtual user.

use std::{cell::RefCell, collections::HashMap, sync::Arc, time::Instant};

use http::{Version, header::CONNECTION, response::Parts};
use measure::Traffic;

use super::{
    connection::{Connection, Timings},
    failure::Failure,
    url::Target,
};

/// Idle connections by host and port.
pub(super) struct Pool {
    traffic: Arc<Traffic>,
    idle: RefCell<HashMap<String, Vec<Connection>>>,
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
    ) -> Result<Connection, Failure> {
        let began = Instant::now();
        while let Some(mut connection) = self.take_idle(&target.origin) {
            if connection.is_usable().await {
                timings.blocked = began.elapsed();
                return Ok(connection);
            }
        }
        let (connection, connecting) = Connection::open(target, &self.traffic).await?;
        timings.connecting = connecting;
        timings.blocked = began.elapsed();
        Ok(connection)
    }

    fn take_idle(&self, origin: &str) -> Option<Connection> {
        self.idle.borrow_mut().get_mut(origin).and_then(Vec::pop)
    }

    /// Keeps a connection for the next request, unless the server is about to close it.
    pub(super) fn give_back(&self, target: &Target, connection: Connection, answer: &Parts) {
        if !keeps_alive(answer) {
            return;
        }
        let mut idle = self.idle.borrow_mut();
        match idle.get_mut(&target.origin) {
            Some(connections) => connections.push(connection),
            None => {
                idle.insert(target.origin.clone(), vec![connection]);
            }
        }
    }

    /// Closes all.
    pub(super) fn clear(&self) {
        self.idle.borrow_mut().clear();
    }
}

fn keeps_alive(answer: &Parts) -> bool {
    let says = |word: &str| {
        answer
            .headers
            .get(CONNECTION)
            .and_then(|value| value.to_str().ok())
            .is_some_and(|value| value.to_ascii_lowercase().contains(word))
    };
    match answer.version {
        Version::HTTP_10 => says("keep-alive"),
        _ => !says("close"),
    }
}
