//! The tables of docs/analysis.md say undecided where, and only where, a small system of that kind
//! is undecided; and not defined where, and only where, a description of it is refused.

use vorrang_analysis::bounds;
use vorrang_model::system::RequirementKind;
use vorrang_model::{Format, read};

/// What is known about the last requirement of a description.
#[derive(Debug, PartialEq, Eq)]
enum Known {
    NotDefined,
    Undecided,
    Bounded,
}

/// Whether a cell says so: a reason where there is no bound, and which bound where there is one.
fn is_said(known: &Known, cell: &str) -> bool {
    match (cell.strip_prefix("undecided"), known) {
        (Some(reason), Known::Undecided) => reason.len() > ": ".len(),
        (None, Known::NotDefined) => cell == "not defined",
        (None, Known::Bounded) => !cell.is_empty() && cell != "not defined",
        _ => false,
    }
}

/// What stands in backticks; all of it if nothing does.
fn names(cell: &str) -> Vec<&str> {
    let names: Vec<&str> = cell.split('`').skip(1).step_by(2).collect();
    if names.is_empty() { vec![cell] } else { names }
}

fn known(text: &str) -> (Known, String) {
    let system = match read(text, Format::Toml) {
        Ok(system) => system,
        Err(errors) => return (Known::NotDefined, errors[0].message.clone()),
    };
    let bounds = bounds(&system);
    let required = system.requirements.last().expect("something is required");
    if required.probability.is_some() {
        let chance = bounds.chance(&system, required);
        return match chance.reason() {
            None => (Known::Bounded, String::new()),
            Some(reason) => (Known::Undecided, reason.to_string()),
        };
    }
    let finding = match required.kind {
        RequirementKind::Deadline(task) => bounds.task(task),
        RequirementKind::HandledWithin(interrupt) => bounds.interrupt(interrupt),
    };
    match finding.reason() {
        None => (Known::Bounded, String::new()),
        Some(reason) => (Known::Undecided, reason.to_string()),
    }
}

/// The rows of the table whose first column has this title, without its header.
fn rows(page: &str, title: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect()
    };
    let mut lines = page.lines().skip_while(|line| !line.starts_with(&format!("| {title} |")));
    let header = cells(lines.next().unwrap_or_else(|| panic!("there is a table of {title}")));
    let rows = lines.skip(1).take_while(|line| line.starts_with('|')).map(cells).collect();
    (header[1..].to_vec(), rows)
}

