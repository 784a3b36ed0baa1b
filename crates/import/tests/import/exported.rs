//! What is exported for another program is read back as it was.

use crate::{table, valid};
use vorrang_enforce::export;
use vorrang_import::{Form, of_file};
use vorrang_model::{Format, read};

fn exported(text: &str) -> Result<String, Vec<String>> {
    let system = read(text, Format::Toml).expect("a description");
    export::export(&system, export::Form::RtApp).map_err(|why| why.wrong)
}

const SYSTEM: &str = r#"version = 1

[core.0]
scheduler = "linux"
cpu = 3

[core.1]
scheduler = "edf"

[server.video]
on = "core.0"
server = "sched-deadline"
budget = "4ms"
deadline = "8ms"
period = "10ms"

[task.frame]
on = "server.video"
wcet = "2500500ns"
period = "20000500ns"

[task.loop]
on = "core.0"
wcet = "300us"
period = "1ms"
priority = 90

[task.elsewhere]
on = "core.1"
wcet = "1ms"
period = "9ms"

[task.short]
on = "core.0"
wcet = "900ns"
period = "1ms"
priority = 2

[task.urgent]
on = "core.0"
wcet = "9us"
period = "1ms"
priority = 100

[interrupt.card]
on = "core.0"
isr = "2us"
min-interarrival = "1ms"
"#;

/// It asks for no more than is described.
#[test]
fn a_workload_of_rt_app_is_read_back_as_it_was() {
    let text = exported(SYSTEM).expect("a workload");
    for (name, why) in [
        ("task.elsewhere", "its core is none of Linux"),
        ("task.short", "it takes less than a microsecond"),
        ("task.urgent", "its priority is none of SCHED_FIFO"),
        ("interrupt.card", "it is no thread"),
    ] {
        assert!(text.contains(&format!("\"{name}\": \"{why}\"")), "{name}: {text}");
    }
    let import = of_file(Form::RtApp, "file", &text).unwrap_or_else(|why| panic!("{why}\n{text}"));
    valid(&import);
    assert_eq!(
        table(&import, "task.loop"),
        "on = \"core.3\"\nwcet = \"300us\"\nperiod = \"1ms\"\npriority = 90\nthread = \"name:loop-0\"\n"
    );
    let server = table(&import, "server.video");
    for line in ["budget = \"4ms\"", "period = \"10ms\"", "deadline = \"8ms\""] {
        assert!(server.contains(line), "{server}");
    }
    let frame = "on = \"server.video\"\nwcet = \"2500us\"\nperiod = \"20001us\"";
    assert_eq!(table(&import, "task.video"), frame, "less work, and less often");
}

#[test]
fn what_has_no_thread_of_rt_app_is_refused() {
    let without =
        SYSTEM.replace("scheduler = \"linux\"", "scheduler = \"fixed-priority\"").replace(
            "server = \"sched-deadline\"\nbudget = \"4ms\"\ndeadline = \"8ms\"",
            "server = \"periodic\"\npriority = 3\nbudget = \"4ms\"",
        );
    let why = exported(&without).expect_err("it has none");
    assert_eq!(why, ["it has no periodic thread of Linux, which is all that rt-app has"]);
    let why = exported(&SYSTEM.replace("cpu = 3", "")).expect_err("a core has no processor");
    assert_eq!(why, ["core.0 does not say which processor it is: `cpu = 1`"]);
}
