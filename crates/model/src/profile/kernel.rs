//! The profile of a kernel: what it does by itself becomes interrupts and tasks of each core that names it.
//!
//! **Model.** What the description states itself wins: a core's own `interrupt-time`, `fair-server`, `overrun`,
//! `deadline-limits` and `sections`, costs one by one (then those of the machine's profile), and an interrupt or a task of the core by its name:
//! beside `interrupt.tick` the profile's `tick` is not added to the core of that one.
//!
//! **Assumption.** A machine runs one kernel: cores that name different ones are an error.

use super::{Find, Profile, merge_costs};
use crate::description::{
    At, Declared, Description, FairServer, Field, Interrupt, Reference, Supply, Task,
};
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::diagnostic::{Diagnostic, Span, excerpt};
use crate::keys::Noun;
use crate::reading::read_profile;
use crate::shipped::{SHIPPED, is_shipped};
use crate::system::{self, DeadlineLimits, InterruptOrder, InterruptTime, LongestSeen, Priority};
use crate::word::Rule;
use crate::{Format, limits, text};
use vorrang_time::Duration;

/// What a profile says about a kernel.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    pub(crate) release: Option<String>,
    pub(crate) is_realtime: Option<bool>,
    /// Which machine its times were taken on.
    pub(crate) origin: String,
    pub(crate) interrupt_time: Option<InterruptTime>,
    /// `None` inside: there is none.
    pub(crate) fair_server: Field<Option<system::FairServer>>,
    pub(crate) deadline_limits: Option<DeadlineLimits>,
    pub(crate) overrun: Option<Duration>,
    pub(crate) sections: Option<Duration>,
    /// Interrupts and tasks, in the order of the text.
    pub(crate) entries: Vec<(String, Entry)>,
    pub(crate) not_counted: Vec<String>,
    pub(crate) longest_seen: Vec<LongestSeen>,
}

/// Recurring overhead of the kernel.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// Of a thread: its priority of `SCHED_FIFO`; `None`: an interrupt.
    pub(crate) priority: Option<Priority>,
    pub(crate) time: Duration,
    pub(crate) period: Duration,
    pub(crate) jitter: Duration,
}

/// Puts the kernel of the cores into a description; one in a file only if it can be looked for.
pub(super) fn include(description: &mut Description, find: Option<Find<'_>>, errors: &mut Errors) {
    let cores =
        description.supplies.iter().enumerate().filter(|(_, core)| {
            core.body.scheduler.get().is_some_and(|at| at.value == Rule::Linux)
        });
    let named = cores.filter_map(|(index, core)| Some((index, core.body.kernel.get()?.clone())));
    let named: Vec<(usize, At<String>)> = named.collect();
    let Some((_, first)) = named.first() else { return };
    for (_, other) in named.iter().filter(|(_, other)| other.value != first.value) {
        let message = "two cores name different kernels";
        errors.push(
            Diagnostic::new(Code::ProfileUnusable, other.span.clone(), message)
                .label("another one")
                .also(first.span.clone(), "named here first")
                .help("a machine runs one kernel"),
        );
    }
    let Some(profile) = read(first, find, errors) else { return };
    merge_costs(description, &profile);
    for (index, named) in &named {
        put(description, *index, profile.kernel.as_ref().expect("it was looked at"), named);
    }
}

/// A profile that says something about a kernel; `None`: it was not looked for, or that has been reported.
fn read(named: &At<String>, find: Option<Find<'_>>, errors: &mut Errors) -> Option<Profile> {
    let shipped = SHIPPED.iter().find(|(name, _)| *name == named.value);
    let found = match (shipped, find) {
        (Some((_, text)), _) => Ok(shipped_profile(text)),
        (None, Some(find)) => find(&named.value),
        (None, None) => return None,
    };
    let found = found.and_then(|profile| match profile.kernel {
        Some(_) => Ok(profile),
        None => Err("it has no [kernel]".to_owned()),
    });
    let said = |why: String| {
        let message = format!("the kernel profile {} cannot be used", excerpt(&named.value));
        let shipped: Vec<&str> = SHIPPED.iter().map(|(name, _)| *name).collect();
        Diagnostic::new(Code::ProfileUnusable, named.span.clone(), message)
            .label(why)
            .help(format!("it is a file, or one of those that are shipped: {}", shipped.join(", ")))
    };
    found.map_err(|why| errors.push(said(why))).ok()
}

fn shipped_profile(text: &str) -> Profile {
    let mut errors = Errors::default();
    let tree = text::parse(text.as_bytes(), Format::Toml, &mut errors);
    let profile = tree.and_then(|tree| read_profile(&tree, &mut errors));
    assert!(errors.is_empty(), "a shipped profile is right");
    profile.expect("nothing is wrong with it")
}

