//! What scenarios run by `vorrang-host` is accepted by it, without a kernel.

use std::collections::BTreeMap;
use std::path::Path;
use vorrang_guest::Step;
use vorrang_host::scope::Scope;
use vorrang_lab::scenario;
use vorrang_model::{Format, read};
use vorrang_time::Duration;

const LOOK: Duration = Duration::from_ms(1);

/// The description that a step runs by `vorrang-host`, if it does.
fn run_by_host(step: &Step) -> Option<&str> {
    let (Step::Run { command } | Step::Start { command }) = step else { return None };
    let by_host = command.iter().any(|word| word.ends_with("/vorrang-host"));
    let is_run = by_host && command.iter().any(|word| word == "run");
    let file =
        command.iter().find(|word| Path::new(word).extension().is_some_and(|of| of == "toml"));
    file.filter(|_| is_run).map(String::as_str)
}

#[test]
fn what_is_run_by_vorrang_host_is_accepted() {
    let mut count = 0;
    for scenario in scenario::all() {
        let plan = scenario.plan();
        let run: Vec<&str> = plan.steps.iter().filter_map(run_by_host).collect();
        if run.is_empty() {
            continue;
        }
        let files: BTreeMap<String, Vec<u8>> =
            scenario.files().into_iter().map(|file| (file.path, file.bytes)).collect();
        for path in run {
            let name = &scenario.name;
            let bytes = files.get(path).unwrap_or_else(|| panic!("{name}: {path} is no file"));
            let system = read(bytes, Format::Toml).unwrap_or_else(|why| panic!("{name}: {why:?}"));
            if let Err(why) = Scope::all(&system, LOOK) {
                panic!("{name}: {path}: {why:?}");
            }
            count += 1;
        }
    }
    assert!(count > 40, "{count}");
}
