//! What a row is measured under, beside its cell.

mod text;

use std::{collections::BTreeMap, ffi::OsString, path::Path, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use text::ConditionError;

use super::{LoadModel, Sequence};
use crate::{driver::DriverKind, place::Place};

/// A spread needs two.
const FEWEST_KEPT: u32 = 2;

/// What differs from the session's settings while a row is measured; nothing in a plain row. Written
/// behind the row's id: `L2-a-rest@rate=5000,log-level=info`; flags that every row of its cell has are
/// here and not in the id.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Condition {
    /// What drives the load, whatever drives the session's other rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub driver: Option<DriverKind>,
    /// Open model at this many operations per second, whatever the session's model is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_per_s: Option<f64>,
    /// Open model at this share of what the slowest row of its group does in a closed loop, in %. What
    /// that comes to is measured before the first round, and is then the rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_percent: Option<f64>,
    /// Closed loop, or open model, with this many virtual users, whatever the session's number is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vus: Option<u32>,
    /// Sequential model with this many operations, whatever the session's model is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequential: Option<u32>,
    /// How many of the first operations of a sequence are left out of its times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drop: Option<u32>,
    /// Wait after each operation of a sequence, in ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pause_ms: Option<f64>,
    /// Requests of one operation, one after the other, in scenarios that take a number of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<u32>,
    /// How long callers wait before they give up, in ms, in scenarios where they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patience_ms: Option<f64>,
    /// Expenses or landings in a list, in scenarios that read a number of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Parts of each expense that are read with it, in scenarios that read expenses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<u32>,
    /// CPUs whose time the server may use, by a quota of the kernel's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpus: Option<f64>,
    /// Round-trip time between load and server, in ms, half of it in each direction; 0 is a link that
    /// delays nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rtt_ms: Option<f64>,
    /// What the link between load and server carries in each direction, in bit/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bandwidth_bit_per_s: Option<f64>,
    /// HTTP/2 where the cell speaks HTTP/1.1; compiled clients alone can.
    #[serde(default, skip_serializing_if = "is_off")]
    pub http2: bool,
    /// New connections for each operation, of which opening them is a part; compiled clients alone can.
    #[serde(default, skip_serializing_if = "is_off")]
    pub new_connection: bool,
    /// TLS between load and server.
    #[serde(default, skip_serializing_if = "is_off")]
    pub tls: bool,
    /// The CPUs of server and load.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// Flags of the server, without dashes, with their values.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub server: BTreeMap<String, String>,
}

impl Condition {
    /// Whether nothing differs.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// The load model of the row, given the session's.
    #[must_use]
    pub fn model(&self, of_session: LoadModel) -> LoadModel {
        match (self.rate_per_s, self.sequence(), self.vus) {
            (Some(rate_per_s), _, _) => LoadModel::Open { rate_per_s },
            (None, Some(sequence), _) => LoadModel::Sequential(sequence),
            (None, None, Some(_)) => LoadModel::Closed,
            (None, None, None) => of_session,
        }
    }

    /// The sequence of the row, where its model is sequential.
    #[must_use]
    pub fn sequence(&self) -> Option<Sequence> {
        Some(Sequence {
            repetitions: self.sequential?,
            drop: self.drop.unwrap_or(0),
            pause_ms: self.pause_ms.unwrap_or(0.0),
        })
    }

    /// Virtual users of the row, given the session's.
    #[must_use]
    pub fn vus(&self, of_session: u32) -> u32 {
        match self.sequential {
            Some(_) => 1,
            None => self.vus.unwrap_or(of_session),
        }
    }

    /// The same with what every row of its cell has, except where this one says otherwise.
    #[must_use]
    pub fn over(mut self, of_cell: Self) -> Self {
        for (flag, value) in of_cell.server {
            self.server.entry(flag).or_insert(value);
        }
        self.driver = self.driver.or(of_cell.driver);
        if !self.is_concurrent() {
            self.sequential = self.sequential.or(of_cell.sequential);
            self.drop = self.drop.or(of_cell.drop);
            self.pause_ms = self.pause_ms.or(of_cell.pause_ms);
        }
        self
    }

    /// The round-trip time of the link; zero without one.
    #[must_use]
    pub fn rtt(&self) -> Duration {
        Duration::from_secs_f64(self.rtt_ms.unwrap_or(0.0) / 1e3)
    }

    /// Whether there is a link between load and server.
    #[must_use]
    pub fn has_link(&self) -> bool {
        self.rtt_ms.is_some() || self.bandwidth_bit_per_s.is_some()
    }

