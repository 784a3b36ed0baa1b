//! What is run, in words.

use crate::changeover::Changeover;
use crate::guests::{Reservation, Seen};
use crate::rule::WakeUps;
use crate::running::Member;
use crate::scope::{Reserved, Scope};
use std::fmt::Write as _;
use vorrang_enforce::Thread;
use vorrang_model::system::{Server, SupplyKind};
use vorrang_quote::visible;
use vorrang_time::Duration;

/// A server.
pub(crate) fn server(Reserved { server, .. }: &Reserved) -> String {
    let of_what = match server {
        SupplyKind::Core | SupplyKind::Level(_) => None,
        SupplyKind::Share(share) => Some(share.weight.to_string()),
        SupplyKind::Server(one) => {
            let Server { budget, period, .. } = one;
            let place = one.slot_offset().map(|offset| format!(", offset {offset}"));
            Some(format!("{budget} every {period}{}", place.unwrap_or_default()))
        }
    };
    let words = server.word().map(|kind| kind.word().to_owned()).into_iter().chain(of_what);
    words.collect::<Vec<_>>().join(", ")
}

/// How its wake-ups are noticed.
pub(crate) fn wake_ups(Reserved { wake_ups, .. }: &Reserved, look: Duration) -> String {
    match wake_ups {
        WakeUps::AtOnce => format!("wake-ups are noticed within {look}"),
        WakeUps::AtReplenishment => {
            "wake-ups are noticed when the budget is replenished".to_owned()
        }
        WakeUps::Unneeded => "wake-ups need not be noticed".to_owned(),
        WakeUps::Rest => "no loan in its turns".to_owned(),
        WakeUps::Interrupt => "seen when it is raised".to_owned(),
    }
}

/// When another description can take the place of the one that is run.
pub(crate) fn changeover(changeover: &Changeover, has_tasks: bool) -> Option<String> {
    match changeover {
        Changeover::Idle if has_tasks => Some(
            "as soon as no server has both budget and work, and no task on the core itself has work"
                .to_owned(),
        ),
        Changeover::Idle => Some("as soon as no server has both budget and work".to_owned()),
        Changeover::EveryNs(every) => Some(format!(
            "at the next multiple of {} since its beginning",
            Duration::from_ns(*every)
        )),
        Changeover::Never(_) => None,
    }
}

/// An interrupt that is seen.
pub(crate) fn interrupt(scope: &Scope, seen: &Seen) -> String {
    let Seen { name, of, vectors, pseudo_vcpu, pace: _ } = seen;
    let vcpu = &scope.servers[*of].name;
    match pseudo_vcpu {
        Some(own) => {
            let Reservation { credit, priority, .. } = own;
            format!(
                "{name} (vector {vectors} of {vcpu}): pseudo-VCPU, {credit} for each, {}, priority {priority}",
                pseudo_vcpu_rate(own)
            )
        }
        None => format!("{name} (vector {vectors} of {vcpu}): wakes it"),
    }
}

/// How often an interrupt was raised.
pub(crate) fn counts(name: &str, [raised, beyond, too_soon, asleep]: [u64; 4]) -> String {
    let mut text = format!("{name}: raised {raised} times, {beyond} beyond its credits");
    if too_soon > 0 {
        let _ = write!(text, "; {too_soon} came sooner than described, so no bound holds");
    }
    if asleep > 0 {
        let _ =
            write!(text, "; {asleep} times its thread was asleep when lent to, so no bound holds");
    }
    text
}

fn pseudo_vcpu_rate(Reservation { budget, period, .. }: &Reservation) -> String {
    format!("{budget} every {period}")
}

/// The tasks on the core itself, a line each.
pub(crate) fn tasks(scope: &Scope, threads: &[Thread]) -> impl Iterator<Item = String> {
    let tasks = scope.tasks.iter().zip(scope.levels.tasks()).zip(threads);
    tasks.map(|((task, priority), thread)| {
        let (name, number) = (visible(&thread.name), thread.thread);
        format!(
            "{} ({name} {number}): SCHED_FIFO, priority {priority}, whenever it is ready",
            task.name
        )
    })
}

/// Servers with their threads, then pseudo-VCPUs, in the order of declaration.
pub(crate) fn members(scope: &Scope, threads: &[Thread]) -> Vec<Member> {
    let mut threads = threads.iter();
    let named = |thread: &Thread| (visible(&thread.name), thread.thread);
    let server = |one: &Reserved| {
        let rate = |own: &Server| (own.budget.as_ns(), own.period.as_ns());
        Member {
            name: one.name.clone(),
            thread: one.selector.as_ref().and_then(|_| threads.next()).map(named),
            reserved: server(one),
            rate: one.server.server().map(rate),
        }
    };
    let mut members: Vec<Member> = scope.servers.iter().map(server).collect();
    for Seen { name, of, pseudo_vcpu, .. } in &scope.interrupts {
        let Some(own) = pseudo_vcpu else { continue };
        members.push(Member {
            name: name.clone(),
            thread: members[*of].thread.clone(),
            reserved: format!("pseudo-VCPU, {}", pseudo_vcpu_rate(own)),
            rate: Some((own.budget.as_ns(), own.period.as_ns())),
        });
    }
    members
}
