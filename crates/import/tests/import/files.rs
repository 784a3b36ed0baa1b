//! Files by themselves.

use crate::{table, valid};
use vorrang_import::{Form, Import, of_file};

fn import(form: Form, text: &str) -> Import {
    let import = of_file(form, "file", text).unwrap_or_else(|why| panic!("{why}\n{text}"));
    valid(&import);
    import
}

fn refused(form: Form, text: &str) -> String {
    of_file(form, "file", text).expect_err("it is none").to_string()
}

#[test]
fn a_domain_has_its_virtual_processors() {
    let text = "<domain>\n <name>a \"b\"\n</name>\n <vcpu cpuset='1,4-6,^5'>3</vcpu>\n <cputune>\n  <vcpupin vcpu='1' cpuset='4'/>\n  \
                <vcpupin vcpu='9' cpuset='4'/>\n  <vcpusched vcpus='0,2' scheduler='rr' priority='7'/>\n  <vcpusched vcpus='8' \
                scheduler='fifo' priority='7'/>\n  <iothreadpin iothread='1' cpuset='5'/>\n  <quota>-1</quota>\n  \
                <emulatorsched scheduler='fifo' priority='1'/>\n  <new/>\n  <vcpusched vcpus='1' scheduler='fifo' priority='100'/>\n </cputune>\n</domain>";
    let import = import(Form::Libvirt, text);
    assert!(table(&import, "vcpu.a--b--0").contains("on = \"?\""), "{}", import.text);
    assert!(table(&import, "vcpu.a--b--1").contains("on = \"core.4\""), "{}", import.text);
    assert!(import.text.contains("thread = \"vm:a \\\"b\\\"/0\""), "{}", import.text);
    assert!(import.text.contains("# file: SCHED_RR 7, processors 1,4,6\n"), "{}", import.text);
    assert!(
        import.text.contains("I/O thread 1 of a \"b\" may run on processors 5"),
        "{}",
        import.text
    );
    for said in [
        "file:7: a \"b\" has no virtual processor 9",
        "file:9: a \"b\" has no",
        "file:11: quota -1",
        "file:12: emulatorsched",
        "file:13: new",
        // SCHED_FIFO has 1 to 99.
        "file:14: this vcpusched is not understood",
    ] {
        assert!(
            import.lost.iter().any(|lost| lost.starts_with(said)),
            "{said}: {:#?}",
            import.lost
        );
    }
}

#[test]
fn what_is_no_domain_is_refused_with_its_line() {
    for (text, why) in [
        ("", "line 1: this is no XML"),
        ("<domain>\n<name>x</name", "line 2: this is no XML"),
        ("<system/>", "line 1: there is no <domain>"),
        ("<domain>\n</domain>", "line 1: the domain has no <name>"),
        ("<domain><name>x</name>\n<vcpu>5000</vcpu></domain>", "line 2: there are more than 1024"),
        ("<!DOCTYPE a [<!ENTITY b 'c'>]>\n<domain/>", "this is no XML"),
    ] {
        let said = refused(Form::Libvirt, text);
        assert!(said.starts_with(why) || said.contains(why), "{text}: {said}");
    }
}

#[test]
fn a_domain_of_xen_has_open_budgets() {
    let text = "# made by hand\nname = \"rt # vm\"   # a name\nvcpus = 3\npool = 'rtds'\ncpus = [\"2\",\n  \"4-6,^5\", # the second\n \"all\"]\n";
    let import = import(Form::Xl, text);
    assert!(
        table(&import, "vcpu.rt---vm-0").starts_with(
            "vm = \"rt # vm\"\non = \"core.2\"\nserver = \"deferrable\"\nbudget = \"?\""
        )
    );
    assert!(table(&import, "vcpu.rt---vm-1").contains("on = \"?\""));
    assert!(table(&import, "vcpu.rt---vm-2").contains("on = \"?\""));
    assert!(
        table(&import, "core.6").contains("scheduler = \"edf\"\ncpu = 6")
            && !import.text.contains("core.5")
    );
    assert!(import.lost.iter().any(|lost| lost == "line 4: pool"), "{:?}", import.lost);
    for (text, why) in [
        ("vcpus = 1\n", "there is no `name`"),
        ("name = \"x\"\nvcpus = many\n", "line 2: `vcpus` is no number"),
        ("name = \"x\"\ncpus = [\"1\",\n", "line 2: the list has no end"),
        ("name = \"x\"\nwhat is this\n", "line 2: this is no `key = value`"),
    ] {
        let said = refused(Form::Xl, text);
        assert!(said.starts_with(why), "{text}: {said}");
    }
}

