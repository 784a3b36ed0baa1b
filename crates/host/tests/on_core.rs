//! Tasks that stand on the core itself, and shielded timers: what is accepted, and what is refused by name.

use vorrang_host::scope::{Scope, Unfit};
use vorrang_host::uncounted::uncounted;
use vorrang_model::{Format, System, read};
use vorrang_time::Duration;

const LOOK: Duration = Duration::from_ms(1);

/// A server between two tasks.
const BETWEEN: &str = r#"
version = 1
[costs]
scheduler-call = "40us"
context-switch = "5us"
[core.0]
scheduler = "fixed-priority"
cpu = 1
[task.urgent]
on = "core.0"
wcet = "100us"
priority = 90
thread = "name:urgent"
[timer.urgent]
armed-by = "task.urgent"
period = "1ms"
wakes = true
[server.a]
on = "core.0"
server = "deferrable"
budget = "2ms"
period = "10ms"
priority = 50
thread = "name:a"
[task.a]
on = "server.a"
wcet = "1ms"
period = "50ms"
jitter = "1ms"
[task.slow]
on = "core.0"
wcet = "1ms"
period = "100ms"
priority = 10
thread = "name:slow"
[interrupt.look]
on = "core.0"
isr = "40us"
min-interarrival = "1ms"
"#;

fn system(text: &str) -> System {
    read(text, Format::Toml).unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
}

fn scope(text: &str) -> Result<Scope, Unfit> {
    Scope::all(&system(text), LOOK).map(|mut scopes| scopes.remove(0))
}

/// What is said of the same with something replaced.
fn said(from: &str, to: &str) -> String {
    assert!(BETWEEN.contains(from), "{from}");
    let Unfit { missing, wrong } =
        scope(&BETWEEN.replacen(from, to, 1)).expect_err("it is not run");
    [missing, wrong].concat().join("\n")
}

#[test]
fn tasks_have_priorities_around_those_that_are_lent() {
    let scope = scope(BETWEEN).expect("it is run");
    let tasks: Vec<&str> = scope.tasks.iter().map(|task| &*task.name).collect();
    assert_eq!((tasks, scope.levels.tasks()), (vec!["task.urgent", "task.slow"], &[23, 17][..]));
    let level = scope.levels.members()[0];
    assert_eq!((scope.levels.lent(level), scope.levels.tasks_above(level)), (19, 1));
    assert_eq!(uncounted(&system(BETWEEN), &scope, LOOK), [""; 0]);
    let text = BETWEEN.replace("context-switch = \"5us\"\n", "");
    let missing = uncounted(&system(&text), &scope, LOOK);
    assert!(missing[0].starts_with("the kernel itself switches to task.urgent"), "{missing:?}");
}

/// Servers by amount, and others above all tasks.
#[test]
fn below_a_task_servers_are_by_amount() {
    let kind = |kind: &str| format!("server = \"{kind}\"");
    for other in ["periodic", "sporadic", "refill-queue"] {
        let said = said(&kind("deferrable"), &kind(other));
        assert!(
            said.contains("server.a: below task.urgent, which is on the core itself"),
            "{said}"
        );
        let above = BETWEEN.replace(&kind("deferrable"), &kind(other)).replace("= 90", "= 40");
        assert!(scope(&above).is_ok(), "{other}");
    }
    assert!(scope(&BETWEEN.replace(&kind("deferrable"), &kind("polling"))).is_ok());
}

#[test]
fn what_has_no_place_or_no_end_is_refused() {
    let equal = said("priority = 10", "priority = 50");
    assert!(equal.contains("task.slow and server.a have the same priority"), "{equal}");
    let equal = said("priority = 10", "priority = 90");
    assert!(equal.contains("task.urgent and task.slow have the same priority"), "{equal}");
    let nameless = said("thread = \"name:slow\"\n", "");
    assert!(nameless.contains("task.slow does not say which thread it is"), "{nameless}");
    let kept = said("wcet = \"100us\"", "wcet = \"100us\"\npreemption = \"none\"");
    assert!(kept.contains("task.urgent: nothing keeps more urgent threads"), "{kept}");
    let busy = said("wcet = \"100us\"", "wcet = \"800us\"");
    assert!(busy.contains("% of the processor are reserved or taken by tasks"), "{busy}");
    let by_deadline = BETWEEN.replace("\"fixed-priority\"", "\"edf\"");
    let lines = by_deadline.lines().filter(|line| !line.starts_with("priority"));
    let by_deadline = lines.collect::<Vec<_>>().join("\n");
    let Unfit { missing, .. } = scope(&by_deadline).expect_err("there is no place");
    assert!(missing[0].contains("task.urgent: it is on the core itself, where"), "{missing:?}");
}

/// More levels than there are priorities.
#[test]
fn so_many_tasks_between_servers_fit() {
    let with = |count: u32| {
        let one = |place: u32| {
            let (server, task) = (100 - 2 * place, 99 - 2 * place);
            format!(
                "[server.s{place}]\non = \"core.0\"\nserver = \"polling\"\nbudget = \"100us\"\nperiod = \"10ms\"\n\
                 priority = {server}\nthread = \"name:s{place}\"\n[task.t{place}]\non = \"core.0\"\nwcet = \"1us\"\n\
                 period = \"10ms\"\npriority = {task}\nthread = \"name:t{place}\"\n"
            )
        };
        let all: String = (0..count).map(one).collect();
        scope(&format!("version = 1\n[core.0]\nscheduler = \"fixed-priority\"\ncpu = 1\n{all}"))
    };
    assert_eq!(with(5).expect("they fit").tasks.len(), 5);
    let unfit = with(6).expect_err("there are not so many priorities");
    assert!(unfit.missing[0].contains("take more priorities than there are"), "{unfit:?}");
}

#[test]
fn timers_of_tasks_on_the_core_are_shielded_and_no_others() {
    let shielded = BETWEEN.replace("cpu = 1", "cpu = 1\ntimers = \"timershield\"");
    assert!(scope(&shielded).is_ok());
    let of_server = "[timer.a]\narmed-by = \"task.a\"\nperiod = \"5ms\"\n";
    let Unfit { missing, .. } = scope(&format!("{shielded}{of_server}")).expect_err("it is soft");
    assert!(missing[0].starts_with("timer.a: task.a is in a server"), "{missing:?}");
    assert!(scope(&format!("{BETWEEN}{of_server}")).is_ok(), "without the shield it fires at once");
}
