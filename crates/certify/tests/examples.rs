//! Examples with their certified bounds, and with what is not certified.

use vorrang_certify::{STEPS, Search, Uncertified, certificates, of_task};
use vorrang_model::{Format, System, read};

fn system(text: &str) -> System {
    read(text, Format::Toml).expect("a system")
}

/// Each requirement with its certified bound in microseconds, or with why there is none.
fn certified(system: &System) -> Vec<String> {
    let found = certificates(system, STEPS);
    let rows = system.requirements.iter().zip(found).map(|(of, found)| match found {
        Ok(found) => format!("{}: {} us", of.name, found.bound / 1000),
        Err(why) => format!("{}: {why}", of.name),
    });
    rows.collect()
}

#[test]
fn hello_is_certified() {
    let hello = system(include_str!("../../../examples/hello.toml"));
    let bounds = ["task.watchdog: 200 us", "task.control: 7400 us", "task.log: 10600 us"];
    // From an idle guest on, each by the other.
    assert_eq!(certified(&hello), bounds);
}

#[test]
fn consolidation_is_certified_under_edf_too() {
    let found = certified(&system(include_str!("../../../examples/consolidation.toml")));
    let core_1 = [
        // Alone: 1424 us are three budgets of 500 us, 1424 + 3 x 2000.
        "task.engine-10ms: 7424 us",
        "task.chassis-5ms: 3214 us",
        "task.chassis-10ms: 8214 us",
        "task.chassis-20ms: 8883 us",
    ];
    assert_eq!(found[11..15], core_1);
}

#[test]
fn a_task_alone_beside_routines_is_certified() {
    let found = certified(&system(include_str!("../../../examples/irq-reservations.toml")));
    assert_eq!(found[3..], ["task.wide-control: 50000 us", "task.narrow-control: 40000 us"]);
}

#[test]
fn a_storm_that_is_held_back_is_a_load() {
    let found = certified(&system(include_str!("../../../examples/interrupts.toml")));
    let of_tasks = [
        "watchdog: 192 us",
        "receive: 149 us",
        "route: 19936 us",
        "injection: 11697 us",
        "diagnosis: 21912 us",
    ];
    for (found, expected) in found.iter().zip(of_tasks) {
        assert!(found.starts_with(&format!("task.{expected}")), "{found}");
    }
    assert_eq!(found[5], "require.packet-handled: 149 us");
}

#[test]
fn what_timers_wake_is_certified() {
    let found = certified(&system(include_str!("../../../examples/timers.toml")));
    // 200 us, and 2.5 us for each of seven expiries: one of its own, two of the logger, four that only take time.
    // Behind a shield its own expiry may wait, and the others come before the first decision.
    assert_eq!(found, ["task.control-a: 217 us", "task.control-b: 235 us"]);
    let found = certified(&system(include_str!("../../../examples/industrial-pc.toml")));
    let of_tasks = ["ethercat-cycle: 209 us", "plc: 1663 us", "irq-eth1: 32 us"];
    for (found, expected) in found.iter().zip(of_tasks) {
        assert_eq!(*found, format!("task.{expected}"));
    }
}

/// The interrupt of `paid` in the guest of `vcpu.a`, with something else, or with other numbers.
fn paid(replace: &str, by: &str, more: &str) -> Vec<String> {
    let text = "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n[interrupt.a]\non = \"core.0\"\nisr = \"2us\"\n\
         min-interarrival = \"100us\"\n[interrupt.a.virtual]\nvcpu = \"vcpu.a\"\nisr = \"5us\"\nwakes = \"task.a\"\n\
         pseudo-vcpu = { budget = \"15us\", period = \"100us\", rule = \"arrival\", priority = 2 }\n\
         [vcpu.a]\nvm = \"a\"\non = \"core.0\"\nserver = \"deferrable\"\nbudget = \"30us\"\nperiod = \"100us\"\n\
         priority = 1\nscheduler = \"fixed-priority\"\n[task.a]\non = \"vcpu.a\"\nwcet = \"10us\"\n\
         deadline = \"90us\"\npriority = 9\n[task.b]\non = \"core.0\"\nwcet = \"7us\"\nperiod = \"90us\"\n\
         deadline = \"90us\"\npriority = 3\n";
    assert!(text.contains(replace));
    certified(&system(&format!("{}{more}", text.replace(replace, by))))
}

#[test]
fn a_credit_pays_for_an_interrupt_that_is_alone() {
    // The routine of the core is 2, then 15 come after it once more and a job of 7.
    assert_eq!(paid("isr", "isr", "")[0], "task.a: 26 us");
    // Of the urgency of its virtual processor it counts with two of its budgets besides.
    assert_eq!(paid("priority = 2", "priority = 1", "")[0], "task.a: 86 us");
}

