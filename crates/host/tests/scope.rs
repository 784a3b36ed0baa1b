//! What a description may ask for, and what is refused by name.

use vorrang_host::scope::{Scope, Unfit};
use vorrang_host::uncounted::uncounted;
use vorrang_model::{Format, System, read};
use vorrang_time::Duration;

/// The only core that is run.
fn only(system: &System) -> Result<Scope, Unfit> {
    let mut scopes = Scope::all(system, Duration::from_ms(1))?;
    assert_eq!(scopes.len(), 1);
    Ok(scopes.remove(0))
}

/// A core with a server of that kind, whose task has that line.
fn described(scheduler: &str, kind: &str, line: &str) -> Result<Scope, Unfit> {
    let text = format!(
        r#"version = 1
[core.0]
scheduler = "{scheduler}"
cpu = 1
[server.a]
on = "core.0"
server = "{kind}"
budget = "2ms"
period = "10ms"
{priority}
thread = "name:a"
[task.a]
on = "server.a"
wcet = "1ms"
period = "50ms"
{line}
"#,
        priority = if scheduler == "fixed-priority" { "priority = 1" } else { "" },
    );
    let system = read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    only(&system)
}

#[test]
fn every_kind_that_is_run_is_accepted() {
    for kind in ["periodic", "polling"] {
        for scheduler in ["fixed-priority", "edf"] {
            let scope = described(scheduler, kind, "").expect("it need not see wake-ups");
            assert_eq!((scope.cpu, scope.servers.len()), (1, 1));
        }
    }
    for kind in ["deferrable", "sporadic", "refill-queue"] {
        assert!(described("fixed-priority", kind, "jitter = \"1ms\"").is_ok(), "{kind}");
    }
    for kind in ["deferrable", "cbs-hard"] {
        assert!(described("edf", kind, "jitter = \"1ms\"").is_ok(), "{kind}");
    }
}

#[test]
fn wake_ups_that_are_seen_late_are_stated_as_jitter_or_refused() {
    let by_priority =
        ["deferrable", "sporadic", "refill-queue"].map(|kind| ("fixed-priority", kind));
    let by_deadline = ["deferrable", "cbs-hard"].map(|kind| ("edf", kind));
    for (scheduler, kind) in by_priority.into_iter().chain(by_deadline) {
        let unfit = described(scheduler, kind, "jitter = \"999us\"").expect_err("too little");
        assert!(unfit.missing.is_empty(), "{unfit:?}");
        assert!(unfit.wrong[0].starts_with("task.a: what wakes server.a is seen"), "{unfit:?}");
    }
}

#[test]
fn what_is_not_run_is_refused_by_name() {
    for (scheduler, kind, name) in [
        ("edf", "cbs-soft", "server.a: a soft server"),
        ("fixed-priority", "posix-sporadic", "server.a: an exhausted"),
        ("linux", "sched-deadline", "core.0: \"linux\""),
        ("edf", "sched-deadline", "server.a: \"sched-deadline\""),
    ] {
        let unfit = described(scheduler, kind, "").expect_err("it is not run");
        assert!(unfit.missing.iter().any(|line| line.starts_with(name)), "{unfit:?}");
    }
}

#[test]
fn too_much_is_refused_with_what_tasks_take() {
    let text = r#"
version = 1
[core.0]
scheduler = "fixed-priority"
[server.a]
on = "core.0"
server = "polling"
budget = "9ms"
period = "10ms"
priority = 1
thread = "irq:eth0"
[task.b]
on = "core.0"
wcet = "1ms"
period = "100ms"
priority = 3
thread = "name:b"
[interrupt.c]
on = "core.0"
isr = "1us"
min-interarrival = "1s"
"#;
    let system = read(text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?}"));
    let Unfit { missing, wrong } = Scope::all(&system, Duration::from_ms(1)).expect_err("much");
    assert_eq!(missing, [""; 0]);
    let said = |text: &str| wrong.iter().any(|line| line.contains(text));
    assert!(said("91 % of the processor"), "{wrong:?}");
    assert!(said("core.0 does not say which processor it is"), "{wrong:?}");
}

