//! Results of large systems are for people, too.

use crate::program::{command, fed, of, root, run};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

/// Cores with costs, with tasks of which some are late.
fn description(cores: usize, tasks: usize) -> String {
    let mut text = "version = 1\n[costs]\nscheduler-call = \"1us\"\n".to_owned();
    for core in 0..cores {
        let scheduler =
            if core % 2 == 0 { "fixed-priority\"" } else { "linux\"\nfair-server = \"none\"" };
        let _ = writeln!(text, "[core.{core}]\nscheduler = \"{scheduler}");
    }
    for task in 0..tasks {
        let (core, place) = (task % cores, task / cores);
        let (wcet, period) = if place == 0 { (900, "1ms") } else { (20, "40ms") };
        let _ = writeln!(
            text,
            "[task.of-machine-{core}-number-{place}]\non = \"core.{core}\"\nwcet = \"{wcet}us\"\n\
             period = \"{period}\"\ndeadline = \"1ms\"\npriority = {}",
            90 - place
        );
    }
    text
}

/// A file that is removed in the end.
struct Kept(PathBuf);

impl Kept {
    fn new(name: &str, text: &str) -> Self {
        let file = std::env::temp_dir().join(format!("{name}-{}.toml", std::process::id()));
        std::fs::write(&file, text).expect("a temporary file");
        Self(file)
    }

