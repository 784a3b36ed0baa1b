//! Servers with deadlines beside interrupts, worked out by hand.

use vorrang_analysis::{Bounds, bounds, monotonic_bounds};
use vorrang_model::system::{InterruptId, System, TaskId};
use vorrang_model::{Format, read};
use vorrang_time::Duration;

/// The bound of each task, or why there is none.
fn found(text: &str) -> Vec<Result<u64, String>> {
    found_by(bounds, text)
}

/// The tasks before one that is less urgent, in the same server, and uses a budget up.
fn before_more(text: &str, wcet: &str) -> Vec<Result<u64, String>> {
    let more = task("more", "server.s", wcet, "100ms");
    let mut all = found(&(text.to_owned() + &more));
    all.pop();
    all
}

fn found_by(bounds: fn(&System) -> Bounds, text: &str) -> Vec<Result<u64, String>> {
    let system = read(text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:#?}\n{text}"));
    let bounds = bounds(&system);
    let tasks = (0..system.tasks.len()).map(|id| bounds.task(TaskId(id)).clone());
    tasks
        .map(|own| own.found.map(|proof| proof.bound.as_ns()).map_err(|why| why.to_string()))
        .collect()
}

/// A core with an interrupt.
fn core(scheduler: &str, isr: &str, distance: &str) -> String {
    let fair = if scheduler == "linux" { "fair-server = \"none\"\n" } else { "" };
    format!(
        "version = 1\n[core.c]\nscheduler = \"{scheduler}\"\n{fair}[interrupt.i]\non = \"core.c\"\nisr = \"{isr}\"\nmin-interarrival = \"{distance}\"\n"
    )
}

/// A server on it.
fn server(name: &str, kind: &str, budget: &str, period: &str, lines: &str) -> String {
    format!(
        "[server.{name}]\non = \"core.c\"\nserver = \"{kind}\"\nbudget = \"{budget}\"\nperiod = \"{period}\"\nscheduler = \"rate-monotonic\"\n{lines}\n"
    )
}

fn task(name: &str, on: &str, wcet: &str, period: &str) -> String {
    format!("[task.{name}]\non = \"{on}\"\nwcet = \"{wcet}\"\nperiod = \"{period}\"\n")
}

/// A microsecond every 10 ms beside a reservation of 4 in 10 ms, of which a part is used, charged or not: that part, and it.
#[test]
fn a_virtual_machine_beside_an_interrupt() {
    for scheduler in ["linux", "edf"] {
        let text = core(scheduler, "1us", "10ms")
            + &server("v", "sched-deadline", "4ms", "10ms", "")
            + &task("t", "server.v", "1ms", "20ms");
        assert_eq!(found(&text), [Ok(1_001_000)]);
    }
}

/// The budget of 9 in 10 comes by 11 at the latest, for 9 and the interrupt are 11: nothing for 1
/// and 2 at first. The second task waits for the next budget, too: 1 more.
#[test]
fn whole_budgets_are_late() {
    let text = |kind: &str| {
        core("edf", "2ns", "100ns")
            + &server("s", kind, "9ns", "10ns", "")
            + &task("a", "server.s", "1ns", "50ns")
            + &task("b", "server.s", "9ns", "100ns")
    };
    for kind in ["cbs-hard", "sched-deadline"] {
        assert_eq!(found(&text(kind)), [Ok(1 + 3), Ok(10 + 3 + 1)], "{kind}");
    }
    // What a periodic server has not delivered by the end of its period is lost.
    let late = "server.s may take 11ns to receive its budget, longer than its period of 10ns";
    assert_eq!(found(&text("periodic")), [Err(late.into()), Err(late.into())]);
    let late = "server.s is not guaranteed its budget in each period of 10ns";
    assert_eq!(found(&text("deferrable")), [Err(late.into()), Err(late.into())]);
}

/// A budget that was kept may be wanted again 2 before its deadline, 1 of it, and comes within 1 + 5:
/// 4 late. That matters only where less than 4 of the period is not the server's.
#[test]
fn kept_budgets_are_late() {
    let late = |period: &str| {
        let text = core("edf", "5ns", "1us")
            + &server("s", "cbs-hard", "20ns", period, "")
            + &task("a", "server.s", "1ns", "900ns")
            + &task("b", "server.s", "1ns", "950ns");
        before_more(&text, "20ns")
    };
    // Of 20 in 40: 20 and 5, for a whole budget comes by 25, and a kept one has waited for longer.
    assert_eq!(late("40ns"), [Ok(1 + 20 + 5), Ok(2 + 20 + 5)]);
    // Of 20 in 22: 25 for a whole budget, 3 late; what was kept comes 4 late and had 2 more to wait.
    assert_eq!(late("22ns"), [Ok(1 + 2 + 2 + 3), Ok(2 + 2 + 2 + 3)]);
}

/// The first job uses whole budgets, which come in time; the second may find a budget that was kept.
#[test]
fn one_task_in_a_late_server() {
    let text = |wcet: &str, period: &str| {
        core("edf", "5ns", "1us")
            + &server("s", "sched-deadline", "20ns", "40ns", "")
            + &task("a", "server.s", wcet, period)
    };
    // Two budgets, the second within 25 of 40.
    assert_eq!(found(&text("40ns", "100ns")), [Ok(65)]);
    // 10 of the second, and the interrupt; no job finds a pair, for 30 in 75 are less than the server's share.
    assert_eq!(found(&text("30ns", "75ns")), [Ok(55)]);
    assert_eq!(found(&text("15ns", "36ns")), [Ok(20)]);
    // Released 9 late the second one may: 15 in 27 are more. As a periodic resource: 20 and 5 before 15, 9 late.
    let jitter = text("15ns", "36ns") + "jitter = \"9ns\"\n";
    assert_eq!(found(&jitter), [Ok(20 + 5 + 15 + 9)]);
}

/// A deferrable server beside a reservation: 2 and 4 and the interrupt are 7 within the period. Of each task it is 1, the other, and the
/// interrupt.
#[test]
fn a_deferrable_server_beside_a_reservation() {
    let text = core("edf", "1ns", "100ns")
        + &server("d", "deferrable", "2ns", "10ns", "")
        + &server("s", "cbs-hard", "4ns", "10ns", "")
        + &task("a", "server.d", "1ns", "100ns")
        + &task("b", "server.s", "1ns", "100ns");
    // Under EDF the guest may find no budget at first; by priority it begins with what it has not used.
    let by_deadline = text.replacen("rate-monotonic", "edf", 1);
    assert_eq!(found(&by_deadline), [Ok(1 + 8 + 5), Ok(3)]);
    let from_idle = found(&text);
    // Its work, the interrupt and the work in the reservation.
    assert_eq!(from_idle[0], Ok(1 + 1 + 1));
    assert_eq!(from_idle[1], Ok(1 + 1 + 1));
}

/// The same where servers pay for what interrupts them.
fn charged(scheduler: &str, isr: &str, distance: &str) -> String {
    let text = core(scheduler, isr, distance);
    text.replace("\n[interrupt", "\ninterrupt-time = \"charged\"\n[interrupt")
}

/// A task of 10 alone in a server of 20 in 40; a routine of 3 at most every 100.
#[test]
fn a_server_pays_for_what_interrupts_it() {
    let text = |scheduler: &str, wcet: &str| {
        charged(scheduler, "3ns", "100ns")
            + &server("s", "sched-deadline", "20ns", "40ns", "")
            + &task("a", "server.s", wcet, "500ns")
    };
    for scheduler in ["linux", "edf"] {
        // 10 and two routines are less than 20, so no budget is used up: a routine and the work.
        assert_eq!(found(&text(scheduler, "10ns")), [Ok(10 + 3)], "{scheduler}");
        // 17 and 6 are more than 20: 3 of another budget.
        assert_eq!(found(&text(scheduler, "17ns")), [Ok(40 + 3 + 3)], "{scheduler}");
    }
    // On `linux` that is so if nothing is stated.
    let stated = "interrupt-time = \"charged\"\n";
    assert_eq!(found(&text("linux", "17ns").replace(stated, "")), [Ok(40 + 3 + 3)]);
    // Charged to none, it is a routine and the work.
    assert_eq!(found(&text("edf", "15ns").replace(stated, "")), [Ok(18)]);
}

/// With two tasks: 2 B = 6 before, one routine in each of three stretches is more than runs in the
/// window, which is one of them: 1 takes 10 of the time of the server, and a budget comes by 23, with one of them before it.
#[test]
fn the_guest_of_a_server_that_pays() {
    let text = charged("linux", "3ns", "40ns")
        + &server("s", "sched-deadline", "20ns", "40ns", "")
        + &task("a", "server.s", "1ns", "500ns")
        + &task("b", "server.s", "1ns", "600ns");
    assert_eq!(before_more(&text, "20ns"), [Ok(10 + 20 + 3), Ok(11 + 20 + 3)]);
    // They use little of it.
    assert_eq!(found(&text), [Ok(1 + 3), Ok(2 + 3)]);
}

/// What wakes with pieces of budget may interrupt as often as it likes: then all that runs in a window
/// of 14 ms counts, not only what runs in some stretches of 100 us.
#[test]
fn a_guest_that_wakes_with_pieces_of_budget_may_interrupt_at_any_time() {
    let bound = |inner: &str| {
        let other = server("other", "sched-deadline", "5ms", "10ms", "");
        let text = charged("linux", "10ns", "1us")
            + &server("s", "sched-deadline", "1ms", "10ms", "")
            + &other.replace("rate-monotonic", "fixed-priority")
            + &format!(
                "[server.inner]\non = \"server.other\"\nserver = \"{inner}\"\nbudget = \"2ms\"\nperiod = \"100ms\"\npriority = 1\n"
            )
            + &task("a", "server.s", "100us", "900ms")
            + &task("b", "server.s", "100us", "950ms")
            + &task("c", "server.inner", "1ms", "1s");
        found(&text)[0].clone().expect("it has a bound")
    };
    let [counted, pieces] = ["deferrable", "sporadic"].map(bound);
    assert!(counted < 14_165_000 && pieces > 14_300_000, "{counted} {pieces}");
}

/// Two of 9 in 20 and interrupts that take a quarter are more than the core; but they are charged, and
/// what is not takes 3 blocks of 5, so the servers are late by 13 at most and do all their work. Apart they leave less than is reserved,
/// but 1 of work in each, and a routine, are less.
#[test]
fn interrupts_and_servers_that_pay_may_be_more_than_the_core() {
    let text = |core: String| {
        core + &server("s", "sched-deadline", "9ns", "20ns", "")
            + &server("t", "sched-deadline", "9ns", "20ns", "")
            + &task("a", "server.s", "1ns", "1us")
            + &task("b", "server.t", "1ns", "1us")
    };
    let bounds = found(&text(charged("linux", "5ns", "20ns")));
    assert!(bounds.iter().all(Result::is_ok), "{bounds:?}");
    let apart = found(&text(core("edf", "5ns", "20ns")));
    assert_eq!(apart, [Ok(1 + 1 + 5), Ok(1 + 1 + 5)]);
}

/// By more than a period: the deadline would be put off.
#[test]
fn what_is_later_than_a_period_is_undecided() {
    let text = |wcet: &str| {
        core("edf", "30ns", "1us")
            + &server("s", "sched-deadline", "10ns", "20ns", "")
            + &task("a", "server.s", wcet, "200ns")
    };
    let late = "server.s may take 49ns to receive its budget, longer than its period of 20ns";
    assert_eq!(found(&text("11ns")), [Err(late.into())]);
    // What never uses up a budget needs no deadline.
    assert_eq!(found(&text("10ns")), [Ok(40)]);
}

/// A core under Linux whose runtimes end late, without anything else.
fn late_core(overrun: &str) -> String {
    format!(
        "version = 1\n[core.c]\nscheduler = \"linux\"\nfair-server = \"none\"\noverrun = \"{overrun}\"\n"
    )
}

/// One of 2 in 10 takes its budget and the overrun before a task of 1 below it; where the overrun is
/// longer than the budget, two budgets come at once after it (3 + 2 besides the first budget, and 1
/// that was kept).
#[test]
fn what_is_below_a_server_waits_for_its_overrun() {
    for (overrun, bound) in [("0ns", 3), ("1ns", 4), ("3ns", 9)] {
        let text = late_core(overrun)
            + &server("s", "sched-deadline", "2ns", "10ns", "")
            + &task("inside", "server.s", "1ns", "100ns")
            + &task("below", "core.c", "1ns", "100ns");
        let text = text + "priority = 1\n";
        assert_eq!(found_by(monotonic_bounds, &text)[1], Ok(bound), "{overrun}");
    }
}

/// Where the routine is charged, an overrun of 1 and it are no less than a budget of 2: two budgets come at once, of which 3 are used.
/// Before a task of 8, in a window that is longer than a period: the routine, two budgets and 2, not 1.
#[test]
fn what_is_below_a_server_waits_for_what_is_charged_after_its_overrun() {
    for (charged, bound) in [("apart", 1 + 2 * 2 + 1 + 8), ("charged", 1 + 2 * 2 + 2 + 8)] {
        let text = late_core("1ns")
            + &format!("interrupt-time = \"{charged}\"\n")
            + "[interrupt.i]\non = \"core.c\"\nisr = \"1ns\"\nmin-interarrival = \"1us\"\n"
            + &server("s", "sched-deadline", "2ns", "10ns", "")
            + &task("inside", "server.s", "1ns", "100ns")
            + &task("below", "core.c", "8ns", "100ns");
        assert_eq!(found_by(monotonic_bounds, &text)[1], Ok(bound), "{charged}");
    }
}

/// A routine of 81 makes a server of 30 in 100, due by 30, late by 81: with an overrun of 19 its budget is used up at 130,
/// its next deadline, at the latest, and the next one pays; with 20 it starts afresh at 131, and no budget pays. Below it then
/// are two budgets and 19; or three budgets that are overrun each, and 20.
fn late_by_a_routine(overrun: &str) -> String {
    late_core(overrun)
        + "interrupt-time = \"apart\"\n[interrupt.i]\non = \"core.c\"\nisr = \"81ns\"\nmin-interarrival = \"10us\"\n"
        + &server("a", "sched-deadline", "30ns", "100ns", "deadline = \"30ns\"")
        + &task("a", "server.a", "30ns", "1us")
}

#[test]
fn what_is_below_a_server_waits_for_overruns_that_are_forgotten() {
    for (overrun, bound) in [("19ns", 81 + 1 + 2 * 30 + 19), ("20ns", 81 + 1 + 3 * 50 + 20)] {
        let text = late_by_a_routine(overrun) + &task("b", "core.c", "1ns", "10us");
        assert_eq!(found_by(monotonic_bounds, &text)[1], Ok(bound), "{overrun}");
    }
}

#[test]
fn a_budget_that_is_used_up_after_the_next_deadline_is_not_guaranteed() {
    assert!(found(&late_by_a_routine("19ns"))[0].is_ok());
    let late = "server.a may take 131ns to receive its budget, longer than its period of 100ns";
    assert_eq!(found(&late_by_a_routine("20ns"))[0], Err(late.into()));
}

/// The budget of 109 has before it the routine and the only job of the other. Where overruns of 20 may be forgotten, what is due by 330 is the
/// routine, four budgets that are overrun each, one overrun, and 119 by the bandwidth of its own server: 90 of it is late.
#[test]
fn a_server_is_late_for_overruns_that_are_forgotten() {
    let beside = |overrun: &str| {
        late_by_a_routine(overrun)
            + &server("b", "sched-deadline", "109ns", "300ns", "")
            + &task("b", "server.b", "109ns", "10us")
    };
    assert_eq!(found(&beside("0ns"))[1], Ok(81 + 30 + 109));
    assert_eq!(found(&beside("20ns"))[1], Ok(300 + 81 + 4 * 50 + 20 + 119 - 330));
}

/// A core under Linux that goes on with less urgent work, without anything else.
fn core_with_sections(longest: &str) -> String {
    late_core("0s").replace("overrun = \"0s\"", &format!("sections = \"{longest}\""))
}

/// A section precedes everything, once: the server, what is below it, and (interrupts may be off) a
/// routine.
#[test]
fn everything_waits_for_one_section() {
    for (longest, section) in [("0s", 0), ("3ns", 3)] {
        let text = core_with_sections(longest)
            + &server("s", "sched-deadline", "2ns", "20ns", "")
            + &task("inside", "server.s", "1ns", "100ns")
            + &task("above", "core.c", "1ns", "100ns")
            + "priority = 2\n"
            + &task("below", "core.c", "1ns", "100ns")
            + "priority = 1\n";
        let all = found(&text);
        assert_eq!(all[1..], [Ok(2 + section), Ok(3 + section)], "{longest}");
        let text = core_with_sections(longest)
            + "[interrupt.i]\non = \"core.c\"\nisr = \"2ns\"\nmin-interarrival = \"50ns\"\n";
        let system = read(text, Format::Toml).unwrap();
        let bound = bounds(&system).interrupt(InterruptId(0)).bound();
        assert_eq!(bound, Some(Duration::from_ns(2 + section)), "{longest}");
    }
}

/// Two servers of 4 in 10 each have 2 to spare: a section of 3 makes both late by 1.
#[test]
fn servers_are_late_for_a_section() {
    for (longest, bound) in [("2ns", 10), ("3ns", 11)] {
        let text = core_with_sections(longest)
            + &server("a", "sched-deadline", "4ns", "10ns", "")
            + &server("b", "sched-deadline", "4ns", "10ns", "")
            + &task("t", "server.a", "4ns", "20ns")
            + &task("u", "server.b", "4ns", "20ns");
        assert_eq!(found(&text), [Ok(bound), Ok(bound)], "{longest}");
    }
}

/// In a reservation of the host a less urgent task may be in a section, too; in a virtual processor the
/// kernel of the core is not.
#[test]
fn a_section_is_inside_reservations_of_the_host() {
    let text = core_with_sections("3ns")
        + &server("s", "polling", "20ns", "100ns", "priority = 1\n")
        + &task("a", "server.s", "1ns", "200ns");
    let beside = task("b", "server.s", "1ns", "200ns");
    let alone = found(&text)[0].clone().unwrap();
    assert_eq!(found(&(text.clone() + &beside))[0], Ok(alone + 3));
    let (text, beside) = (text.replace("server.s", "vcpu.s"), beside.replace("server.s", "vcpu.s"));
    assert_eq!(found(&(text + &beside))[0], Ok(alone));
}

/// A budget and the overrun of the other come first. One of 7 brings two budgets at once, so the bound is the deadline and what is late
/// of 14 and 7.
#[test]
fn a_server_is_late_for_the_overruns_of_others() {
    for (overrun, bound) in [("6ns", 7 + 6 + 1), ("7ns", 21)] {
        let text = late_core(overrun)
            + &server("a", "sched-deadline", "7ns", "20ns", "")
            + &server("b", "sched-deadline", "7ns", "20ns", "")
            + &task("t", "server.a", "1ns", "40ns")
            + &task("u", "server.b", "1ns", "40ns");
        assert_eq!(found(&text), [Ok(bound), Ok(bound)], "{overrun}");
    }
}

/// 6 of 10 ms, alone on the core. One task finds a whole budget; of two the overrun of 1 us before is missing, after 4 ms without budget.
/// Another reservation of 1 in 10 ms comes first, with its overrun.
#[test]
fn an_overrun_costs_its_length_once() {
    let alone = late_core("1us")
        + &server("s", "sched-deadline", "6ms", "10ms", "")
        + &task("a", "server.s", "2ms", "20ms");
    let second = task("b", "server.s", "1ms", "40ms");
    assert_eq!(found(&alone), [Ok(2_000_000)]);
    assert_eq!(before_more(&(alone.clone() + &second), "6ms"), [Ok(6_001_000), Ok(7_001_000)]);
    // Both use half of a budget: it is never used up.
    assert_eq!(found(&(alone.clone() + &second)), [Ok(2_000_000), Ok(3_000_000)]);
    let beside =
        server("o", "sched-deadline", "1ms", "10ms", "") + &task("c", "server.o", "1ms", "50ms");
    assert_eq!(found(&(alone + &beside))[0], Ok(3_001_000));
}

/// What it has overrun before is missing: a second unit of budget is needed for the first one. An overrun of a whole budget makes two due
/// together, which may both have been used: of 5 the last one comes with the third. Budgets come at once, for the server has the core.
#[test]
fn a_guest_lacks_what_its_server_has_overrun() {
    for (overrun, bound) in [("0ns", 8 + 1), ("1ns", 8 + 2), ("2ns", 8 + 20 + 1)] {
        let text = late_core(overrun)
            + &server("s", "sched-deadline", "2ns", "10ns", "")
            + &task("a", "server.s", "1ns", "100ns")
            + &task("b", "server.s", "1ns", "200ns");
        assert_eq!(found(&text)[0], Ok(bound), "{overrun}");
    }
}