/// What the dispatcher takes is stated, or said to be missing.
#[test]
fn what_is_proven_counts_the_dispatcher() {
    let look = Duration::from_ms(1);
    let missing = |kind: &str, rest: &str| {
        let text = format!(
            "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\ncpu = 1\n\
             [server.a]\non = \"core.0\"\nserver = \"{kind}\"\nbudget = \"2ms\"\nperiod = \"10ms\"\n\
             priority = 1\nthread = \"name:a\"\n[task.a]\non = \"server.a\"\nwcet = \"1ms\"\n\
             period = \"50ms\"\njitter = \"1ms\"\n{rest}"
        );
        let system = read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?}"));
        uncounted(&system, &only(&system).expect("it is run"), look).len()
    };
    let costs = "[costs]\nscheduler-call = \"25us\"\n";
    let looks = |apart: &str| {
        format!(
            "{costs}[interrupt.look]\non = \"core.0\"\nisr = \"25us\"\nmin-interarrival = \"{apart}\"\n"
        )
    };
    assert_eq!((missing("polling", ""), missing("polling", costs)), (1, 0));
    assert_eq!((missing("sporadic", ""), missing("sporadic", costs)), (2, 1));
    assert_eq!((missing("sporadic", &looks("2ms")), missing("sporadic", &looks("1ms"))), (1, 0));
}

/// Slots of threads, one after the other.
#[test]
fn slots_are_run() {
    let slot = |name: &str, offset: u64, budget: u64| {
        format!(
            "[server.{name}]\non = \"core.0\"\nserver = \"slot\"\noffset = \"{offset}ms\"\nbudget = \"{budget}ms\"\n\
             period = \"10ms\"\nthread = \"name:{name}\"\n"
        )
    };
    let core = "version = 1\n[core.0]\nscheduler = \"slots\"\ncpu = 1\n";
    let scope = |text: String| {
        let system = read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?}"));
        only(&system)
    };
    let both = scope(format!("{core}{}{}", slot("a", 0, 4), slot("b", 4, 5)));
    assert_eq!(both.expect("they are run").servers.len(), 2);
    let unfit = scope(format!("{core}{}{}", slot("a", 0, 4), slot("b", 4, 6))).expect_err("all");
    assert!(unfit.wrong[0].starts_with("core.0: 100 % of the processor"), "{unfit:?}");
}

/// A core of two servers that take turns, one of which may be that of all other threads.
fn taking_turns(scheduler: &str, quantum: &str, rest: [&str; 2]) -> Result<Scope, Unfit> {
    let [share, task] = rest;
    let has_shares = scheduler != "round-robin";
    let own = if has_shares { "share = 3" } else { "" };
    let share = if has_shares { share.to_owned() } else { share.replace("share = 1", "") };
    let text = format!(
        "version = 1\n[core.0]\nscheduler = \"{scheduler}\"\nquantum = \"{quantum}\"\ncpu = 1\n\
         [server.a]\non = \"core.0\"\nserver = \"share\"\n{own}\nthread = \"name:a\"\n\
         [server.rest]\non = \"core.0\"\nserver = \"share\"\n{share}\n{task}"
    );
    let system = read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    only(&system)
}

#[test]
fn turns_are_run_where_all_other_threads_have_some_of_them() {
    let always =
        "[task.rest]\non = \"server.rest\"\nwcet = \"1s\"\nperiod = \"1s\"\ndeadline = \"none\"\n";
    for scheduler in ["round-robin", "weighted-round-robin", "stride", "vtrr"] {
        let scope = taking_turns(scheduler, "10ms", ["share = 1", always]).expect("it is run");
        assert_eq!(scope.servers[1].selector, None, "{scheduler}");
    }
    let wrong = |quantum: &str, rest: [&str; 2]| {
        let unfit = taking_turns("vtrr", quantum, rest).expect_err("it is not run");
        assert!(unfit.missing.is_empty(), "{unfit:?}");
        unfit.wrong.join("\n")
    };
    let has_thread = ["share = 1\nthread = \"name:b\"", ""];
    assert!(wrong("10ms", has_thread).contains("0 of 4 turns are left"));
    assert!(wrong("10ms", ["share = 1", ""]).contains("put a task on it that always has"));
    assert!(wrong("500us", ["share = 1", always]).contains("quantum is 500us, below 1ms"));
    assert!(wrong("150ms", ["share = 1", always]).contains("4 turns of 150ms are more than"));
}

