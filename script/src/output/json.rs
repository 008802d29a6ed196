//! `--out json`: a JSON object for every metric and sample, one a line.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    io::{self, BufWriter, Write},
    path::Path,
    sync::{
        Arc,
        mpsc::{Receiver, Sender, channel},
    },
    thread::{self, JoinHandle},
};

use flate2::{Compression, write::GzEncoder};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::{
    log::{SharedWriter, Streams},
    metric::{Metric, Point, Registry},
    options::Options,
    test::Test,
};

type Started = (JoinHandle<io::Result<()>>, Sender<Point>);

/// Starts the thread that writes. Without a name, or with `-`, it writes to standard output; a
/// name that ends in `.gz` compresses.
pub(super) fn start(
    path: &Path,
    test: &Test,
    options: &Options,
    streams: &Streams,
) -> io::Result<Started> {
    let name = path.to_string_lossy();
    let writer: Box<dyn Write + Send> = match name.as_ref() {
        "" | "-" => Box::new(Shared(Arc::clone(&streams.out))),
        _ => Box::new(File::create(path)?),
    };
    let thresholds = options
        .thresholds()
        .map(|(metric, list)| {
            let sources = list.iter().map(|threshold| threshold.expression.clone());
            (metric.clone(), sources.collect())
        })
        .collect();
    let lines = Lines {
        registry: Arc::clone(test.registry()),
        thresholds,
        described: BTreeSet::new(),
    };
    let compresses = path.extension().is_some_and(|extension| extension == "gz");
    let (sender, receiver) = channel();
    let thread = thread::Builder::new()
        .name("json-output".to_owned())
        .spawn(move || {
            if compresses {
                let mut encoder = GzEncoder::new(BufWriter::new(writer), Compression::default());
                lines.write(&receiver, &mut encoder)?;
                encoder.finish()?.flush()
            } else {
                let mut writer = BufWriter::new(writer);
                lines.write(&receiver, &mut writer)?;
                writer.flush()
            }
        })?;
    Ok((thread, sender))
}

struct Shared(SharedWriter);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut writer = self.0.lock().map_err(|_| io::ErrorKind::BrokenPipe)?;
        writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut writer = self.0.lock().map_err(|_| io::ErrorKind::BrokenPipe)?;
        writer.flush()
    }
}

struct Lines {
    registry: Arc<Registry>,
    thresholds: BTreeMap<String, Vec<String>>,
    /// Names of metrics that have been described.
    described: BTreeSet<String>,
}

impl Lines {
    fn write(mut self, points: &Receiver<Point>, writer: &mut impl Write) -> io::Result<()> {
        let mut metrics = self.registry.metrics();
        while let Ok(point) = points.recv() {
            if point.metric.index() >= metrics.len() {
                metrics = self.registry.metrics();
            }
            let metric = &metrics[point.metric.index()];
            if self.described.insert(metric.name.clone()) {
                writeln!(writer, "{}", self.description(metric))?;
            }
            let time = Timestamp::try_from(point.at).map_err(io::Error::other)?;
            writeln!(
                writer,
                r#"{{"metric":"{}","type":"Point","data":{{"time":"{time}","value":{},"tags":{}}}}}"#,
                metric.name,
                crate::summary::number(point.value),
                point.tags,
            )?;
        }
        Ok(())
    }

    fn description(&self, metric: &Metric) -> Value {
        let parts: Vec<Value> = (metric.submetrics.iter())
            .map(|part| {
                let tags: BTreeMap<_, _> = part.tags.iter().cloned().collect();
                let suffix: Vec<_> = (part.tags.iter())
                    .map(|(key, value)| format!("{key}:{value}"))
                    .collect();
                json!({ "name": part.name, "suffix": suffix.join(","), "tags": tags })
            })
            .collect();
        json!({
            "type": "Metric",
            "metric": metric.name,
            "data": {
                "name": metric.name,
                "type": metric.kind.name(),
                "contains": metric.contains.name(),
                "thresholds": self.thresholds.get(&metric.name).cloned().unwrap_or_default(),
                "submetrics": if parts.is_empty() { Value::Null } else { parts.into() },
            },
        })
    }
}
