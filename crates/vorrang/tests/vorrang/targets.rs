//! Each target has its rule and its limits: what is proven for one is not written for another, and what a kernel refuses
//! is known before there is one.

use crate::program::{Run, run};
use std::path::PathBuf;

fn path(system: &str) -> String {
    format!("crates/vorrang/tests/systems/{system}.toml")
}

fn checked(system: &str) -> Run {
    run(&["check", &path(system), "--runs", "20"])
}

fn exported(system: &str, program: &str) -> Run {
    run(&["export", &path(system), "--as", program])
}

/// The errors, without the name of the file.
fn errors(system: &str, run: &Run) -> String {
    let file = format!("error: {}: ", path(system));
    let lines = run.err.lines().filter_map(|line| line.strip_prefix(&file));
    lines.collect::<Vec<&str>>().join("\n")
}

#[test]
fn xen_takes_deferrable_servers_by_deadline() {
    let domains = exported("two-domains-under-rtds", "xl");
    assert_eq!(domains.code, 0, "{}", domains.err);
    insta::assert_snapshot!(domains.out, @r"
    # Xen with sched=rtds, or a pool of processors with it. Every other virtual processor, Dom0's too, is to be pinned
    # to other processors.
    # vcpu.a
    xl vcpu-pin domA 0 1
    xl sched-rtds -d domA -v 0 -p 10000 -b 4000 -e 0
    # vcpu.b
    xl vcpu-pin domB 0 1
    xl sched-rtds -d domB -v 0 -p 10000 -b 5000 -e 0
    ");
    // It is a matter of the rule alone: what is refuted is written, too.
    assert_eq!(checked("two-vcpus-under-rtds").code, 1);
    assert_eq!(exported("two-vcpus-under-rtds", "xl").code, 0);
}

#[test]
fn xen_takes_no_other_server() {
    for system in ["two-vcpus-under-linux", "two-vcpus-under-cbs"] {
        let refused = exported(system, "xl");
        assert_eq!((refused.code, refused.out.as_str()), (4, ""));
        assert!(!refused.err.contains("Linux"), "{}", refused.err);
        let expected = [
            "vcpu.rt0: Xen has no such server, only \"deferrable\"",
            "vcpu.rt1: Xen has no such server, only \"deferrable\"",
        ];
        for line in expected {
            assert!(errors(system, &refused).lines().any(|own| own == line), "{}", refused.err);
        }
    }
    assert_eq!(checked("two-vcpus-under-linux").code, 0);
    assert_eq!(exported("two-vcpus-under-linux", "chrt").code, 0);
}

#[test]
fn xen_takes_no_other_time_and_no_other_thread() {
    let refused = exported("what-xen-does-not-take", "xl");
    assert_eq!((refused.code, refused.out.as_str()), (4, ""));
    insta::assert_snapshot!(errors("what-xen-does-not-take", &refused), @r#"
    task.beside: Xen runs nothing beside virtual processors; put it into one
    vcpu.short: its budget is 5us, and Xen takes no budget below 10us
    vcpu.short: its period is 9us, and Xen takes no period below 10us
    vcpu.uneven: its budget is 10.5us, and Xen counts in units of 1us
    server.thread: "name:thread" is no virtual processor of Xen: `thread = "vm:DOMAIN/0"`
    "#);
}

/// What the deferrable servers of Xen are on a Linux: `vorrang-host` runs them, and nothing else does.
#[test]
fn linux_takes_no_deferrable_server() {
    for program in ["chrt", "systemd", "libvirt"] {
        let refused = exported("two-domains-under-rtds", program);
        assert_eq!((refused.code, refused.out.as_str()), (4, ""));
        assert!(refused.err.contains("vcpu.a: Linux has no such server, only \"sched-deadline\""));
    }
}

/// The choice for a server: the value of a key.
fn chosen(out: &str, key: &str) -> String {
    let line = out.lines().find(|line| line.starts_with(key)).unwrap_or_else(|| panic!("{out}"));
    line.split('"').nth(1).expect("a text").to_owned()
}

fn designed(system: &str) -> String {
    let file = std::env::temp_dir().join(format!("vorrang-{system}-{}.toml", std::process::id()));
    let name = file.to_str().expect("a path of text");
    let run = run(&["design", &path(system), "--out", name]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let text = std::fs::read_to_string(&file).expect("it was written");
    std::fs::remove_file(&file).expect("it is there");
    assert!(!run.err.contains("W0008"), "{}", run.err);
    text
}

#[test]
fn a_design_is_one_that_linux_takes() {
    let long = designed("design-above-the-longest-period");
    assert_eq!(chosen(&long, "period"), "4.194304s");
    let short = designed("design-below-the-shortest-period");
    assert_eq!(chosen(&short, "period"), "100us");
}

/// The codes of the warnings, with what is said.
fn warnings(run: &Run) -> String {
    let lines = run.err.lines().filter_map(|line| line.strip_prefix("warning["));
    lines.collect::<Vec<&str>>().join("\n")
}

#[test]
fn what_linux_refuses_is_warned_of() {
    let all = checked("limits-of-linux");
    insta::assert_snapshot!(warnings(&all), @r#"
    W0008]: the budget of server.small is 500ns, and Linux takes no budget below 1024ns
    W0008]: the period of server.small is 50us, and Linux takes no period below 100us
    W0008]: the period of server.long is 10s, and Linux takes no period above 4.194304s
    W0009]: the "sched-deadline" servers of core.0 take 97.00 %, and Linux admits 95.00 %
    W0008]: task.urgent has priority 120, which Linux does not have
    "#);
    let short = checked("period-below-the-shortest");
    assert_eq!(short.code, 0);
    insta::assert_snapshot!(warnings(&short), @r"
    W0008]: the period of server.x is 40us, and Linux takes no period below 100us
    ");
}

