//! EDF against a simulation of all release offsets of small task sets, and by hand.

use super::*;
use crate::demand::{Load, Loads};
use crate::ground::Source;
use crate::ground::{Effort, NoBound};
use crate::supply::{Dedicated, PeriodicResource, Residual, Supply, Table};
use proptest::prelude::*;
use vorrang_time::Duration;

fn ns(count: u64) -> Duration {
    Duration::from_ns(count)
}

fn task(cost: u64, period: u64, deadline: u64) -> Contender<'static> {
    let work = Work::Jobs { deadline: ns(deadline), jitter: ns(0), blocking: ns(0) };
    Contender { of: Source::Unnamed, cost: ns(cost), period: ns(period), distances: None, work }
}

fn server(cost: u64, period: u64, work: Work) -> Contender<'static> {
    Contender { of: Source::Unnamed, cost: ns(cost), period: ns(period), distances: None, work }
}

/// Worst response time of the task `focus` over all offsets, tick by tick; ties go against it, as
/// the bound must not depend on how a kernel breaks them.
fn by_simulation(tasks: &[(u64, u64, u64)], focus: usize) -> u64 {
    let hyperperiod: u64 = tasks.iter().map(|t| t.1).product();
    let mut worst = 0;
    let combinations: u64 = tasks.iter().map(|t| t.1).product();
    for code in 0..combinations {
        let mut rest = code;
        let offsets: Vec<u64> = tasks
            .iter()
            .map(|t| {
                let offset = rest % t.1;
                rest /= t.1;
                offset
            })
            .collect();
        // (deadline, whether of the focus, arrival, work left)
        let mut ready: Vec<(u64, bool, u64, u64)> = Vec::new();
        for now in 0..3 * hyperperiod {
            for (index, &(cost, period, deadline)) in tasks.iter().enumerate() {
                if now >= offsets[index] && (now - offsets[index]).is_multiple_of(period) {
                    ready.push((now + deadline, index == focus, now, cost));
                }
            }
            ready.sort_unstable();
            if let Some(job) = ready.first_mut() {
                job.3 -= 1;
                if job.3 == 0 {
                    if job.1 {
                        worst = worst.max(now + 1 - job.2);
                    }
                    ready.remove(0);
                }
            }
        }
    }
    worst
}

#[test]
fn response_times_equal_all_offsets() {
    for tasks in [
        &[(1, 3, 3), (2, 5, 5)][..],
        &[(1, 2, 2), (1, 3, 3), (1, 6, 6)],
        &[(2, 4, 3), (1, 5, 5)],
        &[(1, 4, 2), (2, 5, 7)],
        &[(2, 5, 5), (1, 4, 8), (1, 6, 3)],
    ] {
        let members: Vec<_> = tasks.iter().map(|&(c, t, d)| task(c, t, d)).collect();
        for index in 0..tasks.len() {
            let seen = by_simulation(tasks, index);
            let found = response_time(&Dedicated, &members, index, &Effort::default()).unwrap();
            assert_eq!(found.bound, ns(seen), "task {index} of {tasks:?}");
        }
    }
}

#[test]
fn utilisation_one_suffices_for_bandwidth_servers_but_not_for_deferrable_ones() {
    let met = |first: Work, second: Work| {
        let members = [server(7, 14, first), server(9, 20, second)];
        meets_all_deadlines(&Dedicated, true, &members, &Effort::default())
    };
    assert_eq!(met(Work::ConstantBandwidth, Work::ConstantBandwidth), Ok(true));
    assert_eq!(met(Work::PeriodicServer, Work::PeriodicServer), Ok(true));
    // A window of 20: 7 in a whole period and 6 late in another, and 9, are 22.
    assert_eq!(met(Work::DeferrableServer, Work::PeriodicServer), Ok(false));
}

