//! The page and the profile of a kernel that is made up, and a kernel that is.

use super::*;
use vorrang_enforce::{Kernel, known};
use vorrang_measure::kernel::gaps::Grid;
use vorrang_measure::kernel::{Built, Calls, Facts, Thread, Ticks};
use vorrang_measure::profile::Profile;
use vorrang_model::system::LongestSeen;
use vorrang_model::{Format, read_profile, read_with};
use vorrang_verdict::identity::TOOL;

fn sorted(from: u32, to: u32) -> Sorted {
    Sorted::of((from..=to).map(|step| f64::from(step) * 100.0)).expect("some")
}

fn made() -> Measured {
    let facts = Facts {
        release: "9.1.7-rt".to_owned(),
        is_realtime: true,
        built: Ok(Built { hertz: 250, interrupts_are_apart: false }),
        runtimes_end: "a timer ends runtimes (HRTICK_DL)".to_owned(),
        has_sched_ext: true,
        fair_server: Ok((50_000_000, 1_000_000_000)),
    };
    let grid = Grid { period_ns: 4_000_000, phase_ns: 7, jitter_ns: 1_900 };
    let thread = Thread { name: "ktimers".to_owned(), priority: 1, ran: sorted(50, 90) };
    Measured {
        facts,
        ticks: Ok(Ticks { grid, took: sorted(20, 31) }),
        others: Some(sorted(10, 12)),
        threads: Ok(vec![thread]),
        calls: Ok(Calls { wake: sorted(30, 80), sleep: sorted(20, 40) }),
        sections: Ok(sorted(0, 210)),
        late: Ok(sorted(0, 44)),
        conditions: vec![("date", "2026-11-22 20:00 UTC".to_owned())],
        remarks: vec!["No CPU is isolated.".to_owned()],
    }
}

/// Of which nothing could be measured.
fn nothing() -> Measured {
    let why = |why: &str| why.to_owned();
    let facts = Facts {
        built: Err(why("no configuration")),
        fair_server: Err(why("no debugfs")),
        is_realtime: false,
        has_sched_ext: false,
        ..made().facts
    };
    Measured {
        facts,
        ticks: Err(why("no CONFIG_HZ")),
        others: None,
        threads: Err(why("no tick")),
        calls: Err(why("no thread woke")),
        sections: Err(why("no thread woke again")),
        late: Err(why("it is refused")),
        ..made()
    }
}

fn written(measured: &Measured, there: &str) -> String {
    let mut profile: Profile = there.parse().expect("a profile");
    profile.replace_kernel(measured);
    profile.within(there).expect("a profile")
}

fn on(kernel: &str) -> vorrang_model::System {
    let text = "version = 1\n[core.0]\nscheduler = \"linux\"\nkernel = \"kernel.toml\"\n";
    let find = |_: &str| read_profile(kernel, Format::Toml).map_err(|errors| format!("{errors:?}"));
    read_with(text, Format::Toml, find).expect("a description")
}

#[test]
fn the_page_has_the_numbers_and_what_is_missing() {
    let pages = format!("{}\n{}", page(&made()), page(&nothing()));
    insta::assert_snapshot!(pages.replace(TOOL, "TOOL"));
}

#[test]
fn the_profile_has_a_source_for_each_number() {
    insta::assert_snapshot!(written(&made(), "version = 1\n"));
}

#[test]
fn a_core_takes_its_kernel_from_the_profile() {
    let system = on(&written(&made(), "version = 1\n"));
    let core = system.supply(system.cores().next().expect("a core"));
    let ns = vorrang_time::Duration::from_ns;
    assert_eq!(system.costs.scheduler_call, ns(8_000));
    assert_eq!((core.overrun, core.sections), (ns(4_400), ns(21_000)));
    assert_eq!(system.interrupts[0].isr, ns(3_100));
    assert_eq!(system.interrupts[0].jitter, ns(1_900));
    assert_eq!((system.tasks[0].wcet, system.tasks[0].priority.0), (ns(9_000), 1));
    let kernel = core.kernel.as_ref().expect("it is named");
    let seen: Vec<(&str, u64)> = kernel
        .longest_seen
        .iter()
        .map(|LongestSeen { what, samples }| (what.as_str(), *samples))
        .collect();
    let expected = [
        ("costs", 51),
        ("runtimes that end late", 45),
        ("sections", 211),
        ("tick", 12),
        ("ktimers", 41),
    ];
    assert_eq!(seen, expected);
    assert_eq!(kernel.not_counted.len(), 4);
}

