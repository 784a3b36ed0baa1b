//! Invariants of every history, whatever the system: checked while it runs, on every history that a campaign
//! simulates.
//!
//! **Model.** A [`Watch`] receives the events of a run. Its [`picture`] derives from them, by `docs/model.md`
//! alone, which competitors are ready; each check compares the events with that and with rules of its own,
//! which follow from the page of the model or from the theory, not from the code of the simulator.
//! `docs/campaign.md` lists them.
//!
//! **Assumptions.**
//! 1. The events are complete and in order. A check whose events are not reported would test nothing; the
//!    tests alter a history for each of them and expect it to be found.
//!
//! **Cost.** For each instant, a visit of every competitor of the core.
//!
//! **Does not cover** errors that only an exact restatement of a mechanism finds: the oracle is for these.

mod account;
mod begun;
mod budgets;
mod competitor;
mod credit;
mod deadlines;
mod decision;
mod event;
mod interrupts;
mod jobs;
mod packets;
mod payment;
mod picture;
mod requests;
mod timeline;
mod timers;
mod turns;
mod windows;

pub use event::{Event, Listening};

use core::fmt;
use event::Kinds;
use picture::Picture;
use vorrang_model::system::System;
use vorrang_sim::Pattern;
use vorrang_time::Instant;

/// A rule that every history keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Invariant {
    /// The intervals of the core cover time without gap or overlap.
    Timeline,
    /// The core is not idle, and nothing less urgent runs, while something may run.
    Urgency,
    /// Routines and the kernel precede the members of a supply.
    InterruptLevel,
    /// Execution in servers is charged to all of them, and to no other.
    Payment,
    /// A budget is what the server's rule says.
    Budget,
    /// A server takes no more of a window than its kind may.
    Window,
    /// No server with work waits longer than a period for budget.
    Starvation,
    /// A pseudo-VCPU admits requests within its credit.
    Credit,
    /// Members that take turns have them in full, in turn.
    Turns,
    /// Members that take turns get time in proportion to their shares.
    Shares,
    /// Jobs arrive, are released and complete in order.
    JobOrder,
    /// A job does the work that its task states.
    Work,
    /// Lost time has a cause.
    Losses,
    /// Every request is handled, waits, or has merged.
    Requests,
    /// Timers expire neither early nor out of order.
    Timers,
    /// No callback of a timer delays what is more urgent, where the queue shields it.
    Shield,
    /// Every packet is offered, and every loss is reported.
    Packets,
    /// The context that runs is the one that was switched to.
    Context,
}

impl Invariant {
    /// All of them.
    pub const ALL: [Self; 18] = [
        Self::Timeline,
        Self::Urgency,
        Self::InterruptLevel,
        Self::Payment,
        Self::Budget,
        Self::Window,
        Self::Starvation,
        Self::Credit,
        Self::Turns,
        Self::Shares,
        Self::JobOrder,
        Self::Work,
        Self::Losses,
        Self::Requests,
        Self::Timers,
        Self::Shield,
        Self::Packets,
        Self::Context,
    ];

    /// Its name in `docs/campaign.md`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Timeline => "timeline",
            Self::Urgency => "urgency",
            Self::InterruptLevel => "interrupt level",
            Self::Payment => "payment",
            Self::Budget => "budget",
            Self::Window => "window",
            Self::Starvation => "starvation",
            Self::Credit => "credit",
            Self::Turns => "turns",
            Self::Shares => "shares",
            Self::JobOrder => "job order",
            Self::Work => "work",
            Self::Losses => "losses",
            Self::Requests => "requests",
            Self::Timers => "timers",
            Self::Shield => "shield",
            Self::Packets => "packets",
            Self::Context => "context",
        }
    }
}

