//! setup, teardown and handleSummary.

use std::{
    rc::Rc,
    sync::Arc,
    time::{Duration, Instant},
};

use rquickjs::{Ctx, Result as JsResult, Value};

use crate::{
    engine::{Activation, CallError, Phase, Vm, Vu},
    error::RunError,
    metric::Recorder,
    test::Test,
};

/// Calls a function of the script in a virtual user of its own.
pub(super) struct PhaseCall<'a> {
    pub(super) test: &'a Arc<Test>,
    pub(super) recorder: &'a Rc<Recorder>,
    pub(super) phase: Phase,
    pub(super) timeout: Duration,
}

impl PhaseCall<'_> {
    /// The exported function, and the group that its samples belong to.
    fn names(&self) -> (&'static str, &'static str) {
        match self.phase {
            Phase::Setup => ("setup", "::setup"),
            Phase::Teardown => ("teardown", "::teardown"),
            Phase::Summary => ("handleSummary", ""),
            Phase::Init | Phase::Iteration => ("default", ""),
        }
    }

    /// Calls it; `Ok(None)` when it took too long.
    pub(super) async fn call<R: 'static>(
        &self,
        argument: impl for<'js> FnOnce(&Ctx<'js>, &Vu) -> JsResult<Value<'js>> + 'static,
        finish: impl for<'js> FnOnce(&Ctx<'js>, Value<'js>) -> JsResult<R> + 'static,
    ) -> Result<Option<R>, RunError> {
        let vm = Vm::new(self.test, self.recorder, 0)?;
        vm.init().await?;
        let vu = vm.vu();
        let (function, group) = self.names();
        let run_tags = self.test.options().tags();
        let mut tags: Vec<_> = run_tags
            .iter()
            .map(|(key, value)| (key.as_str(), value.as_str()))
            .collect();
        if self.test.options().has_system_tag("group") {
            tags.push(("group", group));
        }
        let sets = self.recorder.tags();
        let tags = sets.with(&sets.empty(), tags);
        vu.activate(self.phase, Rc::new(Activation::default()), tags.clone());
        let was_stopped = self.test.control().stopped().is_some();
        let deadline = Instant::now() + self.timeout;
        let function: Rc<str> = function.into();
        let mut call = std::pin::pin!(vm.call_with(&function, Some(deadline), argument, finish));
        // Teardown and summary take place in a run that was stopped, too.
        let stopped = async {
            match self.phase {
                Phase::Setup => self.test.control().until_stopped().await,
                _ => std::future::pending().await,
            }
        };
        let over = async {
            tokio::select! {
                () = tokio::time::sleep_until(deadline.into()) => {}
                () = stopped => {}
            }
        };
        let result = tokio::select! {
            biased;
            result = &mut call => result,
            () = over => {
                vu.interrupt().trigger();
                call.await
            }
        };
        vu.set_tags(tags);
        vu.record_traffic();
        match result {
            Ok(result) => Ok(Some(result)),
            Err(error) => match (error, self.test.control().stopped()) {
                (CallError::Interrupted, Some(stop))
                    if self.phase == Phase::Setup || !was_stopped =>
                {
                    Err(RunError::Stopped(stop))
                }
                (CallError::Interrupted, _) => Ok(None),
                (error, _) => Err(error.into()),
            },
        }
    }
}
