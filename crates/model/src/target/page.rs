//! The page of targets, from their tables.

use super::linux::{PERIOD_SETTINGS, SHARE_SETTINGS, VERSIONS};
use super::{LINUX, SEL4, Target, XEN};
use core::fmt::Write as _;

/// `docs/targets.md`.
pub fn targets() -> String {
    let mut page = HEAD.to_owned();
    for (target, means, held_by) in [
        (&LINUX, "`SCHED_DEADLINE` before `SCHED_FIFO`", TESTS_OF_LINUX),
        (&XEN, "RTDS with `extratime` off", TESTS_OF_XEN),
        (&SEL4, "MCS", TESTS_OF_SEL4),
    ] {
        row(&mut page, target, means, held_by);
    }
    let [shortest, longest] = PERIOD_SETTINGS.map(file);
    let [runtime, period] = SHARE_SETTINGS.map(file);
    let _ = write!(
        page,
        "\n{LIMITS}\n## Linux by version\n\nThe limits of periods are settings in `/proc/sys/kernel` (`{shortest}`, `{longest}`), \
         and so is the part of a processor that is admitted (`{runtime}` of `{period}`). `deadline-limits` of a core, or of \
         the profile of a kernel, states other settings; a core that names no [kernel](kernel.md) is checked against the \
         strictest version.\n\n\
         | Linux, and later | admits of a processor | `SCHED_OTHER` | `SCHED_EXT` |\n|---|---|---|---|\n"
    );
    for version in VERSIONS {
        let (major, minor) = version.from;
        let of_others = if version.has_fair_server {
            "a server, which is admitted as one"
        } else {
            "no server; the real-time classes are throttled"
        };
        let of_ext = if version.has_ext_server {
            "a server, admitted while a scheduler of `sched_ext` is loaded"
        } else {
            "no server"
        };
        let percent = version.share_ppm / 10_000;
        let _ = writeln!(page, "| {major}.{minor} | {percent} % | {of_others} | {of_ext} |");
    }
    page + PROGRAMS
}

fn row(page: &mut String, target: &Target, means: &str, held_by: &str) {
    let quoted = |word: &str| format!("`{word}`");
    let cores: Vec<String> = target.schedulers.iter().map(|own| quoted(own.word())).collect();
    let servers: Vec<String> = target.servers.iter().map(|own| quoted(own.word())).collect();
    let priorities = match &target.priorities {
        Some(own) => format!("{} to {}", own.start(), own.end()),
        None => "none".to_owned(),
    };
    let tasks = if target.has_tasks { "by priority" } else { "none" };
    let limits = target.limits;
    let _ = writeln!(
        page,
        "| {}: {means} | {} | {} | {tasks} | {priorities} | from {} | {} to {} | {} | {held_by} |",
        target.name,
        cores.join(", "),
        servers.join(", "),
        limits.least_budget,
        limits.shortest_period,
        limits.longest_period,
        limits.unit,
    );
}

/// The name of a file.
fn file(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

const HEAD: &str = "\
# Targets

<!-- written by the tables of targets; `VORRANG_WRITE_DOCS=1 cargo test -p vorrang-model --test model generated` -->

A proof holds on a machine whose scheduler does what the description says. Each scheduler that a description is applied to, or \
exported for, has a rule and limits; they are data (`crates/model/src/target`), and everything that depends on them reads it there.

| target | cores | servers on a core | tasks beside them | priorities | budget | period | unit | held by |
|---|---|---|---|---|---|---|---|---|
";

const TESTS_OF_LINUX: &str =
    "`crates/vorrang/tests/vorrang/mechanisms.rs`, `targets.rs`; scenario `conformance-partition`";
const TESTS_OF_XEN: &str = "`crates/vorrang/tests/vorrang/targets.rs`; not tried with a Xen";
const TESTS_OF_SEL4: &str = "`crates/model/tests/targets.rs`, `crates/vorrang/tests/vorrang/targets.rs`; not tried with a seL4";

const LIMITS: &str = "\
What does not fit is found before there is a machine:

| what | where |
|---|---|
| another scheduler or server | refused by `export` and `apply`, by name |
| a budget or period outside the limits, a priority that there is not | `check` warns ([W0008](codes.md)); an error (E0413) where a `thread` is named and no setting allows it |
| more than is admitted | `check` warns (W0009) |
| open values | `design` chooses a `\"?\"` within the limits, and nothing beyond what is admitted; a list or a grid is taken as it stands |
| margins, and the nearest change | end at the limits |
| a running kernel | `apply` reads its settings, and refuses what it would refuse, before anything is changed |

RTDS is global and gives time beyond the budgets to those virtual processors that have `extratime`, as all have at first. So \
`export --as xl` pins each one and turns that off. Every other virtual processor, Dom0's too, is to be pinned elsewhere. RTDS \
counts whole microseconds; nothing is rounded, since a proof holds for the numbers that were proven.

The least budget of seL4 is twice the longest time of its kernel, which depends on the board: `min-budget` states it.
";

const PROGRAMS: &str = "
## Programs

| program | target | writes | writes as a comment | held by |
|---|---|---|---|---|
| `vorrang apply` | Linux, from 6.7 on | policies, partitions, interrupts, the server of `SCHED_OTHER` | | scenarios `apply…`; `crates/enforce/tests/in_memory` |
| `vorrang apply`, by `vorrang-host` | Linux, from 6.12 on | servers and schedulers that Linux has not ([apply.md](apply.md)) | | scenarios `host…` |
| `export --as chrt` | Linux | policies, partitions, interrupts | reclaiming | scenario `apply-exported`; `crates/fuzz/tests/exported.rs` |
| `export --as systemd` | Linux | `SCHED_FIFO` of units | reservations, with the call of `chrt`; threads of no unit | `systemd-analyze verify` in `crates/vorrang/tests/vorrang/machine.rs` |
| `export --as unit` | Linux | a systemd unit: `vorrang apply` at each boot, `vorrang restore` when it is stopped | | `systemd-analyze verify` in `crates/vorrang/tests/vorrang/machine.rs` |
| `export --as libvirt` | Linux | `SCHED_FIFO` and the processor of virtual processors | reservations; other threads | `crates/fuzz/tests/exported.rs`; `scripts/libvirt.sh`, by libvirt's schemas |
| `export --as oci` | Linux | `process.scheduler` of containers (runtime specification 1.2), `SCHED_DEADLINE` included | partitions; threads of no container | `crates/fuzz/tests/exported.rs` |
| `export --as cgroup` | Linux with HCBS (RFC v6; in no released kernel) | servers of `sched-deadline` as groups with `cpu.rt.max`, behind a probe for it; priorities beside them; what that file lacks is refused | | `crates/enforce/tests/in_memory/groups_with_budgets.rs`, on files |
| `export --as command-line`, `tuned` | Linux | interrupts that drivers manage and callbacks of RCU; tuned also what `irqbalance` leaves alone | threads | `crates/fuzz/tests/exported.rs` |
| `export --as microkit` | seL4 | protection domains and virtual machines of a system of the Microkit, whose queues hold two refills | machines, which belong into the domain of their monitor | `crates/vorrang/tests/vorrang/targets.rs` |
| `export --as rt-app` | Linux | a workload of rt-app, which loads a machine as described: periodic tasks, and `sched-deadline` servers with one inside | what is no such thread, as `left-out` | `crates/import/tests/import/exported.rs` |
| `export --as xl` | Xen | budgets and periods of RTDS, the processor of virtual processors | | `crates/vorrang/tests/vorrang/targets.rs`, `crates/fuzz/tests/exported.rs` |
";
