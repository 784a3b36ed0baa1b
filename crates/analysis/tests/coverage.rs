//! Every feature that no analysis covers leaves its core undecided, by name, and no other core.

use vorrang_analysis::bounds;
use vorrang_model::system::{Activation, DeviceId, InterruptId, TaskId};
use vorrang_model::{Format, read};

/// Two cores that are decided: a virtual machine with an interrupt beside it, and the same again.
const BOTH: &str = r#"
version = 1

[core.0]
scheduler = "fixed-priority"
CORE

[vcpu.a]
on = "core.0"
server = "deferrable"
budget = "4ms"
period = "10ms"
priority = 1
VCPU

[task.a]
on = "vcpu.a"
wcet = "100us"
period = "100ms"
TASK

[task.host]
on = "core.0"
wcet = "100us"
period = "100ms"
priority = 2
HOST

[interrupt.i]
on = "core.0"
isr = "1us"
min-interarrival = "1ms"
INTERRUPT

[cache.c]
model = "flood"
useful = "100%"
sustained = "1ns"

[core.1]
scheduler = "fixed-priority"

[task.other]
on = "core.1"
wcet = "100us"
period = "100ms"
"#;

/// Why nothing is proven about the first core, once `lines` stand at each of these places; `None`
/// if everything is. The second core is decided in any case, but for what `affects_all`.
fn reason(lines: &[(&str, &str)], affects_all: bool) -> Option<String> {
    let mut text = BOTH.to_owned();
    for place in ["CORE", "VCPU", "TASK", "HOST", "INTERRUPT"] {
        let of_place = lines.iter().filter(|(at, _)| *at == place);
        text = text.replace(place, &of_place.map(|(_, line)| *line).collect::<String>());
    }
    for (_, table) in lines.iter().filter(|(at, _)| at.is_empty()) {
        text.push_str(table);
    }
    let system = read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:#?}\n{text}"));
    let bounds = bounds(&system);
    let mut reasons = Vec::new();
    for task in (0..system.tasks.len()).map(TaskId) {
        let finding = bounds.task(task);
        let is_other = system.task(task).name == "task.other";
        if is_other && !affects_all {
            assert!(finding.bound().is_some(), "{:?}", finding.reason());
        } else {
            reasons.push((finding.bound(), finding.reason().map(ToString::to_string)));
        }
    }
    for interrupt in (0..system.interrupts.len()).map(InterruptId) {
        let finding = bounds.interrupt(interrupt);
        reasons.push((finding.bound(), finding.reason().map(ToString::to_string)));
    }
    let (bound, first) = reasons[0].clone();
    for (other, why) in &reasons {
        assert_eq!((other.is_some(), why), (bound.is_some(), &first));
    }
    first.map(|why| why.strip_prefix("no analysis covers ").expect("a name").to_owned())
}

#[test]
fn the_plain_system_is_decided() {
    assert_eq!(reason(&[], false), None);
}

#[test]
fn what_changes_no_bound_is_decided() {
    for (place, line) in
        [("TASK", "bcet = \"100us\""), ("VCPU", "vm = \"a\""), ("CORE", "timers = \"timershield\"")]
    {
        assert_eq!(reason(&[(place, line)], false), None, "{line}");
    }
}

/// An interrupt whose guest has a pseudo-VCPU for it.
fn paid_for(rule: &str, wakes: &str) -> String {
    format!(
        "virtual = {{ vcpu = \"vcpu.a\", isr = \"1us\", wakes = \"{wakes}\", pseudo-vcpu = {{ budget = \"101us\", period = \"1ms\", rule = \"{rule}\" }} }}"
    )
}

