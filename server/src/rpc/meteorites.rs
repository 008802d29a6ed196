//! `MeteoriteLandingsService.MeteoriteLandingsService`.

use std::{iter::Map, slice};

use bookstore_proto::meteorite_landings::{
    EmptyRequest, FirstRequest, GeoLocation, ListsRequest, MeteoriteLanding, MeteoriteLandingList,
    StatusResponse, Version, meteorite_landings_service_server::MeteoriteLandingsService,
};
use futures_util::stream;
use prost_types::Timestamp;
use tonic::{Request, Response, Status};

use crate::meteorites::{self, COUNTS, Landing, POINT, landings};

/// The service.
#[derive(Clone, Copy, Debug)]
pub struct LandingsRpc;

/// Records on their way out. Nothing is made before the connection asks for it.
pub type LandingStream = stream::Iter<
    Map<slice::Iter<'static, Landing>, fn(&Landing) -> Result<MeteoriteLanding, Status>>,
>;

/// The same, several in each message.
pub type ListStream = stream::Iter<
    Map<slice::Chunks<'static, Landing>, fn(&[Landing]) -> Result<MeteoriteLandingList, Status>>,
>;

#[tonic::async_trait]
impl MeteoriteLandingsService for LandingsRpc {
    type GetLargePayloadStream = LandingStream;
    type GetLargePayloadInListsStream = ListStream;

    async fn get_version(&self, _: Request<EmptyRequest>) -> Result<Response<Version>, Status> {
        let api_version = meteorites::VERSION.to_owned();
        Ok(Response::new(Version { api_version }))
    }

    async fn get_large_payload(
        &self,
        _: Request<EmptyRequest>,
    ) -> Result<Response<LandingStream>, Status> {
        let sent: fn(&Landing) -> Result<MeteoriteLanding, Status> = |landing| Ok(landing.into());
        Ok(Response::new(stream::iter(landings().iter().map(sent))))
    }

    async fn get_large_payload_as_list(
        &self,
        _: Request<EmptyRequest>,
    ) -> Result<Response<MeteoriteLandingList>, Status> {
        Ok(Response::new(list(landings())))
    }

    async fn post_large_payload(
        &self,
        _: Request<MeteoriteLandingList>,
    ) -> Result<Response<StatusResponse>, Status> {
        let status = meteorites::TAKEN.to_owned();
        Ok(Response::new(StatusResponse { status }))
    }

    async fn get_large_payload_in_lists(
        &self,
        request: Request<ListsRequest>,
    ) -> Result<Response<ListStream>, Status> {
        let records = usize::try_from(request.get_ref().records_per_list).unwrap_or(usize::MAX);
        if records == 0 {
            return Err(Status::invalid_argument(
                "records_per_list is 0; ask for 1 or more records in each message",
            ));
        }
        let sent: fn(&[Landing]) -> Result<MeteoriteLandingList, Status> =
            |landings| Ok(list(landings));
        let lists = landings().chunks(records).map(sent);
        Ok(Response::new(stream::iter(lists)))
    }

    async fn get_first_as_list(
        &self,
        request: Request<FirstRequest>,
    ) -> Result<Response<MeteoriteLandingList>, Status> {
        let records = request.get_ref().records;
        let first = usize::try_from(records).ok().and_then(meteorites::first);
        first
            .map(|landings| Response::new(list(landings)))
            .ok_or_else(|| {
                let (least, most) = COUNTS.into_inner();
                Status::invalid_argument(format!(
                    "records is {records}; ask for {least} to {most} records"
                ))
            })
    }
}

fn list(landings: &[Landing]) -> MeteoriteLandingList {
    MeteoriteLandingList {
        meteorite_landings: landings.iter().map(MeteoriteLanding::from).collect(),
    }
}

/// A record as the contract has it; what is not known is left out, or 0 where it cannot be.
impl From<&Landing> for MeteoriteLanding {
    fn from(landing: &Landing) -> Self {
        let place = landing.place;
        Self {
            id: landing.id,
            name: landing.name.clone(),
            fall: landing.fall.to_owned(),
            geolocation: place.map(|place| GeoLocation {
                r#type: POINT.to_owned(),
                coordinates: vec![place.longitude, place.latitude],
            }),
            mass: landing.mass_g.unwrap_or_default(),
            nametype: landing.name_type.to_owned(),
            recclass: landing.class.clone(),
            reclat: place.map_or(0.0, |place| place.latitude),
            reclong: place.map_or(0.0, |place| place.longitude),
            year: landing.year.map(|year| Timestamp {
                seconds: year.seconds,
                nanos: 0,
            }),
        }
    }
}