#[test]
fn the_reservations_of_rtds_have_their_times() {
    let old = "Cpupool Pool-0: sched=RTDS\nName        ID    Period    Budget\nDomain-0     0     10000      4000\n";
    let of_domain = import(Form::Rtds, old);
    assert!(table(&of_domain, "vcpu.Domain-0").contains("budget = \"4ms\"\nperiod = \"10ms\""));
    assert!(of_domain.lost.iter().any(|lost| lost.starts_with("Domain-0: how many")));
    let new = "Name   ID VCPU    Period    Budget  Extratime\nrt vm   1    0       300       150        yes\nrt vm   1    1   10000 500 no\n";
    let of_all = import(Form::Rtds, new);
    assert!(
        table(&of_all, "vcpu.rt-vm-0")
            .contains("budget = \"150us\"\nperiod = \"300us\"\nthread = \"vm:rt vm/0\"")
    );
    assert!(table(&of_all, "vcpu.rt-vm-1").contains("budget = \"500us\""));
    let extra: Vec<&String> =
        of_all.lost.iter().filter(|lost| lost.contains("extratime")).collect();
    assert_eq!(extra, ["rt vm-0: extratime, which gives it time beyond its budget"]);
    for (text, why) in [
        ("", "there is no virtual processor"),
        ("vm 1 10000 4000\n", "line 1: the names of the columns are missing"),
        ("Cpupool Pool-0: sched=Credit2\n", "line 1: this pool is not of RTDS"),
        ("Name ID Period Budget\nvm 1 4000 10000\n", "line 2: this is no virtual processor"),
        ("Name ID Period Budget\nvm 1 many 10000\n", "line 2: this is no virtual processor"),
        ("Name ID Period Budget\n1 4000 1000\n", "line 2: this is no virtual processor"),
        (
            "Name ID Period Budget\nvm 1 99999999999999999 1\n",
            "line 2: this is no virtual processor",
        ),
    ] {
        let said = refused(Form::Rtds, text);
        assert!(said.starts_with(why), "{text}: {said}");
    }
}