/// Where half of the core is another's, 3 of 3 take 8: it asks for 5 with deadlines in 10. A window that begins 10 earlier
/// has 3 more of the own, and 10 of the other: 16. Of one unit all is 2 less.
#[test]
fn deliveries_by_hand() {
    let effort = Effort::default();
    let members = [server(3, 10, Work::ConstantBandwidth), server(5, 10, Work::ConstantBandwidth)];
    let responses = ResponseTimes::new(&Dedicated, &members, &effort).unwrap();
    let delivered = |work: u64| {
        let part = Portion { work: ns(work), deadline: ns(10) };
        responses.delivery(0, (part, Before::Budgets), &effort).unwrap()
    };
    assert_eq!((delivered(3), delivered(1)), (ns(8), ns(6)));
    // A job with the same deadline may come 6 later, when 8 are due by it.
    let members = [server(3, 10, Work::DeferrableServer), task(5, 16, 4)];
    let responses = ResponseTimes::new(&Dedicated, &members, &effort).unwrap();
    let whole = Portion { work: ns(3), deadline: ns(10) };
    assert_eq!(responses.delivery(0, (whole, Before::Budgets), &effort), Ok(ns(8)));
    // From an idle guest on that has used nothing before: only what is due within 10.
    let idle = |used: u64| responses.delivery(0, (whole, Before::Used(&|_| Ok(ns(used)))), &effort);
    assert_eq!(idle(0), Ok(ns(8)));
    // A job that comes 4 after it, and then has its deadline with the budget, is before all of it.
    let members = [server(3, 10, Work::DeferrableServer), task(2, 16, 12)];
    let responses = ResponseTimes::new(&Dedicated, &members, &effort).unwrap();
    let idle = |used: u64| responses.delivery(0, (whole, Before::Used(&|_| Ok(ns(used)))), &effort);
    assert_eq!(idle(0), Ok(ns(3)));
    // With 2 of its own before: the other has come at the latest when they did, for its deadline is 12 away.
    assert_eq!(idle(2), Ok(ns(5)));
}

#[test]
fn lateness_by_hand() {
    let late = |supply: &dyn Supply, members: &[Contender<'_>], from: u64| {
        lateness(supply, false, members, ns(from), &Effort::default())
    };
    let effort = Effort::default();
    let interrupt = [Load::new(Source::Unnamed, ns(3), ns(40), ns(0))];
    let left = Residual::new(&Dedicated, Loads::new(&interrupt), &effort);
    // Windows of 1 to 5 ask for 0 0 1 1 2, which takes 0 0 4 4 5.
    let one = [server(4, 10, Work::ConstantBandwidth)];
    assert_eq!(late(&left, &one, 1), Ok(ns(1)));
    assert_eq!(late(&left, &one, 4), Ok(ns(0)));
    // A window of 2 asks for 1, which takes 4; one of 3 for 2, which takes 5.
    let short = [server(2, 10, Work::ConstrainedBandwidth { deadline: ns(3) })];
    assert_eq!(late(&left, &short, 1), Ok(ns(2)));
    assert_eq!(late(&left, &short, 3), Ok(ns(2)));
    // One of 10 asks for 9, which takes 12; one of 20 for 18, which takes 21; one of 50 for 45: 51.
    let both = [server(4, 10, Work::ConstantBandwidth), server(5, 10, Work::ConstantBandwidth)];
    assert_eq!(late(&left, &both, 10), Ok(ns(2)));
    assert_eq!(late(&left, &both, 20), Ok(ns(1)));
    assert_eq!(late(&left, &both, 50), Ok(ns(1)));
    assert_eq!(late(&left, &both, 60), Ok(ns(0)));
    assert_eq!(late(&Dedicated, &both, 1), Ok(ns(0)));
    // More than there is.
    let too_much = [task(7, 10, 10), task(3, 10, 10)];
    assert_eq!(late(&left, &too_much, 10), Err(NoBound::Overload));
}