    /// Whether it says something of the connections between load and server.
    #[must_use]
    pub fn is_about_connections(&self) -> bool {
        self.has_link() || self.http2 || self.new_connection || self.tls
    }

    /// What the server's command line has more; `{scratch}` in a value is the folder that goes with the
    /// session.
    #[must_use]
    pub fn server_arguments(&self, scratch: &Path) -> Vec<OsString> {
        let scratch = scratch.display().to_string();
        self.server
            .iter()
            .flat_map(|(flag, value)| {
                let value = value.replace("{scratch}", &scratch);
                [format!("--{flag}").into(), value.into()]
            })
            .collect()
    }
}

impl Condition {
    /// What to change when parts of it speak against each other.
    fn contradiction(&self) -> Option<&'static str> {
        let needs_load = self.http2 || self.new_connection;
        let in_sequence = self.sequential.or(self.drop).is_some() || self.pause_ms.is_some();
        if needs_load && self.driver != Some(DriverKind::Load) {
            Some("add driver=load, which http=2 and connection=new need")
        } else if in_sequence && self.is_concurrent() {
            Some(
                "leave out rate= and vus=, or sequential=, drop= and pause=: those are of one caller",
            )
        } else {
            None
        }
    }

    /// Whether it says that operations are not one after the other.
    fn is_concurrent(&self) -> bool {
        self.rate_per_s.or(self.rate_percent).is_some() || self.vus.is_some()
    }

    /// The same before it was known what its share comes to.
    #[must_use]
    pub fn as_asked(mut self) -> Self {
        if self.rate_percent.is_some() {
            self.rate_per_s = None;
        }
        self
    }

    /// Whether it says how many operations a sequence has, and enough of them have a time.
    #[must_use]
    pub fn has_whole_sequence(&self) -> bool {
        match self.sequence() {
            Some(sequence) => sequence
                .drop
                .checked_add(FEWEST_KEPT)
                .is_some_and(|least| least <= sequence.repetitions),
            None => self.drop.is_none() && self.pause_ms.is_none(),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_off(switch: &bool) -> bool {
    !switch
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn it_changes_the_load_model_and_the_servers_command_line() {
        let condition: Condition = "rate=5000,log-level=info".parse().unwrap();
        let rate_per_s = 5_000.0;
        assert_eq!(
            condition.model(LoadModel::Closed),
            LoadModel::Open { rate_per_s }
        );
        let scratch = Path::new("/tmp/x");
        assert_eq!(condition.server_arguments(scratch), ["--log-level", "info"]);
        let condition: Condition = "expenses={scratch}/e.sqlite".parse().unwrap();
        assert_eq!(
            condition.server_arguments(scratch),
            ["--expenses", "/tmp/x/e.sqlite"]
        );
        assert_eq!(
            Condition::default().model(LoadModel::Closed),
            LoadModel::Closed
        );
    }

    #[test]
    fn a_sequence_is_the_cells_unless_the_row_says_otherwise() {
        let of_cell: Condition = "sequential=50,drop=5,pause=1s".parse().unwrap();
        let over = |text: &str| text.parse::<Condition>().unwrap().over(of_cell.clone());
        let sequence = |repetitions, drop, pause_ms| Sequence {
            repetitions,
            drop,
            pause_ms,
        };
        assert_eq!(
            over("pause=0ms").model(LoadModel::Closed),
            LoadModel::Sequential(sequence(50, 5, 0.0))
        );
        assert_eq!(
            over("sequential=20").sequence(),
            Some(sequence(20, 5, 1_000.0))
        );
        assert_eq!((over("drop=1").vus(20), over("vus=50").vus(20)), (1, 50));
        let session = LoadModel::Open { rate_per_s: 1.0 };
        assert_eq!(over("vus=50").model(session), LoadModel::Closed);
        assert_eq!(
            over("rate=9").model(session),
            LoadModel::Open { rate_per_s: 9.0 }
        );
    }

    #[test]
    fn two_operations_of_a_sequence_must_count() {
        for (text, whole) in [
            ("sequential=7,drop=5", true),
            ("sequential=6,drop=5", false),
            ("sequential=6,drop=4294967295", false),
            ("drop=5", false),
            ("pause=1s", false),
            ("rate=5", true),
        ] {
            let condition: Condition = text.parse().unwrap();
            assert_eq!(condition.has_whole_sequence(), whole, "{text}");
        }
    }
}
