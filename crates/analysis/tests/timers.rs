//! What timers delay, behind a shield and without, in systems small enough to compute by hand.
//!
//! **Model.** Numbers are in microseconds; a timer interrupt takes 4: 1 to enter, 2 for the callback, 1 to leave. `L` is the latency of
//! a timer, `W` the time before the first decision, as in docs/theory/timer-shield.md; each has a nanosecond more, which is written
//! only where it decides. Of the timers of budgets (docs/theory/budget-timers.md) a period has a return and an end.

use vorrang_analysis::{Losses, bounds, explain, losses};
use vorrang_model::system::{RequirementKind, SupplyId, System, TaskId};
use vorrang_model::{Format, read};
use vorrang_time::Duration;

const COSTS: &str =
    "[costs]\ninterrupt-entry = \"1us\"\ntimer-expiry = \"2us\"\ninterrupt-exit = \"1us\"\n";

fn system(text: &str) -> System {
    read(text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:#?}\n{text}"))
}

/// With a shield; `core` has the scheduler, and what else the core has.
fn shielded(core: &str, rest: &str) -> String {
    format!("version = 1\n{COSTS}[core.0]\ntimers = \"timershield\"\n{core}\n{rest}")
}

const FIXED: &str = "scheduler = \"fixed-priority\"";
const LINUX: &str = "scheduler = \"linux\"\nfair-server = \"none\"";

fn task(name: &str, on: &str, wcet: &str, period: &str, priority: u32) -> String {
    format!(
        "[task.{name}]\non = \"{on}\"\nwcet = \"{wcet}\"\nperiod = \"{period}\"\npriority = {priority}\n"
    )
}

/// A task that a timer wakes.
fn woken(name: &str, on: &str, wcet: &str, period: &str, priority: u32) -> String {
    format!(
        "[task.{name}]\non = \"{on}\"\nwcet = \"{wcet}\"\npriority = {priority}\n\
         [timer.wakes-{name}]\narmed-by = \"task.{name}\"\nperiod = \"{period}\"\nwakes = true\n"
    )
}

fn timer(by: &str, period: &str) -> String {
    format!("[timer.{by}]\narmed-by = \"task.{by}\"\nperiod = \"{period}\"\n")
}

/// A server with its priority, if it has one, and a task in it.
fn server(name: &str, kind: &str, [budget, period]: [&str; 2], priority: Option<u32>) -> String {
    let priority = priority.map_or(String::new(), |own| format!("priority = {own}\n"));
    format!(
        "[server.{name}]\non = \"core.0\"\nserver = \"{kind}\"\nbudget = \"{budget}\"\nperiod = \"{period}\"\n\
         scheduler = \"fixed-priority\"\n{priority}"
    )
}

fn id_of(system: &System, name: &str) -> TaskId {
    let mut ids = (0..system.tasks.len()).map(TaskId);
    ids.find(|&id| system.task(id).name == name).expect("a task of that name")
}

/// The bound of a task in nanoseconds.
fn ns(text: &str, name: &str) -> u64 {
    let system = system(text);
    let found = bounds(&system);
    let finding = found.task(id_of(&system, name));
    finding.bound().unwrap_or_else(|| panic!("{name}: {:?}\n{text}", finding.reason())).as_ns()
}

/// How it comes about.
fn explained(text: &str, name: &str) -> String {
    let system = system(text);
    explain(&system, RequirementKind::Deadline(id_of(&system, name))).to_string()
}

/// An urgent task of 50.
fn high() -> String {
    task("high", "core.0", "50us", "10ms", 2)
}

/// A less urgent one, with a timer.
fn low(period: &str) -> String {
    task("low", "core.0", "1us", "10ms", 1) + &timer("low", period)
}

/// What less urgent timers take before the first decision is 2 for one interrupt that is under way, 2 for each expiry in W and
/// 2 for each callback, of what expired up to L before it, too.
#[test]
fn before_the_first_decision_there_is_a_section() {
    let text = shielded(&format!("{LINUX}\nsections = \"80us\""), &(high() + &low("100us")));
    // L = 80 + 50 + ceil(2 L / 100) 4 = 142. W = 80 + 2 + ceil(W / 100) 2 + ceil((W + L) / 100) 2 = 90: one expiry, three callbacks.
    assert_eq!(ns(&text, "task.high"), (50 + 80 + 2 + 2 + 6) * 1_000);
}

#[test]
fn before_the_first_decision_there_are_routines() {
    let routine = "[interrupt.i]\non = \"core.0\"\nisr = \"80us\"\nmin-interarrival = \"10ms\"\n";
    // L = 82 + 50 + ceil(2 L / 100) 4 = 144. W = 82 + 2 + ceil(W / 100) 2 + ceil((W + L) / 100) 2 = 92.
    let text = shielded(FIXED, &(high() + &low("100us") + routine));
    assert_eq!(ns(&text, "task.high"), (50 + 82 + 2 + 2 + 6) * 1_000);
}

#[test]
fn before_the_first_decision_there_are_timers_of_budgets() {
    let text = server("s", "periodic", ["10us", "1ms"], Some(0))
        + &task("s", "server.s", "1us", "100ms", 1);
    // Of the budget one return and two ends, 12. L = 50 + 12 + ceil(2 L / 80) 4 = 70. W = 12 + 2 + ceil(W / 80) 2 + ceil((W + L) / 80) 2
    // = 20: one expiry, two callbacks.
    let text = shielded(FIXED, &(high() + &low("80us") + &text));
    assert_eq!(ns(&text, "task.high"), (50 + 12 + 2 + 2 + 4) * 1_000);
}

/// A call of 40; with calls an expiry may enter twice, so it takes 6.
#[test]
fn before_the_first_decision_there_are_two_calls() {
    let text = shielded(FIXED, &(high() + &low("330us")));
    let text = text.replace("[costs]\n", "[costs]\nscheduler-call = \"40us\"\n");
    // L: the call that is under way and the next, 80; the urgent job, its two calls and that of the other, 50 + 80 + 40;
    // 250 + ceil(2 L / 330) 6 = 262. W = 40 + 40 + 2 + ceil(W / 330) 4 + ceil((W + L) / 330) 2 = 90: one expiry, two callbacks.
    // The job calls twice, the other task once.
    assert_eq!(ns(&text, "task.high"), (50 + 2 * 40 + 40 + 2 + 4 + 4) * 1_000);
}

/// In time or not, the budgets of a server before a timer count with their overruns: 81 + 19 + 3 (30 + 19) for the timer, with one
/// budget that was kept for up to 30, and 81 + 1 + 19 + 2 30 for what it wakes.
#[test]
fn a_timer_waits_for_overruns_that_may_be_forgotten() {
    let text = "version = 1\n[core.0]\ntimers = \"timershield\"\noverrun = \"19us\"\ninterrupt-time = \"apart\"\n".to_owned()
        + LINUX
        + "\n[interrupt.i]\non = \"core.0\"\nisr = \"81us\"\nmin-interarrival = \"10ms\"\n"
        + &server("a", "sched-deadline", ["30us", "100us"], None)
        + "deadline = \"30us\"\n"
        + &task("a", "server.a", "900us", "10ms", 1)
        + &woken("low", "core.0", "1us", "10ms", 1);
    let (waits, responds) = (81 + 19 + 3 * (30 + 19), 81 + 1 + 19 + 2 * 30);
    assert_eq!(ns(&text, "task.low"), (waits + responds) * 1_000 + 1);
}

/// Nothing is more urgent than its timer, which wakes the task: it waits for interrupts only.
#[test]
fn the_most_urgent_timer_waits_for_an_interrupt_that_is_under_way() {
    let text = woken("high", "core.0", "50us", "10ms", 2) + &low("20us");
    // The other timer's L = 50 + 4 + ceil(2 L / 20) 4 = 94. Its own: 2 for the interrupt that is under way, 4 for its own, and
    // 2 ceil(L / 20) + 2 ceil((L + 94) / 20) = 4 + 12: 22. Before the first decision the same: 2 + 4 + 12 of the less urgent one.
    assert_eq!(ns(&shielded(FIXED, &text), "task.high"), 22_001 + (50 + 4 + 18) * 1_000);
}

/// A pseudo-VCPU without a priority is more urgent still: its decisions request interrupts meanwhile.
#[test]
fn timers_of_the_most_urgent_task_wait_for_a_pseudo_vcpu() {
    let guest = "[vcpu.g]\non = \"core.0\"\nserver = \"deferrable\"\nbudget = \"10us\"\nperiod = \"10ms\"\npriority = 1\n\
        [interrupt.i]\non = \"core.0\"\nisr = \"1us\"\nmin-interarrival = \"10ms\"\n\
        virtual = { vcpu = \"vcpu.g\", isr = \"10us\", pseudo-vcpu = { budget = \"10us\", period = \"10ms\" } }\n";
    let text = woken("high", "core.0", "50us", "10ms", 2)
        + &timer("high", "20us")
        + guest
        + &task("g", "vcpu.g", "1us", "100ms", 1);
    // The routine takes 3, the credit 10, a return and two ends 12, the timer that wakes 4: L = 29 + ceil(2 L / 20) 4 = 49.
    // Then x = 50 + 29 + ceil((x + L) / 20) 4 = 115.
    assert_eq!(ns(&shielded(FIXED, &text), "task.high"), 49_001 + 115_000);
}

#[test]
fn a_timer_is_as_urgent_as_the_member_of_the_core_that_its_task_is_in() {
    let text = server("s", "deferrable", ["10us", "10ms"], Some(1))
        + &task("s", "server.s", "1us", "10ms", 9)
        + &timer("s", "20us");
    // Of the budget 12. L = 50 + 12 + ceil(2 L / 20) 4 = 106. W = 12 + 2 + ceil(W / 20) 2 + ceil((W + L) / 20) 2 = 32.
    let text = shielded(FIXED, &(high() + &text));
    assert_eq!(ns(&text, "task.high"), (50 + 12 + 2 + 4 + 14) * 1_000);
}

#[test]
fn what_is_deferred_for_longest_waits_for_timers_of_budgets() {
    let text = server("s", "periodic", ["10us", "1ms"], Some(3))
        + &task("s", "server.s", "1us", "100ms", 1)
        + &woken("low", "core.0", "1us", "1ms", 2);
    // L = 1 + its own 4 + 12 of the budget. Then the work, the timer, the timers of the budget, and the budget.
    let text = shielded(&format!("{FIXED}\nmax-defer = \"1us\""), &text);
    assert_eq!(ns(&text, "task.low"), 17_001 + (1 + 4 + 12 + 10) * 1_000);
}

/// Two timers that wait for a server with a deadline may take 4 more than one before it gets the core.
#[test]
fn less_urgent_timers_come_before_the_first_decision_for_a_deadline_too() {
    let bound = |timers: &str| {
        let text = server("s", "sched-deadline", ["90us", "100us"], None)
            + &task("s", "server.s", "1us", "10ms", 1)
            + &task("beside", "server.s", "1us", "10ms", 2)
            + timers;
        ns(&shielded(&format!("{LINUX}\ninterrupt-time = \"apart\""), &text), "task.s")
    };
    let one = low("10ms");
    let two = one.clone() + "[timer.other]\narmed-by = \"task.low\"\nperiod = \"10ms\"\n";
    assert_eq!(bound(&two), bound(&one) + 4_000);
}

/// On a core that goes by deadline timers are handled at once, whatever the queue.
#[test]
fn nothing_is_shielded_from_where_deadlines_decide() {
    let by_deadline = |name: &str, wcet: &str, period: &str| {
        format!(
            "[task.{name}]\non = \"core.0\"\nwcet = \"{wcet}\"\nperiod = \"{period}\"\ndeadline = \"{period}\"\n"
        )
    };
    let text =
        by_deadline("a", "50us", "10ms") + &by_deadline("b", "1us", "1ms") + &timer("b", "20us");
    let text = shielded("scheduler = \"edf\"", &text);
    // x = 50 + 1 + ceil(x / 20) 4.
    assert_eq!(ns(&text, "task.a"), 67_000);
    assert_eq!(ns(&text.replace("timershield", "hrtimer"), "task.a"), 67_000);
}

/// A task in a server that a timer wakes, on a core whose timers are handled at once: each of what comes before the callback delays
/// it, and then what it releases.
#[test]
fn what_delays_a_callback_without_a_shield() {
    let own = server("s", "deferrable", ["10us", "100us"], Some(1))
        + &woken("s", "server.s", "1us", "1ms", 1);
    let bound = |core: &str, rest: &str| {
        let text = shielded(&format!("{LINUX}\n{core}"), &(own.clone() + rest));
        ns(&text.replace("timershield", "hrtimer"), "task.s")
    };
    // Its own 4 and 12 of the budget, and that once more with 1 of work.
    let ideal = 16_000 + 17_000;
    assert_eq!(bound("", ""), ideal);
    let other = task("other", "core.0", "1us", "100ms", 0) + &timer("other", "1ms");
    assert_eq!(bound("", &other), ideal + 2 * 4_000);
    assert_eq!(bound("sections = \"5us\"", ""), ideal + 2 * 5_000);
    let budgets = server("t", "deferrable", ["100us", "1ms"], Some(0))
        + &task("t", "server.t", "1us", "100ms", 1);
    assert_eq!(bound("", &budgets), ideal + 2 * 8_000);
}

/// With a shield, calls of the scheduler and a guest, which takes a timer itself.
#[test]
fn what_is_lost_to_timers_behind_a_shield() {
    let guest = "[vcpu.g]\non = \"core.0\"\nserver = \"deferrable\"\nbudget = \"10us\"\nperiod = \"10ms\"\npriority = 1\n\
        [interrupt.i]\non = \"core.0\"\nisr = \"1us\"\nmin-interarrival = \"300us\"\n";
    let text = high()
        + &low("200us")
        + guest
        + &task("g", "vcpu.g", "1us", "100ms", 1)
        + &timer("g", "250us")
        + "isr = \"1us\"\n";
    let costs = "[costs]\nscheduler-call = \"1us\"\nvm-exit = \"1us\"\n";
    let text = shielded(FIXED, &text).replace("[costs]\n", costs);
    let lost = losses(&system(&text), SupplyId(0), Duration::from_ms(1)).expect("a bound");
    let Losses { timer_expiries, interrupt_entries, vm_exits, .. } = lost;
    // In a millisecond 5 and 4 expiries, which may enter twice, 4 requests, and a return and two ends of the budget. Four routines of
    // the guest end with an exit.
    assert_eq!(timer_expiries, Duration::from_us((5 + 4 + 3) * 2));
    assert_eq!(interrupt_entries, Duration::from_us((2 * (5 + 4) + 4 + 3) * 2));
    assert_eq!(vm_exits, Duration::from_us(2 * (5 + 4) + 4 + 3 + 4));
}

/// A server of 20 in 100 pays for timers of a callback of 1: those of a less urgent task every 300, which wait behind another one,
/// and those of its budget.
#[test]
fn a_server_pays_for_timers_that_have_waited() {
    let takes = |waits: u64| {
        let text = server("s", "sched-deadline", ["20us", "100us"], None)
            + &task("s", "server.s", "16us", "5ms", 1)
            + &low("300us")
            + &task("mid", "core.0", &format!("{waits}us"), "10ms", 5);
        let costs = "[costs]\ntimer-expiry = \"1us\"\n";
        let text = explained(&shielded(LINUX, &text).replace(COSTS, costs), "task.s");
        let line = text.lines().find(|line| line.contains("are charged to")).expect("a line");
        line.split_whitespace().rev().nth(3).expect("a duration").to_owned()
    };
    // Two budgets, so three intervals: of returns and of ends floor((R + 3 (20 - 1)) / 20) = 4 each are charged; of the timer no more
    // than run in 200, ceil((200 + L) / 300). Before it B = 2 + ceil((B + L) / 300).
    // Behind 1: L = 1 + 1 + 20 + 2 * 2 = 26: 16 + B = 3, and 8, and 1.
    assert_eq!(takes(1), "28us");
    // L = 100 + 2 + 40 + 16 = 158: two run.
    assert_eq!(takes(100), "29us");
    // L = 200 + 3 + 80 + 32 = 315: two also come one after the other, so B = 4.
    assert_eq!(takes(200), "30us");
}

/// When routines end is not known where latencies are looked for.
#[test]
fn budgets_in_pieces_are_undecided_beside_a_shield() {
    let text = server("s", "sporadic", ["10us", "1ms"], Some(3))
        + &task("s", "server.s", "1us", "10ms", 1);
    let text = shielded(FIXED, &(high() + &low("100us") + &text));
    let text = text.replace("[costs]\n", "[costs]\nscheduler-call = \"1us\"\n");
    let reason = |text: &str| {
        let system = system(text);
        bounds(&system).task(id_of(&system, "task.high")).reason().map(ToString::to_string)
    };
    let why = reason(&text).expect("undecided");
    assert!(why.contains("at replenishment fragments of server.s"), "{why}");
    assert_eq!(reason(&text.replace("timershield", "hrtimer")), None);
}

/// Servers that pay for routines that are more than the core leaves: what makes that possible is not claimed beside a shield.
#[test]
fn servers_that_pay_are_not_told_apart_beside_a_shield() {
    let of = |name: &str| {
        server(name, "sched-deadline", ["9us", "20us"], None)
            + &task(name, &format!("server.{name}"), "1us", "1ms", 1)
    };
    let routine = "[interrupt.i]\non = \"core.0\"\nisr = \"5us\"\nmin-interarrival = \"20us\"\n";
    let text = shielded(
        &format!("{LINUX}\nmax-defer = \"1us\""),
        &(of("s") + &of("t") + routine + &low("10ms")),
    );
    let text = text.replace(COSTS, "[costs]\n");
    let has_bound = |text: &str| {
        let system = system(text);
        bounds(&system).task(id_of(&system, "task.s")).bound().is_some()
    };
    assert!(!has_bound(&text));
    let at_once = text.replace("timershield", "hrtimer").replace("max-defer = \"1us\"\n", "");
    assert!(has_bound(&at_once));
}

/// In the first 10 s a history whose runtimes of 50 ms end 50 ms late loses 600 ms to a cache of which nothing is useful: six runtimes of
/// 100 ms. Eleven budgets, a part of one that was kept, and what each is overrun by are counted.
#[test]
fn a_server_loses_time_in_runtimes_that_end_late() {
    let text = format!(
        "version = 1\n[costs]\ncontext-switch = \"1us\"\n[cache.c]\nmodel = \"flood\"\nuseful = \"0%\"\nsustained = \"1s\"\n\
         [core.0]\n{LINUX}\noverrun = \"50ms\"\n\
         [vcpu.v]\non = \"core.0\"\nserver = \"sched-deadline\"\nbudget = \"50ms\"\nperiod = \"980ms\"\ncache = \"cache.c\"\n\
         [task.a]\non = \"vcpu.v\"\nwcet = \"10ms\"\nperiod = \"100s\"\ndeadline = \"none\"\n"
    );
    let lost = losses(&system(&text), SupplyId(0), Duration::from_ms(10_000)).unwrap();
    let cold = lost.contexts[0].cold_caches.unwrap();
    assert!(cold >= Duration::from_ms(11 * 100) && cold < Duration::from_ms(12 * 100), "{cold}");
}