/// Every row of a table against the systems that `build` makes of its row and column; the rows are
/// these, and no cell is empty.
fn compare(title: &str, labels: &[&str], build: impl Fn(&str, &str) -> Vec<String>) {
    let page = include_str!("../../../docs/analysis.md");
    let (columns, rows) = rows(page, title);
    let written: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(written, labels, "{title}");
    let mut wrong = Vec::new();
    for row in &rows {
        assert_eq!(row.len(), columns.len() + 1, "{title}, {}", row[0]);
        for (column, cell) in columns.iter().zip(&row[1..]) {
            for scheduler in names(column) {
                for text in build(&row[0], scheduler) {
                    let (known, why) = known(&text);
                    if !is_said(&known, cell) {
                        let cell = format!("{}, {scheduler}: \"{cell}\"", row[0]);
                        wrong.push(format!("{cell}, but {known:?} {why}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{title}\n{}", wrong.join("\n"));
}

fn takes_turns(scheduler: &str) -> bool {
    ["round-robin", "weighted-round-robin", "stride", "vtrr"].contains(&scheduler)
}

fn quantum(scheduler: &str) -> &'static str {
    if takes_turns(scheduler) { "quantum = \"1ms\"\n" } else { "" }
}

/// A core, with what it needs to take turns.
fn core(scheduler: &str) -> String {
    let quantum = quantum(scheduler);
    let fair = if scheduler == "linux" { "fair-server = \"none\"\n" } else { "" };
    format!("version = 1\n[core.0]\nscheduler = \"{scheduler}\"\n{quantum}{fair}")
}

/// What a member of a core needs to be ordered: nothing but where there is a choice.
fn place(scheduler: &str, kind: &str) -> &'static str {
    match (scheduler, kind) {
        ("linux", "sched-deadline")
        | ("edf" | "slots" | "rate-monotonic" | "deadline-monotonic" | "round-robin", _) => "",
        _ if takes_turns(scheduler) => "share = 1\n",
        _ => "priority = 1\n",
    }
}

/// The kind of virtual processor that a scheduler of a core can have.
fn usual(scheduler: &str) -> &'static str {
    match scheduler {
        "slots" => "slot",
        _ if takes_turns(scheduler) => "share",
        _ => "deferrable",
    }
}

fn server(name: &str, scheduler: &str, kind: &str, lines: &str) -> String {
    let budget = match kind {
        "share" | "none" => "",
        "table" => "windows = { \"0ms\" = \"1ms\", \"3ms\" = \"1ms\" }\nperiod = \"10ms\"\n",
        _ => "budget = \"2ms\"\nperiod = \"10ms\"\n",
    };
    let offset = if kind == "slot" { "offset = \"0ms\"\n" } else { "" };
    let place = place(scheduler, kind);
    format!("[{name}]\non = \"core.0\"\nserver = \"{kind}\"\n{budget}{offset}{place}{lines}")
}

fn task(name: &str, on: &str, lines: &str) -> String {
    format!("[task.{name}]\non = \"{on}\"\nwcet = \"100us\"\n{lines}\n")
}

const PERIOD: &str = "period = \"1s\"\n";

#[test]
fn deadlines_by_what_the_task_stands_on() {
    const LABELS: &[&str] = &[
        "the core",
        "`periodic`",
        "`polling`",
        "`deferrable`",
        "`sporadic`",
        "`refill-queue`",
        "`posix-sporadic`",
        "`cbs-hard`",
        "`cbs-soft`, one task",
        "`cbs-soft`, several tasks",
        "`sched-deadline`",
        "`sched-deadline`, `deadline` < `period`",
        "`sched-deadline`, `reclaim`",
        "`slot`",
        "`table`",
        "`none`",
        "`share`",
    ];
    compare("deadline of a task on", LABELS, |row, scheduler| {
        let core = core(scheduler);
        if row == "the core" {
            let lines = format!("{PERIOD}{}", place(scheduler, ""));
            return vec![core + &task("t", "core.0", &lines)];
        }
        let kind = row.split('`').nth(1).unwrap();
        let lines = match row {
            _ if row.ends_with("`period`") => "deadline = \"5ms\"\n",
            _ if row.ends_with("`reclaim`") => "reclaim = true\n",
            _ => "scheduler = \"rate-monotonic\"\n",
        };
        let server = server("server.s", scheduler, kind, lines);
        let other = if row.ends_with("several tasks") {
            task("other", "server.s", PERIOD)
        } else {
            String::new()
        };
        vec![core + &server + &other + &task("t", "server.s", PERIOD)]
    });
}

#[test]
fn deadlines_by_who_schedules_the_task() {
    const LABELS: &[&str] = &[
        "`fixed-priority`, `rate-monotonic`, `deadline-monotonic`",
        "`edf`",
        "`linux`",
        "`slots`",
        "`round-robin`, `weighted-round-robin`",
        "`stride`, `vtrr`",
    ];
    let build = |scheduler: &str, on: &str| {
        if on == "a core" {
            let lines = format!("{PERIOD}{}", place(scheduler, ""));
            return core(scheduler) + &task("t", "core.0", &lines);
        }
        let lines = format!("scheduler = \"{scheduler}\"\n{}", quantum(scheduler));
        let inside = format!("{PERIOD}{}", place(scheduler, ""));
        core("fixed-priority")
            + &server("server.s", "fixed-priority", "deferrable", &lines)
            + &task("t", "server.s", &inside)
    };
    compare("tasks scheduled by", LABELS, |row, on| {
        names(row).into_iter().map(|scheduler| build(scheduler, on)).collect()
    });
}

const INTERRUPT: &str =
    "[interrupt.i]\non = \"core.0\"\nisr = \"10us\"\nmin-interarrival = \"10ms\"\n";

fn require(what: &str) -> String {
    format!("[require.r]\nof = \"{what}\"\nhandled-within = \"1s\"\n")
}

/// A core with a virtual processor and an interrupt that is delivered to it as stated.
fn delivered(scheduler: &str, lines: &str, tasks: &str) -> String {
    core(scheduler)
        + &server("vcpu.v", scheduler, usual(scheduler), "scheduler = \"rate-monotonic\"\n")
        + tasks
        + INTERRUPT
        + &format!("virtual = {{ vcpu = \"vcpu.v\", isr = \"10us\"{lines} }}\n")
}

fn pseudo_vcpu(rule: &str) -> String {
    format!(", pseudo-vcpu = {{ budget = \"1ms\", period = \"10ms\", rule = \"{rule}\" }}")
}

fn card(receiver: &str) -> String {
    format!(
        "[device.d]\ninterrupt = \"interrupt.i\"\nring = 16\nper-packet = \"1us\"\n{receiver}packets = {{ arrive = \"periodic\", interval = \"10ms\", payload = 64 }}\n"
    )
}

/// A task of the host: on the core, or in a slot of it.
fn host(scheduler: &str, name: &str, lines: &str) -> String {
    if scheduler != "slots" {
        return task(name, "core.0", &format!("{lines}{}", place(scheduler, "")));
    }
    let slot =
        if name == "t" { server("server.s", scheduler, "slot", INSIDE) } else { String::new() };
    slot + &task(name, "server.s", lines)
}

const INSIDE: &str = "scheduler = \"rate-monotonic\"\n";

/// Polled by `task.poll` of the host.
fn with_card(scheduler: &str, receiver: &str) -> String {
    core(scheduler)
        + &host(scheduler, "t", PERIOD)
        + &host(scheduler, "poll", PERIOD)
        + INTERRUPT
        + "wakes = \"task.poll\"\n"
        + &card(receiver)
}

fn within(probability: &str) -> String {
    format!(
        "[require.r]\nof = \"task.t\"\nhandled-within = \"99us\"\nprobability = \"{probability}\"\n"
    )
}

fn required(row: &str, scheduler: &str) -> String {
    let on_core = |lines: &str| host(scheduler, "t", lines);
    let in_guest = task("t", "vcpu.v", PERIOD);
    let (kind, what) = row.split_once(", ").unwrap();
    match what {
        "woken by a timer" => {
            core(scheduler)
                + &on_core("")
                + "[timer.x]\narmed-by = \"task.t\"\nperiod = \"10ms\"\nwakes = true\n"
        }
        "woken by an interrupt" | "task of the host" => {
            let required =
                if kind == "`deadline`" { String::new() } else { require("interrupt.i") };
            core(scheduler) + &on_core("") + INTERRUPT + "wakes = \"task.t\"\n" + &required
        }
        "woken in a guest" => delivered(scheduler, ", wakes = \"task.t\"", &in_guest),
        "reads packets" => {
            with_card(scheduler, "receiver = \"task.t\"\nsocket = 4\n") + &require("task.t")
        }
        "alone in a constant-bandwidth server" => {
            let kind = if scheduler == "edf" { "cbs-hard" } else { "sched-deadline" };
            core(scheduler)
                + &server("server.s", scheduler, kind, "")
                + &task("t", "server.s", PERIOD)
                + &within("50%")
        }
        "elsewhere" => core(scheduler) + &on_core(PERIOD) + &within("50%"),
        "routine of the core" => core(scheduler) + INTERRUPT + &require("interrupt.i"),
        "interrupt of a network card" => with_card(scheduler, "") + &require("interrupt.i"),
        "in a storm" => core(scheduler) + INTERRUPT + "storm = \"1us\"\n" + &require("interrupt.i"),
        "routine of a guest" => delivered(scheduler, "", "") + &require("interrupt.i"),
        "pseudo-VCPU beside a shield of timers" => {
            let timer = "[timer.x]\narmed-by = \"task.t\"\nperiod = \"10ms\"\n";
            delivered(scheduler, &pseudo_vcpu("arrival"), &(in_guest + timer))
                .replace("[vcpu.v]", "timers = \"timershield\"\n[vcpu.v]")
                + &require("interrupt.i")
        }
        "pseudo-VCPU by `arrival`, task in a server of the guest" => {
            let inner = "[server.inner]\non = \"vcpu.v\"\nserver = \"deferrable\"\nbudget = \"1ms\"\nperiod = \"10ms\"\n";
            let tasks = inner.to_owned() + &task("t", "server.inner", PERIOD);
            let lines = format!(", wakes = \"task.t\"{}", pseudo_vcpu("arrival"));
            // Handled before the next one.
            delivered(scheduler, &lines, &tasks)
                .replace("min-interarrival = \"10ms\"", "min-interarrival = \"100ms\"")
                + &require("interrupt.i")
        }
        _ => {
            let rule = what.split('`').nth(1).unwrap();
            delivered(scheduler, &pseudo_vcpu(rule), "") + &require("interrupt.i")
        }
    }
}

#[test]
fn requirements_of_what_is_woken_and_of_interrupts() {
    const LABELS: &[&str] = &[
        "`deadline`, woken by a timer",
        "`deadline`, woken by an interrupt",
        "`deadline`, woken in a guest",
        "`deadline`, reads packets",
        "`probability`, alone in a constant-bandwidth server",
        "`probability`, elsewhere",
        "`handled-within`, routine of the core",
        "`handled-within`, interrupt of a network card",
        "`handled-within`, in a storm",
        "`handled-within`, task of the host",
        "`handled-within`, routine of a guest",
        "`handled-within`, pseudo-VCPU by `arrival`",
        "`handled-within`, pseudo-VCPU by `arrival`, task in a server of the guest",
        "`handled-within`, pseudo-VCPU by `deferrable`",
        "`handled-within`, pseudo-VCPU beside a shield of timers",
        "`handled-within`, pseudo-VCPU by `released`",
    ];
    compare("requirement", LABELS, |row, scheduler| vec![required(row, scheduler)]);
}

/// A system for each of the costs that a row names.
fn with_costs(row: &str, scheduler: &str) -> Vec<String> {
    let (costs, what) = row.split_once(": ").unwrap_or((row, "interrupt level"));
    let costs = names(costs).into_iter().filter(|cost| !["hrtimer", "timershield"].contains(cost));
    let with_cost = |key: &str| {
        let cached = if key == "cache" { "cache = \"cache.c\"\n" } else { "" };
        let costs = if key == "cache" {
            "[cache.c]\nmodel = \"flood\"\nuseful = \"50%\"\nsustained = \"10us\"\n".to_owned()
        } else {
            format!("[costs]\n{key} = \"1us\"\n")
        };
        let of_kind = |noun: &str, kind: &str, of_server: &str, of_task: &str| {
            server(noun, scheduler, kind, of_server)
                + &task("t", noun, &format!("{PERIOD}{of_task}"))
        };
        let usual = usual(scheduler);
        let members = match what {
            "tasks of the core" => {
                let lines = format!("{PERIOD}{}{cached}", place(scheduler, ""));
                task("t", "core.0", &lines)
            }
            "virtual processors" => of_kind("vcpu.v", usual, cached, ""),
            "timers of guests" => {
                let timer = "[timer.x]\narmed-by = \"task.t\"\nperiod = \"20ms\"\nwakes = true\nisr = \"1us\"\n";
                of_kind("vcpu.v", usual, "", "") + timer
            }
            "virtual processors with deadlines" => of_kind("vcpu.v", "sched-deadline", cached, ""),
            "reservations of the host" => of_kind("server.s", usual, "", cached),
            "budget that returns in fragments" => of_kind("vcpu.v", "sporadic", "", ""),
            "pseudo-VCPUs" => {
                let tasks = task("t", "vcpu.v", PERIOD);
                return delivered(scheduler, &pseudo_vcpu("arrival"), &tasks) + &costs;
            }
            _ => {
                let queue = if row.ends_with("`timershield`") { "timershield" } else { "hrtimer" };
                let timer = "[timer.x]\narmed-by = \"task.t\"\nperiod = \"10ms\"\n";
                format!("timers = \"{queue}\"\n{}{INTERRUPT}{timer}", host(scheduler, "t", PERIOD))
            }
        };
        core(scheduler) + &members + &costs
    };
    costs.map(with_cost).collect()
}

#[test]
fn deadlines_by_what_the_machine_takes() {
    const LABELS: &[&str] = &[
        "`interrupt-entry`, `interrupt-exit`, `vm-exit`",
        "`timer-expiry`, `hrtimer`",
        "`timer-expiry`: timers of guests",
        "`timer-expiry`, `timershield`",
        "`scheduler-call`, `context-switch`: tasks of the core",
        "`scheduler-call`, `context-switch`: virtual processors",
        "`scheduler-call`, `context-switch`: virtual processors with deadlines",
        "`scheduler-call`, `context-switch`: reservations of the host",
        "`scheduler-call`, `context-switch`: budget that returns in fragments",
        "`scheduler-call`, `context-switch`: pseudo-VCPUs",
        "`cache`: tasks of the core",
        "`cache`: virtual processors",
        "`cache`: virtual processors with deadlines",
        "`cache`: reservations of the host",
    ];
    compare("overhead", LABELS, with_costs);
}