    fn check(&self, more: &[&str]) -> String {
        let file = self.0.to_str().expect("UTF-8");
        let run = run(&[&["check", file, "--runs", "0", "--for", "5ms"], more].concat());
        assert_eq!((run.code, run.err.as_str()), (1, ""), "{}", run.out);
        let (shown, _) = run.out.split_once("\nBy:").unwrap_or((&run.out, ""));
        shown.replace(file, "large.toml")
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn a_large_system_is_summed_up_by_core_and_by_cause() {
    let large = Kept::new("large", &description(4, 48));
    insta::assert_snapshot!("check a large system", large.check(&[]));
    insta::assert_snapshot!("check a large system, proven", large.check(&["--only", "proven"]));
    let all = large.check(&["--all"]);
    let count = |text: &str| all.matches(text).count();
    assert_eq!([count(" is refuted: "), count(" is undecided: ")], [28, 0]);
    let sentence = "Of 48 requirements, 28 are refuted, 20 are proven.\n";
    assert_eq!((count(sentence), large.check(&["--quiet"]).as_str()), (1, sentence));
}

/// However many cores and tasks there are.
#[test]
fn a_very_large_system_fills_two_screens() {
    let large = Kept::new("very-large", &description(32, 640));
    for more in [&[][..], &["--only", "refuted"], &["--only", "undecided,refuted"]] {
        let shown = large.check(more);
        assert!(shown.lines().count() < 90, "{}", shown.lines().count());
        let prose = shown.lines().filter(|line| !line.trim_start().starts_with("vorrang "));
        assert!(prose.clone().all(|line| line.chars().count() <= 100), "{shown}");
    }
}

#[test]
fn programs_get_the_requirements_that_they_ask_for() {
    let names = |arguments: &[&str]| {
        let file = ["check", "examples/undecided.toml", "--json"];
        let document: serde_json::Value =
            serde_json::from_str(&run(&[&file[..], arguments].concat()).out).expect("JSON");
        assert_eq!(document["verdict"], "undecided");
        let rows = document["requirements"].as_array().expect("an array").clone();
        let name = |row: &serde_json::Value| row["name"].as_str().expect("a name").to_owned();
        (rows.iter().map(name).collect::<Vec<_>>(), rows)
    };
    let all = names(&[]).0;
    let [undecided, proven] = ["undecided", "proven"].map(|verdict| names(&["--only", verdict]).0);
    assert!(undecided.len() + proven.len() == all.len() && !proven.is_empty());
    let (explained, rows) = names(&["--explain", "vision,can-latency"]);
    assert_eq!(explained, ["task.vision", "require.can-latency"]);
    for row in rows {
        assert!(row["explanation"]["bound"].as_array().expect("lines").len() > 1, "{row}");
    }
}

#[test]
fn a_short_name_must_say_which() {
    let text = "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n\
                [task.net]\non = \"core.0\"\nwcet = \"1us\"\nperiod = \"1ms\"\npriority = 1\n\
                [interrupt.net]\non = \"core.0\"\nisr = \"1us\"\nmin-interarrival = \"1ms\"\n\
                [require.net]\nof = \"interrupt.net\"\nhandled-within = \"1ms\"\n";
    let file = Kept::new("short", text);
    let path = file.0.to_str().expect("UTF-8");
    let refused = run(&["check", path, "--explain", "net"]);
    assert_eq!(refused.code, 2);
    assert_eq!(
        refused.err,
        "error: there is no requirement net: it may mean task.net or require.net\n"
    );
    let both = run(&["check", path, "--explain", "task.net,require.net"]);
    assert_eq!(both.code, 0, "{}", both.err);
    for of in ["How the bound of task.net comes about", "How the bound of require.net comes about"]
    {
        assert!(both.out.contains(of), "{}", both.out);
    }
}

/// Colours are asked for; words say the same.
#[test]
fn colours_change_no_word() {
    let plain = run(&["check", "examples/undecided.toml"]);
    let mut coloured = command(&["check", "examples/undecided.toml", "--color", "always"]);
    coloured.env("NO_COLOR", "1").env("TERM", "dumb");
    let coloured = of(coloured);
    assert!(coloured.out.contains("\u{1b}[33mundecided\u{1b}[0m"), "{}", coloured.out);
    let mut words = coloured.out;
    for code in ["\u{1b}[31m", "\u{1b}[32m", "\u{1b}[33m", "\u{1b}[0m"] {
        words = words.replace(code, "");
    }
    assert_eq!(words, plain.out);
}

/// On a terminal lines are as wide as it is, and have colours if it has some.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_is_as_wide_as_it_says() {
    let on_terminal = |setting: &str| {
        let program = env!("CARGO_BIN_EXE_vorrang");
        let line = format!(
            "stty rows 24 cols 80; {setting} {program} check examples/consolidation.toml --runs 0 --for 10ms"
        );
        let mut script = std::process::Command::new("script");
        script.args(["--quiet", "--return", "--command", &line, "/dev/null"]);
        of({
            script.current_dir(root()).stdin(std::process::Stdio::null());
            script
        })
    };
    let dumb = on_terminal("TERM=dumb");
    assert!(dumb.out.lines().all(|line| line.trim_end().chars().count() <= 80), "{}", dumb.out);
    assert!(
        !dumb.out.contains('\u{1b}')
            && !on_terminal("TERM=xterm NO_COLOR=1").out.contains('\u{1b}')
    );
    let coloured = on_terminal("TERM=xterm NO_COLOR=").out;
    assert!(coloured.contains("\u{1b}[32mproven\u{1b}[0m"), "{coloured}");
}

/// Tasks of one core with a fifth more work than it does.
fn overload(scheduler: &str, tasks: u32) -> String {
    let mut text = format!("version = 1\n[core.0]\nscheduler = \"{scheduler}\"\n");
    let priority = if scheduler == "edf" { "" } else { "priority = 1\n" };
    for task in 0..tasks {
        let _ = writeln!(
            text,
            "[task.t{task}]\non = \"core.0\"\nwcet = \"60us\"\nperiod = \"100ms\"\n{priority}"
        );
    }
    text
}

/// All memory that the program may ask for, in KiB: 200 MB.
const MEMORY: &str = "200000";

/// What is without a bound has the reason in common with the others, and no list of its own.
#[test]
fn thousands_of_late_tasks_fit_into_little_memory() {
    for (scheduler, more) in
        [("fixed-priority", &["--json"][..]), ("edf", &["--json"]), ("edf", &["--explain", "t7"])]
    {
        let text = overload(scheduler, 2_000);
        let mut within = Command::new("sh");
        let script = format!("ulimit -v {MEMORY} && exec \"$0\" check - \"$@\"");
        within.args(["-c", &script, env!("CARGO_BIN_EXE_vorrang")]).args(more);
        let run = fed(within, &text);
        assert_eq!(run.code, 1, "{scheduler} {more:?}: {}", run.err);
    }
}
