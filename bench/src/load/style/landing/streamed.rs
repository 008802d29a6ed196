//! The landings as items of a stream, collected into a list as they arrive.

use bookstore_proto::meteorite_landings::{MeteoriteLanding, MeteoriteLandingList};
use prost::Message as _;
use serde::Deserialize;

use super::{Record, check_ids};
use crate::load::{
    failure::Fault,
    style::stream::{Format, Items},
};

/// Records of a stream.
const ALL: usize = 1_000;

/// Records that come in JSON, one by one.
#[derive(Debug, Default)]
pub(in crate::load) struct JsonRecords(Vec<Record>);

/// Records that come as messages, one by one.
#[derive(Debug, Default)]
pub(in crate::load) struct Messages(Vec<MeteoriteLanding>);

/// Records that come as messages with several in each.
#[derive(Debug, Default)]
pub(in crate::load) struct Lists(Vec<MeteoriteLanding>);

impl Items for JsonRecords {
    const ALL: usize = ALL;

    fn take(&mut self, format: Format, item: &[u8]) -> Result<(), Fault> {
        let record = match format {
            Format::GraphqlSse => Answer::record(item)?,
            _ => parse(item)?,
        };
        self.0.push(record);
        Ok(())
    }

    fn seen(&self) -> usize {
        self.0.len()
    }

    fn check(&self) -> Result<(), Fault> {
        check_ids(self.0.iter().map(|record| record.id))
    }
}

impl Items for Messages {
    const ALL: usize = ALL;

    fn take(&mut self, _: Format, item: &[u8]) -> Result<(), Fault> {
        self.0.push(MeteoriteLanding::decode(item)?);
        Ok(())
    }

    fn seen(&self) -> usize {
        self.0.len()
    }

    fn check(&self) -> Result<(), Fault> {
        check_ids(self.0.iter().map(|record| record.id))
    }
}

impl Items for Lists {
    const ALL: usize = ALL;

    fn take(&mut self, _: Format, item: &[u8]) -> Result<(), Fault> {
        let list = MeteoriteLandingList::decode(item)?;
        self.0.extend(list.meteorite_landings);
        Ok(())
    }

    fn seen(&self) -> usize {
        self.0.len()
    }

    fn check(&self) -> Result<(), Fault> {
        check_ids(self.0.iter().map(|record| record.id))
    }
}

/// A GraphQL answer with one record.
#[derive(Deserialize)]
struct Answer {
    data: Option<Data>,
    #[serde(default)]
    errors: Vec<GraphqlError>,
}

#[derive(Deserialize)]
struct Data {
    landings: Record,
}

#[derive(Deserialize)]
struct GraphqlError {
    message: String,
}

impl Answer {
    fn record(json: &[u8]) -> Result<Record, Fault> {
        let Self { data, errors } = parse(json)?;
        match (data, errors.into_iter().next()) {
            (_, Some(error)) => Err(Fault::GraphQl(error.message)),
            (Some(data), None) => Ok(data.landings),
            (None, None) => Err(Fault::GraphQl("an answer has no data".to_owned())),
        }
    }
}

fn parse<'a, T: Deserialize<'a>>(json: &'a [u8]) -> Result<T, Fault> {
    serde_json::from_slice(json).map_err(|source| Fault::json("a landing", source, json))
}
