//! Words of the field that are none of the format: what says the same here, or that nothing does.

use crate::keys::{Key, Kind, Noun};
use crate::text::Value;

/// Words for keys; where a table has a key of that name, none of these is looked at.
const KEYS: &[(&[&str], &str)] = &[
    (
        &["offset", "phase", "start", "release", "first-release"],
        "verdicts hold for every phase of it: only a task and a `slot` have an `offset`",
    ),
    (
        &[
            "depends-on",
            "depends",
            "precedence",
            "predecessor",
            "predecessors",
            "successor",
            "triggers",
            "join",
            "joins",
        ],
        "the task that comes first names the others: `wakes = [\"task.next\"]`, or one that waits for several names them: \
         `after = [\"task.a\", \"task.b\"]`; where tasks hand on values through registers, write a `[chain.NAME]` with \
         their `path`",
    ),
    (
        &[
            "lock",
            "locks",
            "mutex",
            "resource",
            "resources",
            "critical-section",
            "critical-sections",
            "semaphore",
        ],
        "locks are not described by name: `blocking` is the longest time for which less urgent work holds one that the \
         task waits for",
    ),
    (
        &[
            "preemptive",
            "preemptible",
            "preemptable",
            "non-preemptive",
            "nonpreemptive",
            "preemption",
        ],
        "every task can be preempted: a section that cannot is `blocking` of each more urgent task",
    ),
    (
        &["affinity", "cpus", "cpu", "core", "cpuset", "migrates", "vcpu", "server"],
        "every task stays on one supply, which is its `on`: write `on = \"core.NAME\"`, or the name of a vcpu or server",
    ),
    (
        &["nice", "weight", "shares"],
        "the order of SCHED_OTHER is not described: leave the task out, it only gets what the others leave (`fair-server`); \
         where members take turns, write `share`",
    ),
    (
        &["wcrt", "response", "response-time", "latency", "max-latency"],
        "response times are the result: write the longest that is allowed as `deadline`, or `handled-within` in a \
         `[require.NAME]` for an interrupt",
    ),
    (
        &["suspension", "self-suspension", "sleep", "io", "wait"],
        "a job that waits is not described: count the longest wait in `wcet`",
    ),
    (
        &["acet", "average"],
        "an average decides nothing: `execution` states times with their weights",
    ),
    (
        &["vcpus", "guests"],
        "every virtual processor has a table of its own: `[vcpu.NAME]`, with the same `vm`",
    ),
    (
        &["memory", "bandwidth"],
        "memory is not described: count what sharing it takes in `wcet`, or state a `[cache.NAME]`",
    ),
];

/// The same, of tasks and interrupts, where a time has another name.
const TIMES: &[(&str, &[&str], &str)] = &[
    ("task", &["runtime", "exec", "execution-time", "cost", "c", "computation"], "wcet"),
    (
        "task",
        &["interarrival", "min-interarrival", "t", "cycle", "interval", "rate", "frequency"],
        "period",
    ),
    ("task", &["phase", "start", "release", "first-release"], "offset"),
    ("interrupt", &["runtime", "wcet", "exec", "execution-time", "duration"], "isr"),
    ("interrupt", &["period", "interval", "cycle", "rate", "frequency"], "min-interarrival"),
    ("server", &["runtime", "capacity", "quota", "wcet", "slice", "q"], "budget"),
    ("vcpu", &["runtime", "capacity", "quota", "wcet", "slice", "q"], "budget"),
];

/// Words for tables.
const TABLES: &[(&[&str], &str)] = &[
    (
        &["gpu", "accelerator", "fpga", "disk", "memory", "bus", "dma"],
        "only processors are described: count the longest time for which a job waits for something else in its `wcet`",
    ),
    (&["cpu", "processor", "pcpu", "cores", "cpus"], "a processor is a `[core.NAME]`"),
    (
        &["vm", "guest", "domain", "vms"],
        "a virtual machine is a `[vcpu.NAME]` for each of its processors, with the same `vm`",
    ),
    (&["thread", "process", "job", "runnable", "node", "tasks"], "a thread is a `[task.NAME]`"),
    (&["irq", "isr", "interrupts", "irqs"], "an interrupt is an `[interrupt.NAME]`"),
    (&["nic", "network", "card", "ethernet"], "a network card is a `[device.NAME]`"),
    (
        &["lock", "mutex", "resource", "semaphore", "shared"],
        "locks are not described by name: `blocking` of a task is the longest time for which less urgent work holds one",
    ),
    (
        &["chains", "path", "flow", "dag", "pipeline", "message", "signal"],
        "values that go from task to task are a `[chain.NAME]` with the `path` of the tasks",
    ),
    (
        &["deadline", "requirement", "constraint"],
        "a requirement is the `deadline` of a task, or a `[require.NAME]`",
    ),
];

/// Words for schedulers and servers of other systems.
const WORDS: &[(&[&str], &str)] = &[
    (
        &["fifo", "sched-fifo", "rt", "fp", "fpps", "preemptive", "priority", "fixed"],
        "SCHED_FIFO is \"fixed-priority\"; on a core of Linux write \"linux\", where `sched-deadline` servers come first",
    ),
    (
        &["sched-deadline", "deadline", "dl"],
        "a core with servers of SCHED_DEADLINE is \"linux\", and each of them has `server = \"sched-deadline\"`",
    ),
    (
        &["cfs", "eevdf", "sched-other", "other", "normal", "sched-normal", "sched-batch", "fair"],
        "SCHED_OTHER has no bounds: a core of Linux is \"linux\", and keeps a `fair-server` for it",
    ),
];

/// What is said of a key that the table called `name` has not.
pub(super) fn key(name: &str, written: &str) -> Option<String> {
    let written = plain(written);
    let noun = name.split('.').next().unwrap_or(name);
    let time = TIMES.iter().find(|(of, words, _)| *of == noun && words.contains(&&*written));
    if let Some((_, _, key)) = time {
        return Some(format!("did you mean \"{key}\"?"));
    }
    // Costs and packets have no such words, and neither has a table within another one.
    let is_thing = Noun::of_word(noun).is_some() && name.matches('.').count() == 1;
    if is_thing { found(KEYS, &written) } else { None }
}

/// What is said of a table that there is none of.
pub(super) fn table(written: &str) -> Option<String> {
    found(TABLES, &plain(written))
}

/// What is said of a word for a scheduler.
pub(super) fn word(key: &Key, written: &str) -> Option<String> {
    let is_scheduler = matches!(key.kind, Kind::CoreScheduler | Kind::GuestScheduler);
    if is_scheduler { found(WORDS, &plain(written)) } else { None }
}

/// The text that a number probably stands for: the number of an interrupt, or a core.
pub(super) fn number(key: &Key, value: &Value) -> Option<String> {
    let Value::Number(Some(number), written) = value else { return None };
    match key.kind {
        Kind::Text if *number >= 0 && ["irq", "vector"].contains(&key.name) => {
            Some(written.clone())
        }
        Kind::Reference(nouns) if nouns.contains(&Noun::Core) => Some(format!("core.{written}")),
        _ => None,
    }
}

/// Upper and lower case, `_` and blanks are no difference.
fn plain(written: &str) -> String {
    let short: String = written.chars().take(40).collect();
    short.trim().to_lowercase().replace(['_', ' '], "-")
}

fn found(words: &[(&[&str], &str)], written: &str) -> Option<String> {
    let (_, help) = words.iter().find(|(own, _)| own.contains(&written))?;
    Some((*help).to_owned())
}