#[test]
fn what_a_credit_does_not_pay_for_has_the_time_of_its_guest() {
    let page = "not mechanised (docs/theory/pseudo-vcpu.md)";
    let other = "[interrupt.c]\non = \"core.0\"\nisr = \"1us\"\nmin-interarrival = \"1ms\"\n[interrupt.c.virtual]\n\
         vcpu = \"vcpu.a\"\nisr = \"1us\"\npseudo-vcpu = { budget = \"1us\", period = \"1ms\", rule = \"arrival\", \
         priority = 2 }\n";
    let task = "[task.c]\non = \"vcpu.a\"\nwcet = \"1us\"\nperiod = \"1ms\"\npriority = 9\n";
    let held = format!("requests that are held back: {page}");
    // Its virtual processor has no time either.
    let late = format!("an interrupt that may come before the last one is handled: {page}");
    let same = ("isr", "isr");
    let slow = ("budget = \"15us\", period = \"100us\"", "budget = \"15us\", period = \"101us\"");
    let long = ("wcet = \"7us\"", "wcet = \"74us\"");
    for ((replace, by), more, why) in
        [(same, other, "222 us"), (same, task, "216 us"), (slow, "", &held), (long, "", &late)]
    {
        assert_eq!(paid(replace, by, more)[0], format!("task.a: {why}"));
    }
}

#[test]
fn blocking_under_edf_is_named() {
    let text = include_str!("../../../examples/consolidation.toml");
    let blocked = text.replace("wcet = \"86us\"", "wcet = \"86us\"\nblocking = \"1us\"");
    let found = certified(&system(&blocked));
    let page = "blocking under EDF: not mechanised (docs/theory/edf-response.md)";
    assert!(found[12..15].iter().all(|row| row.ends_with(page)), "{found:?}");
}

/// 3 us for each switch; the watchdog may begin behind one, and takes two of them: 3 + 200 + 6.
#[test]
fn calls_and_switches_beside_a_server_are_certified() {
    let machine = include_str!("../../../examples/fleet/machine.toml");
    let beside = |text: &str| {
        let own =
            text.lines().filter(|of| !of.starts_with("version") && !of.starts_with("include"));
        let own: Vec<_> = own.collect();
        certified(&system(&format!("{machine}\n{}", own.join("\n"))))
    };
    let press = beside(include_str!("../../../examples/fleet/press.toml"));
    // The task finds its budget, for it is alone. It gets its 1200 us in 1415 us: with two switches under way, one to it, and
    // those of the watchdog, 1200 + 3 x 3 + 206.
    assert_eq!(press, ["task.watchdog: 209 us", "task.move: 1415 us"]);
    let oven = beside(include_str!("../../../examples/fleet/oven.toml"));
    assert_eq!(oven, ["task.watchdog: 209 us", "task.heat: 150215 us"]);
}

/// What the theorem leaves out.
#[test]
fn calls_of_the_scheduler_are_named() {
    let text = include_str!("../../../examples/hello.toml");
    let costs = text.replace("priority = 90", "priority = 20");
    let costs = format!("{costs}\n[costs]\ncontext-switch = \"1us\"\n");
    let page = "calls of the scheduler: not mechanised (docs/theory/scheduler-costs.md)";
    let all = certified(&system(&costs));
    assert!(all.iter().all(|row| row.ends_with(page)), "{all:?}");
}

#[test]
fn a_server_beside_an_equal_is_not_certified() {
    let text = include_str!("../../../examples/hello.toml");
    let equals = system(&text.replace("priority = 90", "priority = 20"));
    let all = certified(&equals);
    assert_eq!(all[0].split(' ').next(), Some("task.watchdog:"));
    let page =
        "beside members of equal priority: not mechanised (docs/theory/fixed-priority-server.md)";
    assert!(all[1].ends_with(page) && all[2].ends_with(page), "{all:?}");
}

#[test]
fn a_task_that_an_interrupt_wakes_is_late_by_the_routine() {
    let woken = system(
        "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n[interrupt.a]\non = \"core.0\"\nisr = \"2us\"\n\
         min-interarrival = \"100us\"\nwakes = \"task.a\"\n[task.a]\non = \"core.0\"\nwcet = \"10us\"\n\
         deadline = \"50us\"\npriority = 1\n",
    );
    // The routine takes 2 us, then counts once more as interference: 2 + 12.
    assert_eq!(certified(&woken), ["task.a: 14 us"]);
}

#[test]
fn a_search_ends() {
    let hello = system(include_str!("../../../examples/hello.toml"));
    let found = of_task(&hello, hello.task_ids().next().expect("a task"), &mut Search::new(0));
    assert!(found.is_err());
}

