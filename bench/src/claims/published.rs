//! What the sources measured, as `claims/*.csv` have it.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::quantity::{Quantity, RowFigure};
use crate::record::Figure;

const ARTICLE: &str = "article";
/// The table of each source that has one, as it was when this executable was built.
const TABLES: [(&str, &str); 4] = [
    (ARTICLE, include_str!("../../../claims/article.csv")),
    ("thesis", include_str!("../../../claims/thesis.csv")),
    ("hello", include_str!("../../../claims/hello.csv")),
    ("meteorite", include_str!("../../../claims/meteorite.csv")),
];

/// Published figures by row.
#[derive(Clone, Debug, Default)]
pub struct Published {
    figures: BTreeMap<(String, Figure), f64>,
}

#[derive(Deserialize)]
struct Line {
    row: String,
    figure: Figure,
    value: f64,
    #[serde(rename = "origin")]
    _origin: String,
}

impl Published {
    /// The article's table.
    #[must_use]
    pub fn article() -> Self {
        Self::of(ARTICLE)
    }

    /// The table of a source; empty where it has none.
    ///
    /// # Panics
    /// Never in a build whose tests pass: a test reads the same text.
    #[must_use]
    pub fn of(source: &str) -> Self {
        let table = TABLES.iter().find(|(name, _)| *name == source);
        let text = table.map_or("", |(_, text)| *text);
        let figures = csv::Reader::from_reader(text.as_bytes())
            .into_deserialize()
            .map(|line| {
                let line: Line = line.expect("claims/*.csv are checked by a test");
                ((line.row, line.figure), line.value)
            })
            .collect();
        Self { figures }
    }

    /// A published figure.
    #[must_use]
    pub fn figure(&self, row: &str, figure: Figure) -> Option<f64> {
        self.figures.get(&(row.to_owned(), figure)).copied()
    }

    /// The same quantity of the published table, where it has every figure.
    #[must_use]
    pub fn quantity(&self, quantity: &Quantity) -> Option<f64> {
        quantity.value(&|RowFigure { row, figure }| self.figure(row, *figure))
    }

    /// Ids of the rows, each once.
    #[must_use]
    pub fn rows(&self) -> Vec<&str> {
        let mut rows: Vec<&str> = self.figures.keys().map(|(row, _)| &**row).collect();
        rows.dedup();
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{catalogue::Catalogue, rows};

    #[test]
    fn the_table_has_seven_columns_of_nine_rows_and_what_the_text_adds() {
        let published = Published::article();
        let catalogue = Catalogue::built_in();
        assert_eq!(published.rows().len(), 9);
        for row in published.rows() {
            assert!(rows::named(&catalogue, row).is_some(), "{row}");
            let columns = Figure::ALL.iter().filter(|&&figure| {
                let added = [
                    Figure::ClientCpuUsPerOp,
                    Figure::SentBodyBytesPerOp,
                    Figure::ReceivedBodyBytesPerOp,
                ];
                !added.contains(&figure) && published.figure(row, figure).is_some()
            });
            assert_eq!(columns.count(), 7, "{row}");
        }
        assert_eq!(
            published.figure("b-grpcweb", Figure::OpsPerS),
            Some(102_427.0)
        );
        assert_eq!(
            published.figure("L2-a-grpc", Figure::ClientCpuUsPerOp),
            Some(87.0)
        );
    }

    #[test]
    fn every_published_row_exists() {
        let catalogue = Catalogue::built_in();
        for (source, _) in TABLES {
            for row in Published::of(source).rows() {
                assert!(rows::named(&catalogue, row).is_some(), "{source}: {row}");
            }
        }
    }

    #[test]
    fn a_quantity_is_published_when_all_its_figures_are() {
        let published = Published::article();
        let ratio = |row| Quantity::ratio(Figure::ServerCpuUsPerOp, row, "L2-a-rest");
        assert_eq!(published.quantity(&ratio("L2-a-grpc")), Some(47.0 / 31.0));
        assert_eq!(published.quantity(&ratio("L2-a-grpcweb")), None);
    }
}
