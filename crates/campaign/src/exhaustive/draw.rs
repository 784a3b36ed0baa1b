//! Small systems, by the row of the table that they belong to.

use super::features::{blocked, by_deadline_inside, constrained, late, overrunning, paying};
use super::level::{BESIDE, in_level, level};
use super::parts::{
    EDF, FP, LINUX, Shape, core, core_task, fitting, has_priority, hog, server, server_with_task,
    shape, task,
};
use super::slots::{periodic_in_slot, slot, table};
use crate::paths::draw::{Manner, Place, text as chain};
use crate::random::Random;
use std::fmt::Write as _;

/// A row of the table: one kind of place for a requirement.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// What stands in the table.
    pub name: &'static str,
    /// There is a guest that may have best-effort work, or one beside it.
    pub has_guest: bool,
    draw: fn(&mut Random, bool) -> String,
}

impl Row {
    /// A description in which `task.target` or `interrupt.target` is looked at. With `hog` guests have
    /// best-effort work besides, which wants time whenever the history says so.
    pub fn draw(&self, random: &mut Random, hog: bool) -> String {
        (self.draw)(random, hog)
    }
}

/// All rows.
pub const ROWS: &[Row] = &[
    guest("task alone: FP, periodic", |r, h| alone(r, h, FP, "periodic")),
    guest("task alone: FP, polling", |r, h| alone(r, h, FP, "polling")),
    guest("task alone: FP, deferrable", |r, h| alone(r, h, FP, "deferrable")),
    guest("task alone: FP, sporadic", |r, h| alone(r, h, FP, "sporadic")),
    guest("task alone: EDF, periodic", |r, h| alone(r, h, EDF, "periodic")),
    guest("task alone: EDF, polling", |r, h| alone(r, h, EDF, "polling")),
    guest("task alone: EDF, deferrable", |r, h| alone(r, h, EDF, "deferrable")),
    guest("task alone: EDF, hard CBS", |r, h| alone(r, h, EDF, "cbs-hard")),
    bare("task alone: EDF, soft CBS", |r, _| alone(r, false, EDF, "cbs-soft")),
    guest("task alone: Linux, `SCHED_DEADLINE`", |r, h| alone(r, h, LINUX, "sched-deadline")),
    guest("tasks in a slot", slot),
    guest("periodic in a slot", periodic_in_slot),
    guest("deferrable in deferrable, Linux", nested),
    bare("core tasks, FP", |r, _| tasks(r, FP, true)),
    bare("core tasks, EDF, declared last", |r, _| tasks(r, EDF, true)),
    bare("core tasks, EDF, declared earlier", |r, _| tasks(r, EDF, false)),
    guest("core task beside a server, FP", |r, h| beside(r, h, FP)),
    guest("core task beside a server, EDF", |r, h| beside(r, h, EDF)),
    guest("core task beside a server, Linux", |r, h| beside(r, h, LINUX)),
    guest("equal priorities, core task declared last", |r, h| {
        equal(r, h, &["periodic", "polling", "sporadic"])
    }),
    guest("the same, beside a deferrable server", |r, h| equal(r, h, &["deferrable"])),
    guest("interrupt of a guest, no pseudo-VCPU", interrupt),
    guest("release jitter: task alone, FP", |r, h| {
        let text = alone(r, h, FP, "periodic");
        late(r, &text, FP_KINDS)
    }),
    guest("release jitter: task alone, EDF", |r, h| {
        let text = alone(r, h, EDF, "periodic");
        late(r, &text, EDF_KINDS)
    }),
    bare("release jitter: core tasks, FP", |r, _| {
        let text = tasks(r, FP, true);
        late(r, &text, &[])
    }),
    bare("release jitter: core tasks, EDF", |r, _| {
        let is_last = r.chance(1, 2);
        let text = tasks(r, EDF, is_last);
        late(r, &text, &[])
    }),
    guest("blocking of a task in a server, FP", |r, h| {
        let text = alone(r, h, FP, "periodic");
        blocked(r, &text, "task.target", FP_KINDS)
    }),
    guest("blocking of a server, FP", |r, h| {
        let text = alone(r, h, FP, "periodic");
        blocked(r, &text, "server.s-target", FP_KINDS)
    }),
    bare("blocking of a core task, FP", |r, _| {
        let text = tasks(r, FP, true);
        blocked(r, &text, "task.target", &[])
    }),
    guest("guest under EDF: FP", |r, h| by_deadline_inside(r, h, FP, FP_KINDS)),
    guest("guest under EDF: EDF", |r, h| by_deadline_inside(r, h, EDF, EDF_KINDS)),
    guest("task alone: Linux, `SCHED_DEADLINE` with D < T", |r, h| {
        let text = alone(r, h, LINUX, "sched-deadline");
        constrained(r, &text)
    }),
    guest("runtimes that end late: task alone", |r, h| {
        let text = alone(r, h, LINUX, "sched-deadline");
        overrunning(r, &text)
    }),
    guest("runtimes that end late: task alone, D < T", |r, h| {
        let text = alone(r, h, LINUX, "sched-deadline");
        let text = constrained(r, &text);
        overrunning(r, &text)
    }),
    guest("runtimes that end late: core task beside a server", |r, h| {
        let text = beside(r, h, LINUX);
        overrunning(r, &text)
    }),
    guest("charged routines: task alone", |r, h| {
        let text = alone(r, h, LINUX, "sched-deadline");
        paying(r, &text)
    }),
    guest("charged routines: task alone, late runtimes", |r, h| {
        let text = alone(r, h, LINUX, "sched-deadline");
        let text = overrunning(r, &text);
        paying(r, &text)
    }),
    bare("server without a budget: FP inside", |r, _| level(r, false, BESIDE)),
    bare("server without a budget: EDF inside", |r, _| level(r, true, BESIDE)),
    bare("blocking of a server without a budget", |r, _| {
        let by_deadline = r.chance(1, 2);
        // An equal would be held up as well.
        let text = level(r, by_deadline, &[1, 3]);
        blocked(r, &text, "server.s-target", &[])
    }),
    guest("server in one without a budget", in_level),
    bare("chain of registers: one core, FP", |r, _| chain(r, Place::Core, Manner::Registers)),
    bare("chain of registers: one core, EDF", |r, _| {
        chain(r, Place::ByDeadline, Manner::Registers)
    }),
    bare("chain of registers: two cores", |r, _| chain(r, Place::Cores, Manner::Registers)),
    bare("chain of registers: servers without a budget", |r, _| {
        chain(r, Place::Levels, Manner::Registers)
    }),
    bare("chain of registers: deferrable server", |r, _| {
        chain(r, Place::Budget, Manner::Registers)
    }),
    bare("chain, logical execution time: two cores", |r, _| {
        chain(r, Place::Cores, Manner::Logical)
    }),
    bare("chain, mixed: two cores", |r, _| chain(r, Place::Cores, Manner::Mixed)),
    bare("chain over wake-ups: one core, FP", |r, _| chain(r, Place::Core, Manner::Woken)),
    bare("chain over wake-ups: one core, EDF", |r, _| chain(r, Place::ByDeadline, Manner::Woken)),
    bare("chain over wake-ups: two cores", |r, _| chain(r, Place::Cores, Manner::Woken)),
    bare("chain over wake-ups: levels", |r, _| chain(r, Place::Levels, Manner::Woken)),
    guest("tasks in a table", table),
];

