//! Descriptions and the machine: what is refused before anything is changed, and what is exported.

use crate::program::run;

#[test]
fn what_is_not_proven_is_not_applied() {
    let run = run(&["apply", "examples/undecided.toml", "--yes"]);
    assert_eq!((run.code, run.out.as_str()), (3, ""));
    assert_eq!(
        run.err,
        "error: examples/undecided.toml: it is undecided, and only what is proven is applied\n  \
         `vorrang check` says why; --unproven applies it all the same\n"
    );
}

#[test]
fn what_a_description_lacks_for_a_machine_is_said() {
    let run = run(&["export", "examples/linux.toml", "--as", "chrt"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    let lacks =
        "error: examples/linux.toml: core.0 does not say which processor it is: `cpu = 1`\n";
    assert_eq!(run.err, lacks);
}

#[test]
fn settings_are_written_for_other_programs() {
    let exported = |program: &str| {
        let text = run(&["export", "examples/machine.toml", "--as", program]).out;
        format!("=== {program}\n{text}")
    };
    let programs = ["chrt", "systemd", "libvirt", "oci", "command-line", "tuned"];
    let text = programs.map(exported).concat();
    insta::assert_snapshot!("export machine.toml", text);
}

/// Read back by a shell in `crates/fuzz/tests/exported.rs`, as any name is.
#[test]
fn a_name_is_no_command_and_ends_no_comment() {
    let exported = |system: &str, program: &str| {
        run(&["export", &format!("crates/vorrang/tests/systems/{system}.toml"), "--as", program])
            .out
    };
    insta::assert_snapshot!(exported("domain-is-a-command", "xl"), @r"
    # Xen with sched=rtds, or a pool of processors with it. Every other virtual processor, Dom0's too, is to be pinned
    # to other processors.
    # vcpu.v
    xl vcpu-pin 'dom; echo INJECTED; #' 0 0
    xl sched-rtds -d 'dom; echo INJECTED; #' -v 0 -p 10000 -b 1000 -e 0
    ");
    insta::assert_snapshot!(exported("domain-ends-a-comment", "libvirt"), @r"
    <!-- a-\u{2d}><evil> -->
    <cputune>
      <vcpupin vcpu='0' cpuset='0'/>
      <!-- libvirt has no SCHED_DEADLINE: vorrang apply sets it, or chrt on the thread -->
    </cputune>
    ");
}

#[test]
fn a_name_that_cannot_be_one_is_refused_before_anything_is_printed() {
    let of = |system: &str| {
        run(&["export", &format!("crates/vorrang/tests/systems/{system}.toml"), "--as", "xl"])
    };
    let nothing = of("names-of-nothing");
    assert_eq!((nothing.code, nothing.out.as_str()), (2, ""));
    assert_eq!(nothing.err.matches("error[E0410]").count(), 2, "{}", nothing.err);
    let option = of("domain-is-an-option");
    assert_eq!((option.code, option.out.as_str()), (2, ""));
    let why = "vcpu.v: xl takes \"-f\" for an option, not a domain\n";
    assert!(option.err.ends_with(why), "{}", option.err);
}

/// Keys and values are those of systemd. Where that is not installed it cannot be asked, which is said.
#[test]
fn systemd_reads_what_is_exported_for_it() {
    let folder = std::env::temp_dir().join(format!("vorrang-units-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let example = crate::program::root().join("examples/machine.toml");
    let text = std::fs::read_to_string(example).expect("the example");
    let description = folder.join("system.toml");
    std::fs::write(&description, text.replace("vm:engine/0", "name:engine")).expect("a file");
    let exported = run(&["export", &description.to_string_lossy(), "--as", "systemd"]).out;
    let parts = exported.trim_end().split("\n\n").filter(|part| part.contains("[Service]"));
    let parts: Vec<&str> = parts.collect();
    assert_eq!(parts.len(), 2, "{exported}");
    for (number, part) in parts.iter().enumerate() {
        let unit = folder.join(format!("vorrang-{number}.service"));
        std::fs::write(&unit, format!("{part}\nExecStart=/bin/true\n")).expect("a file");
        let verify =
            std::process::Command::new("systemd-analyze").arg("verify").arg(&unit).output();
        let Ok(verify) = verify else {
            eprintln!("systemd-analyze is not installed: what is exported for it was not verified");
            break;
        };
        let complaints = String::from_utf8_lossy(&verify.stderr).into_owned();
        let about_unit = complaints.contains(&*unit.to_string_lossy());
        assert!(verify.status.success() && !about_unit, "{part}\n{complaints}");
    }
    std::fs::remove_dir_all(&folder).expect("it is there");
}

/// One argument of its command is the file, whatever is in its name.
#[test]
fn systemd_reads_the_unit_that_applies_a_description() {
    let folder = tempfile::tempdir().expect("a folder");
    let description = folder.path().join("50% of $HOME.toml");
    let example = crate::program::root().join("examples/machine.toml");
    std::fs::copy(example, &description).expect("a file");
    let exported = run(&["export", description.to_str().expect("text"), "--as", "unit"]).out;
    let path = folder.path().display().to_string();
    insta::assert_snapshot!(exported.replace(&path, "DIR"));
    let here = format!("={} ", env!("CARGO_BIN_EXE_vorrang"));
    let unit = folder.path().join("vorrang-boot.service");
    std::fs::write(&unit, exported.replace("=vorrang ", &here)).expect("a file");
    let verify = std::process::Command::new("systemd-analyze").arg("verify").arg(&unit).output();
    let Ok(verify) = verify else {
        eprintln!("systemd-analyze is not installed: the unit was not verified");
        return;
    };
    let complaints = String::from_utf8_lossy(&verify.stderr).into_owned();
    let is_about_unit = complaints.contains("vorrang-boot.service:");
    assert!(verify.status.success() && !is_about_unit, "{exported}\n{complaints}");
}

#[test]
fn a_unit_applies_a_file() {
    let refused = run(&["export", "-", "--as", "unit"]);
    assert_eq!(refused.code, 2);
    let of_nothing = "crates/vorrang/tests/systems/names-of-nothing.toml";
    let refused = run(&["export", of_nothing, "--as", "unit"]);
    assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{}", refused.err);
}

#[test]
fn without_a_journal_a_number_says_that_nothing_is_applied() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("journal");
    let place = place.to_str().expect("text");
    let run = run(&["status", "--format", "prometheus", "--journal", place]);
    let said = "# HELP vorrang_applied Whether a description is applied, and which.\n\
                # TYPE vorrang_applied gauge\n\
                vorrang_applied 0\n";
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, said, ""));
}

#[test]
fn without_a_journal_nothing_is_applied() {
    let place = std::env::temp_dir().join(format!("vorrang-no-journal-{}", std::process::id()));
    let place = place.to_str().expect("a path of text");
    for verb in ["status", "restore", "restore"] {
        let run = run(&[verb, "--journal", place]);
        assert_eq!(
            (run.code, run.out.as_str(), run.err.as_str()),
            (0, "Nothing is applied.\n", "")
        );
    }
}

#[test]
fn what_is_no_journal_is_refused_and_kept() {
    let place = std::env::temp_dir().join(format!("vorrang-bad-journal-{}", std::process::id()));
    std::fs::write(&place, "{}\n").expect("a file");
    let run = run(&["restore", "--journal", place.to_str().expect("a path of text")]);
    assert_eq!(run.code, 4, "{}", run.err);
    assert!(run.err.contains("line 1 is not the head of a journal"), "{}", run.err);
    assert!(place.exists());
    std::fs::remove_file(&place).expect("it is there");
}