/// It keeps credits while the server of the task has no budget, here longer than until the next interrupt.
#[test]
fn credit_that_is_kept_for_too_long_is_named() {
    let inner = "\n[server.s]\non = \"vcpu.a\"\nserver = \"deferrable\"\nbudget = \"10us\"\nperiod = \"10ms\"\npriority = 3\n[task.s]\non = \"server.s\"\nwcet = \"1us\"\nperiod = \"1s\"\npriority = 1\n";
    let lines = |rule: &str| {
        let paid = paid_for(rule, "task.s");
        reason(&[("TASK", "priority = 2\n"), ("INTERRUPT", &paid), ("", inner)], false)
    };
    let named =
        "the pseudo-VCPU of interrupt.i, more than one of which may wait in a server of the guest";
    assert_eq!(lines("arrival").as_deref(), Some(named));
    assert_eq!(lines("deferrable"), None);
    assert_eq!(lines("released"), None);
}

#[test]
fn interrupts_are_decided_whatever_their_order_and_whomever_they_wake() {
    for (place, line) in [
        ("INTERRUPT", r#"virtual = { vcpu = "vcpu.a", isr = "1us" }"#),
        ("INTERRUPT", r#"virtual = { vcpu = "vcpu.a", isr = "1us", wakes = "task.a" }"#),
        ("INTERRUPT", &paid_for("arrival", "task.a")),
        ("INTERRUPT", &paid_for("deferrable", "task.a")),
        ("INTERRUPT", &paid_for("released", "task.a")),
        ("INTERRUPT", r#"wakes = "task.host""#),
        ("INTERRUPT", r#"storm = "2us""#),
        ("CORE", r#"interrupts = "priority""#),
        ("CORE", r#"interrupts = "nested""#),
    ] {
        assert_eq!(reason(&[(place, line)], false), None, "{line}");
    }
}

/// A core of its own with a server and a guest.
fn reason_on(scheduler: &str, server: &str, lines: &str) -> Option<String> {
    let by_deadline = scheduler == "edf" || server == "sched-deadline";
    let priority = if by_deadline { "" } else { "priority = 1" };
    let fair = if scheduler == "linux" { "fair-server = \"none\"\n" } else { "" };
    let text = format!(
        "version = 1\n[core.0]\nscheduler = \"{scheduler}\"\n{fair}[server.s]\non = \"core.0\"\nserver = \"{server}\"\nbudget = \"2ms\"\nperiod = \"10ms\"\n{priority}\n{lines}\n[task.t]\non = \"server.s\"\nwcet = \"3ms\"\nperiod = \"1s\"\n"
    );
    let system = read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:#?}\n{text}"));
    let bounds = bounds(&system);
    let finding = bounds.task(TaskId(0));
    finding.reason().map(ToString::to_string)
}

#[test]
fn every_kind_with_an_analysis_is_decided() {
    for (scheduler, kind, lines) in [
        ("fixed-priority", "periodic", ""),
        ("fixed-priority", "polling", ""),
        ("fixed-priority", "deferrable", ""),
        ("fixed-priority", "sporadic", ""),
        ("fixed-priority", "refill-queue", ""),
        ("edf", "periodic", ""),
        ("edf", "polling", ""),
        ("edf", "deferrable", ""),
        ("edf", "cbs-hard", ""),
        ("edf", "cbs-soft", ""),
        ("edf", "sched-deadline", ""),
        ("linux", "periodic", ""),
        ("linux", "polling", ""),
        ("linux", "deferrable", ""),
        ("linux", "sporadic", ""),
        ("linux", "refill-queue", ""),
        ("linux", "sched-deadline", ""),
        ("linux", "sched-deadline", "deadline = \"4ms\""),
        ("edf", "sched-deadline", "deadline = \"4ms\""),
    ] {
        assert_eq!(reason_on(scheduler, kind, lines), None, "{kind} {lines}");
    }
}

#[test]
fn what_reclaims_and_what_shares_a_soft_server_is_named() {
    let beside = "[server.o]\non = \"core.0\"\nserver = \"sched-deadline\"\nbudget = \"2ms\"\nperiod = \"10ms\"\n";
    for scheduler in ["edf", "linux"] {
        assert_eq!(reason_on(scheduler, "sched-deadline", "reclaim = true"), None);
        assert_eq!(
            reason_on(scheduler, "sched-deadline", &format!("reclaim = true\n{beside}")).as_deref(),
            Some("no analysis covers server.s, a \"sched-deadline\" server that reclaims")
        );
    }
    let other = "scheduler = \"rate-monotonic\"\n[task.o]\non = \"server.s\"\nwcet = \"1us\"\nperiod = \"1s\"\n";
    assert_eq!(
        reason_on("edf", "cbs-soft", other).as_deref(),
        Some("no analysis covers what shares server.s, a \"cbs-soft\" server")
    );
}

#[test]
fn a_task_that_overloads_its_soft_server_is_no_missing_analysis() {
    let text = "version = 1\n[core.0]\nscheduler = \"edf\"\n[server.s]\non = \"core.0\"\nserver = \"cbs-soft\"\nbudget = \"4ms\"\n\
                period = \"10ms\"\n[task.t]\non = \"server.s\"\nwcet = \"5ms\"\nperiod = \"10ms\"\n";
    let bounds = bounds(&read(text, Format::Toml).expect("a description"));
    let reason = bounds.task(TaskId(0)).reason().map(ToString::to_string);
    let expected = "50 % of a core is used on server.s, which has 40 % (task.t 50 %)";
    assert_eq!(reason.as_deref(), Some(expected));
}

#[test]
fn each_feature_alone_leaves_its_core_undecided() {
    let line = "\n[server.s]\non = \"core.0\"\nserver = \"posix-sporadic\"\nbudget = \"1ms\"\nperiod = \"10ms\"\npriority = 3\n\n";
    let named = "server.s, a \"posix-sporadic\" server";
    assert_eq!(reason(&[("", line)], false).as_deref(), Some(named), "{line}");
}

#[test]
fn under_stride_nothing_is_bounded_where_more_is_wanted_than_there_is() {
    let tasks = [("a", 1), ("b", 9)].map(|(name, share)| {
        format!(
            "[task.{name}]\non = \"core.0\"\nshare = {share}\nwcet = \"51ms\"\nperiod = \"100ms\"\n"
        )
    });
    let text = format!(
        "version = 1\n[core.0]\nscheduler = \"stride\"\nquantum = \"1ms\"\n{}",
        tasks.concat()
    );
    let system = read(&text, Format::Toml).expect("a system");
    let expected = "no analysis covers the \"stride\" scheduler of core.0, of which more is wanted than there is";
    for task in [TaskId(0), TaskId(1)] {
        let reason = bounds(&system).task(task).reason().map(ToString::to_string);
        assert_eq!(reason.as_deref(), Some(expected));
    }
}

#[test]
fn a_card_is_decided_where_its_packets_are_apart_and_priority_decides() {
    let device = |lines: &str| {
        format!(
            "\n[device.eth0]\ninterrupt = \"interrupt.i\"\nring = 16\nper-packet = \"1us\"\n{lines}"
        )
    };
    let packets = |arrive: &str| {
        format!("packets = {{ arrive = \"{arrive}\", interval = \"1ms\", payload = 64 }}\n")
    };
    let reason_of = |lines: &str| {
        let lines = device(lines);
        reason(&[("INTERRUPT", "wakes = \"task.host\""), ("", &lines)], false)
    };
    assert_eq!(reason_of(&packets("periodic")), None);
    assert_eq!(
        reason_of(&packets("poisson")).as_deref(),
        Some("device.eth0, whose packets arrive at random without a least distance")
    );
    let waits = "coalesce-packets = 4\ncoalesce-time = \"50us\"\n";
    assert_eq!(reason_of(&(packets("periodic") + waits)), None);
    let burst = "packets = { arrive = \"burst\", burst = 5, interval = \"4ns\", payload = 64 }\n";
    assert_eq!(
        reason_of(burst).as_deref(),
        Some(
            "device.eth0, of which more packets arrive at once than there are nanoseconds between"
        )
    );
    let shield =
        device(&packets("periodic")) + "[timer.t]\narmed-by = \"task.a\"\nperiod = \"9ms\"\n";
    let lines = [
        ("CORE", "timers = \"timershield\""),
        ("INTERRUPT", "wakes = \"task.host\""),
        ("", shield.as_str()),
    ];
    assert_eq!(reason(&lines, false), None);
    let reader = device(&packets("periodic"))
        + "receiver = \"task.r\"\nsocket = 4\n"
        + "[server.r]\non = \"core.0\"\nserver = \"polling\"\nbudget = \"1ms\"\nperiod = \"9ms\"\npriority = 7\nscheduler = \"edf\"\n"
        + "[task.r]\non = \"server.r\"\nwcet = \"1us\"\nperiod = \"1ms\"\n";
    let lines = [("INTERRUPT", "wakes = \"task.host\""), ("", reader.as_str())];
    assert_eq!(
        reason(&lines, false).as_deref(),
        Some("task.r, which processes packets, under \"edf\"")
    );
}

#[test]
fn what_is_done_at_interrupt_level_is_decided() {
    let timer = |lines: &str| format!("\n[timer.t]\narmed-by = \"task.host\"\n{lines}");
    for (place, lines) in [
        ("", timer("period = \"1ms\"\n")),
        ("", timer("period = \"100ms\"\nwakes = true\n")),
        ("", "\n[costs]\ntimer-expiry = \"1us\"\n".to_owned()),
        ("", "\n[costs]\ninterrupt-entry = \"1us\"\n".to_owned()),
        ("", "\n[costs]\ninterrupt-exit = \"1us\"\n".to_owned()),
        ("", "\n[costs]\nvm-exit = \"1us\"\n".to_owned()),
    ] {
        assert_eq!(reason(&[(place, &lines)], false), None, "{lines}");
        let shield = ("CORE", "timers = \"timershield\"");
        assert_eq!(reason(&[(place, &lines), shield], false), None, "{lines}");
    }
}

#[test]
fn calls_switches_and_cold_caches_are_decided() {
    let calls = ("", "\n[costs]\nscheduler-call = \"1ns\"\n");
    let switches = ("", "\n[costs]\ncontext-switch = \"1ns\"\n");
    let of_guest = ("VCPU", "cache = \"cache.c\"");
    let of_task = ("HOST", "cache = \"cache.c\"");
    for lines in [&[calls][..], &[switches], &[of_guest], &[of_task], &[calls, of_guest, of_task]] {
        assert_eq!(reason(lines, false), None, "{lines:?}");
    }
}

#[test]
fn whose_calls_and_cold_caches_nobody_counts_is_named() {
    let server = |scheduler: &str, task: &str| {
        let (turns, share) = match scheduler {
            "round-robin" => ("quantum = \"1us\"", ""),
            "edf" => ("", ""),
            _ => ("", "priority = 1"),
        };
        format!(
            "\n[server.s]\non = \"core.0\"\nserver = \"deferrable\"\nbudget = \"1ms\"\nperiod = \"10ms\"\npriority = 3\nscheduler = \"{scheduler}\"\n{turns}\n[task.s]\non = \"server.s\"\nwcet = \"1us\"\nperiod = \"1s\"\n{share}\n{task}\n[task.r]\non = \"server.s\"\nwcet = \"1us\"\nperiod = \"1s\"\n{share}\n"
        )
    };
    let call = "\n[costs]\nscheduler-call = \"1ns\"\n";
    let of_host = "server.s, a reservation of the host";
    for (first, reservation, named) in [
        (
            call,
            server("edf", ""),
            format!("the time of scheduler calls inside {of_host} whose members have deadlines"),
        ),
        (
            call,
            server("round-robin", ""),
            format!("the time of scheduler calls inside {of_host} whose members take turns"),
        ),
        (
            call,
            server("fixed-priority", "preemption = \"none\""),
            format!(
                "the time of scheduler calls inside {of_host} with tasks that are not preempted"
            ),
        ),
        (
            "",
            server("edf", "cache = \"cache.c\""),
            format!("cold caches inside {of_host} whose members have deadlines"),
        ),
    ] {
        let lines = [("", first), ("", reservation.as_str())];
        // Costs are everywhere, but the other core has nothing of the kind.
        assert_eq!(reason(&lines, false), Some(named));
    }
    for task in ["", "cache = \"cache.c\"", "blocking = \"1us\""] {
        let reservation = server("fixed-priority", task);
        assert_eq!(reason(&[("", call), ("", &reservation)], false), None);
        assert_eq!(reason(&[("", &reservation), ("HOST", "cache = \"cache.c\"")], false), None);
    }
}

/// A sporadic server whose guest is never idle may cut its budget into ever smaller pieces.
#[test]
fn pieces_that_nobody_counts_are_named_where_they_matter() {
    let guest = |wcet: &str, cache: &str| {
        format!(
            "\n[vcpu.s]\non = \"core.0\"\nserver = \"sporadic\"\nbudget = \"1ms\"\nperiod = \"10ms\"\npriority = 0\n{cache}\n[task.s]\non = \"vcpu.s\"\nwcet = \"{wcet}\"\nperiod = \"10ms\"\n"
        )
    };
    let tasks = |lines: &str, vcpu: &str| {
        let text = BOTH.replace("VCPU", vcpu) + lines;
        let places = ["CORE", "TASK", "HOST", "INTERRUPT"];
        let text = places.iter().fold(text, |text, place| text.replace(place, ""));
        let system = read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:#?}"));
        let bounds = bounds(&system);
        let reason = |id| bounds.task(TaskId(id)).reason().map(ToString::to_string);
        // The guest above, and this one.
        [reason(0), reason(3)]
    };
    let named = |what: &str| {
        Some(format!("no analysis covers {what} at replenishment fragments of vcpu.s"))
    };
    let call = "\n[costs]\nscheduler-call = \"1ns\"\n";
    let both = named("the time of scheduler calls");
    assert_eq!(tasks(&(guest("1ms", "") + call), ""), [both.clone(), both]);
    // Where only caches are cold the more urgent ones know what they lose.
    let cache = "cache = \"cache.c\"";
    assert_eq!(tasks(&guest("1ms", cache), cache), [None, named("cold caches")]);
    assert_eq!(tasks(&(guest("400us", cache) + call), cache), [None, None]);
}

#[test]
fn costs_on_other_schedulers_and_in_soft_servers_are_named() {
    let text = |costs: &str, scheduler: &str, lines: &str| {
        let text = format!(
            "version = 1\n{costs}[core.0]\nscheduler = \"{scheduler}\"\n{lines}[cache.c]\nmodel = \"flood\"\nuseful = \"0%\"\nsustained = \"1ns\"\n"
        );
        let system = read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:#?}"));
        let finding = bounds(&system).task(TaskId(0)).clone();
        finding.reason().expect("undecided").to_string()
    };
    let cold = "quantum = \"1us\"\n[server.s]\non = \"core.0\"\nserver = \"share\"\n[task.t]\non = \"server.s\"\nwcet = \"1us\"\nperiod = \"1s\"\ncache = \"cache.c\"\n";
    assert_eq!(
        text("", "stride", &cold.replace("\"share\"", "\"share\"\nshare = 1")),
        "no analysis covers server.s, which has no budget, with cold caches of contexts of the host in it"
    );
    let soft = "[vcpu.v]\non = \"core.0\"\nserver = \"cbs-soft\"\nbudget = \"1us\"\nperiod = \"1ms\"\ncache = \"cache.c\"\n[task.t]\non = \"vcpu.v\"\nwcet = \"1us\"\nperiod = \"1s\"\n";
    assert_eq!(
        text("", "edf", soft),
        "no analysis covers cold caches in vcpu.v, a \"cbs-soft\" server"
    );
}

/// Whatever the source of the system.
#[test]
fn whatever_is_woken_is_named() {
    let text = BOTH.replace("CORE", "").replace("VCPU", "").replace("TASK", "");
    let text = text.replace("HOST", "").replace("INTERRUPT", "");
    let mut system = read(text, Format::Toml).unwrap();
    system.tasks[0].activation = Activation::Device(DeviceId(0));
    let finding = bounds(&system);
    let reason = finding.task(TaskId(1)).reason().unwrap();
    assert_eq!(
        reason.to_string(),
        "no analysis covers task.a, which is not connected to a card and the task that polls it"
    );
}