/// A guest with an interrupt; `card` has lines of its table, of `virtual`, and of `virtual.pseudo-vcpu` if it has one.
fn guest(scheduler: &str, kind: &str, [card, delivery, pseudo]: [&str; 3]) -> Result<Scope, Unfit> {
    let priority = if scheduler == "fixed-priority" { "priority = 1\n" } else { "" };
    let table = "[interrupt.card.virtual.pseudo-vcpu]\n";
    let pseudo = if pseudo.is_empty() { String::new() } else { format!("{table}{pseudo}\n") };
    let text = format!(
        "version = 1\n[core.0]\nscheduler = \"{scheduler}\"\ncpu = 1\n\
         [vcpu.a]\non = \"core.0\"\nserver = \"{kind}\"\nbudget = \"2ms\"\nperiod = \"10ms\"\n{priority}\
         vm = \"a\"\nthread = \"vm:a/0\"\n\
         [interrupt.card]\non = \"core.0\"\nisr = \"50us\"\nmin-interarrival = \"10ms\"\n{card}\n\
         [interrupt.card.virtual]\nvcpu = \"vcpu.a\"\nisr = \"100us\"\n{delivery}\n{pseudo}"
    );
    let system = read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    only(&system)
}

#[test]
fn interrupts_of_guests_are_run_where_they_are_seen() {
    let (seen, paid) = ("vector = \"64\"", "budget = \"200us\"\nperiod = \"10ms\"");
    let scope = guest("fixed-priority", "deferrable", ["", seen, paid]).expect("it is run");
    let [card] = scope.interrupts.as_slice() else { panic!("{:?}", scope.interrupts) };
    let own = card.pseudo_vcpu.as_ref().expect("it has one");
    assert_eq!((own.priority, own.credit), (2, Duration::from_us(100)), "above the guest");
    let scope = guest("edf", "deferrable", ["", seen, ""]).expect("it is run");
    assert_eq!(scope.interrupts[0].pseudo_vcpu, None);
    // Where its wake-up need not be noticed, nothing is looked out for.
    assert!(guest("edf", "polling", ["", "", ""]).expect("it is run").interrupts.is_empty());
}

#[test]
fn interrupts_of_guests_that_cannot_be_served_are_refused() {
    let (seen, paid) = ("vector = \"64\"", "budget = \"200us\"\nperiod = \"10ms\"");
    let said = |scheduler: &str, kind: &str, lines: [&str; 3]| {
        let Unfit { missing, wrong } = guest(scheduler, kind, lines).expect_err("it is not run");
        [missing, wrong].concat().join("\n")
    };
    let fixed = "fixed-priority";
    assert!(said(fixed, "polling", ["", "", paid]).contains("state the vector"));
    assert!(said(fixed, "deferrable", ["", "", ""]).contains("state the vector"));
    assert!(said(fixed, "polling", ["", "vector = \"0x40\"", paid]).contains("no vector of 16"));
    assert!(said(fixed, "polling", ["storm = \"100us\"", seen, paid]).contains("a storm takes"));
    // Two credits, and three raised in a period: at 10 (late by 11 ms), 20 and 30, or every 10 ms.
    let said_of_jitter = said(fixed, "polling", ["jitter = \"11ms\"", seen, paid]);
    assert!(
        said_of_jitter
            .contains("3 may be raised in a period of its pseudo-VCPU (10ms), which has 2 credits")
            && said_of_jitter
                .contains("state a `period` of at most 9ms, or state `budget = \"300us\"`"),
        "{said_of_jitter}"
    );
    let rare = "budget = \"200us\"\nperiod = \"30ms\"";
    assert!(said(fixed, "polling", ["", seen, rare]).contains("state a `period` of at most 20ms"));
    let other = format!("{paid}\nrule = \"deferrable\"");
    assert!(said(fixed, "polling", ["", seen, &other]).contains("by the rule \"arrival\" only"));
}

