//! Servers without a budget, worked out by hand.

use vorrang_analysis::{Assumption, Bounds, bounds};
use vorrang_model::system::{System, TaskId};
use vorrang_model::{Format, read};

fn system(text: &str) -> System {
    read(text.as_bytes(), Format::Toml).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

fn task(system: &System, name: &str) -> TaskId {
    let found = system.task_ids().find(|&id| system.task(id).name == name);
    found.unwrap_or_else(|| panic!("no {name}"))
}

/// The bound of a task in microseconds.
fn us(system: &System, bounds: &Bounds, name: &str) -> Option<u64> {
    bounds.task(task(system, name)).bound().map(|bound| bound.as_ns() / 1_000)
}

fn all(text: &str, names: &[&str]) -> Vec<Option<u64>> {
    let system = system(text);
    let bounds = bounds(&system);
    names.iter().map(|name| us(&system, &bounds, name)).collect()
}

/// The usual real-time host: a virtual processor of `SCHED_FIFO` 1 below two threads of the kernel.
const HOST: &str = r#"
    version = 1
    [core.3]
    scheduler = "linux"
    fair-server = "none"
    [task.rcuc]
    on = "core.3"
    wcet = "20us"
    period = "4ms"
    priority = 4
    [task.ktimers]
    on = "core.3"
    wcet = "9us"
    period = "4ms"
    priority = 2
    [vcpu.rt]
    on = "core.3"
    server = "none"
    priority = 1
    [task.loop]
    on = "vcpu.rt"
    wcet = "100us"
    period = "1ms"
    deadline = "200us"
    priority = 95
    [task.house]
    on = "vcpu.rt"
    wcet = "300us"
    period = "10ms"
    priority = 1
"#;

#[test]
fn a_virtual_processor_of_sched_fifo() {
    // 100 + 20 + 9, and 300 + 100 + 29.
    let found = all(HOST, &["task.rcuc", "task.ktimers", "task.loop", "task.house"]);
    assert_eq!(found, [Some(20), Some(29), Some(129), Some(429)]);
    // Throttling after 950 ms of a second is never reached, so nothing is taken for granted of it.
    let system = system(HOST);
    let bounds = bounds(&system);
    let house = bounds.task(task(&system, "task.house"));
    let assumed = format!("{:?}", house.assumptions());
    assert!(!assumed.contains("NotThrottled") && !assumed.contains("WorkInServers"), "{assumed}");
}

#[test]
fn an_interrupt_in_a_level() {
    // A doorbell of 3 on the core, 4 in the guest: what follows is up to 3 late, and done 3 + 4 + 250 after that. Of what is
    // less urgent there, 2000 of work end after three of these: 2000 + 3 * 257.
    let text = r#"
        version = 1
        [core.plc]
        scheduler = "linux"
        fair-server = "none"
        [vcpu.plc]
        on = "core.plc"
        server = "none"
        priority = 80
        [interrupt.doorbell]
        on = "core.plc"
        isr = "3us"
        min-interarrival = "1ms"
        virtual = { vcpu = "vcpu.plc", isr = "4us", wakes = "task.cyclic" }
        [task.cyclic]
        on = "vcpu.plc"
        wcet = "250us"
        deadline = "900us"
        priority = 90
        [task.diag]
        on = "vcpu.plc"
        wcet = "2ms"
        period = "100ms"
        priority = 10
        [task.below]
        on = "core.plc"
        wcet = "1ms"
        period = "100ms"
        priority = 1
    "#;
    // What is below the virtual processor waits for all in it: 1000 + 2000 + 5 * 257 is 4285.
    let found = all(text, &["task.cyclic", "task.diag", "task.below"]);
    assert_eq!(found, [Some(260), Some(2_771), Some(4_285)]);
    let system = system(text);
    let bounds = bounds(&system);
    let assumed = |name: &str| bounds.task(task(&system, name)).assumptions().to_vec();
    assert!(assumed("task.below").contains(&Assumption::WorkInServers));
    assert!(!assumed("task.diag").contains(&Assumption::WorkInServers));
}

/// A level by deadlines between two priorities, and a server with a budget in it.
#[test]
fn what_is_in_a_level_has_its_own_order() {
    let text = r#"
        version = 1
        [core.0]
        scheduler = "fixed-priority"
        [task.above]
        on = "core.0"
        wcet = "1ms"
        period = "10ms"
        priority = 9
        [server.level]
        on = "core.0"
        server = "none"
        priority = 5
        scheduler = "edf"
        [task.short]
        on = "server.level"
        wcet = "2ms"
        period = "20ms"
        deadline = "5ms"
        [server.inner]
        on = "server.level"
        server = "cbs-hard"
        budget = "3ms"
        period = "30ms"
        [task.in]
        on = "server.inner"
        wcet = "3ms"
        period = "60ms"
        [task.below]
        on = "core.0"
        wcet = "4ms"
        period = "100ms"
        priority = 1
    "#;
    // Below: x = 4 + 2 * 1 + 2 + 3 + 3 x / 30, for the server in it may have kept a part of a budget.
    assert_eq!(
        all(text, &["task.above", "task.short", "task.below"]),
        [Some(1_000), Some(3_000), Some(12_222)]
    );
}

/// Tasks of a core with a priority each, and the same with those in the middle in a level.
fn in_level(level: bool) -> String {
    let (head, on) = if level {
        ("[server.level]\non = \"core.0\"\nserver = \"none\"\npriority = 5\n", "server.level")
    } else {
        ("", "core.0")
    };
    let task = |name: &str, on: &str, wcet: u64, period: u64, priority: u64| {
        format!(
            "[task.{name}]\non = \"{on}\"\nwcet = \"{wcet}us\"\nperiod = \"{period}us\"\njitter = \"3us\"\n\
             priority = {priority}\n"
        )
    };
    let tasks = [
        task("a", "core.0", 11, 70, 9),
        task("b", on, 17, 110, 7),
        task("c", on, 23, 190, 6),
        task("d", on, 5, 330, 4),
        task("e", "core.0", 40, 400, 3),
    ];
    format!("version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n{head}{}", tasks.concat())
}

#[test]
fn levels_of_priorities_are_priorities() {
    let names = ["task.a", "task.b", "task.c", "task.d", "task.e"];
    let found = all(&in_level(true), &names);
    assert_eq!(found, all(&in_level(false), &names));
    assert!(found.iter().all(Option::is_some));
}

#[test]
fn beside_an_equal_its_own_work_comes_first() {
    // Of the level 30 less urgent in it may have kept the equal waiting, with 20 of work: it goes first when the level has
    // slept. Then 10 wait for 20, not only for themselves. A busy window of the level is 60 long: E is 40.
    let text = r#"
        version = 1
        [core.0]
        scheduler = "fixed-priority"
        [server.level]
        on = "core.0"
        server = "none"
        priority = 5
        [task.first]
        on = "server.level"
        wcet = "10us"
        period = "1ms"
        priority = 2
        [task.second]
        on = "server.level"
        wcet = "30us"
        period = "1ms"
        priority = 1
        [task.equal]
        on = "core.0"
        wcet = "20us"
        period = "1ms"
        priority = 5
    "#;
    let found = all(text, &["task.first", "task.second", "task.equal"]);
    assert_eq!(found, [Some(30), Some(60), Some(60)]);
}

#[test]
fn what_is_not_covered_is_said_by_name() {
    let inner = "[server.inner]\non = \"vcpu.rt\"\nserver = \"deferrable\"\nbudget = \"1us\"\nperiod = \"1ms\"\n\
                 priority = 200\nblocking = \"1us\"\n";
    let system = system(&format!("{HOST}{inner}"));
    let found = bounds(&system);
    let reason = found.task(task(&system, "task.loop")).reason().expect("undecided").to_string();
    assert!(reason.contains("vcpu.rt, which has no budget"), "{reason}");
}