#[test]
fn what_could_not_be_measured_is_left_out_and_named() {
    let system = on(&written(&nothing(), "version = 1\n"));
    let core = system.supply(system.cores().next().expect("a core"));
    assert!(system.interrupts.is_empty() && core.overrun.is_zero() && core.sections.is_zero());
    assert!(!system.tasks.iter().any(|task| task.name.contains("ktimers")));
    let named = &core.kernel.as_ref().expect("it is named").not_counted;
    for what in [
        "the tick",
        "calls of the scheduler",
        "end late",
        "preemption or interrupts off",
        "interrupts are charged to",
        "soft interrupts",
        "SCHED_OTHER",
    ] {
        assert!(named.iter().any(|said| said.contains(what)), "{what}: {named:?}");
    }
}

/// A kernel that was measured before, or written by hand, goes; the rest of the profile stays.
#[test]
fn a_kernel_replaces_the_one_that_was_there() {
    let before = "# Mine.\nversion = 1\n[costs]\nvm-exit = \"3us\" # by hand\nscheduler-call = \"1us\"\n\
                  [kernel]\nsource = \"by hand\"\n[kernel.task.old]\nwcet = \"1us\"\nperiod = \"1ms\"\npriority = 5\n\
                  source = \"by hand\"\n";
    let after = written(&made(), before);
    assert!(
        after.starts_with("# Mine.") && after.contains("vm-exit = \"3us\" # by hand"),
        "{after}"
    );
    assert!(
        !after.contains("[kernel.task.old]") && after.contains("scheduler-call = \"8000ns\""),
        "{after}"
    );
    let again = written(&made(), &after);
    assert_eq!(written(&made(), &again), again, "it has its place behind the rest");
}

/// A system of some files.
fn files(all: &[(&str, &str)]) -> impl Kernel {
    known(all.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())).collect())
}

const SERVER: &str = "/sys/kernel/debug/sched/fair_server/cpu0/runtime";

#[test]
fn the_system_is_asked_and_what_it_does_not_say_is_said() {
    const ALL: &[(&str, &str)] = &[
        ("/proc/sys/kernel/osrelease", "9.1.7-rt\n"),
        ("/proc/sys/kernel/version", "#1 SMP PREEMPT_RT Debian\n"),
        ("/boot/config-9.1.7-rt", "CONFIG_HZ=250\n"),
        ("/sys/kernel/debug/sched/features", "PLACE_LAG HRTICK_DL\n"),
        ("/sys/kernel/sched_ext/state", "disabled\n"),
        (SERVER, "50000000\n"),
        ("/sys/kernel/debug/sched/fair_server/cpu0/period", "1000000000\n"),
        ("/sys/kernel/debug/sched/fair_server/cpu1/runtime", "50000000\n"),
        ("/sys/kernel/debug/sched/fair_server/cpu1/period", "1000000000\n"),
    ];
    const OTHER: &[(&str, &str)] = &[ALL[5], ALL[6], (ALL[7].0, "1"), ALL[8]];
    const OFF: &[(&str, &str)] = &[(SERVER, "0\n"), ALL[6]];
    assert_eq!(facts::of(&files(ALL)), made().facts);
    let none = facts::of(&files(&[]));
    assert!(none.built.is_err() && none.fair_server.is_err() && !none.is_realtime, "{none:?}");
    assert!(none.runtimes_end.contains("not known"), "{none:?}");
    assert!(facts::of(&files(OTHER)).fair_server.is_err_and(|why| why.contains("different")));
    assert_eq!(facts::of(&files(OFF)).fair_server, Ok((0, 0)));
}
