//! What is told of one thread: a task, alone or in a reservation, or a virtual processor with its work.

use crate::facts::Facts;
use crate::names::{Named, Names};
use crate::said::{longer, short};
use crate::separation::Separation;
use crate::table::{Style, Table, times};
use crate::thread::{Cause, Thread};
use crate::wanted::Learnt;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use vorrang_enforce::{Policy, cpu_list};
use vorrang_quote::visible;

/// A thread with all that is known.
pub(crate) struct Told<'a> {
    pub(crate) learnt: &'a Learnt,
    pub(crate) facts: &'a Facts,
    pub(crate) style: &'a Style,
    pub(crate) names: &'a Names,
    pub(crate) number: u32,
    pub(crate) thread: &'a Thread,
    /// Whether an interrupt states that it wakes it.
    pub(crate) is_woken: bool,
}

/// As the kernel counts, `SCHED_FIFO` 1 is 98.
const FIFO_ZERO: i32 = 99;
/// Kernel counts of this and more are `SCHED_OTHER`.
const OTHER: i32 = 100;

impl Told<'_> {
    /// The tables of it; none if no job of it was seen whole.
    pub(crate) fn tables(&self) -> Vec<Table> {
        let Some(named) = self.names.get(self.number) else { return Vec::new() };
        let mut all = Vec::new();
        let on = match (self.is_reserved(), &named.machine) {
            (false, None) => self.place(),
            (_, machine) => {
                let noun = if machine.is_some() { "vcpu" } else { "server" };
                all.push(self.server(noun, named));
                format!("{noun}.{}", named.table)
            }
        };
        if self.thread.executed.count() > 0 {
            all.push(self.task(named, on));
        } else if let Some(first) = all.first_mut() {
            first.notes.push("no job of it was seen whole".to_owned());
        }
        all
    }

    fn time(&self) -> u64 {
        self.learnt.end - self.learnt.begin
    }

    fn priority(&self) -> i32 {
        // The least urgent is its own: the others were lent.
        self.thread.priorities.last().copied().unwrap_or(OTHER)
    }

    fn is_reserved(&self) -> bool {
        self.priority() < 0
    }

    fn place(&self) -> String {
        let pinned = self.facts.affinities.get(&self.number).filter(|cpus| cpus.len() == 1);
        let mut near = self.thread.cpus.iter().filter(|cpu| self.learnt.looks_at(**cpu));
        let ran = near.next().filter(|_| near.next().is_none());
        match (pinned, ran) {
            (Some(cpus), _) if self.thread.cpus.contains(&(cpus[0] as usize)) => {
                format!("core.{}", cpus[0])
            }
            (_, Some(cpu)) => format!("core.{cpu}"),
            _ => "?".to_owned(),
        }
    }

    /// A reservation or a virtual processor.
    fn server(&self, noun: &'static str, named: &Named) -> Table {
        let mut table = Table::new(noun, &named.table);
        if let Some((machine, _)) = &named.machine {
            table.state("vm", machine);
        }
        table.state("on", self.place());
        let priority = self.priority();
        if (0..OTHER).contains(&priority) {
            table.state("server", "none");
            table.number("priority", fifo(priority));
        } else {
            let policy = self.facts.policies.get(&self.number);
            let known = policy.filter(|policy| policy.policy == Policy::DEADLINE);
            let time = |time: Option<u64>| time.map_or_else(|| "?".to_owned(), crate::said::exact);
            table.state("server", "sched-deadline");
            table.state("budget", time(known.map(|policy| policy.runtime)));
            table.state("period", time(known.map(|policy| policy.period)));
            if let Some(policy) = known.filter(|policy| policy.deadline != policy.period) {
                table.state("deadline", crate::said::exact(policy.deadline));
            }
        }
        if let Some(selector) = &named.selector {
            table.state("thread", selector);
        }
        table.notes = self.notes();
        table
    }

    fn task(&self, named: &Named, on: String) -> Table {
        let Self { style, thread, .. } = self;
        let mut table = Table::new("task", &named.table);
        let is_alone = on.starts_with("core.") || on == "?";
        table.state("on", on);
        let longest = thread.occupied.longest().max(1);
        let mut from = times(&thread.executed, "jobs", self.time());
        if thread.suspended.count() > 0 {
            let occupied = short(thread.occupied.longest());
            let _ = write!(from, "; with its suspensions, which count as execution: {occupied}");
        }
        table.learn("wcet", longer(longest, style.margin), from);
        if self.is_woken {
            table.state("deadline", "none");
        } else {
            let (arrivals, from) =
                crate::arrival::stated(&thread.arrivals, style.form, style.margin, self.time());
            let has_period = matches!(arrivals, crate::arrival::Stated::Periodic(..));
            table.arrive(["period", "jitter"], arrivals, from);
            if !has_period {
                table.state("deadline", "none");
            }
        }
        if is_alone {
            if thread.blocked.longest() > 0 {
                let from = times(&thread.blocked, "wake-ups", self.time());
                table.learn("blocking", longer(thread.blocked.longest(), style.margin), from);
            }
            table.number("priority", fifo(self.priority()));
            if let Some(selector) = &named.selector {
                table.state("thread", selector);
            }
            table.notes = self.notes();
        } else if named.machine.is_some() {
            table
                .notes
                .push("what the guest does between two sleeps of its virtual processor".to_owned());
            table.number("priority", 1);
        } else {
            table.number("priority", 1);
        }
        table.state("learnt", vorrang_model::percentage(style.margin));
        table
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = vec![self.scheduled()];
        notes.extend(self.woken());
        notes.extend(self.suspends());
        notes
    }

    /// How it is scheduled, and where.
    fn scheduled(&self) -> String {
        let name = visible(&String::from_utf8_lossy(&self.thread.name));
        let policy = self.facts.policies.get(&self.number).map(|policy| policy.policy);
        let kind = match (policy, self.priority()) {
            (_, ..0) => "SCHED_DEADLINE".to_owned(),
            (_, OTHER..) => "SCHED_OTHER, which guarantees nothing".to_owned(),
            (Some(Policy::ROUND_ROBIN), own) => format!("SCHED_RR {}", fifo(own)),
            (_, own) => format!("SCHED_FIFO {}", fifo(own)),
        };
        let list = |cpus: &BTreeSet<usize>| {
            let cpus: Vec<u32> = cpus.iter().filter_map(|cpu| u32::try_from(*cpu).ok()).collect();
            cpu_list(&cpus)
        };
        let mut said =
            format!("{name} ({}): {kind}, ran on {}", self.number, list(&self.thread.cpus));
        if let Some(allowed) = self.facts.affinities.get(&self.number) {
            let _ = write!(said, ", may run on {}", cpu_list(allowed));
        }
        let lent = self.thread.priorities.iter().filter(|own| **own != self.priority()).count();
        if lent > 0 {
            let _ = write!(said, ", with {lent} other priorities for a time");
        }
        said
    }

    /// What woke it.
    fn woken(&self) -> Option<String> {
        let causes = self.thread.causes.iter().map(|(cause, count)| {
            let by = match cause {
                Cause::Timer => "a timer".to_owned(),
                Cause::Interrupt(irq) => format!("interrupt {irq}"),
                Cause::Other => "another interrupt".to_owned(),
                Cause::Thread => "a thread".to_owned(),
            };
            format!("{by} {count} times")
        });
        let causes: Vec<String> = causes.collect();
        (!causes.is_empty()).then(|| format!("woken by {}", causes.join(", by ")))
    }

    /// Whether its jobs are told apart by what is seen.
    fn suspends(&self) -> Option<String> {
        let Thread { separation, causes, sleeps, suspended, .. } = self.thread;
        if *separation != Separation::Sleep {
            let longest = short(suspended.longest());
            return Some(format!(
                "jobs are separated by {separation}; {} suspended themselves, for {longest} at most",
                suspended.count()
            ));
        }
        let kinds: Vec<String> =
            sleeps.iter().map(|(kind, count)| format!("{kind} {count} times")).collect();
        (sleeps.len() > 1 || causes.len() > 1).then(|| {
            let slept = if kinds.is_empty() { String::new() } else { format!(" (slept by {})", kinds.join(", ")) };
            format!("may suspend itself inside a job{slept}: --separate says which sleeps are between jobs")
        })
    }
}

fn fifo(priority: i32) -> u64 {
    u64::try_from(FIFO_ZERO - priority).unwrap_or(1).max(1)
}