/// On the ramp of a deferrable server every window is as late: a budget of a second is not looked at by nanoseconds.
#[test]
fn a_ramp_is_passed_at_once() {
    let effort = Effort::default();
    let interrupt = [Load::new(Source::Unnamed, ns(3_000), ns(40_000_000), ns(0))];
    let left = Residual::new(&Dedicated, Loads::new(&interrupt), &effort);
    let members = [server(1_000_000_000, 3_000_000_000, Work::DeferrableServer)];
    let late = |from| lateness(&left, false, &members, ns(from), &effort);
    // 25 interrupts with the whole budget, and one more in them.
    assert_eq!(late(1), Ok(ns(78_000)));
    assert_eq!(late(3_000_000_000), Ok(ns(0)));
}

#[test]
fn nobody_misses_nothing() {
    assert!(ResponseTimes::new(&Dedicated, &[], &Effort::default()).is_ok());
    assert_eq!(meets_all_deadlines(&Dedicated, false, &[], &Effort::default()), Ok(true));
}

#[test]
fn an_overload_has_no_response_time() {
    let members = [task(2, 3, 3), task(2, 3, 3)];
    let found = response_time(&Dedicated, &members, 0, &Effort::default());
    assert_eq!(found, Err(NoBound::Overload));
}

fn any_work() -> impl Strategy<Value = Work> {
    let jobs = (1_u64..60, prop_oneof![Just(0), 0_u64..50], prop_oneof![Just(0), 0_u64..9]);
    let jobs = jobs.prop_map(|(deadline, jitter, blocking)| Work::Jobs {
        deadline: ns(deadline),
        jitter: ns(jitter),
        blocking: ns(blocking),
    });
    prop_oneof![
        6 => jobs,
        1 => Just(Work::PeriodicServer),
        1 => Just(Work::DeferrableServer),
        1 => Just(Work::ConstantBandwidth),
        1 => Just(Work::SoftBandwidth),
        1 => (1_u64..60).prop_map(|deadline| Work::ConstrainedBandwidth { deadline: ns(deadline) }),
    ]
}

fn any_member() -> impl Strategy<Value = Contender<'static>> {
    let times = (4_u64..60).prop_flat_map(|period| (1..=period.div_ceil(3), Just(period)));
    (times, any_work()).prop_map(|((cost, period), work)| {
        let work = match work {
            Work::ConstrainedBandwidth { deadline } => {
                Work::ConstrainedBandwidth { deadline: deadline.clamp(ns(cost), ns(period)) }
            }
            other => other,
        };
        server(cost, period, work)
    })
}

/// Runs a check on every kind of supply on which the algorithms are compared.
fn on_each_supply(
    mut check: impl FnMut(&dyn Supply) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    check(&Dedicated)?;
    check(&PeriodicResource::new(Source::Unnamed, ns(6), ns(8), ns(8)))?;
    check(&PeriodicResource::new(Source::Unnamed, ns(17), ns(40), ns(23)))?;
    check(&Table::slot(Source::Unnamed, ns(9), ns(13)))?;
    let load = [Load::new(Source::Unnamed, ns(2), ns(11), ns(3))];
    let effort = Effort::default();
    check(&Residual::new(&Dedicated, Loads::new(&load), &effort))
}

