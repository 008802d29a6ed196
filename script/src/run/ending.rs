//! The end of a run: the summary, in the script's words or the runner's.

use std::{fs, rc::Rc};

use super::{coordinator::Coordinator, phase::PhaseCall, plan::Plan};
use crate::{
    args::SummaryMode,
    engine::Phase,
    error::RunError,
    metric::Recorder,
    summary::{Totals, Written, read_result, summary_data, summary_export, text_summary},
};

impl Coordinator<'_> {
    /// Writes the summary and the files that were asked for.
    pub(super) async fn summarize(&self, plan: &Plan, totals: &Totals) -> Result<(), RunError> {
        let options = plan.test.options();
        let mode = self.args.summary_mode.unwrap_or_default();
        if mode != SummaryMode::Disabled {
            if let Some(written) = self.script_summary(plan, totals).await {
                written.write(self.streams, &self.log);
            } else {
                let text = text_summary(totals, options, mode);
                self.streams.print(text.as_bytes());
            }
        }
        let Some(path) = &self.args.summary_export else {
            return Ok(());
        };
        let failed = |error| RunError::Write {
            path: path.clone(),
            error,
        };
        let export = summary_export(totals, options).map_err(|error| failed(error.into()))?;
        fs::write(path, export).map_err(failed)
    }

    /// What `handleSummary` of the script makes of it; a failure is logged and counts as nothing.
    async fn script_summary(&self, plan: &Plan, totals: &Totals) -> Option<Written> {
        if !plan.exports.has("handleSummary") {
            return None;
        }
        let data = summary_data(totals, plan.test.options()).to_string();
        // Nothing that it does belongs to the run any more.
        let recorder = Rc::new(Recorder::new(plan.test.registry()));
        let call = PhaseCall {
            test: &plan.test,
            recorder: &recorder,
            phase: Phase::Summary,
            timeout: plan.test.options().summary_timeout(),
        };
        match call
            .call(move |ctx, _| ctx.json_parse(data), read_result)
            .await
        {
            Ok(Some(result)) => result,
            Ok(None) => {
                self.log
                    .error("handleSummary() took longer than handleSummaryTimeout");
                None
            }
            Err(error) => {
                self.log.error(error.to_string());
                None
            }
        }
    }
}
