//! Interrupts of guests under KVM, from raising to the end of the handler: with and without a pseudo-VCPU, and of two guests at
//! the same instants.

use super::dispatcher::MS;
use super::raised::{self, CARD, LENGTH_MS, Said, content, system, told, trials};
use super::rival::{self, SHORT};
use crate::check::Check;
use crate::evidence::Evidence;
use crate::written::Scenario;
use vorrang_guest::raised::{Interrupt, Told};
use vorrang_model::system::System;

/// So many are raised while the servers are run at least.
const ENOUGH: usize = 50;
/// From the beginning of the schedule on, and to its end, others are left aside.
const EDGE: u64 = 100 * MS;
/// How many instants of two guests at least come together.
const TOGETHER: usize = 40;
/// What the other guest tells.
const OTHER: &str = "/run/other-guest";

/// Of each run: its interrupts are answered within their bound, and the rival has its budget.
pub(crate) fn answered_while_raised(of: &Scenario, evidence: &Evidence) -> Vec<Check> {
    let mut middle = Vec::new();
    let mut checks = raised::of_each(of, evidence, |trial, said| {
        let name = &trial.name;
        let mut checks = Vec::new();
        if trial.proven {
            checks.push(said.holds(name, CARD));
        }
        match content::<Told>(name, &told(name), evidence) {
            Ok(told) => {
                let card = Answered::of(said, name, CARD, trial.proven, told.uncertain);
                let (found, typical) = card.checks(&system(of, name), told.interrupts.first());
                checks.extend(found);
                middle.push(typical);
            }
            Err(why) => checks.push(why),
        }
        checks.push(rival::supplied(of, name, SHORT, said.origin(), evidence));
        checks
    });
    if let [off, on, ..] = middle[..] {
        let seen = format!("{} us without, {} us with", off / 1000, on / 1000);
        let what = "in the middle, from raising to the end of the handler";
        checks.push(Check::new(what, seen, 20 * on < off));
    }
    checks
}

/// All interrupts of an instant are answered within their bounds, and come together.
pub(crate) fn answered_together(of: &Scenario, evidence: &Evidence) -> Vec<Check> {
    let name = &trials(of)[0].name;
    let Some(said) = raised::said(evidence).next() else { return vec![raised::not_run(name)] };
    let mut checks = vec![said.check(name)];
    let [guest, other] =
        [told(name), OTHER.to_owned()].map(|file| content::<Told>(name, &file, evidence));
    let (guest, other) = match (guest, other) {
        (Ok(guest), Ok(other)) => (guest, other),
        (Err(why), _) | (_, Err(why)) => return vec![why],
    };
    let of_vector = |told: &Told, place: usize| told.interrupts.get(place).cloned();
    let all = [
        ("interrupt.received", of_vector(&guest, 0), guest.uncertain),
        ("interrupt.sent", of_vector(&guest, 1), guest.uncertain),
        ("interrupt.other", of_vector(&other, 0), other.uncertain),
    ];
    let system = system(of, name);
    for (interrupt, seen, uncertain) in &all {
        let one = Answered::of(&said, name, interrupt, true, *uncertain);
        checks.extend(one.checks(&system, seen.as_ref()).0);
        checks.push(said.holds(name, interrupt));
    }
    if let [(_, Some(sent), _), (_, Some(other), _)] = &all[1..] {
        checks.push(together(sent, other));
    }
    checks.push(rival::supplied(of, name, SHORT, said.origin(), evidence));
    checks
}

/// How often an interrupt of the one guest is raised before that of the other one is handled, or the other way round.
fn together(one: &Interrupt, other: &Interrupt) -> Check {
    let waits = |of: &Interrupt, at: u64| {
        let raised = of.raised.iter().rposition(|raised| *raised <= at);
        let handled = |from: u64| of.handled.iter().map(|(_, end)| *end).find(|end| *end >= from);
        let end = raised.and_then(|place| handled(of.raised[place]));
        raised.is_some() && end.is_none_or(|end| end > at)
    };
    let first = one.raised.iter().filter(|at| waits(other, **at)).count();
    let second = other.raised.iter().filter(|at| waits(one, **at)).count();
    let seen = format!("{first} and {second} times");
    let what = "an interrupt is raised while one of the other guest waits";
    Check::new(what, seen, first + second >= TOGETHER)
}

/// An interrupt of a run.
pub(super) struct Answered<'a> {
    name: &'a str,
    interrupt: &'a str,
    /// Whether it has a pseudo-VCPU.
    reserved: bool,
    uncertain: u64,
    /// When the schedule began.
    origin: u64,
}

impl<'a> Answered<'a> {
    fn of(
        said: &Said<'_>,
        name: &'a str,
        interrupt: &'a str,
        reserved: bool,
        uncertain: u64,
    ) -> Self {
        Self::at(name, interrupt, reserved, (uncertain, said.origin()))
    }

    /// The same, of a schedule that began at an instant.
    pub(super) fn at(
        name: &'a str,
        interrupt: &'a str,
        reserved: bool,
        (uncertain, origin): (u64, u64),
    ) -> Self {
        Self { name, interrupt, reserved, uncertain, origin }
    }

    /// From raising to the end of the handler: all of them, the longest beside bound and simulation; and the one in the
    /// middle.
    pub(super) fn checks(&self, system: &System, seen: Option<&Interrupt>) -> (Vec<Check>, u64) {
        let Self { name, interrupt, reserved, uncertain, origin } = *self;
        let nothing = Interrupt::default();
        let Interrupt { raised: at, handled } = seen.unwrap_or(&nothing);
        let (mut took, mut begins, mut raised) = (Vec::new(), 0, 0);
        let run = origin + EDGE..origin + LENGTH_MS * MS - EDGE;
        for (place, &at_one) in at.iter().enumerate().filter(|(_, at)| run.contains(at)) {
            raised += 1;
            // Now and then the emulator delivers one twice, the second time at once.
            let next = at.get(place + 1).copied().unwrap_or(u64::MAX);
            let own = |&&(begin, _): &&(u64, u64)| (at_one..next).contains(&(begin + uncertain));
            if let Some((begin, end)) = handled.iter().find(own) {
                took.push(end.saturating_sub(at_one));
                begins = begins.max(begin.saturating_sub(at_one));
            }
        }
        took.sort_unstable();
        let (middle, longest) = (
            took.get(took.len() / 2).copied().unwrap_or(u64::MAX),
            took.last().copied().unwrap_or(u64::MAX),
        );
        let all = Check::new(
            format!("{name}: every {interrupt} is handled before the next"),
            format!("{} of {raised}", took.len()),
            raised >= ENOUGH && took.len() == raised,
        );
        let seen = format!(
            "the handler begins after {} us at most; in the middle {} us",
            begins / 1000,
            middle / 1000
        );
        let bounded = raised::bounded(name, system, (interrupt, reserved), longest, &seen);
        (vec![all, bounded], middle)
    }
}