/// Servers under fixed priority.
const FP_KINDS: &[&str] = &["periodic", "polling", "deferrable", "sporadic"];

/// Servers under EDF.
const EDF_KINDS: &[&str] = &["periodic", "polling", "deferrable", "cbs-hard"];

const fn guest(name: &'static str, draw: fn(&mut Random, bool) -> String) -> Row {
    Row { name, has_guest: true, draw }
}

const fn bare(name: &'static str, draw: fn(&mut Random, bool) -> String) -> Row {
    Row { name, has_guest: false, draw }
}

/// A task that is alone in its server, or with best-effort work; beside the server a task, another server,
/// or nothing.
fn alone(random: &mut Random, with_hog: bool, scheduler: &str, kind: &str) -> String {
    let priority = |own| has_priority(scheduler, kind).then_some(own);
    let mut parts = vec![server_with_task(random, "target", kind, priority(2), with_hog)];
    let other = random.one_of(&[1, 3]);
    match random.below(4) {
        0 => {}
        1 => {
            let priority = (scheduler != EDF).then_some(other);
            parts.push(task("other", "core.0", core_task(random), priority));
        }
        _ => parts.push(server_with_task(random, "other", kind, priority(other), with_hog)),
    }
    if random.chance(1, 2) {
        parts.reverse();
    }
    core(scheduler) + &parts.concat()
}

