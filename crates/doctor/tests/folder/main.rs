//! Every cause on a folder with the files of a machine: absent, present, and where it cannot be seen.

mod cases;
mod well;

use cases::{CASES, Case};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use vorrang_doctor::{Asked, Finding, State, Subject, examine, of_description};
use vorrang_enforce::Folder;
use vorrang_model::{Format, read};

/// A folder with these files instead of those of a machine that is well; an empty text: the file is not there.
fn folder(changes: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let mut files: BTreeMap<&str, &str> = well::FILES.iter().copied().collect();
    files.extend(changes.iter().copied());
    for (path, text) in files {
        if text.is_empty() {
            continue;
        }
        let place = folder.path().join(path.trim_start_matches('/'));
        fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
        fs::write(place, text).expect("a file");
    }
    folder
}

fn on(place: &Path) -> Folder {
    Folder(place.to_owned())
}

fn subject(of: Option<&str>) -> Subject {
    match of {
        None => Subject::machine(),
        Some("any") => Subject::thread(100, None),
        Some(policy) => Subject::thread(100, Some(Asked::read(policy).expect("a policy"))),
    }
}

fn found(case: &Case) -> Option<Finding> {
    let place = folder(case.changes);
    let all = examine(&on(place.path()), &subject(case.of));
    all.into_iter().find(|finding| finding.cause == case.cause)
}

#[test]
fn nothing_is_wrong_with_a_machine_that_is_well() {
    for of in [None, Some("any"), Some("fifo:80"), Some("deadline:1ms/10ms")] {
        let place = folder(&[]);
        let all = examine(&on(place.path()), &subject(of));
        assert!(all.len() > 15, "{of:?}: {}", all.len());
        for finding in all {
            assert_eq!(finding.state, State::Absent, "{of:?}: {finding:?}");
            assert!(finding.remedy.is_empty(), "{finding:?}");
        }
    }
}

#[test]
fn each_cause_is_found_by_its_file() {
    for case in CASES {
        let finding = found(case).unwrap_or_else(|| panic!("{}: {}", case.cause, case.says));
        assert_eq!(finding.state, case.state, "{finding:?}");
        assert!(finding.says.contains(case.says), "{}: {finding:?}", case.says);
        if finding.state != State::Absent {
            assert!(!finding.remedy.is_empty(), "{finding:?}");
        }
        if matches!(finding.state, State::Stops | State::Costs) && !case.changes.is_empty() {
            assert!(!finding.read.is_empty(), "it says where that stands: {finding:?}");
        }
    }
}

#[test]
fn every_cause_has_a_case_in_which_it_is_present() {
    let place = folder(&[]);
    let subjects = [None, Some("any")];
    let names: std::collections::BTreeSet<&str> = subjects
        .iter()
        .flat_map(|of| examine(&on(place.path()), &subject(*of)))
        .map(|finding| finding.cause)
        .collect();
    for name in &names {
        let is_present = |case: &&Case| case.cause == *name && case.state != State::Absent;
        assert!(CASES.iter().any(|case| is_present(&case)), "{name}");
    }
    assert!(CASES.iter().all(|case| names.contains(case.cause)));
}

/// A machine of which nothing is there: everything is unknown or absent, but nothing is claimed.
#[test]
fn an_empty_folder_is_no_machine() {
    let place = tempfile::tempdir().expect("a folder");
    for of in [None, Some("any"), Some("deadline:1ms/10ms")] {
        for finding in examine(&on(place.path()), &subject(of)) {
            let claimed = finding.state == State::Stops && finding.cause != "cpuset-controller";
            assert!(!claimed && finding.state != State::Costs, "{finding:?}");
            // That nothing runs is not seen either.
            if ["irqbalance", "shared-processor", "kvm-pit"].contains(&finding.cause) {
                assert_eq!(finding.state, State::Unknown, "{finding:?}");
            }
        }
    }
}

#[test]
fn a_description_is_told_what_its_plan_and_its_processors_need() {
    let text = "version = 1\n[core.0]\nscheduler = \"linux\"\ncpu = 1\n[task.t]\non = \"core.0\"\nwcet = \"1ms\"\n\
                period = \"10ms\"\npriority = 5\nthread = \"name:worker\"\n";
    let system = read(text, Format::Toml).expect("a description");
    let place = folder(&[
        ("/sys/devices/system/cpu/cpu1/topology/thread_siblings_list", "1,3\n"),
        ("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0,2\n"),
    ]);
    let all = of_description(&on(place.path()), &system, None);
    let of = |cause: &str| all.iter().filter(|one| one.cause == cause).collect::<Vec<_>>();
    let plan = of("plan");
    assert!(plan.iter().any(|one| one.says.contains("there is no thread name:worker")), "{plan:?}");
    assert!(of("hyper-threads")[0].says.contains("processor 1 shares"), "{all:?}");
    assert!(of("admission").is_empty(), "it reserves nothing by SCHED_DEADLINE: {all:?}");
    assert!(!of("priority-limit").is_empty());
}

#[test]
fn policies_are_read_as_they_are_written() {
    for (text, shown) in [
        ("fifo:80", "SCHED_FIFO 80"),
        ("deadline:4ms/10ms", "SCHED_DEADLINE 4ms in 10ms every 10ms"),
        ("deadline:4ms/8ms/10ms", "SCHED_DEADLINE 4ms in 8ms every 10ms"),
    ] {
        assert_eq!(Asked::read(text).map(|asked| asked.to_string()).as_deref(), Ok(shown));
    }
    for text in ["fifo", "fifo:x", "deadline:4ms", "deadline:4/10", "other:0", ""] {
        assert!(Asked::read(text).is_err(), "{text}");
    }
}