/// The search for a window would end only with its steps.
#[test]
fn what_is_all_of_the_time_is_not_searched() {
    let overload = system(include_str!("../../../examples/irq-reservations.toml"));
    let mut few = Search::new(1_000);
    let mut of = |name| {
        let id = overload.task_ids().find(|&id| overload.task(id).name == name);
        of_task(&overload, id.expect("a task"), &mut few)
    };
    // With what is more urgent it is more than the core, or alone it is all of its server.
    assert_eq!(of("task.overload-control"), Err(Uncertified::NoWindow));
    assert_eq!(of("task.wide-control").map(|of| of.bound), Ok(50_000_000));
    // So steps are left for another one.
    assert!(of("task.above-control").is_ok());
}

#[test]
fn timers_of_budgets_come_before_tasks() {
    let timed = system(
        "version = 1\n[costs]\ninterrupt-entry = \"1us\"\ninterrupt-exit = \"500ns\"\ntimer-expiry = \"500ns\"\n\
         [core.0]\nscheduler = \"fixed-priority\"\n[server.a]\non = \"core.0\"\nserver = \"deferrable\"\n\
         budget = \"2ms\"\nperiod = \"10ms\"\npriority = 1\nscheduler = \"fixed-priority\"\n\
         [task.b]\non = \"core.0\"\nwcet = \"10us\"\nperiod = \"1ms\"\npriority = 2\n\
         [task.c]\non = \"server.a\"\nwcet = \"3ms\"\nperiod = \"50ms\"\npriority = 1\n",
    );
    // A return and an end, of 2 us each. The period in which c begins may end 36 us later, for 2 ms take three jobs of b,
    // two returns and an end; then come 10 ms, and 1 ms beside two jobs of b and a return and an end.
    assert_eq!(certified(&timed), ["task.b: 14 us", "task.c: 11060 us"]);
}

#[test]
fn the_routine_of_a_guest_waits_for_budget() {
    let delivered = system(
        "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n[interrupt.a]\non = \"core.0\"\nisr = \"2us\"\n\
         min-interarrival = \"100us\"\n[interrupt.a.virtual]\nvcpu = \"vcpu.a\"\nisr = \"5us\"\n\
         [vcpu.a]\nvm = \"a\"\non = \"core.0\"\nserver = \"deferrable\"\nbudget = \"30us\"\nperiod = \"100us\"\n\
         priority = 1\nscheduler = \"fixed-priority\"\n[task.b]\non = \"vcpu.a\"\nwcet = \"1us\"\n\
         period = \"1ms\"\npriority = 1\n[require.handled]\nof = \"interrupt.a\"\nhandled-within = \"90us\"\n",
    );
    // 70 us without budget, 5 us of it beside the routine of the core, which is late by 2 us as well; b waits for the
    // routine of the guest.
    assert_eq!(certified(&delivered), ["task.b: 78 us", "require.handled: 79 us"]);
}

#[test]
fn a_task_alone_in_a_reservation_of_linux_is_certified() {
    let host = include_str!("../../../examples/kvm-host.toml");
    let found = certified(&system(host));
    // 200 us, three routines (41 us), calls for motion, its end, the field bus and ktimers (32 us), what is under way
    // (20 us) and one more. Below it 161 us until the routine has ended; then 40 us, its end, motion with its end, and the
    // same.
    assert_eq!(found[..2], ["task.motion: 293 us", "task.fieldbus: 502 us"]);
    // As much as the runtime leaves: more, and what happens when it is used up would matter.
    let less = |budget| {
        let less = host.replacen("\"300us\"", budget, 1);
        certified(&system(&less)).swap_remove(0)
    };
    assert_eq!(less("\"266us\""), "task.motion: 293 us");
    let overrun = "a server of kind sched-deadline that may overrun a whole runtime: not mechanised (docs/theory/late-runtimes.md)";
    assert_eq!(less("\"265us\""), format!("task.motion: {overrun}"));
}

#[test]
fn tasks_below_several_reservations_are_certified() {
    let found = certified(&system(include_str!("../../../examples/kvm-host.toml")));
    // What the four reservations take at once is 11.5 ms, what their runtimes are exceeded by 303 us each; then 60 %.
    assert_eq!(found[5..], ["task.virtio: 40407 us", "task.disk: 35967 us"]);
}