fn nested(random: &mut Random, with_hog: bool) -> String {
    let period = random.between(3, 6);
    let outer = Shape { budget: random.between(2, period - 1), period };
    let inner = Shape { budget: random.between(1, 2), period: random.between(4, 8) };
    let mut text = core(LINUX) + &server("outer", "core.0", "deferrable", outer, Some(2));
    text += &server("inner", "server.outer", "deferrable", inner, Some(2));
    text += &task("target", "server.inner", fitting(random, inner), Some(2));
    if with_hog {
        text += &hog("hog", "server.inner");
    }
    text
}

/// Two or three tasks on a core.
fn tasks(random: &mut Random, scheduler: &str, is_last: bool) -> String {
    let mut parts = Vec::new();
    let mut add = |name: &str, priority: u64, random: &mut Random| {
        let budget = random.between(1, 3);
        let own = Shape { budget, period: random.between(budget + 2, 10) };
        let priority = (scheduler != EDF).then_some(priority);
        let mut text = task(name, "core.0", own, priority);
        if scheduler == EDF {
            let deadline = random.between(budget, own.period + 2);
            let _ = writeln!(text, "deadline = \"{deadline}ns\"");
        }
        parts.push(text);
    };
    add("target", 2, random);
    add("first", 3, random);
    if random.chance(1, 2) {
        let priority = random.one_of(&[1, 4]);
        add("second", priority, random);
    }
    if is_last {
        parts.reverse();
    }
    core(scheduler) + &parts.concat()
}

/// A task of the core beside a server.
fn beside(random: &mut Random, with_hog: bool, scheduler: &str) -> String {
    let kinds: &[&str] = match scheduler {
        EDF => &["periodic", "polling", "deferrable", "cbs-hard"],
        LINUX => &["sched-deadline"],
        _ => &["periodic", "polling", "deferrable", "sporadic"],
    };
    let kind = random.one_of(kinds);
    let priority = has_priority(scheduler, kind).then_some(3);
    let text = core(scheduler) + &server_with_task(random, "inside", kind, priority, with_hog);
    let budget = random.between(1, 3);
    let own = Shape { budget, period: random.between(budget + 2, 14) };
    text + &task("target", "core.0", own, (scheduler != EDF).then_some(2))
}

/// A task of the core beside servers of the same priority.
fn equal(random: &mut Random, with_hog: bool, kinds: &[&str]) -> String {
    let kind = random.one_of(kinds);
    let text = core(FP) + &server_with_task(random, "inside", kind, Some(2), with_hog);
    let budget = random.between(1, 3);
    let own = Shape { budget, period: random.between(budget + 2, 14) };
    text + &task("target", "core.0", own, Some(2))
}

/// An interrupt that is delivered to a guest.
fn interrupt(random: &mut Random, with_hog: bool) -> String {
    let kind = random.one_of(&["periodic", "polling", "deferrable", "sporadic"]);
    let own = shape(random);
    let guest = server("guest", "core.0", kind, own, Some(2));
    let mut text = core(FP) + &guest.replace("[server.", "[vcpu.");
    if random.chance(1, 4) {
        let _ = writeln!(text, "blocking = \"{}ns\"", random.between(1, 2));
    }
    if random.chance(1, 2) {
        let priority = random.one_of(&[1, 3, 3]);
        text += &task("other", "core.0", core_task(random), Some(priority));
    }
    let budget = random.between(1, 2);
    let inside = Shape { budget, period: random.between(4, 12) };
    text += &task("inside", "vcpu.guest", inside, Some(2));
    if with_hog {
        text += &hog("hog", "vcpu.guest");
    }
    let routine = random.between(1, 2);
    let period = random.between(5, 14);
    let jitter = if random.chance(1, 3) { random.between(1, 3) } else { 0 };
    let isr = random.one_of(&[1, 1, 2]);
    text + &format!(
        "[interrupt.target]\non = \"core.0\"\nisr = \"{isr}ns\"\nmin-interarrival = \"{period}ns\"\njitter = \"{jitter}ns\"\n\
         virtual = {{ vcpu = \"vcpu.guest\", isr = \"{routine}ns\" }}\n"
    )
}
