//! Interrupts whose bounds can be followed with a pencil.

use vorrang_analysis::request::{Handler, pseudo_vcpu_budget};
use vorrang_analysis::{Assumption, bounds, explain};
use vorrang_model::system::{InterruptId, RequirementKind, System, TaskId};
use vorrang_model::{Format, read};
use vorrang_time::Duration;

fn system(text: &str) -> System {
    read(text.as_bytes(), Format::Toml).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

/// The bounds of all interrupts, in nanoseconds.
fn handled(system: &System) -> Vec<Option<u64>> {
    let bounds = bounds(system);
    let bound = |id: usize| bounds.interrupt(InterruptId(id)).bound().map(Duration::as_ns);
    (0..system.interrupts.len()).map(bound).collect()
}

fn orders(order: &str) -> Vec<Option<u64>> {
    handled(&system(&format!(
        r#"
        version = 1
        [core.0]
        scheduler = "fixed-priority"
        interrupts = "{order}"
        [interrupt.low]
        on = "core.0"
        isr = "4us"
        min-interarrival = "100us"
        {}
        [interrupt.high]
        on = "core.0"
        isr = "2us"
        min-interarrival = "100us"
        {}
        "#,
        if order == "first-come" { "" } else { "priority = 1" },
        if order == "first-come" { "" } else { "priority = 2" },
    )))
}

#[test]
fn routines_wait_as_the_order_of_their_core_says() {
    assert_eq!(orders("first-come"), [Some(6_000), Some(6_000)]);
    // A routine that has begun has a nanosecond less to do.
    assert_eq!(orders("priority"), [Some(6_000), Some(5_999)]);
    assert_eq!(orders("nested"), [Some(6_000), Some(2_000)]);
}

#[test]
fn a_storm_of_any_rate_keeps_one_request_waiting() {
    for storm in ["1ns", "1us", "2us"] {
        let system = system(&format!(
            r#"
            version = 1
            [core.0]
            scheduler = "fixed-priority"
            [interrupt.wild]
            on = "core.0"
            isr = "3us"
            min-interarrival = "100us"
            storm = "{storm}"
            [interrupt.own]
            on = "core.0"
            isr = "2us"
            min-interarrival = "100us"
            "#
        ));
        // One has begun, one waits, then the own.
        assert_eq!(handled(&system)[1], Some(8_000), "{storm}");
    }
}

/// A guest's routine of so many milliseconds behind 4 ms in every 10.
fn in_a_periodic_resource(isr: u64) -> Option<u64> {
    let system = system(&format!(
        r#"
        version = 1
        [core.0]
        scheduler = "edf"
        [vcpu.a]
        on = "core.0"
        server = "deferrable"
        budget = "4ms"
        period = "10ms"
        [interrupt.i]
        on = "core.0"
        isr = "1ns"
        min-interarrival = "1s"
        virtual = {{ vcpu = "vcpu.a", isr = "{isr}ms" }}
        "#
    ));
    // What the routine of the core takes does not count here.
    handled(&system)[0].map(|bound| bound / 1_000_000)
}

/// Budget gone as early as can be; without others it is back at the beginning of each period: 6 + 4 + 6 + 2, and 6 + 3.
#[test]
fn a_guest_waits_for_budget() {
    assert_eq!(in_a_periodic_resource(6), Some(18));
    assert_eq!(in_a_periodic_resource(3), Some(9));
}

/// A guest with one interrupt and a task of 2 us in 20, in a server of 2 us in 6; the routines take 1 us each.
fn one_routine(kind: &str, above: &str) -> Option<u64> {
    let system = system(&format!(
        r#"
        version = 1
        [core.0]
        scheduler = "fixed-priority"
        {above}
        [vcpu.guest]
        on = "core.0"
        server = "{kind}"
        budget = "2us"
        period = "6us"
        priority = 2
        [task.inside]
        on = "vcpu.guest"
        wcet = "2us"
        period = "20us"
        [interrupt.i]
        on = "core.0"
        isr = "1us"
        min-interarrival = "50us"
        virtual = {{ vcpu = "vcpu.guest", isr = "1us" }}
        "#
    ));
    handled(&system)[0]
}

/// While the routine of the core runs there is no budget in any case, and when that returns the routine is over. `x` has
/// used the budget up, `c` is the routine of the core, `#` that of the guest:
///
/// ```text
///   periodic, deferrable, sporadic     0x x2c · · 6#7      requested at 2, done at 7
///   with 2 us of something more urgent 0x x2c · · 6a a8#9
///   polling                            0c1· · · · 6#7      requested at 0; the core's ends 1 ns after the poll
/// ```
#[test]
fn a_routine_counts_from_the_request_at_its_core() {
    let above = "[task.above]\non = \"core.0\"\nwcet = \"2us\"\nperiod = \"30us\"\npriority = 3";
    for kind in ["periodic", "deferrable", "sporadic"] {
        assert_eq!(one_routine(kind, ""), Some(5_000), "{kind}");
        assert_eq!(one_routine(kind, above), Some(7_000), "{kind}");
    }
    assert_eq!(one_routine("polling", ""), Some(1_000 + 5_999 + 1_000));
}

/// Two guests with an interrupt and a pseudo-VCPU each; numbers in microseconds.
fn two_guests(rule: &str) -> System {
    system(&format!(
        r#"
        version = 1
        [core.0]
        scheduler = "fixed-priority"
        [vcpu.a]
        on = "core.0"
        server = "deferrable"
        budget = "3us"
        period = "38us"
        priority = 1
        [vcpu.b]
        on = "core.0"
        server = "deferrable"
        budget = "7us"
        period = "33us"
        priority = 2
        [interrupt.first]
        on = "core.0"
        isr = "1us"
        min-interarrival = "31us"
        virtual = {{ vcpu = "vcpu.b", isr = "2us", pseudo-vcpu = {{ budget = "2us", period = "31us", rule = "{rule}" }} }}
        [interrupt.second]
        on = "core.0"
        isr = "1us"
        min-interarrival = "40us"
        virtual = {{ vcpu = "vcpu.a", isr = "2us", pseudo-vcpu = {{ budget = "2us", period = "40us", rule = "{rule}" }} }}
        "#
    ))
}

/// With the rule of the released code 26 are possible where the publication says 6.
#[test]
fn the_published_response_holds_with_credit_at_the_arrival() {
    assert_eq!(handled(&two_guests("arrival")), [Some(4_000), Some(6_000)]);
    for rule in ["released", "deferrable"] {
        let second = handled(&two_guests(rule))[1];
        assert!(second.is_none_or(|bound| bound >= 26_000), "{rule}: {second:?}");
    }
    let system = two_guests("arrival");
    let text = explain(&system, RequirementKind::HandledWithin(InterruptId(1))).to_string();
    assert!(text.contains("pseudo-VCPU of interrupt.first"), "{text}");
    assert!(text.contains("needs a budget of 2us in 40us; 2us is stated"), "{text}");
}

#[test]
fn the_published_budget_pays_for_what_has_none() {
    let us = Duration::from_us;
    let handler = |cost, period| Handler { cost: us(cost), period: us(period) };
    // Twice in a period: 3, and the other one up to three times before it.
    let budget = pseudo_vcpu_budget(us(100), handler(3, 50), &[handler(4, 20)]);
    assert_eq!(budget, Some(us(2 * (3 + 3 * 4))));
}

/// Two interrupts of a guest whose virtual processor may wait 7 ms, one of them with a pseudo-VCPU of this budget
/// every millisecond; `woken`: it wakes a task that comes before everything else there.
fn beside_one_without(budget: &str, woken: bool) -> Option<u64> {
    let wakes = if woken { " wakes = \"task.handler\"," } else { "" };
    let isr = if woken { "10us" } else { "40us" };
    let handler = "[task.handler]\non = \"vcpu.guest\"\nwcet = \"30us\"\npriority = 9\n";
    let handler = if woken { handler } else { "" };
    handled(&system(&format!(
        r#"
        version = 1
        [core.0]
        scheduler = "fixed-priority"
        [vcpu.guest]
        on = "core.0"
        server = "periodic"
        budget = "4ms"
        period = "10ms"
        priority = 5
        [task.work]
        on = "vcpu.guest"
        wcet = "1ms"
        period = "50ms"
        priority = 1
        {handler}
        [interrupt.paid]
        on = "core.0"
        isr = "1us"
        min-interarrival = "1ms"
        virtual = {{ vcpu = "vcpu.guest", isr = "{isr}",{wakes} pseudo-vcpu = {{ budget = "{budget}", period = "1ms" }} }}
        [interrupt.unpaid]
        on = "core.0"
        isr = "1us"
        min-interarrival = "2ms"
        virtual = {{ vcpu = "vcpu.guest", isr = "8us" }}
        "#
    )))[0]
}

/// The other one's routine ends within 6.2 ms: four of it may be pending, and for a task come before its end.
#[test]
fn a_credit_that_covers_what_comes_before_is_a_bound() {
    for woken in [false, true] {
        assert!(beside_one_without("71us", woken).is_none_or(|bound| bound > 5_000_000));
        // The credit, and one routine of the core of each.
        assert_eq!(beside_one_without("72us", woken), Some(74_000));
    }
}

/// Two interrupts of a guest that has next to no time of its own, each with a pseudo-VCPU of this priority and with these keys.
fn each_with_its_own(priorities: [u32; 2], keys: &str) -> Vec<Option<u64>> {
    let mut text = r#"
        version = 1
        [core.0]
        scheduler = "fixed-priority"
        [vcpu.guest]
        on = "core.0"
        server = "periodic"
        budget = "1ms"
        period = "20ms"
        priority = 1
        [task.work]
        on = "vcpu.guest"
        wcet = "1ms"
        period = "50ms"
        priority = 1
        [task.handler]
        on = "vcpu.guest"
        wcet = "1us"
        priority = 2
        deadline = "none"
        "#
    .to_owned();
    for (name, priority, keys) in [("one", priorities[0], ""), ("two", priorities[1], keys)] {
        let interrupt = format!(
            r#"
            [interrupt.{name}]
            on = "core.0"
            isr = "2us"
            min-interarrival = "1ms"
            virtual = {{ vcpu = "vcpu.guest", isr = "10us", {keys} pseudo-vcpu = {{ priority = {priority}, budget = "11us", period = "1ms" }} }}
            "#
        );
        text.push_str(&interrupt);
    }
    if !keys.contains("wakes") {
        text = text.replace("priority = 2\n", "priority = 2\nperiod = \"1s\"\n");
    }
    handled(&system(&text))
}

/// Two routines of the core, and two of the guest.
#[test]
fn interrupts_of_equal_priority_have_their_own_credits() {
    assert_eq!(each_with_its_own([3, 3], ""), [Some(24_000), Some(24_000)]);
    let differ = each_with_its_own([3, 4], "");
    assert!(differ.iter().all(|bound| bound.is_some_and(|bound| bound > 1_000_000)), "{differ:?}");
    // The routine of the first may be paid for by the credit of a task.
    let woken = each_with_its_own([3, 3], "wakes = \"task.handler\",");
    assert!(woken[0].is_some_and(|bound| bound > 1_000_000), "{woken:?}");
}

/// What less urgent work loses to an interrupt behind a pseudo-VCPU.
fn below_a_storm(storm: &str) -> Option<Duration> {
    let system = system(&format!(
        r#"
        version = 1
        [core.0]
        scheduler = "fixed-priority"
        [vcpu.a]
        on = "core.0"
        server = "deferrable"
        budget = "1us"
        period = "100us"
        priority = 2
        [task.below]
        on = "core.0"
        wcet = "10us"
        period = "1ms"
        priority = 1
        [interrupt.wild]
        on = "core.0"
        isr = "1us"
        min-interarrival = "50us"
        storm = "{storm}"
        virtual = {{ vcpu = "vcpu.a", isr = "2us", pseudo-vcpu = {{ budget = "2us", period = "50us" }} }}
        "#
    ));
    bounds(&system).task(TaskId(0)).bound()
}

#[test]
fn damage_is_bounded_whatever_the_rate_of_a_storm() {
    // 10 of its own, 1 for the guest, twice, and 1 + 2 for each of the credits.
    assert_eq!(below_a_storm("50us"), Some(Duration::from_us(15)));
    for storm in ["10us", "1us", "1ns"] {
        assert_eq!(below_a_storm(storm), Some(Duration::from_us(15)), "{storm}");
    }
}

#[test]
fn a_woken_task_responds_from_the_arrival_of_its_interrupt() {
    let system = system(
        r#"
        version = 1
        [core.0]
        scheduler = "fixed-priority"
        [interrupt.i]
        on = "core.0"
        isr = "2us"
        min-interarrival = "100us"
        jitter = "5us"
        wakes = "task.woken"
        [task.woken]
        on = "core.0"
        wcet = "10us"
        period = "200us"
        "#,
    );
    // Up to 5 until the request, 2 for the routine, 10 for the task; the interrupt is handled then.
    assert_eq!(handled(&system), [Some(17_000)]);
    assert_eq!(bounds(&system).task(TaskId(0)).bound(), Some(Duration::from_us(17)));
}

/// By *released* a pseudo-VCPU may have its whole budget left, here for some 10^12 interrupts more
/// than arrive: those of 10^18 s.
#[test]
fn a_budget_for_more_interrupts_than_any_window_holds_leaves_its_supply_undecided() {
    let source = include_str!("limits/budget-of-a-million-interrupts.toml");
    let system = system(source);
    let found = bounds(&system).task(TaskId(0)).clone();
    assert_eq!(found.bound(), None);
    let reason = found.reason().expect("no bound, so a reason").to_string();
    assert_eq!(reason, "on core.0, the busy window is longer than 36 years");
    let explained = explain(&system, RequirementKind::Deadline(TaskId(0)));
    assert_eq!(explained.lines().collect::<Vec<_>>(), [format!("task.a: no bound: {reason}")]);
    // What is left of a budget of one of them is no more than an interrupt.
    let bounded = source.replace("budget = \"1000000s\"", "budget = \"1us\"");
    let bounded = bounds(&self::system(&bounded));
    assert!(bounded.task(TaskId(0)).bound().is_some(), "{:?}", bounded.task(TaskId(0)).reason());
}

/// Each task and interrupt whose bound holds outside a storm only, with the storm.
fn outside_storms(system: &System) -> Vec<(String, String)> {
    let bounds = bounds(system);
    let tasks = system.tasks.iter().enumerate();
    let tasks = tasks.map(|(id, task)| (&task.name, bounds.task(TaskId(id))));
    let interrupts = system.interrupts.iter().enumerate();
    let interrupts =
        interrupts.map(|(id, interrupt)| (&interrupt.name, bounds.interrupt(InterruptId(id))));
    let named = tasks.chain(interrupts).flat_map(|(name, finding)| {
        finding.assumptions().iter().filter_map(move |assumption| match assumption {
            Assumption::NoOwnStorm { interrupt, .. } => Some((name.clone(), interrupt.clone())),
            _ => None,
        })
    });
    named.collect()
}

#[test]
fn a_storm_is_assumed_away_by_its_interrupt_and_the_task_it_wakes_only() {
    let system = system(
        r#"
        version = 1
        [core.0]
        scheduler = "fixed-priority"
        [vcpu.guest]
        vm = "guest"
        on = "core.0"
        server = "periodic"
        budget = "5ms"
        period = "10ms"
        priority = 1
        scheduler = "fixed-priority"
        [task.woken]
        on = "core.0"
        wcet = "20us"
        priority = 9
        [task.inside]
        on = "vcpu.guest"
        wcet = "20us"
        priority = 1
        [task.bystander]
        on = "core.0"
        wcet = "20us"
        period = "10ms"
        priority = 8
        [interrupt.waker]
        on = "core.0"
        isr = "1us"
        min-interarrival = "100us"
        storm = "50us"
        wakes = "task.woken"
        [interrupt.alone]
        on = "core.0"
        isr = "1us"
        min-interarrival = "1ms"
        storm = "500us"
        [interrupt.delivered]
        on = "core.0"
        isr = "1us"
        min-interarrival = "1ms"
        storm = "900us"
        virtual = { vcpu = "vcpu.guest", isr = "2us", wakes = "task.inside" }
        [interrupt.steady]
        on = "core.0"
        isr = "1us"
        min-interarrival = "1ms"
        [interrupt.no-faster]
        on = "core.0"
        isr = "1us"
        min-interarrival = "1ms"
        storm = "1ms"
        "#,
    );
    let pairs = [
        ("task.woken", "interrupt.waker"),
        ("task.inside", "interrupt.delivered"),
        ("interrupt.waker", "interrupt.waker"),
        ("interrupt.alone", "interrupt.alone"),
        ("interrupt.delivered", "interrupt.delivered"),
    ];
    assert_eq!(outside_storms(&system), pairs.map(|(of, storm)| (of.to_owned(), storm.to_owned())));
}

/// The timer interrupt of the host takes 4 us, with the exit of a guest, and the guest's routine 5 us,
/// with its own.
#[test]
fn a_guest_takes_the_timers_of_its_tasks() {
    let text = |isr: &str| {
        format!(
            r#"
            version = 1
            [costs]
            interrupt-entry = "1us"
            interrupt-exit = "1us"
            timer-expiry = "1us"
            vm-exit = "1us"
            [core.0]
            scheduler = "fixed-priority"
            [vcpu.v]
            on = "core.0"
            server = "sporadic"
            budget = "5ms"
            period = "10ms"
            priority = 2
            [task.t]
            on = "vcpu.v"
            wcet = "100us"
            [timer.t]
            armed-by = "task.t"
            period = "20ms"
            wakes = true
            {isr}
            "#
        )
    };
    let task = |system: &System| bounds(system).task(TaskId(0)).bound().map(Duration::as_ns);
    let without = system(&text(""));
    let with = system(&text("isr = \"4us\""));
    // Until the callback ends, 4 us; the routine and 100 us of work, and the timer interrupt as a load once more. The
    // guest has its budget, which it never uses up.
    assert_eq!(task(&with), Some(4_000 + 5_000 + 100_000 + 4_000));
    assert_eq!(task(&without), Some(4_000 + 100_000 + 4_000));
    assert_eq!(with.interrupts.len(), 1);
    let assumed = bounds(&without).task(TaskId(0)).assumptions().to_vec();
    let timers = vec!["timer.t".to_owned()];
    assert!(assumed.contains(&Assumption::GuestTimers { timers: timers.clone() }));
    let assumed = bounds(&with).task(TaskId(0)).assumptions().to_vec();
    assert!(!assumed.contains(&Assumption::GuestTimers { timers }));
}
