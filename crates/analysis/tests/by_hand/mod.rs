//! Small systems whose bounds can be followed with a pencil, from description to number.

mod deadlines;
mod guests;
mod said;
mod slots;
mod turns;

use vorrang_analysis::{Bounds, bounds};
use vorrang_model::system::System;
use vorrang_model::{Format, read};

fn system(text: &str) -> System {
    read(text.as_bytes(), Format::Toml).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

/// The bound of a task in microseconds.
fn us(system: &System, bounds: &Bounds, name: &str) -> Option<u64> {
    let found = (0..system.tasks.len())
        .map(vorrang_model::system::TaskId)
        .find(|&id| system.task(id).name == name)
        .unwrap_or_else(|| panic!("no {name}"));
    bounds.task(found).bound().map(|bound| bound.as_ns() / 1_000)
}

/// A task of 3 ms in a server of 2 ms in 10 ms, alone on its core.
fn alone_in(scheduler: &str, server: &str, lines: &str) -> Option<u64> {
    let system = system(&format!(
        "version = 1\n[core.0]\nscheduler = \"{scheduler}\"\n[server.s]\non = \"core.0\"\nserver = \"{server}\"\nbudget = \"2ms\"\nperiod = \"10ms\"\n{lines}\n[task.t]\non = \"server.s\"\nwcet = \"3ms\"\nperiod = \"1s\"\n"
    ));
    us(&system, &bounds(&system), "task.t")
}