#[test]
fn a_workload_of_rt_app_has_servers_and_tasks() {
    let text = r#"{
 /* "not" /* a task **/
 "tasks": {
  "dl": { "policy": "SCHED_DEADLINE", "instance": 2, "cpus": [1], "dl-runtime": 11000, "dl-deadline": 15000,
          "dl-period": 16000, "dl-reclaim": true, "run": 10000, "timer": { "ref": "t", "period": 16000 } },
  "fifo": { "policy": "SCHED_FIFO", "priority": 20, "loop": -1, "phases": { "p": { "run0": 500, "run1": 1500,
          "lock": "m", "sleep": 8000 } } },
  "turn": { "policy": "SCHED_RR", "cpus": [2, 3], "runtime": 100, "timer0": { "period": 1000 } },
  "busy": { "policy": "SCHED_FIFO", "run": 100 },
  "many": { "policy": "SCHED_FIFO", "phases": { "z": { "loop": 2, "run": 3000, "timer": { "ref": "u", "period": 10000 } },
          "a": { "run": 1000, "timer": { "ref": "u", "period": 20000 } } } },
  "usual": { "run": 10, "priority": -5, "sleep": 20, /* the last */ },
  "io": { "policy": "SCHED_FIFO", "run": 10, "iorun": 1000, "sleep": 20 },
  "later": { "instance": 0, "run": 10, "sleep": 20 },
  "turns": { "phases": { "a": { "policy": "SCHED_FIFO", "run": 10, "sleep": 20 }, "b": { "policy": "SCHED_OTHER" } } },
  "rises": { "policy": "SCHED_FIFO", "phases": { "a": { "run": 10, "sleep": 20 }, "b": { "priority": 30, "run": 5 } } },
 },
}"#;
    let import = import(Form::RtApp, text);
    assert_eq!(
        table(&import, "server.dl-0"),
        "on = \"core.1\"\nserver = \"sched-deadline\"\nbudget = \"11ms\"\nperiod = \"16ms\"\ndeadline = \"15ms\"\nreclaim = true\nthread = \"name:dl-0\""
    );
    assert_eq!(
        table(&import, "task.dl-1"),
        "on = \"server.dl-1\"\nwcet = \"10ms\"\nperiod = \"16ms\""
    );
    assert_eq!(
        table(&import, "task.fifo"),
        "on = \"?\"\nwcet = \"2ms\"\nperiod = \"8ms\"\npriority = 20\nthread = \"name:fifo-0\""
    );
    assert!(
        table(&import, "task.turn")
            .starts_with("on = \"?\"\nwcet = \"100us\"\nperiod = \"1ms\"\npriority = 10")
    );
    for said in [
        "tasks.fifo: lock",
        "tasks.turn: turns among equal priorities",
        "tasks.busy: it never waits: it has no task here",
        "tasks.io: how long `iorun` takes is in no file: it has no task here",
        "tasks.later: no thread of it is there at first",
        "tasks.turns: its `policy` changes from phase to phase",
        "tasks.rises: its `priority` changes from phase to phase",
    ] {
        assert!(
            import.lost.iter().any(|lost| lost.starts_with(said)),
            "{said}: {:#?}",
            import.lost
        );
    }
    // Phases happen in their order: 10 ms, 10 ms, 20 ms.
    let many = table(&import, "task.many");
    let distances = "wcet = \"3ms\"\nmin-distances = [\"10ms\", \"20ms\", \"40ms\", \"50ms\", ";
    assert!(many.contains(distances) && many.contains("deadline = \"10ms\""), "{many}");
    let said =
        "# It runs for 1000 to 3000 us at a time: each is taken as the longest.\n[task.many]\n";
    assert!(import.text.contains(said), "{}", import.text);
    // What is guaranteed nothing is a reservation that is open.
    assert!(import.text.contains("# SCHED_OTHER -5, which guarantees nothing\n[server.usual]\n"));
    assert!(
        table(&import, "server.usual")
            .contains("budget = \"?\"\nperiod = \"?\"\nthread = \"name:usual-0\"")
    );
    assert_eq!(
        table(&import, "task.usual").trim_end(),
        "on = \"server.usual\"\nwcet = \"10us\"\nperiod = \"20us\""
    );
    // `workgen` gives words that come again a number, and one without a value has an empty one.
    let twice = r#"{"tasks": {"again": { "policy": "SCHED_FIFO", "priority": 3, "run": 275, "resume" : "X",
 "run" : 4725, "lock" /* what */, "run": 1000, "timer": {"ref": "t", "period": 8000}, "unlock"},
 "waits": { "policy": "SCHED_FIFO", "run": 1, "suspend", "sleep": 9 },
 "old": { "policy": "SCHED_FIFO", "exec": 5000, "period": 9000 },
 "starts": { "policy": "SCHED_FIFO", "fork": "waits", "run": 1, "sleep": 9 }}}"#;
    let import = self::import(Form::RtApp, twice);
    assert!(
        table(&import, "task.again").contains("wcet = \"6ms\"\nperiod = \"8ms\""),
        "{}",
        import.text
    );
    for said in [
        "tasks.again: resume",
        "tasks.again: lock",
        "tasks.again: unlock",
        "tasks.waits: it waits for others (suspend): it has no task here",
        "tasks.old: `exec` is no event that is known: it has no task here",
        "tasks.starts: fork: the threads that it starts are not here",
    ] {
        assert!(import.lost.iter().any(|lost| lost == said), "{said}: {:#?}", import.lost);
    }
    for (text, why) in [
        ("/* \\ \" */ {\n\"a\\\"/*,\": 1\n\"b\"}", "line 3: this is no JSON"),
        ("{\n\"a\": [1,,]}", "line 2: this is no JSON"),
        ("{\n\"tasks\": {\n", "line 3: this is no JSON"),
        ("{}", "line 1: there are no `tasks`"),
        ("{\"tasks\": {\n\"a\": 1}}", "line 2: tasks.a is no thread"),
        (
            "{\"tasks\": {\n\"a\": {\"policy\": \"SCHED_DEADLINE\"}}}",
            "line 2: tasks.a has no dl-runtime",
        ),
        (
            "{\"tasks\": {\n\"a\": {\"policy\": \"SCHED_FIFO\", \"priority\": 0}}}",
            "line 2: tasks.a has a priority",
        ),
        (
            "{\"tasks\": {\n\"a\": {\"policy\": \"SCHED_FIFO\", \"run\": -1}}}",
            "line 2: tasks.a has a `run`",
        ),
        (
            "{\"tasks\": {\n\"a\": {\"policy\": \"SCHED_FIFO\", \"cpus\": [99999]}}}",
            "line 2: tasks.a has `cpus`",
        ),
        ("{\"tasks\": {\n\"a\": {\"instance\": 99999999}}}", "line 2: tasks.a has more copies"),
        ("{\"tasks\": {\n\"a\": {\"loop\": true, \"run\": 1}}}", "line 2: tasks.a has a `loop`"),
        ("{\"tasks\": {\n\"a\": {\"timer\": 1}}}", "line 2: tasks.a has a `timer`"),
    ] {
        let said = refused(Form::RtApp, text);
        assert!(said.starts_with(why), "{text}: {said}");
    }
}