/// The machine that runs the test has a kernel with these settings, or no such files, where the default counts.
#[test]
fn a_plan_holds_no_period_that_the_kernel_refuses() {
    let settings = PathBuf::from("/proc/sys/kernel/sched_deadline_period_min_us");
    let shortest = std::fs::read_to_string(settings).ok().and_then(|text| text.trim().parse().ok());
    if shortest.unwrap_or(100) <= 40 {
        eprintln!("this kernel is set to take periods of 40 us: it would not refuse the plan");
        return;
    }
    let planned = run(&["apply", &path("period-below-the-shortest")]);
    assert_eq!((planned.code, planned.out.as_str()), (2, ""));
    assert!(
        planned.err.contains("server.x: its period is 40us, and this kernel takes no period below")
    );
}

#[test]
fn a_processor_and_a_thread_are_there_once() {
    let run = checked("processor-and-thread-twice");
    assert_eq!(run.code, 2);
    for said in [
        "error[E0411]: core.0 and core.1 are both processor 1",
        "error[E0412]: task.a and task.b are both the thread name:x",
    ] {
        assert!(run.err.contains(said), "{}", run.err);
    }
}

/// A margin ends where the kernel does, and so does an advice.
#[test]
fn a_margin_is_one_that_linux_takes() {
    let run = run(&["margin", &path("margin-of-a-reservation")]);
    assert_eq!(run.code, 0, "{}", run.err);
    let proven = |what: &str| {
        let line = run.out.lines().find(|line| line.contains(what)).expect("a line");
        line.split_whitespace().nth_back(2).expect("a column").to_owned()
    };
    assert_eq!(proven("budget of server.x"), "1.024us");
    assert_eq!(proven("period of server.x"), "4.194304s");
}

/// What the Microkit makes of it is what was proven: read back, it has the same contexts.
#[test]
fn the_microkit_takes_queues_of_two_refills() {
    let written = exported("contexts-of-sel4", "microkit");
    assert_eq!(written.code, 0, "{}", written.err);
    insta::assert_snapshot!(written.out);
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("parts.system");
    // As it says: the machine goes into the domain of its monitor.
    let whole = written
        .out
        .replace("<!-- into the protection domain of its monitor:", "")
        .replace("    -->", "");
    std::fs::write(&file, whole).unwrap();
    let imported = run(&["import", file.to_str().unwrap()]);
    assert_eq!(imported.code, 0, "{}", imported.err);
    for table in [
        "[server.motor]\non = \"core.0\"\nserver = \"refill-queue\"\nbudget = \"4ms\"\nperiod = \"10ms\"\npriority = 30\nrefills = 2\n",
        "[server.log]\non = \"core.1\"\nserver = \"refill-queue\"\nbudget = \"1ms\"\nperiod = \"5ms\"\npriority = 10\nrefills = 2\n",
        "budget = \"3ms\"\nperiod = \"10ms\"\npriority = 20\nrefills = 2\n",
    ] {
        assert!(imported.out.contains(table), "{}", imported.out);
    }
}

#[test]
fn the_microkit_takes_no_other_queue() {
    let system = "what-the-microkit-does-not-take";
    let refused = exported(system, "microkit");
    assert_eq!((refused.code, refused.out.as_str()), (4, ""));
    insta::assert_snapshot!(errors(system, &refused));
}
