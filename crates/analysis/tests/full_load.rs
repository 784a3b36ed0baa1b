//! Supplies that repeat, and members that take all of them. docs/theory/full-load.md

use proptest::prelude::*;
use vorrang_analysis::demand::{Load, Loads};
use vorrang_analysis::supply::{
    Dedicated, FixedPriorityServer, PeriodicResource, Residual, Supply, Table, Turns,
};
use vorrang_analysis::{Effort, NoBound, Reason, Repetition, Source, bounds};
use vorrang_model::{Format, read};
use vorrang_time::Duration;

fn ns(time: u64) -> Duration {
    Duration::from_ns(time)
}

fn holds(supply: &dyn Supply, works: &[u64]) -> Result<(), TestCaseError> {
    let Some(Repetition { work, time }) = supply.repeats() else { return Ok(()) };
    for &less in works {
        let (Ok(before), Ok(after)) = (supply.time_for(ns(less)), supply.time_for(ns(less) + work))
        else {
            continue;
        };
        prop_assert!(after <= before + time, "{less} takes {before}, {work} more {after}");
    }
    Ok(())
}

proptest! {
    /// Of every kind, alone and behind loads of all shapes.
    #[test]
    fn so_much_more_takes_no_longer(
        (budget, gap) in (1_u64..9, 0_u64..9),
        drawn in prop::collection::vec((1_u64..4, 3_u64..9, 0_u64..9, 0_u64..4), 0..3),
        inside in (1_u64..4, 3_u64..9, 0_u64..9),
        works in prop::collection::vec(1_u64..60, 1..20),
    ) {
        let (of, effort) = (Source::Unnamed, Effort::default());
        let period = ns(budget + gap);
        let inside = [Load::new(of, ns(inside.0), ns(inside.1), ns(inside.2))];
        let loads: Vec<Load<'_>> = drawn
            .iter()
            .map(|&(cost, period, jitter, kind)| {
                let load = Load::new(of, ns(cost), ns(4 * period), ns(jitter));
                let used_by = (kind == 1).then_some(&inside[..]);
                let kept_until = (kind == 2).then_some(ns(4 * period));
                Load { used_by, kept_until, ..load }
            })
            .collect();
        let budget = ns(budget);
        let level = Residual::new(&Dedicated, Loads::new(&loads), &effort).blocked(ns(1));
        effort.restart_for_all();
        holds(&level, &works)?;
        let resource = PeriodicResource::new(of, budget, period, period);
        let slot = Table::slot(of, budget, period);
        let polled = resource.polled(ns(1));
        let mut all: Vec<&dyn Supply> = vec![&Dedicated, &resource, &slot, &polled];
        let server = FixedPriorityServer::new(of, level, budget, period);
        let [server, put_off] = match server {
            Ok(server) => [Some(server), Some(server.put_off(ns(0)))],
            Err(_) => [None, None],
        };
        all.extend(server.iter().chain(&put_off).map(|server| server as &dyn Supply));
        for supply in all {
            holds(supply, &works)?;
            let turns = Turns::new(supply, ns(2), ns(3));
            holds(&turns, &works)?;
            let left = Residual::new(supply, Loads::new(&loads), &effort);
            effort.restart_for_all();
            holds(&left, &works)?;
        }
    }
}

/// The bound of `task.t`, in a server of 800 us in 3.5 ms, or why there is none.
fn found(scheduler: &str, server: &str, inside: &str) -> Result<u64, Reason> {
    let text = format!(
        "version = 1\n[core.0]\nscheduler = \"{scheduler}\"\n[server.s]\non = \"core.0\"\n{server}\n{inside}"
    );
    let system = read(text.as_bytes(), Format::Toml).unwrap_or_else(|errors| panic!("{errors:?}"));
    let task = system.task_ids().find(|&id| system.task(id).name == "task.t").expect("it is there");
    let bounds = bounds(&system);
    bounds.task(task).found.as_ref().map(|proof| proof.bound.as_ns()).map_err(Clone::clone)
}

const SIZE: &str = "budget = \"800us\"\nperiod = \"3500us\"\nserver = ";

/// Each budget comes a period less 1 ns too late, or twice 2.7 ms, or 2.7 ms.
#[test]
fn a_server_as_large_as_its_task_has_a_bound() {
    let task =
        "[task.t]\non = \"server.s\"\nwcet = \"800us\"\nperiod = \"3500us\"\ndeadline = \"10ms\"\n";
    let of = |scheduler: &str, kind: &str| {
        let priority = if scheduler == "edf" { "" } else { "\npriority = 1" };
        found(scheduler, &format!("{SIZE}\"{kind}\"{priority}"), task).unwrap()
    };
    assert_eq!(of("fixed-priority", "polling"), 4_299_999);
    assert_eq!(of("fixed-priority", "refill-queue"), 6_200_000);
    assert_eq!(of("edf", "polling"), 4_299_999);
    assert_eq!(of("edf", "periodic"), 3_500_000);
    assert!(of("edf", "deferrable") <= 3_500_000);
}

/// 300 us in each period before it, and 1 ms in each second one: the poll is missed, the second budget has the rest.
#[test]
fn others_in_the_server_take_the_rest_of_it() {
    let high =
        "[task.high]\non = \"server.s\"\nwcet = \"300us\"\nperiod = \"3500us\"\npriority = 2\n";
    let low = "[task.t]\non = \"server.s\"\nwcet = \"1ms\"\nperiod = \"7ms\"\npriority = 1\ndeadline = \"20ms\"\n";
    let server = format!("{SIZE}\"polling\"\npriority = 1");
    // 1 ms and four times 300 us, up to 14 ms; a third budget has 600 us of it.
    let bound = found("fixed-priority", &server, &format!("{high}{low}")).unwrap();
    assert_eq!(bound, 3_499_999 + 2 * 3_500_000 + 600_000);
}

/// The periods have a common multiple of 30 years.
#[test]
fn what_repeats_too_late_is_undecided_for_that_reason() {
    let server = "server = \"polling\"\npriority = 1\nbudget = \"500ms\"\nperiod = \"1s\"";
    let task = "[task.t]\non = \"server.s\"\nwcet = \"499999968ns\"\nperiod = \"999999937ns\"\n";
    let why = found("fixed-priority", server, task).unwrap_err();
    assert!(matches!(why, Reason::NoBound { why: NoBound::FullLoad, .. }), "{why}");
}