#[test]
fn a_system_of_the_microkit_has_queues_of_refills() {
    let text = "<system>\n <protection_domain name=\"driver\" priority=\"0x64\" budget=\"300\" period=\"1_000\" cpu=\"1\">\n  \
                <irq irq=\"33\" id=\"0\"/>\n  <protection_domain name=\"child\"/>\n </protection_domain>\n \
                <protection_domain name=\"server\" passive=\"true\"/>\n <protection_domain name=\"vmm\" priority=\"101\">\n  \
                <virtual_machine name=\"linux\" priority=\"100\" budget=\"4000\" period=\"10000\">\n   <vcpu id=\"0\"/>\n   \
                <vcpu id=\"1\" cpu=\"1\"/>\n  </virtual_machine>\n </protection_domain>\n <channel><end pd=\"child\" pp=\"true\"/>\
                </channel>\n</system>";
    let import = import(Form::Microkit, text);
    assert_eq!(
        table(&import, "server.driver"),
        "on = \"core.1\"\nserver = \"refill-queue\"\nbudget = \"300us\"\nperiod = \"1ms\"\npriority = 100\nrefills = 2"
    );
    let child = "on = \"core.0\"\nserver = \"refill-queue\"\nbudget = \"1ms\"\nperiod = \"1ms\"\npriority = 0\nrefills = 2";
    assert_eq!(table(&import, "server.child"), child);
    assert!(table(&import, "vcpu.linux-0").starts_with("vm = \"linux\"\non = \"core.0\""));
    assert!(table(&import, "vcpu.linux-1").starts_with("vm = \"linux\"\non = \"core.1\""));
    assert!(!import.text.contains("[server.server]"));
    for said in
        ["line 3: interrupt 33", "line 6: server is passive", "line 13: protected calls of child"]
    {
        assert!(
            import.lost.iter().any(|lost| lost.starts_with(said)),
            "{said}: {:#?}",
            import.lost
        );
    }
    for (text, why) in [
        ("<domain/>", "line 1: there is no <system>"),
        ("<system/>", "line 1: there is no protection domain"),
        ("<system>\n<protection_domain/></system>", "line 2: it has no name"),
        (
            "<system>\n<protection_domain name=\"a\" budget=\"2\" period=\"1\"/></system>",
            "line 2: the budget is 2",
        ),
        (
            "<system>\n<protection_domain name=\"a\" budget=\"0\"/></system>",
            "line 2: the budget is 0",
        ),
        (
            "<system>\n<protection_domain name=\"a\" priority=\"255\"/></system>",
            "line 2: priority 255",
        ),
        (
            "<system>\n<protection_domain name=\"a\" cpu=\"8192\"/></system>",
            "line 2: there is no such processor",
        ),
        (
            "<system>\n<protection_domain name=\"a\" period=\"x\"/></system>",
            "line 2: `period` is no number",
        ),
    ] {
        let said = refused(Form::Microkit, text);
        assert!(said.starts_with(why), "{text}: {said}");
    }
}

