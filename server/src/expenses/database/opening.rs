//! Opening a database: what is there is looked at before anything is changed.

use std::{borrow::Cow, time::Duration};

use sqlx::{
    SqlStr,
    migrate::{MigrateError, Migration, MigrationType, Migrator},
};

use super::{
    super::{DatabaseLocation, generator::HouseholdSize},
    DatabaseError, Pool,
    fill::fill,
};

/// The table in which the library notes the migrations that were applied: it marks a database as ours.
pub(super) const MIGRATIONS: &str = "_sqlx_migrations";

/// How a database is opened.
#[derive(Clone, Debug)]
pub struct Opening {
    /// Where it is.
    pub location: DatabaseLocation,
    /// Connections that read side by side; a database in memory has one.
    pub connections: u32,
    /// How long a locked database or a server that does not answer is waited for.
    pub patience: Duration,
    /// What an empty database is filled with.
    pub household: HouseholdSize,
}

impl Opening {
    /// Connections that are ready, to a database with the current schema and, if it was empty, with the
    /// generated household.
    ///
    /// # Errors
    /// [`DatabaseError`]; the database is as it was before.
    pub async fn pool(&self) -> Result<Pool, DatabaseError> {
        let pool = match &self.location {
            DatabaseLocation::Memory => Pool::Sqlite(self.memory().await?),
            DatabaseLocation::File(path) => Pool::Sqlite(self.file(path).await?),
            DatabaseLocation::Postgres(address) => Pool::Postgres(self.server(address).await?),
        };
        let filled = fill(&pool, self.household).await;
        filled.map_err(|error| self.error(&error))?;
        Ok(pool)
    }

    pub(super) fn place(&self) -> String {
        self.location.to_string()
    }

    pub(super) fn error(&self, error: &sqlx::Error) -> DatabaseError {
        DatabaseError::from_sqlx(&self.place(), error)
    }

    pub(super) fn migration_error(&self, error: &MigrateError) -> DatabaseError {
        let place = self.place();
        match error {
            MigrateError::VersionMissing(version) => DatabaseError::NewerSchema {
                place,
                version: *version,
            },
            MigrateError::VersionMismatch(version) => DatabaseError::OtherSchema {
                place,
                version: *version,
            },
            MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => {
                self.error(error)
            }
            other => DatabaseError::Other {
                place,
                reason: other.to_string(),
            },
        }
    }
}

/// The schema, step by step.
pub(super) fn migrator(tables: &'static str) -> Migrator {
    let tables = Migration::new(
        1,
        Cow::Borrowed("tables"),
        MigrationType::Simple,
        SqlStr::from_static(tables),
        false,
    );
    Migrator::with_migrations(vec![tables])
}