/// An invariant that a history breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The invariant that is broken.
    pub invariant: Invariant,
    /// When it was noticed.
    pub at: Instant,
    /// How it is broken, as a clause.
    pub how: String,
    /// The history, as a pattern.
    pub pattern: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { invariant, at, how, pattern } = self;
        write!(f, "{} is broken at {at}: {how}, in {pattern}", invariant.name())
    }
}

/// The violations so far.
#[derive(Default)]
struct Findings {
    broken: Vec<Broken>,
}

/// The most of each kind: consequences of the first error of a history are not informative.
const MOST: usize = 2;

impl Findings {
    /// Notes that an invariant is broken unless it holds.
    fn expect(
        &mut self,
        holds: bool,
        invariant: Invariant,
        at: Instant,
        how: impl FnOnce() -> String,
    ) {
        let known = self.broken.iter().filter(|broken| broken.invariant == invariant);
        if !holds && known.count() < MOST {
            self.broken.push(Broken { invariant, at, how: how(), pattern: String::new() });
        }
    }
}

/// One rule, or a few on the same things.
trait Check {
    /// The kinds of events that it has to hear.
    fn hears(&self) -> Kinds;

    /// An event, which the picture has taken over already.
    fn hear(&mut self, event: &Event, picture: &Picture<'_>, findings: &mut Findings);
}

/// Checks all invariants on the histories that it receives.
pub struct Watch<'s> {
    system: &'s System,
    run: Option<Run<'s>>,
    findings: Findings,
    histories: u64,
}

/// The run that is under way.
struct Run<'s> {
    picture: Picture<'s>,
    checks: Vec<(Kinds, Box<dyn Check + 's>)>,
}

impl<'s> Watch<'s> {
    /// Nothing has been told yet.
    pub fn new(system: &'s System) -> Self {
        Self { system, run: None, findings: Findings::default(), histories: 0 }
    }

    /// Takes an event; all invariants check it.
    pub fn hear(&mut self, event: Event) {
        match event {
            Event::Began(core, history) => {
                self.histories += 1;
                let picture = Picture::new(self.system, core, history);
                let checks = checks(&picture).into_iter().map(|check| (check.hears(), check));
                self.run = Some(Run { checks: checks.collect(), picture });
            }
            event => {
                let Some(Run { picture, checks }) = &mut self.run else { return };
                picture.hear(&event);
                let known = self.findings.broken.len();
                let kind = event.kind();
                for (_, check) in checks.iter_mut().filter(|(hears, _)| hears.meets(kind)) {
                    check.hear(&event, picture, &mut self.findings);
                }
                for broken in &mut self.findings.broken[known..] {
                    let pattern = Pattern::explicit(self.system, picture.core, &picture.history);
                    broken.pattern = pattern.to_string();
                }
            }
        }
    }

    /// The histories that were told.
    pub fn histories(&self) -> u64 {
        self.histories
    }

    /// The first violation.
    pub fn broken(self) -> Vec<Broken> {
        self.findings.broken
    }
}

fn checks<'s>(picture: &Picture<'s>) -> Vec<Box<dyn Check + 's>> {
    let mut checks: Vec<Box<dyn Check + 's>> = vec![
        Box::new(timeline::Timeline::default()),
        Box::new(decision::Decisions::new(picture)),
        Box::new(payment::Payments::default()),
        Box::new(jobs::Jobs::new(picture)),
        Box::new(account::Account::new(picture)),
    ];
    checks.extend(budgets::all(picture));
    checks.extend(windows::all(picture));
    checks.extend(turns::all(picture));
    checks.extend(credit::all(picture));
    if picture.system.interrupts_of(picture.core).next().is_some() {
        checks.push(Box::new(interrupts::Interrupts::new(picture)));
    }
    if picture.system.timers_on(picture.core).next().is_some() {
        checks.push(Box::new(timers::Timers::new(picture)));
    }
    if picture.system.devices_on(picture.core).next().is_some() {
        checks.push(Box::new(packets::Packets::new(picture)));
    }
    checks
}