/// One window is a slot, and so are equal ones at equal distances; others are a table.
#[test]
fn windows_of_a_cyclic_plan_are_slots_or_tables() {
    let text = include_str!("../../../fuzz/src/corpus/imports/plan.xml");
    assert_eq!(Form::of_text(text), Ok(Form::Xtratum));
    let import = import(Form::Xtratum, text);
    let control = "vm = \"control\"\non = \"core.0\"\nserver = \"slot\"\nbudget = \"1ms\"\nperiod = \"5ms\"\noffset = \"0s\"";
    assert_eq!(table(&import, "vcpu.control-0"), control);
    let display = "vm = \"display\"\non = \"core.0\"\nserver = \"slot\"\nbudget = \"2ms\"\nperiod = \"10ms\"\noffset = \"1500us\"";
    assert_eq!(table(&import, "vcpu.display-1").trim_end(), display);
    let log = "vm = \"log\"\non = \"core.0\"\nserver = \"table\"\nwindows = { \"6ms\" = \"500us\", \"7ms\" = \"250us\" }\nperiod = \"10ms\"";
    assert_eq!(table(&import, "vcpu.log-0").trim_end(), log);
    let lost = ["line 12: plan 1 of processor 0"];
    assert_eq!(import.lost.len(), lost.len());
    for (own, said) in import.lost.iter().zip(lost) {
        assert!(own.starts_with(said), "{own}");
    }
    for (from, to, why) in [
        ("\"1.5ms\"", "\"0.5ms\"", "line 6: this slot reaches into the next one"),
        ("\"250us\"", "\"4ms\"", "line 10: this slot reaches into the next one or the next frame"),
        ("\"500us\"", "\"0us\"", "line 9: this slot has no length"),
        ("\"500us\"", "\"0.5us2\"", "line 9: `duration` is no time"),
        ("\"500us\"", "\"0.0005us\"", "line 9: `duration` is no time"),
        (
            "partitionId=\"2\"",
            "partitionId=\"two\"",
            "line 9: `partitionId` of this Slot is no number",
        ),
        ("<Partition id=\"1\"", "<Partition id=\"0\"", "line 17: there are two partitions 0"),
        ("Processor id=\"0\"", "Processor id=\"8192\"", "line 3: there is no such processor"),
        ("majorFrame=\"10ms\"", "majorFrame=\"0ms\"", "line 5: the major frame has no length"),
        ("Plan id=\"0\"", "Plan id=\"x\"", "line 5: `id` of this Plan is no number"),
    ] {
        let said = refused(Form::Xtratum, &text.replacen(from, to, 1));
        assert!(said.starts_with(why), "{to}: {said}");
    }
}

#[test]
fn a_form_is_known_by_its_first_words() {
    for (text, form) in [
        (" <?xml version='1.0'?><domain>", Form::Libvirt),
        ("\u{feff}<system><protection_domain", Form::Microkit),
        ("\n{ \"tasks\"", Form::RtApp),
        ("# old\nName  ID VCPU Period", Form::Rtds),
        ("Cpupool Pool-0: sched=RTDS", Form::Rtds),
        ("# x\nbuilder = 'hvm'\nname='a'\n", Form::Xl),
    ] {
        assert_eq!(Form::of_text(text), Ok(form), "{text}");
    }
    for text in ["", "names = 1", "name: x\n", "# The first\n\nText."] {
        assert!(Form::of_text(text).is_err(), "{text}");
    }
}
