//! Machines and descriptions of them.

use crate::groups::{Group, ROOT};
use crate::machine::{Irq, Machine};
use crate::task::{Held, Task};
use std::collections::BTreeMap;
use vorrang_enforce::Policy;
use vorrang_model::{Format, System, read};

pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) machine: Machine,
    pub(crate) system: System,
}

fn case(name: &'static str, machine: Machine, text: &str) -> Case {
    let system = read(text, Format::Toml).unwrap_or_else(|why| panic!("{name}: {why:?}"));
    Case { name, machine, system }
}

pub(crate) fn all() -> Vec<Case> {
    vec![two_processors(), asleep(), reserved_before(), everything()]
}

/// The scenario `apply` of the lab: of one process, a reservation and a priority on one of two processors.
fn two_processors() -> Case {
    let mut machine = Machine::new(2);
    for (thread, name) in [(100, "load"), (101, "reserved"), (102, "fifo"), (103, "asleep")] {
        machine.add(Task::new(100, thread, name, &[0, 1]));
    }
    case("two processors", machine, LOAD)
}

/// Its threads sleep on the processor that is taken, and belong to a group of their own.
fn asleep() -> Case {
    let mut machine = two_processors().machine;
    let group = format!("{ROOT}/app.slice");
    machine.groups.insert(group.clone(), Group::default());
    for task in machine.tasks.values_mut().filter(|task| task.thread.process == 100) {
        (task.asleep, task.last) = (true, 1);
        task.group.clone_from(&group);
    }
    case("asleep", machine, LOAD)
}

/// They have a reservation, a priority and an affinity already, and the runtimes end by the timer.
fn reserved_before() -> Case {
    let mut machine = two_processors().machine;
    machine.by_timer = true;
    machine.groups.get_mut(ROOT).expect("it is there").enabled = true;
    let mut set =
        |thread: i32, policy| machine.tasks.get_mut(&thread).expect("it is there").policy = policy;
    set(101, Policy::deadline(1_000_000, 20_000_000, 20_000_000));
    set(102, Policy::fifo(40));
    let other = machine.tasks.get_mut(&103).expect("it is there");
    (other.asked, other.allowed, other.last) = (Some(vec![1]), vec![1], 1);
    case("reserved before", machine, LOAD)
}

const LOAD: &str = r#"
version = 1
[core.0]
scheduler = "linux"
cpu = 1
[server.reserved]
on = "core.0"
server = "sched-deadline"
budget = "2ms"
period = "10ms"
thread = "process:load/reserved"
[task.reserved]
on = "server.reserved"
wcet = "1ms"
period = "10s"
[task.fifo]
on = "core.0"
wcet = "1ms"
period = "10s"
priority = 10
thread = "process:load/fifo"
"#;

/// Two of four processors, a server of `SCHED_OTHER` that is turned off, a thread that polls a card, one of an
/// interrupt, shielded timers, an interrupt that stays where it is, and a group of another program.
fn everything() -> Case {
    let mut machine = Machine::new(4);
    let all = [0, 1, 2, 3];
    machine.add(Task::new(100, 100, "engine", &all));
    machine.add(Task { last: 3, asleep: true, ..Task::new(100, 101, "fast", &all) });
    machine.add(Task::new(100, 102, "slow", &all));
    machine.add(Task::new(200, 200, "other", &all));
    machine.add(Task { ended: true, ..Task::new(300, 300, "zombie", &all) });
    machine.add(Task {
        held: Held::ByKernel,
        policy: Policy::fifo(50),
        ..Task::new(70, 70, "irq/25-can0", &all)
    });
    // Of the kernel, on one processor without having been asked to.
    machine.add(Task::new(71, 71, "kworker/u", &[0]));
    let group = format!("{ROOT}/other.slice");
    machine.groups.insert(group.clone(), Group::default());
    machine.tasks.get_mut(&200).expect("it is there").group = group;
    let irq =
        |handler: &str, managed| Irq { handler: handler.to_owned(), cpus: all.to_vec(), managed };
    machine.irqs = BTreeMap::from([
        (24, irq("eth0", false)),
        (25, irq("can0", false)),
        (26, irq("nvme0q1", true)),
    ]);
    case("everything", machine, EVERYTHING)
}

const EVERYTHING: &str = r#"
version = 1
[core.a]
scheduler = "linux"
cpu = 1
fair-server = "none"
[core.b]
scheduler = "linux"
timers = "timershield"
cpu = 3
[server.fast]
on = "core.b"
server = "sched-deadline"
budget = "3ms"
period = "10ms"
thread = "name:fast"
[server.slow]
on = "core.a"
server = "sched-deadline"
budget = "1ms"
period = "10ms"
thread = "name:slow"
[server.poll]
on = "core.a"
server = "sched-deadline"
budget = "500us"
period = "5ms"
thread = "napi:eth0"
[task.can]
on = "core.b"
wcet = "1ms"
period = "1s"
priority = 60
thread = "irq:can0"
"#;
