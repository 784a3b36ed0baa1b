//! What the publication does not say: machines, cores, budgets, and who runs where.

/// How many runnables are drawn; the publication speaks of 1000 to 1500 in an engine controller.
pub(crate) const RUNNABLES: u64 = 1_000;

/// How many times faster than the publication's a core is.
pub(crate) const SPEED: u64 = 12;

/// A task, and which runnables may live in it.
pub(crate) struct Home {
    /// Its name.
    pub(crate) task: &'static str,
    /// The row of the published table whose runnables it takes.
    pub(crate) row: &'static str,
    /// Its least inter-arrival time in milliseconds.
    pub(crate) period_ms: u64,
    /// Its supply.
    pub(crate) on: &'static str,
    /// Its core.
    pub(crate) core: &'static str,
    /// Its priority, where its guest wants one.
    pub(crate) priority: Option<u32>,
}

const fn home(
    task: &'static str,
    row: &'static str,
    period_ms: u64,
    on: &'static str,
    core: &'static str,
    priority: Option<u32>,
) -> Home {
    Home { task, row, period_ms, on, core, priority }
}

/// All tasks.
pub(crate) const HOMES: &[Home] = &[
    home("engine-1ms", "1", 1, "vcpu.engine-fast", "core.0", None),
    home("engine-2ms", "2", 2, "vcpu.engine-fast", "core.0", None),
    home("engine-5ms", "5", 5, "vcpu.engine-fast", "core.0", None),
    home("engine-angle", "angle-synchronous", 5, "vcpu.engine-fast", "core.0", None),
    home("engine-10ms", "10", 10, "vcpu.engine-slow", "core.1", None),
    home("chassis-5ms", "5", 5, "vcpu.chassis", "core.1", None),
    home("chassis-10ms", "10", 10, "vcpu.chassis", "core.1", None),
    home("chassis-20ms", "20", 20, "vcpu.chassis", "core.1", None),
    home("body-20ms", "20", 20, "vcpu.body", "core.0", Some(30)),
    home("body-50ms", "50", 50, "vcpu.body", "core.0", Some(10)),
    home("gateway-100ms", "100", 100, "server.gateway", "core.0", None),
    home("gateway-200ms", "200", 200, "server.gateway", "core.0", None),
    home("telematics-100ms", "100", 100, "vcpu.telematics", "core.0", None),
    home("telematics-200ms", "200", 200, "vcpu.telematics", "core.0", None),
    home("telematics-1000ms", "1000", 1000, "vcpu.telematics", "core.0", None),
];

/// The description, with place-holders for what is drawn.
pub(crate) const TEXT: &str = include_str!("consolidation.toml.in");