/// A core with a server whose thread has that name, on that processor.
fn core(number: u32, cpu: &str, budget: &str, rest: &str) -> String {
    format!(
        "[core.{number}]\nscheduler = \"fixed-priority\"\n{cpu}\n[server.{number}]\non = \"core.{number}\"\n\
         server = \"polling\"\nbudget = \"{budget}\"\nperiod = \"10ms\"\npriority = 1\nthread = \"name:{number}\"\n{rest}"
    )
}

/// A core without members.
const IDLE: &str = "[core.idle]\nscheduler = \"linux\"\n[interrupt.disk]\non = \"core.idle\"\nisr = \"1us\"\nmin-interarrival = \"1ms\"\n";

/// Each core has its own servers, limits and costs; one without members is left alone.
#[test]
fn cores_are_run_side_by_side() {
    let all = |cores: [String; 2]| {
        let text = format!("version = 1\n{}{}{IDLE}", cores[0], cores[1]);
        let system = read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?}"));
        let look = Duration::from_ms(1);
        let scopes = Scope::all(&system, look)?;
        let missing = scopes.iter().map(|scope| uncounted(&system, scope, look).len());
        let missing: Vec<usize> = missing.collect();
        Ok::<_, Unfit>((scopes, missing))
    };
    let (scopes, _) = all([core(0, "cpu = 3", "6ms", ""), core(1, "cpu = 1", "6ms", "")])
        .expect("they are run: 60 % of each");
    let places: Vec<_> = scopes.iter().map(|scope| (scope.cpu, &*scope.servers[0].name)).collect();
    assert_eq!(places, [(3, "server.0"), (1, "server.1")]);
    let unfit = all([core(0, "", "6ms", ""), core(1, "cpu = 1", "9500us", "")]).expect_err("both");
    let said = unfit.wrong.join("\n");
    assert!(said.contains("core.0 does not say which processor it is"), "{said}");
    assert!(said.contains("core.1: 95 % of the processor"), "{said}");
    // What looks take is stated for the core on which they are.
    let task = |number: u32| {
        format!(
            "[task.{number}]\non = \"server.{number}\"\nwcet = \"1ms\"\nperiod = \"50ms\"\njitter = \"1ms\"\n"
        )
    };
    let sporadic = |number| {
        core(number, &format!("cpu = {number}"), "2ms", &task(number))
            .replace("polling", "sporadic")
    };
    let looks = "[costs]\nscheduler-call = \"25us\"\n[interrupt.look]\non = \"core.1\"\nisr = \"25us\"\nmin-interarrival = \"1ms\"\n";
    let (_, missing) = all([sporadic(0), sporadic(1) + looks]).expect("they are run");
    assert_eq!(missing, [1, 0]);
}

#[test]
fn a_description_without_servers_is_refused() {
    let system = read(format!("version = 1\n{IDLE}"), Format::Toml).expect("a core");
    let unfit = Scope::all(&system, Duration::from_ms(1)).expect_err("nothing to run");
    assert_eq!(unfit.wrong, ["there is no server, so nothing to run"]);
}

/// The polling finds the thread of an interrupt as late as any other.
#[test]
fn an_interrupt_that_wakes_a_server_states_the_jitter_of_polling() {
    let with = |jitter: &str| {
        let text = format!(
            "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\ncpu = 1\n[server.a]\non = \"core.0\"\n\
             server = \"deferrable\"\nbudget = \"2ms\"\nperiod = \"10ms\"\npriority = 1\nthread = \"irq:eth0\"\n\
             [interrupt.i]\non = \"core.0\"\nisr = \"1us\"\nmin-interarrival = \"2ms\"\nwakes = \"task.a\"\n\
             jitter = \"{jitter}\"\n[task.a]\non = \"server.a\"\nwcet = \"1ms\"\ndeadline = \"none\"\n"
        );
        only(&read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?}")))
    };
    let scope = with("1ms").expect("it is polled");
    let system = read("version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n", Format::Toml)
        .expect("an empty one");
    let uncounted = uncounted(&system, &scope, Duration::from_ms(1));
    assert!(
        uncounted.iter().any(|line| line.contains("in the middle of a delivery")),
        "{uncounted:?}"
    );
    let Unfit { missing, wrong } = with("999us").expect_err("it is seen later");
    assert_eq!(missing, Vec::<String>::new());
    assert!(wrong[0].starts_with("interrupt.i: that it wakes server.a is seen"), "{wrong:?}");
}
