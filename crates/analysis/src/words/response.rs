//! How long something takes to respond, in words.

use super::Names;
use crate::derivation::{OfLoneTask, OfPackets, OfResponse};
use crate::ground::Source;
use vorrang_time::Duration;

pub(super) fn text(fact: &OfResponse, names: &Names<'_>) -> String {
    match fact {
        OfResponse::NoBound { of, reason } => format!("{}: no bound: {reason}", names.of(*of)),
        OfResponse::BusyWindow { of, count, window, bound } => format!(
            "{}: job {count} of the busy window completes {window} after its start: response time {bound}",
            names.of(*of)
        ),
        OfResponse::ByClock { of, count, begin, beginnings, window, bound } => format!(
            "{}: of {beginnings} busy windows by the clock the one that begins at {begin} is the worst: its job {count} completes {window} after that: response time {bound}",
            names.of(*of)
        ),
        OfResponse::FirstCome { of, released, until, window, bound } => format!(
            "{}: the job released {released} after the start of the busy window waits for members of equal priority until {until} after it, and completes {window} after it: response time {bound}",
            names.of(*of)
        ),
        OfResponse::Kept { of, count, begun, window, bound } => format!(
            "{}: job {count} of the busy window has begun {begun} after its start, is not preempted from then on, and completes {window} after that start: response time {bound}",
            names.of(*of)
        ),
        OfResponse::OwnWork { count, cost } => {
            format!("own work: {count} x {cost} = {}", *cost * *count)
        }
        OfResponse::Iteration(windows) => iteration(windows),
        OfResponse::EdfJob { of, released, window, bound } => format!(
            "{}: the job released {released} after the start of the busy window completes {window} after it: response time {bound}",
            names.of(*of)
        ),
        OfResponse::EdfByClock { of, count, begin, windows, window, bound } => format!(
            "{}: of {windows} windows by the clock one that begins at {begin} is the worst: its job {count} completes {window} after that: response time {bound}",
            names.of(*of)
        ),
        OfResponse::Request { of, requested, window, bound } => format!(
            "{}: requested at the latest {requested} after the start of the busy window, it ends {window} after it: response time {bound}",
            names.of(*of)
        ),
        OfResponse::FromRequest { of, bound } => format!(
            "{}: counted from the request at the core, from which on only its routine may run: response time {bound}",
            names.of(*of)
        ),
        OfResponse::CoreRoutine { delay, wait, straight, own, is_kept } => {
            core_routine((*delay, *wait), (*straight, *own), *is_kept)
        }
        OfResponse::Credit { work, by } => format!(
            "of this, {work} is supplied by its pseudo-VCPU within {by} of the arrival; the rest by the virtual processor"
        ),
        OfResponse::CreditLost { lost } => {
            format!("of its credit, {lost} are lost to a cold cache")
        }
        OfResponse::PublishedBudget { asked, period, stated } => format!(
            "the published formula needs a budget of {asked} in {period}; {stated} is stated"
        ),
        OfResponse::Woken { task, by, period, jitter } => format!(
            "{}: arrives with {}, at least {period} apart, released up to {jitter} later",
            names.task(*task),
            sources(by, names)
        ),
    }
}

/// What wakes a task: an interrupt, or tasks, all of which have one source.
fn sources(by: &[Source], names: &Names<'_>) -> String {
    match by {
        [Source::Interrupt(id)] => names.system().interrupt(*id).name.clone(),
        by => {
            let all: Vec<String> = by.iter().map(|by| names.of(*by)).collect();
            format!("the source of {}", all.join(" and "))
        }
    }
}

fn core_routine(
    (delay, wait): (Duration, Duration),
    (straight, own): (Duration, Duration),
    is_kept: bool,
) -> String {
    let all = format!(
        "{delay} until the routine of the core ends, {wait} without budget, and {straight}, of this {own} for that routine, which is over by then"
    );
    let sooner = format!(
        "; the budget is there as if it was wanted since the request: the first of these and {straight} less 1 ns, or the rest, whichever is more"
    );
    if is_kept { all + &sooner } else { all }
}

/// The windows of a fixed-point iteration, long ones shortened.
fn iteration(windows: &[Duration]) -> String {
    const SHOWN: usize = 12;
    let mut text: Vec<String> = windows.iter().map(ToString::to_string).collect();
    if text.len() > SHOWN {
        let hidden = text.len() - SHOWN;
        let middle = SHOWN / 2..SHOWN / 2 + hidden;
        text.splice(middle, [format!("({hidden} steps)")]);
    }
    format!("iteration: {}", text.join(" -> "))
}

pub(super) fn of_packets(fact: &OfPackets, names: &Names<'_>) -> String {
    match fact {
        OfPackets::Reads { task, at_once, device, period, jitter } => format!(
            "{}: reads {at_once} packets of {} at once, at least {period} apart, released up to {jitter} later",
            names.task(*task),
            names.system().device(*device).name
        ),
        OfPackets::Episode { device, wake, episode } => format!(
            "{}: packets of an episode are polled from {wake} after the first one on; an episode has {episode} at most",
            names.system().device(*device).name
        ),
        OfPackets::EpisodeJob { last, response } => format!(
            "the job that ends with packet {last} of its episode does so {response} after the arrival of its first packet"
        ),
        OfPackets::PollingWork { packets, budget, round, packet, work } => format!(
            "work of {packets} packets: ceil({packets} / {budget}) x {round} + {packets} x {packet} = {work}"
        ),
        OfPackets::Ring { delay, most, ring } => format!(
            "a packet is polled {delay} after its arrival; the ring holds {most} at most, {ring} without loss"
        ),
    }
}

pub(super) fn alone(fact: &OfLoneTask, names: &Names<'_>) -> String {
    match fact {
        OfLoneTask::InServer { task, job, server, budgets, period } => format!(
            "{}: job {job} (from 0) since {} started with a full budget completes within {budgets} budgets, one in each period of {period}",
            names.task(*task),
            names.supply(*server)
        ),
        OfLoneTask::Pays { server, work, used } => format!(
            "interrupts are charged to {}: {work} of work takes {used} of its time",
            names.supply(*server)
        ),
        OfLoneTask::Late { server, late } => {
            format!("{} may be up to {late} late with the last of them", names.supply(*server))
        }
        OfLoneTask::Delivered { by, jitter, job, apart, bound } => format!(
            "its part of the last of them is delivered {by} after that start, by what is released and due until then: {by} + {jitter} - {job} x {apart} = {bound}"
        ),
        OfLoneTask::BudgetLasts { task, server, jitter, bound } => format!(
            "{}: {} has budget for the whole job, released up to {jitter} after its arrival: response time {bound}",
            names.task(*task),
            names.supply(*server)
        ),
        OfLoneTask::NextBudget { task, server, before, period, apart, then, jitter, bound } => {
            format!(
                "{}: the job before it, released {apart} earlier, used up a budget of {} that came {before} after that release; the rest of this job takes {then} from the next budget on: {before} + {period} + {then} - {apart} + {jitter} = {bound}",
                names.task(*task),
                names.supply(*server)
            )
        }
        OfLoneTask::Sum { used, budget, period, late, job, apart, bound } => {
            format!("ceil({used} / {budget}) {period} + {late} - {job} x {apart} = {bound}")
        }
    }
}
