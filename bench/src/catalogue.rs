//! The catalogue `k6/scenarios.json`: every cell that can be measured, listed once.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    driver::DriverKind,
    record::{Condition, Sequence},
};

/// The catalogue's text, as it was when this executable was built.
pub const CATALOGUE_JSON: &str = include_str!("../../k6/scenarios.json");

/// Scenarios and their cells.
#[derive(Clone, Debug, Deserialize)]
pub struct Catalogue {
    /// What is done, independent of style.
    pub scenarios: Vec<Scenario>,
    /// Each scenario in each style.
    pub cells: Vec<Cell>,
}

/// Something a user of the Bookstore does.
#[derive(Clone, Debug, Deserialize)]
pub struct Scenario {
    /// Short id, for example `a`.
    pub id: String,
    /// A few words.
    pub title: String,
    /// One sentence; `{lines}` stands for the number of order lines.
    pub wording: String,
    /// Where the scenario comes from.
    pub source: String,
    /// Which data the server must hold.
    pub data_set: String,
    /// Order sizes measured by default; empty when the scenario has no such size.
    pub lines: Vec<u32>,
    /// How many requests an operation can be made of (`calls=4` in a row's condition), where their number
    /// can be set; the cells then say how many there are unless told otherwise.
    #[serde(default)]
    pub most_calls: Option<u32>,
    /// How many landings a list can have (`limit=100` in a row's condition), where their number can be set.
    #[serde(default)]
    pub most_records: Option<u32>,
    /// How its operations are made one after the other, where that is how it is measured.
    #[serde(default)]
    pub sequential: Option<Sequence>,
    /// The cell that the others are compared with.
    pub reference: String,
}

/// One scenario in one style.
#[derive(Clone, Debug, Deserialize)]
pub struct Cell {
    /// Short id, for example `a-rest`.
    pub id: String,
    /// The [`Scenario::id`].
    pub scenario: String,
    /// The API style.
    pub style: Style,
    /// The style as a table names it.
    pub label: String,
    /// The k6 script, from the top of the repository; absent where compiled clients alone can make the
    /// calls.
    #[serde(default)]
    pub script: Option<String>,
    /// The cell that makes the same calls by another client in its script. Drivers that do not run
    /// scripts make them with that cell's client.
    #[serde(default)]
    pub same_as: Option<String>,
    /// Flags that the server needs for this cell, without dashes, with their values.
    #[serde(default)]
    pub server: BTreeMap<String, String>,
    /// Requests in one operation, at most: a cache may spare some.
    pub requests_per_op: u32,
    /// Sequential round trips in one operation.
    pub rounds_per_op: u32,
    /// Connections that one virtual user keeps open.
    pub connections_per_vu: u32,
    /// Whether its compiled client can speak HTTP/2 where the others speak HTTP/1.1.
    #[serde(default)]
    pub http2: bool,
    /// Whether it is measured without being asked for.
    pub default: bool,
    /// Where the cell comes from.
    pub source: String,
}

/// An API style.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Style {
    /// JSON over HTTP/1.1.
    Rest,
    /// gRPC over cleartext HTTP/2.
    Grpc,
    /// gRPC-Web over HTTP/1.1.
    GrpcWeb,
    /// GraphQL over HTTP/1.1.
    GraphQl,
}

impl Cell {
    /// The cell that stands for this one where no script is run.
    #[must_use]
    pub fn compiled_id(&self) -> &str {
        self.same_as.as_deref().unwrap_or(&self.id)
    }

    /// What a driver is told to run: the script, or else the cell's id.
    #[must_use]
    pub fn program(&self) -> &str {
        self.script.as_deref().unwrap_or(&self.id)
    }

    /// What every row of the cell is measured under.
    #[must_use]
    pub fn condition(&self, scenario: &Scenario) -> Condition {
        let sequence = scenario.sequential;
        Condition {
            driver: self.script.is_none().then_some(DriverKind::Load),
            sequential: sequence.map(|sequence| sequence.repetitions),
            drop: sequence.map(|sequence| sequence.drop),
            pause_ms: sequence.map(|sequence| sequence.pause_ms),
            server: self.server.clone(),
            ..Condition::default()
        }
    }
}

impl Catalogue {
    /// The catalogue built into this executable.
    ///
    /// # Panics
    /// Never in a build whose tests pass: a test reads the same text.
    #[must_use]
    pub fn built_in() -> Self {
        serde_json::from_str(CATALOGUE_JSON).expect("k6/scenarios.json is checked by a test")
    }

    /// The cell with this id.
    #[must_use]
    pub fn cell(&self, id: &str) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.id == id)
    }

    /// The cell whose script has this file name, with or without folders and `.js`; of a cell without
    /// script its id.
    #[must_use]
    pub fn cell_of_script(&self, script: &str) -> Option<&Cell> {
        let stem = stem(script);
        self.cells
            .iter()
            .find(|cell| self::stem(cell.program()) == stem)
    }

    /// The scenario of a cell.
    #[must_use]
    pub fn scenario_of(&self, cell: &Cell) -> Option<&Scenario> {
        self.scenarios
            .iter()
            .find(|scenario| scenario.id == cell.scenario)
    }
}

fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.strip_suffix(".js").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::path::Path;

    use super::*;

    #[test]
    fn every_cell_belongs_to_a_scenario_and_every_reference_exists() {
        let catalogue = Catalogue::built_in();
        for cell in &catalogue.cells {
            assert!(catalogue.scenario_of(cell).is_some(), "{}", cell.id);
            assert_eq!(
                catalogue
                    .cell_of_script(cell.program())
                    .map(|found| &found.id),
                Some(&cell.id),
                "a script belongs to one cell"
            );
        }
        for cell in &catalogue.cells {
            let other = catalogue.cell(cell.compiled_id()).unwrap();
            assert_eq!((other.style, &other.scenario), (cell.style, &cell.scenario));
            assert_eq!(other.same_as, None, "{}", cell.id);
        }
        for scenario in &catalogue.scenarios {
            assert!(
                catalogue.cell(&scenario.reference).is_some(),
                "{}",
                scenario.id
            );
        }
    }

    #[test]
    fn every_sequence_of_the_catalogue_can_be_made() {
        let catalogue = Catalogue::built_in();
        for cell in &catalogue.cells {
            let scenario = catalogue.scenario_of(cell).unwrap();
            assert!(cell.condition(scenario).has_whole_sequence(), "{}", cell.id);
        }
    }

    #[test]
    fn every_script_is_there() {
        let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let cells = Catalogue::built_in().cells;
        for script in cells.iter().filter_map(|cell| cell.script.as_ref()) {
            assert!(top.join(script).is_file(), "{script}");
        }
    }

    #[test]
    fn the_scripts_follow_the_load_contract() {
        let summary = include_str!("../../k6/lib/summary.js");
        assert!(summary.contains(&format!(
            "const CONTRACT = '{}';",
            crate::record::LOAD_CONTRACT
        )));
    }
}