/// The same bound, or the same reason for none; and the job named as the worst has that bound.
///
/// Beside soft servers pieces of their slopes are charged their right ends, and those behind the last window that is
/// looked at may lie less well than those before it: there the bound is no less than what each arrival by itself
/// takes, and no more than what the worst of all pieces does.
fn agrees_with_the_obvious_algorithm(
    supply: &dyn Supply,
    members: &[Contender<'_>],
    index: usize,
) -> Result<(), TestCaseError> {
    let found = response_time(supply, members, index, &Effort::default());
    let obvious = |candidates| {
        let effort = Effort::default();
        naive::response_time(supply, members, index, candidates, &effort).map(|r| r.bound)
    };
    let pieces = obvious(naive::Candidates::Pieces);
    if let Err(NoBound::Effort) = pieces {
        return Ok(());
    }
    let bound = found.map(|r| r.bound);
    let is_soft = members.iter().any(|member| member.work == Work::SoftBandwidth);
    if let (true, Ok(bound), Ok(pieces)) = (is_soft, bound, pieces) {
        prop_assert!(bound <= pieces, "{} > {} of {} of {:?}", bound, pieces, index, members);
        if let Ok(each) = obvious(naive::Candidates::All) {
            prop_assert!(each <= bound, "{} > {} of {} of {:?}", each, bound, index, members);
        }
    } else {
        prop_assert_eq!(bound, pieces, "{} of {:?}", index, members);
    }
    if let Ok(found) = found {
        let jitter = members[index].jitter();
        prop_assert_eq!(found.window + jitter - found.latest_release, found.bound);
    }
    Ok(())
}

/// On a slot the piece of the arrivals from 17 on is charged a nanosecond more than any arrival takes, and that piece
/// lies behind the last window that is looked at.
#[test]
fn pieces_behind_the_last_window_are_no_reason_for_a_longer_bound() {
    let members = [server(5, 13, Work::PeriodicServer), server(11, 38, Work::SoftBandwidth)];
    let slot = Table::slot(Source::Unnamed, ns(9), ns(13));
    let effort = Effort::default();
    let obvious = |candidates| naive::response_time(&slot, &members, 0, candidates, &effort);
    assert_eq!(response_time(&slot, &members, 0, &effort).unwrap().bound, ns(13));
    assert_eq!(obvious(naive::Candidates::All).unwrap().bound, ns(13));
    assert_eq!(obvious(naive::Candidates::Pieces).unwrap().bound, ns(14));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    /// Skipping leaves nothing out: jitter, blocking, any deadline, servers, and any supply.
    #[test]
    fn response_times_equal_the_obvious_algorithm(members in proptest::collection::vec(any_member(), 1..7)) {
        on_each_supply(|supply| {
            (0..members.len())
                .filter(|&index| matches!(members[index].work, Work::Jobs { .. } | Work::PeriodicServer))
                .try_for_each(|index| agrees_with_the_obvious_algorithm(supply, &members, index))
        })?;
    }

    /// As does the criterion.
    #[test]
    fn criterion_equals_the_obvious_algorithm(members in proptest::collection::vec(any_member(), 1..7)) {
        on_each_supply(|supply| {
            let found = meets_all_deadlines(supply, false, &members, &Effort::default());
            let obvious = naive::meets_all_deadlines(supply, &members, &Effort::default());
            // A hair above full load the busy window may take too long where a miss is soon met.
            let is_left_open = matches!((found, obvious), (Err(_), Ok(false)));
            if obvious != Err(NoBound::Effort) && !is_left_open {
                prop_assert_eq!(found, obvious, "{:?}", members);
            }
            Ok(())
        })?;
    }

    /// So is nothing that is later; nothing is late where all deadlines are met.
    #[test]
    fn lateness_equals_the_obvious_algorithm(
        members in proptest::collection::vec(any_member(), 1..7),
        from in prop_oneof![Just(1), 1_u64..80],
    ) {
        on_each_supply(|supply| {
            let found = lateness(supply, false, &members, ns(from), &Effort::default());
            let obvious = naive::lateness(supply, &members, ns(from), &Effort::default());
            if obvious != Err(NoBound::Effort) {
                prop_assert_eq!(found, obvious, "{:?}", members);
            }
            if meets_all_deadlines(supply, false, &members, &Effort::default()) == Ok(true) {
                let shortest = members.iter().map(Contender::least_time_to_deadline).min();
                let late = lateness(supply, false, &members, shortest.unwrap(), &Effort::default());
                prop_assert_eq!(late, Ok(ns(0)));
            }
            Ok(())
        })?;
    }

    /// Nor does the search for the delivery of a budget, which is no later than where every deadline is met.
    #[test]
    fn deliveries_equal_the_obvious_algorithm(
        members in proptest::collection::vec(any_member(), 1..5),
        (part, steps) in (1_u64..8, proptest::option::of((1_u64..6, 1_u64..20, 0_u64..20))),
    ) {
        // What a guest has used: so much each time, so often, from so long before on.
        let used = |since: Duration| {
            let (cost, every, from) = steps.unwrap_or_default();
            let since = since.as_ns().checked_sub(from);
            Ok(ns(since.map_or(0, |since| cost * (since / every + 1))))
        };
        let before = if steps.is_some() { Before::Used(&used) } else { Before::Budgets };
        on_each_supply(|supply| {
            for (place, own) in members.iter().enumerate() {
                if matches!(own.work, Work::Jobs { .. } | Work::PeriodicServer | Work::SoftBandwidth) {
                    continue;
                }
                let effort = Effort::default();
                let Ok(responses) = ResponseTimes::new(supply, &members, &effort) else { continue };
                let portion = Portion { work: own.cost.min(ns(part)), deadline: own.deadline() };
                let found = responses.delivery(place, (portion, before), &effort);
                let obvious = naive::delivery(supply, &members, place, (portion, before));
                let has_end = members.iter().all(|member| member.work != Work::SoftBandwidth);
                if steps.is_some() && !has_end {
                    prop_assert!(found.is_err(), "{:?}", members);
                } else if found != Err(NoBound::Effort) && obvious != Err(NoBound::Effort) {
                    prop_assert_eq!(found, obvious, "{} of {:?}", place, members);
                }
                if steps.is_none()
                    && meets_all_deadlines(supply, false, &members, &effort) == Ok(true)
                {
                    prop_assert!(found.is_ok_and(|found| found <= own.deadline()));
                }
            }
            Ok(())
        })?;
    }

    /// Bends are found the same from both sides.
    #[test]
    fn last_bend_is_the_last_of_the_next(member in any_member(), at in 0_u64..200) {
        let (last, next) = (member.last_bend(ns(at)), member.next_bend(ns(at)));
        prop_assert!(last <= ns(at) && ns(at) < next);
        prop_assert_eq!(member.last_bend(next), next);
        prop_assert_eq!(member.last_bend(next - ns(1)), last);
        if !last.is_zero() {
            prop_assert_eq!(member.next_bend(last - ns(1)), last);
        }
    }

    /// The criterion and the response times are two algorithms for one question.
    #[test]
    fn criterion_agrees_with_response_times(
        raw in proptest::collection::vec((1_u64..4, 4_u64..20, 1_u64..25), 1..5),
        on_server in any::<bool>(),
    ) {
        let resource = PeriodicResource::new(Source::Unnamed, ns(6), ns(8), ns(8));
        let supply: &dyn crate::supply::Supply = if on_server { &resource } else { &Dedicated };
        let members: Vec<_> = raw.iter().map(|&(c, t, d)| task(c, t, d)).collect();
        let met = meets_all_deadlines(supply, !on_server, &members, &Effort::default());
        let by_response: Result<Vec<_>, _> = (0..members.len())
            .map(|index| response_time(supply, &members, index, &Effort::default()))
            .collect();
        if let (Ok(met), Ok(responses)) = (met, by_response) {
            let all = responses.iter().zip(&members).all(|(r, m)| r.bound <= m.deadline());
            prop_assert_eq!(met, all);
        }
    }

    /// Bends are where the demand changes: between two of them a staircase is flat.
    #[test]
    fn demand_changes_only_at_bends(cost in 1_u64..5, period in 5_u64..12, deadline in 1_u64..20, jitter in 0_u64..30) {
        let work = Work::Jobs { deadline: ns(deadline), jitter: ns(jitter), blocking: ns(0) };
        let member = Contender { of: Source::Unnamed, cost: ns(cost), period: ns(period), distances: None, work };
        for at in 0..60 {
            let flat = member.by_deadline(ns(at)) == member.by_deadline(ns(at + 1));
            prop_assert_eq!(flat, member.next_bend(ns(at)) > ns(at + 1));
        }
    }
}
