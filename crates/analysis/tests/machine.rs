//! The overhead of the machine, in systems small enough to compute by hand.

use vorrang_analysis::{Assumption, Bounds, bounds, explain};
use vorrang_model::system::{InterruptId, RequirementKind, System, TaskId};
use vorrang_model::{Format, read};
use vorrang_time::Duration;

fn system(text: &str) -> System {
    read(text.as_bytes(), Format::Toml).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

fn task_of(system: &System, name: &str) -> TaskId {
    let mut ids = (0..system.tasks.len()).map(TaskId);
    ids.find(|&id| system.task(id).name == name).unwrap_or_else(|| panic!("no {name}"))
}

/// The bound of a task in microseconds.
fn us(system: &System, name: &str) -> u64 {
    let found: Bounds = bounds(system);
    let finding = found.task(task_of(system, name));
    let bound = finding.bound().unwrap_or_else(|| panic!("{name}: {:?}", finding.reason()));
    assert_eq!(bound.as_ns() % 1_000, 0, "{bound}");
    bound.as_ns() / 1_000
}

fn explained(system: &System, name: &str) -> String {
    explain(system, RequirementKind::Deadline(task_of(system, name))).to_string()
}

#[test]
fn a_routine_takes_its_entry_its_exit_and_the_exit_of_a_guest() {
    let text = r#"
        version = 1
        [costs]
        interrupt-entry = "2us"
        interrupt-exit = "3us"
        vm-exit = "5us"
        [core.0]
        scheduler = "fixed-priority"
        [interrupt.i]
        on = "core.0"
        isr = "10us"
        min-interarrival = "1ms"
        [VCPU]
        on = "core.0"
        server = "sporadic"
        budget = "1ms"
        period = "2ms"
        priority = 1
        [task.t]
        on = "VCPU"
        wcet = "1us"
        period = "1s"
    "#;
    let bound = |system: &System| bounds(system).interrupt(InterruptId(0)).bound();
    let with_guest = system(&text.replace("VCPU", "vcpu.v"));
    assert_eq!(bound(&with_guest), Some(Duration::from_us(20)));
    let without = system(&text.replace("VCPU", "server.v"));
    assert_eq!(bound(&without), Some(Duration::from_us(15)));
}

/// A task of 50 us, and a timer of a less urgent one every 20 us: 2 us around 2 us of callback.
fn timers(queue: &str) -> System {
    system(&format!(
        r#"
        version = 1
        [costs]
        interrupt-entry = "1us"
        timer-expiry = "2us"
        interrupt-exit = "1us"
        [core.0]
        scheduler = "fixed-priority"
        timers = "{queue}"
        [task.high]
        on = "core.0"
        wcet = "50us"
        period = "1ms"
        priority = 2
        [task.low]
        on = "core.0"
        wcet = "1us"
        period = "1ms"
        priority = 1
        [timer.t]
        armed-by = "task.low"
        period = "20us"
        "#
    ))
}

#[test]
fn every_timer_interrupts_without_a_shield() {
    // x = 50 + ceil(x / 20) 4: 66 -> 50 + 16.
    assert_eq!(us(&timers("hrtimer"), "task.high"), 66);
}

#[test]
fn a_shield_lets_timers_through_before_the_first_decision() {
    // Latency L of the timer, with a nanosecond of slack: x = 50 + ceil((x + L) / 20) 4, least with L = x: 50 + 36 = 86.
    // First decision W: 2 + ceil(W / 20) 2 + ceil((W + L) / 20) 2 = 2 + 2 + 12 = 16 (102.. / 20 -> 6). Blocking 16.
    let shielded = timers("timershield");
    let text = explained(&shielded, "task.high");
    assert!(text.contains("blocking by less urgent work: 16us"), "{text}");
    assert_eq!(us(&shielded, "task.high"), 66);
    assert!(us(&shielded, "task.low") > us(&timers("hrtimer"), "task.low"), "it pays");
}

#[test]
fn a_limit_that_no_timer_reaches_changes_nothing_and_another_lets_all_through() {
    let limited = |most: &str| {
        let mut system = timers("timershield");
        system.supplies[0].max_defer = Some(most.parse().expect("a duration"));
        us(&system, "task.high")
    };
    // The latency is 86 us and a nanosecond.
    assert_eq!(limited("87us"), 66);
    // y = ceil((y + 40) / 20) 4 = 12, L = 52; x = 50 + ceil((x + L) / 20) 4 = 50 + 28.
    assert_eq!(limited("40us"), 78);
}

/// What holds up something more urgent than a timer is as urgent meanwhile: 30.
#[test]
fn a_timer_waits_for_the_section_that_holds_up_what_it_waits_for() {
    let mut system = timers("timershield");
    let high = task_of(&system, "task.high");
    system.tasks[high.0].blocking = Duration::from_us(30);
    // L = 30 + 50 + ceil(2 L / 20) 4 = 136. W = 2 + ceil(W / 20) 2 + ceil((W + L) / 20) 2 = 22; it takes 2 + 2 x 2 + 8 x 2 there.
    assert_eq!(us(&system, "task.high"), 50 + 30 + 22);
    // So it may wait for longer than 90, and comes before everything then: y = ceil((y + 90) / 20) 4 = 24, L = 114;
    // x = 50 + 30 + ceil((x + L) / 20) 4 = 132.
    system.supplies[0].max_defer = Some(Duration::from_us(90));
    assert_eq!(us(&system, "task.high"), 132);
}

/// The bound of a task that a timer releases, below a reservation.
fn woken_below_a_reservation(of_core: &str) -> u64 {
    let system = system(&format!(
        r#"
        version = 1
        [costs]
        timer-expiry = "2us"
        [core.0]
        scheduler = "linux"
        fair-server = "none"
        timers = "timershield"
        {of_core}
        [server.s]
        on = "core.0"
        server = "sched-deadline"
        budget = "10us"
        period = "100us"
        [task.s]
        on = "server.s"
        wcet = "10us"
        period = "200us"
        [task.low]
        on = "core.0"
        wcet = "1us"
        priority = 2
        [timer.t]
        armed-by = "task.low"
        period = "1ms"
        wakes = true
        "#
    ));
    let low = task_of(&system, "task.low");
    bounds(&system).task(low).bound().expect("a bound").as_ns()
}

#[test]
fn a_section_and_a_late_runtime_delay_a_timer_behind_a_shield_and_what_it_releases() {
    let ideal = woken_below_a_reservation("");
    assert!(woken_below_a_reservation("sections = \"5us\"") >= ideal + 2 * 5_000);
    assert!(woken_below_a_reservation("overrun = \"3us\"") >= ideal + 2 * 3_000);
}

/// Each delays the callback, and then the job that it releases.
#[test]
fn routines_and_less_urgent_timers_delay_a_timer_behind_a_shield_and_what_it_releases() {
    let routine = "[interrupt.i]\non = \"core.0\"\nisr = \"5us\"\nmin-interarrival = \"10ms\"";
    let ideal = woken_below_a_reservation("");
    assert!(woken_below_a_reservation(routine) >= ideal + 2 * 5_000);
    let less = "[task.least]\non = \"core.0\"\nwcet = \"1us\"\nperiod = \"10ms\"\npriority = 1\n\
                [timer.least]\narmed-by = \"task.least\"\nperiod = \"10ms\"";
    assert!(woken_below_a_reservation(less) >= ideal + 2 * 2_000);
    let limited = |rest: &str| woken_below_a_reservation(&format!("max-defer = \"1us\"\n{rest}"));
    assert!(limited(routine) >= limited("") + 2 * 5_000);
    assert!(limited("sections = \"5us\"") >= limited("") + 2 * 5_000);
}

#[test]
fn how_a_shield_lets_them_through_is_taken_for_granted() {
    let assumed = |queue| bounds(&timers(queue)).task(TaskId(0)).assumptions().to_vec();
    let shield = Assumption::ShieldedTimers { core: "core.0".to_owned() };
    assert!(assumed("timershield").contains(&shield));
    assert!(!assumed("hrtimer").contains(&shield));
}

/// Two tasks on a core where a call takes 1 us and a switch 2 us.
fn two_tasks(cache: &str) -> System {
    system(&format!(
        r#"
        version = 1
        [costs]
        scheduler-call = "1us"
        context-switch = "2us"
        [cache.c]
        model = "flood"
        useful = "50%"
        sustained = "10us"
        [core.0]
        scheduler = "fixed-priority"
        [task.high]
        on = "core.0"
        wcet = "10us"
        period = "100us"
        priority = 2
        [task.low]
        on = "core.0"
        wcet = "20us"
        period = "1ms"
        priority = 1
        {cache}
        "#
    ))
}

#[test]
fn a_job_calls_twice_and_switches_twice() {
    let plain = two_tasks("");
    // Its work, what is under way (1 + 2), the call and the switch of its release, and the call of
    // low's release: 10 + 3 + 3 + 1.
    assert_eq!(us(&plain, "task.high"), 17);
    // The same for low, and for each job of high 10 + 2 (1 + 2): 20 + 3 + 3 + 16.
    assert_eq!(us(&plain, "task.low"), 42);
    let text = explained(&plain, "task.low");
    assert!(text.contains("calls and switches for task.high: ceil(42us / 100us) x 6us"), "{text}");
}

#[test]
fn a_cold_cache_is_lost_at_first_and_after_each_interruption() {
    let cold = two_tasks("cache = \"cache.c\"");
    // Half of 10 us, twice.
    assert_eq!(us(&cold, "task.low"), 42 + 5 + 5);
    assert_eq!(us(&cold, "task.high"), 17);
}

/// A flooded cache that is slow for a millisecond works at half the rate in slots of 100 us: 1 ms of work takes 20 of them, and a
/// little for rounding. By what a switch may lose at most, half a millisecond each time, there would be no bound.
#[test]
fn runs_that_are_short_lose_less() {
    let text = |model: &str| {
        format!(
            "version = 1\n[cache.c]\nmodel = \"{model}\"\nuseful = \"50%\"\nsustained = \"1ms\"\n\
             [core.0]\nscheduler = \"slots\"\n[vcpu.v]\non = \"core.0\"\nserver = \"slot\"\noffset = \"0us\"\n\
             budget = \"100us\"\nperiod = \"200us\"\ncache = \"cache.c\"\n\
             [task.t]\non = \"vcpu.v\"\nwcet = \"1ms\"\nperiod = \"1s\"\n\
             [vcpu.other]\non = \"core.0\"\nserver = \"slot\"\noffset = \"100us\"\nbudget = \"100us\"\nperiod = \"200us\"\n\
             [task.other]\non = \"vcpu.other\"\nwcet = \"1us\"\nperiod = \"1ms\"\n"
        )
    };
    let [flood, exponential] = ["flood", "exponential"].map(|model| {
        let system = system(&text(model));
        bounds(&system).task(task_of(&system, "task.t")).bound().expect("a bound").as_ns()
    });
    assert_eq!(flood, 20 * 200_000 + 100_000 + 2 * 2 * 22);
    // The cache recovers a little in each slot.
    assert!(exponential < flood - 150_000, "{exponential}");
}

/// Two microseconds of work at half the rate take four, however long the cache stays cold; what it interrupts has three left,
/// which take six.
#[test]
fn a_short_job_loses_no_more_than_its_work_takes_longer() {
    let text = |model: &str| {
        format!(
            "version = 1\n[cache.c]\nmodel = \"{model}\"\nuseful = \"50%\"\nsustained = \"1ms\"\n\
             [core.0]\nscheduler = \"fixed-priority\"\n\
             [task.high]\non = \"core.0\"\nwcet = \"2us\"\nperiod = \"1ms\"\npriority = 2\ncache = \"cache.c\"\n\
             [task.low]\non = \"core.0\"\nwcet = \"3us\"\nperiod = \"1s\"\npriority = 1\ncache = \"cache.c\"\n\
             [task.held-up]\non = \"core.0\"\nwcet = \"2us\"\nperiod = \"1ms\"\npriority = 3\nblocking = \"1us\"\n"
        )
    };
    let flood = system(&text("flood"));
    let bound = |name| bounds(&flood).task(task_of(&flood, name)).bound().expect("a bound").as_ns();
    // At half the rate work of w takes 2 w, and 2 ns more for what the simulator may round, which take 4.
    let loses = |work: u64| work + 4;
    let section = 1_000 + loses(1_000);
    assert_eq!(bound("task.held-up"), section + 2_000);
    // Its own job, what is more urgent with its section, and what it loses after that.
    assert_eq!(bound("task.high"), 2_000 + loses(2_000) + section + 2_000 + loses(2_000));
    // Each of the two that are more urgent may interrupt it; the section is part of its own work.
    let high = 2_000 + loses(2_000);
    let low = 3_000 + loses(3_000) + 2 * loses(3_000);
    assert_eq!(bound("task.low"), low + high + 2_000);
    // The cache recovers a little meanwhile.
    let exponential = system(&text("exponential"));
    let recovers = bounds(&exponential).task(task_of(&exponential, "task.low")).bound();
    assert!(recovers.is_some_and(|recovers| recovers.as_ns() <= bound("task.low")));
}

#[test]
fn a_guest_s_budget_pays_for_its_cold_cache() {
    let text = r#"
        version = 1
        [cache.c]
        model = "flood"
        useful = "0%"
        sustained = "1ms"
        [core.0]
        scheduler = "fixed-priority"
        [vcpu.v]
        on = "core.0"
        server = "deferrable"
        budget = "4ms"
        period = "10ms"
        priority = 1
        cache = "cache.c"
        [task.t]
        on = "vcpu.v"
        wcet = "WCET"
        period = "1s"
        [task.background]
        on = "core.0"
        wcet = "1ms"
        period = "10ms"
        priority = 0
        deadline = "none"
    "#;
    // Nothing for 6, then the work, 1 at first and 1 for the replenishment.
    assert_eq!(us(&system(&text.replace("WCET", "2ms")), "task.t"), 6_000 + 2_000 + 2_000);
    // A nanosecond more needs the next budget, which loses another 1.
    let more = system(&text.replace("WCET", "2001us"));
    assert_eq!(us(&more, "task.t"), 6_000 + 10_000 + 1_001);
    assert!(explained(&more, "task.t").contains("a cold cache loses 1ms at first"));
}

/// A credit is a share of the budget where a cache is cold, and the loss is taken from it.
#[test]
fn a_credit_pays_for_its_cold_cache() {
    let text = r#"
        version = 1
        [cache.c]
        model = "flood"
        useful = "9%"
        sustained = "85us"
        [core.0]
        scheduler = "fixed-priority"
        [task.above]
        on = "core.0"
        wcet = "40us"
        period = "400us"
        priority = 30
        [vcpu.g]
        on = "core.0"
        server = "deferrable"
        budget = "4ms"
        period = "20ms"
        priority = 20
        cache = "cache.c"
        [task.t]
        on = "vcpu.g"
        wcet = "500us"
        period = "100ms"
        [interrupt.net]
        on = "core.0"
        isr = "10us"
        min-interarrival = "20ms"
        virtual = { vcpu = "vcpu.g", isr = "50us", pseudo-vcpu = { priority = 25, budget = "BUDGET", period = "20ms" } }
        [require.net]
        of = "interrupt.net"
        handled-within = "2ms"
    "#;
    let of = |budget: &str| {
        let system = system(&text.replace("BUDGET", budget));
        let found = bounds(&system);
        found.interrupt(InterruptId(0)).bound().expect("the interrupt has a bound").as_ns()
    };
    // Its routine of 50 us loses 77.35 at first and 77.35 after the task above, which comes once and takes 40.
    let needed = 50_000 + 2 * 77_350;
    assert_eq!(of("205us"), 10_000 + needed + 40_000);
    assert_eq!(of("300us"), 10_000 + needed + 40_000);
    // A credit that may not suffice leaves the rest to the virtual processor.
    assert!(of("204us") > 16_000_000);
}