#[test]
fn tasks_in_several_reservations_are_certified() {
    let host = include_str!("../../../examples/kvm-host.toml");
    let found = certified(&system(host));
    // Servers are late by less than 1.61 ms: four overruns with routines (303 us each), what is under way (20 us), and
    // what comes before them once. The budget of process covers its job, three that of a picture, and one five packets.
    let all = ["task.process: 11607 us", "task.picture: 61607 us", "task.network: 6647 us"];
    assert_eq!(found[2..5], all);
    // A picture, and what is charged, may need a fourth budget.
    let larger = certified(&system(&host.replace("\"8ms\"", "\"8900us\"")));
    assert_eq!(larger[3], "task.picture: 81607 us");
    let full = certified(&system(&host.replace("wcet = \"8ms\"", "wcet = \"15ms\"")));
    let page = "whose budgets are not shown to cover its task: not mechanised (docs/theory/several-reservations.md)";
    assert!(full[3].ends_with(page), "{full:?}");
}

#[test]
fn a_whole_runtime_that_is_overrun_is_named() {
    let host = include_str!("../../../examples/kvm-host.toml");
    let found = certified(&system(&host.replacen("\"500us\"", "\"303us\"", 1)));
    let page = "a server of kind sched-deadline that may overrun a whole runtime: not mechanised \
                (docs/theory/late-runtimes.md)";
    assert!(found[5..].iter().all(|row| row.ends_with(page)), "{found:?}");
}

/// A virtual processor of `SCHED_FIFO` below two threads of the kernel.
const HOST: &str = "version = 1\n[core.3]\nscheduler = \"linux\"\nfair-server = \"none\"\n[task.rcuc]\non = \"core.3\"\n\
     wcet = \"20us\"\nperiod = \"4ms\"\npriority = 4\n[task.ktimers]\non = \"core.3\"\nwcet = \"9us\"\n\
     period = \"4ms\"\npriority = 2\n[vcpu.rt]\non = \"core.3\"\nserver = \"none\"\npriority = 1\n[task.loop]\n\
     on = \"vcpu.rt\"\nwcet = \"100us\"\nperiod = \"1ms\"\npriority = 95\n[task.house]\non = \"vcpu.rt\"\n\
     wcet = \"300us\"\nperiod = \"10ms\"\npriority = 1\n";

#[test]
fn what_is_in_a_level_is_certified() {
    let all =
        ["task.rcuc: 20 us", "task.ktimers: 29 us", "task.loop: 129 us", "task.house: 429 us"];
    assert_eq!(certified(&system(HOST)), all);
    // A task below waits for all that is in it.
    let below = "[task.below]\non = \"core.3\"\nwcet = \"1us\"\nperiod = \"20ms\"\npriority = 0\n";
    let below = HOST
        .replace("priority = 1\n[task.loop]", "priority = 1\nblocking = \"5us\"\n[task.loop]")
        + below;
    let all = ["task.loop: 134 us", "task.house: 434 us", "task.below: 430 us"];
    assert_eq!(certified(&system(&below))[2..], all);
}

#[test]
fn a_level_beside_an_equal_is_named() {
    let equal = HOST.replace("priority = 2", "priority = 1");
    let page = "a level beside members of equal priority: not mechanised (docs/theory/levels.md)";
    let all = certified(&system(&equal));
    assert!(all[2..].iter().all(|row| row.ends_with(page)), "{all:?}");
    let blocked = HOST.replace("priority = 95", "priority = 95\nblocking = \"1us\"");
    let below = "[task.below]\non = \"core.3\"\nwcet = \"1us\"\nperiod = \"20ms\"\npriority = 0\n";
    let page = "blocking in a level: not mechanised (docs/theory/levels.md)";
    let all = certified(&system(&(blocked + below)));
    assert_eq!(all[2], "task.loop: 130 us");
    assert!(all[4].ends_with(page), "{all:?}");
}

#[test]
fn a_routine_below_that_has_begun_runs_to_its_end() {
    let routine = |name: &str, priority: u32, isr: u32| {
        format!(
            "[interrupt.{name}]\non = \"core.0\"\nisr = \"{isr}ns\"\npriority = {priority}\nmin-interarrival = \"100ns\"\n\
             [require.{name}]\nof = \"interrupt.{name}\"\nhandled-within = \"90ns\"\n"
        )
    };
    let routines = [routine("a", 3, 2), routine("b", 1, 5), routine("c", 2, 4)].concat();
    let bounds = |order: &str| {
        let core = format!("[core.0]\nscheduler = \"fixed-priority\"\ninterrupts = \"{order}\"\n");
        let system = system(&format!("version = 1\n{core}{routines}"));
        let found = vorrang_certify::certificates(&system, 1_000_000);
        found.into_iter().map(|of| of.expect("a certificate").bound).collect::<Vec<_>>()
    };
    // Of b all but a unit is left, at most, when a or c is requested.
    assert_eq!(bounds("priority"), [2 + 4, 5 + 2 + 4, 4 + 2 + 4]);
    assert_eq!(bounds("nested"), [2, 5 + 2 + 4, 4 + 2]);
}