/// What the kernel does on one core.
fn put(description: &mut Description, index: usize, kernel: &Kernel, named: &At<String>) {
    let declared = &mut description.supplies[index];
    let core = declared.name.clone();
    let span = &named.span;
    state(&mut declared.body, kernel, named);
    let order = declared.body.interrupts.or(InterruptOrder::default()).unwrap_or_default();
    for (name, entry) in &kernel.entries {
        if is_declared(description, &core, name, entry) {
            continue;
        }
        let name = format!("{core}/{name}");
        let on = stated(Reference { text: core.clone(), nouns: ON, key: "on" }, span);
        if entry.priority.is_some() {
            let body = task(entry, on, span);
            description.tasks.push(Declared { noun: Noun::Task, name, span: span.clone(), body });
        } else {
            let body = interrupt(entry, on, order, span);
            let noun = Noun::Interrupt;
            description.interrupts.push(Declared { noun, name, span: span.clone(), body });
        }
    }
}

const ON: &[Noun] = &[Noun::Core];

fn stated<T>(value: T, span: &Span) -> Field<T> {
    Field::Is(At { value, span: span.clone() })
}

/// What the core itself does not say.
fn state(core: &mut Supply, kernel: &Kernel, named: &At<String>) {
    let span = &named.span;
    if let (Field::Absent, Some(who)) = (&core.interrupt_time, kernel.interrupt_time) {
        core.interrupt_time = stated(who, span);
    }
    if let (Field::Absent, Some(time)) = (&core.overrun, kernel.overrun) {
        core.overrun = stated(time, span);
    }
    if let (Field::Absent, Some(time)) = (&core.sections, kernel.sections) {
        core.sections = stated(time, span);
    }
    if let (Field::Absent, Some(limits)) = (&core.deadline_limits, kernel.deadline_limits) {
        core.deadline_limits = stated(limits, span);
    }
    if let (Field::Absent, Field::Is(fair)) = (&core.fair_server, &kernel.fair_server) {
        let fair = fair.value.map(|fair| FairServer {
            budget: stated(fair.budget, span),
            period: stated(fair.period, span),
        });
        core.fair_server = stated(fair, span);
    }
    core.profile = Some(system::Kernel {
        name: named.value.clone(),
        release: kernel.release.clone(),
        is_realtime: kernel.is_realtime,
        origin: kernel.origin.clone(),
        is_shipped: is_shipped(&named.value),
        not_counted: kernel.not_counted.clone(),
        longest_seen: kernel.longest_seen.clone(),
    });
}

/// Whether the description has it itself, on that core.
fn is_declared(description: &Description, core: &str, name: &str, entry: &Entry) -> bool {
    let here = |on: &Field<Reference>| on.get().is_some_and(|at| at.value.text == core);
    if entry.priority.is_some() {
        let full = format!("{}.{name}", Noun::Task.word());
        description.tasks.iter().any(|task| task.name == full && here(&task.body.on))
    } else {
        let full = format!("{}.{name}", Noun::Interrupt.word());
        let mut all = description.interrupts.iter();
        all.any(|interrupt| interrupt.name == full && here(&interrupt.body.on))
    }
}

fn task(entry: &Entry, on: Field<Reference>, span: &Span) -> Task {
    let priority = entry.priority.unwrap_or_default();
    Task {
        on,
        wcet: stated(entry.time, span),
        bcet: Field::Absent,
        execution: Field::Absent,
        period: stated(entry.period, span),
        min_distances: Field::Absent,
        deadline: stated(None, span),
        latest_interarrival: Field::Absent,
        offset: Field::Absent,
        communication: Field::Absent,
        preemption: Field::Absent,
        polls: Field::Absent,
        jitter: stated(entry.jitter, span),
        blocking: stated(Duration::ZERO, span),
        priority: stated(priority, span),
        share: Field::Absent,
        cache: Field::Absent,
        thread: Field::Absent,
        wakes: Field::Absent,
        after: Field::Absent,
        learnt: Field::Absent,
    }
}

/// Where interrupts have priorities, those of the kernel come first.
fn interrupt(entry: &Entry, on: Field<Reference>, order: InterruptOrder, span: &Span) -> Interrupt {
    let first = Priority(limits::PRIORITY);
    Interrupt {
        on,
        isr: stated(entry.time, span),
        posted: Field::Absent,
        min_interarrival: stated(entry.period, span),
        min_distances: Field::Absent,
        jitter: stated(entry.jitter, span),
        priority: match order {
            InterruptOrder::FirstCome => Field::Absent,
            InterruptOrder::Priority | InterruptOrder::Nested => stated(first, span),
        },
        wakes: Field::Absent,
        storm: Field::Absent,
        delivery: None,
        irq: Field::Absent,
        learnt: Field::Absent,
    }
}
