//! A certificate as a term of `proofs/Certificate.v`.

use crate::{
    Beside, Caller, Certificate, ColdContext, Credit, GuestTask, Kind, Member, Order, Other, Point,
    Rival, Sharing, Shield, Shielded, Stretch, Supply, Times,
};

/// The term, without a name.
pub fn as_coq(of: &Certificate) -> String {
    let points = list(&of.points, |Point { upto, window, below }| {
        format!("Point {upto} {window} {}", numbers(below))
    });
    let (on, urgent, order) = (supply(&of.on), members(&of.urgent), order(&of.order));
    let jobs = format!("{} {} {} {}", of.cost, of.period, of.jitter, of.bound);
    let length = format!("{} {}", of.length, numbers(&of.length_below));
    format!("Certificate ({on}) {urgent} ({order}) {jobs} {length} {points}")
}

fn order(of: &Order) -> String {
    match of {
        Order::Priority { blocked_by } => format!("By_priority {blocked_by}"),
        Order::Deadline { relative, rivals: of } => {
            format!("By_deadline {relative} {}", rivals(of))
        }
        Order::Alone => "By_itself".to_owned(),
        Order::Credit(Credit { blocked_by, credit, credits, back, routine }) => {
            format!("By_credit {blocked_by} {credit} {credits} {back} {routine}")
        }
        Order::Sharing(of) => format!("By_sharing {}", sharing(of)),
        Order::Reserved { blocked_by, after, budget, every, longest } => {
            format!("In_reservation {blocked_by} {after} {budget} {every} {longest}")
        }
        Order::Beside(of) => format!("Beside ({})", beside(of)),
        Order::FromIdle { guest, which } => format!("From_idle {} {which}", list(guest, task)),
    }
}

fn task(of: &GuestTask) -> String {
    let GuestTask { urgency, cost, period, jitter, due, length, length_below, offsets } = of;
    let offsets = list(offsets, |offset| {
        let (upto, window, below) = (offset.upto, offset.window, numbers(&offset.below));
        let stretches = list(&offset.stretches, |Stretch { upto, below }| {
            format!("Stretch {upto} {}", numbers(below))
        });
        format!("Offset {upto} {window} {below} {stretches}")
    });
    let (own, below) = (format!("{urgency} {cost} {period} {jitter} {due}"), numbers(length_below));
    format!("Guest_task {own} {length} {below} {offsets}")
}

fn sharing(Sharing { paid, own, others }: &Sharing) -> String {
    let Credit { blocked_by, credit, credits, back, routine } = paid;
    let each = |Other { isr, every, bound }: &Other| format!("({isr}, {every}, {bound})");
    let others = list(others, each);
    format!("{blocked_by} {own} {credit} {credits} {back} {routine} {others}")
}

fn beside(of: &Beside) -> String {
    let Beside { goes_on_for, runtime, every, exceeded, unit, late, apart, again, .. } = of;
    let (routines, others) = (members(&of.routines), members(&of.others));
    let (server, budgets) = (format!("{runtime} {every} {exceeded}"), numbers(&of.budgets));
    let lateness = format!("{unit} {late} {apart}");
    format!("Beside_others {goes_on_for} {server} {routines} {others} {lateness} {budgets} {again}")
}

fn supply(of: &Supply) -> String {
    match of {
        Supply::Core => "Core".to_owned(),
        Supply::Server(s) => {
            let (kind, urgent, full) = (kind(s.kind), members(&s.urgent), numbers(&s.full));
            let (budget, period, parent) = (s.budget, s.period, supply(&s.parent));
            format!("Server {kind} {budget} {period} {} {urgent} {full} ({parent})", s.blocking)
        }
        Supply::Reservation(s) => {
            let (urgent, rivals) = (members(&s.urgent), rivals(&s.rivals));
            format!("Reservation {} {} {urgent} {rivals} {} {}", s.budget, s.period, s.unit, s.late)
        }
        Supply::Slot(s) => {
            format!("Slot {} {} {} {}", s.offset, s.budget, s.period, members(&s.urgent))
        }
        Supply::Cold(of) => {
            format!("Cold {} {} ({})", of.loss, times(&of.starts), supply(&of.parent))
        }
    }
}

fn rivals(of: &[Rival]) -> String {
    list(of, |rival| match *rival {
        Rival::Jobs { cost, period, jitter, relative } => {
            format!("Dated_jobs {cost} {period} {jitter} {relative}")
        }
        Rival::Bandwidth { budget, period } => format!("Bandwidth_of {budget} {period}"),
    })
}

fn kind(of: Kind) -> String {
    let fixed = match of {
        Kind::Periodic => "(Fixed Periodic)",
        Kind::Polling => "(Fixed Polling)",
        Kind::Deferrable => "(Fixed Deferrable)",
        Kind::Sporadic => "Sporadic",
        Kind::Refills { most, least } => return format!("(Refills {most} {least})"),
    };
    fixed.to_owned()
}

fn members(of: &[Member]) -> String {
    list(of, member)
}

fn member(of: &Member) -> String {
    match *of {
        Member::Kernel { call, switch, ref callers } => {
            format!("Kernel_of {call} {switch} {}", list(callers, caller))
        }
        Member::Cold { ref contexts } => format!("Cold_of {}", list(contexts, context)),
        Member::Timers(ref own) => format!("Timers_of {}", shield(own)),
        Member::Jobs { cost, period, jitter } => format!("Jobs_of {cost} {period} {jitter}"),
        Member::Budgets { kind: own, budget, period } => {
            format!("Budgets_of {} {budget} {period}", kind(own))
        }
        Member::Runtime { budget, period, exceeded } => {
            format!("Runtime_of {budget} {period} {exceeded}")
        }
    }
}

fn shield(of: &Shield) -> String {
    let Shield { beside, at_last, decided_in, .. } = of;
    let deferral = of.deferral.map_or("None".to_owned(), |most| format!("(Some {most})"));
    let timers = list(&of.timers, |timer| {
        let Shielded { urgency, takes, period, latency, wakes } = timer;
        format!("Shielded {urgency} {takes} {period} {latency} {wakes}")
    });
    let others = list(&of.others, |(urgency, of)| format!("({urgency}, {})", member(of)));
    let first = members(&of.first);
    format!("{beside} {deferral} {at_last} {timers} {first} {others} {decided_in}")
}

fn context(of: &ColdContext) -> String {
    format!("Cold_context {} {} {}", of.urgency, of.loss, times(&of.ready_from))
}

fn caller(of: &Caller) -> String {
    match of {
        Caller::Above { returns, wakes, idles } => {
            format!("Above {} {} {idles}", times(returns), times(wakes))
        }
        Caller::Below { returns } => format!("Below {}", times(returns)),
        Caller::Itself { period } => format!("Itself {period}"),
    }
}

fn times(of: &[Times]) -> String {
    list(of, |Times { period, jitter }| format!("({period}, {jitter})"))
}

fn numbers(of: &[u64]) -> String {
    list(of, u64::to_string)
}

fn list<T>(of: &[T], item: impl Fn(&T) -> String) -> String {
    format!("[{}]", of.iter().map(item).collect::<Vec<_>>().join("; "))
}
