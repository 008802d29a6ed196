//! What is going to happen: the options of the script, consolidated and checked.

use std::{collections::BTreeMap, rc::Rc, sync::Arc};

use rquickjs::{Ctx, Object, Result as JsResult, Value};

use super::live::Live;
use crate::{
    args::{ScriptArgs, SummaryMode},
    engine::{CallError, Vm},
    error::RunError,
    executor::ScenarioRun,
    log::Log,
    metric::{Recorder, Registry},
    options::{Layer, OptionError, Options, environment_layer},
    test::Test,
    threshold::Thresholds,
};

/// A script that has been evaluated once, and its scenarios.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) test: Arc<Test>,
    pub(super) scenarios: Vec<Arc<ScenarioRun>>,
    pub(super) exports: Exports,
    pub(super) thresholds: Thresholds,
    pub(super) live: Live,
}

/// What a script exports.
#[derive(Clone, Debug, Default)]
pub(super) struct Exports {
    /// Names of functions.
    functions: Vec<String>,
    /// `options` as JSON; absent when there are none.
    options: Option<String>,
}

impl Exports {
    pub(super) fn has(&self, function: &str) -> bool {
        self.functions.iter().any(|known| known == function)
    }

    fn read<'js>(ctx: &Ctx<'js>, exports: &Object<'js>) -> JsResult<Self> {
        let mut read = Self::default();
        for entry in exports.props::<String, Value>() {
            let (name, value) = entry?;
            if value.is_function() {
                read.functions.push(name);
            } else if name == "options" {
                let json = ctx.json_stringify(value)?;
                read.options = json.map(|json| json.to_string()).transpose()?;
            }
        }
        Ok(read)
    }
}

impl Plan {
    /// Evaluates the script for the first time.
    pub(super) async fn new(
        args: &ScriptArgs,
        log: &Log,
        variables: BTreeMap<String, String>,
    ) -> Result<Self, RunError> {
        let script = std::path::absolute(&args.file)
            .and_then(|path| std::fs::metadata(&path).map(|_| path))
            .map_err(|error| RunError::Script {
                path: args.file.clone(),
                error,
            })?;
        let environment = args.environment(variables.clone().into_iter());
        let test = Arc::new(Test::new(script, environment, log.clone()));
        let exports = evaluate(&test).await?;
        test.sources().lock();
        let options = consolidate(args, log, &exports, &variables)?;
        check_functions(&exports, &options)?;
        let scenarios = options.scenarios().iter().cloned();
        let scenarios = scenarios
            .map(|scenario| Arc::new(ScenarioRun::new(scenario)))
            .collect();
        let thresholds = Thresholds::new(&options, test.registry())?;
        keep_expected_responses_apart(test.registry())?;
        if args.summary_mode == Some(SummaryMode::Full) {
            test.registry().keep_places();
        }
        test.set_options(options);
        Ok(Self {
            test,
            scenarios,
            exports,
            thresholds,
            live: Live::default(),
        })
    }
}

async fn evaluate(test: &Arc<Test>) -> Result<Exports, RunError> {
    let recorder = Rc::new(Recorder::new(test.registry()));
    let vm = Vm::new(test, &recorder, 0)?;
    vm.init()
        .await
        .map_err(|error| match test.control().stopped() {
            // By exec.test.abort().
            Some(stop) => RunError::Stopped(stop),
            None => error.into(),
        })?;
    Ok(vm.with_exports(Exports::read).await?)
}

fn consolidate(
    args: &ScriptArgs,
    log: &Log,
    exports: &Exports,
    variables: &BTreeMap<String, String>,
) -> Result<Options, RunError> {
    let (script, unknown) = match &exports.options {
        None => (Layer::default(), Vec::new()),
        Some(json) if json == "null" => (Layer::default(), Vec::new()),
        Some(json) => {
            let wrong = || OptionError::Value {
                name: "options".to_owned(),
                value: json.clone(),
                expected: "an object",
            };
            let options: serde_json::Value = serde_json::from_str(json).map_err(|_| wrong())?;
            let options = options.as_object().cloned().ok_or_else(wrong)?;
            Layer::from_script(options)?
        }
    };
    let layer = script
        .overridden_by(environment_layer(variables)?)
        .overridden_by(args.layer());
    let (options, passed_over) = Options::new(layer)?;
    for warning in unknown.into_iter().chain(passed_over) {
        log.warn(warning.to_string());
    }
    Ok(options)
}

/// k6 shows the durations of successful requests without being asked.
fn keep_expected_responses_apart(registry: &Registry) -> Result<(), RunError> {
    registry.keep_apart("http_req_duration{expected_response:true}")?;
    Ok(())
}

fn check_functions(exports: &Exports, options: &Options) -> Result<(), RunError> {
    if exports.functions.is_empty() {
        return Err(RunError::NothingExported);
    }
    for scenario in options.scenarios() {
        if !exports.has(&scenario.exec) {
            return Err(OptionError::NoFunction(scenario.exec.clone()).into());
        }
    }
    Ok(())
}

impl From<CallError> for RunError {
    /// For calls whose failure ends the run.
    fn from(error: CallError) -> Self {
        match error {
            CallError::Script(exception) => Self::Exception(exception),
            CallError::Panicked(panicked) => Self::Panicked(panicked.0),
            CallError::Interrupted => Self::Stopped(crate::control::Stop::Interrupted),
            CallError::Start(_) | CallError::Engine(_) => Self::Start(error.to_string()),
        }
    }
}
