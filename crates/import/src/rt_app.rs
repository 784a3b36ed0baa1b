//! A workload of rt-app, in JSON.
//!
//! **Model.** A thread with one phase that runs, then waits for a timer or sleeps, is a task: `run` or `runtime` is its
//! execution time, in microseconds, and the `period` of its `timer` its period. One that sleeps comes again after its
//! execution and its sleep; the sleep alone is taken as the least time between two arrivals, which is safe. A thread of
//! `SCHED_DEADLINE` is a server with that task inside. All that runs in one phase counts, also where the same word comes
//! several times.
//!
//! **Sources.** doc/tutorial.txt of rt-app: keys of events may have anything behind their word (`run1`), and threads
//! have `instance` copies.

use crate::description::{Core, Description, Table, Value};
use crate::json;
use crate::refused::Refused;
use serde_json::{Map, Value as Json};
use vorrang_model::limits;

/// Copies of threads that are described.
const MOST: u64 = 4096;
/// The longest time, in microseconds: 11 days.
const LONGEST: u64 = 1_000_000_000_000;
/// Of a thread without a priority.
const PRIORITY: u64 = 10;
/// Keys of a thread that are no events, or matter not.
const PLAIN: [&str; 15] = [
    "policy",
    "priority",
    "cpus",
    "dl-runtime",
    "dl-period",
    "dl-deadline",
    "dl-reclaim",
    "period",
    "deadline",
    "instance",
    "loop",
    "phases",
    "delay",
    "util_min",
    "util_max",
];

/// Its threads.
pub(crate) fn read(text: &str, lost: &mut Vec<String>) -> Result<Description, Refused> {
    let json = json::read(text)?;
    let tasks = json.get("tasks").and_then(Json::as_object);
    let tasks =
        tasks.ok_or_else(|| Refused::at(1, "there are no `tasks`: this is none of rt-app"))?;
    let default =
        json.get("global").and_then(|global| global.get("default_policy")).and_then(Json::as_str);
    let mut reader = Reader {
        text,
        default: default.unwrap_or("SCHED_OTHER"),
        description: Description::default(),
        lost,
    };
    for (name, task) in tasks {
        let Some(task) = task.as_object() else { return Err(reader.wrong(name, "is no thread")) };
        reader.thread(name, task)?;
    }
    let mut description = reader.description;
    if description.tables.is_empty() {
        let first = reader.lost.first().map(|why| format!(" ({why})")).unwrap_or_default();
        return Err(Refused::whole(format!(
            "no thread of it is real-time and has times: there is nothing to describe{first}"
        )));
    }
    if description.cores.is_empty() {
        description.cores.insert(0, core(None));
    }
    Ok(description)
}

fn core(cpu: Option<u32>) -> Core {
    Core { scheduler: "linux", cpu, release: None }
}

struct Reader<'a> {
    text: &'a str,
    default: &'a str,
    description: Description,
    lost: &'a mut Vec<String>,
}

/// The times of a thread, in microseconds.
#[derive(Default)]
struct Times {
    run: u64,
    timer: Option<u64>,
    sleep: Option<u64>,
}

impl Reader<'_> {
    /// An error about a thread, with the line where it stands.
    fn wrong(&self, name: &str, why: &str) -> Refused {
        let quoted = Json::from(name).to_string();
        let line = self.text.lines().position(|line| line.contains(&quoted));
        Refused::at(line.map_or(0, |line| line + 1), format!("tasks.{name} {why}"))
    }

    fn thread(&mut self, name: &str, task: &Map<String, Json>) -> Result<(), Refused> {
        let copies = self.number(name, task, "instance")?.unwrap_or(1);
        if copies > MOST || self.description.tables.len() as u64 > MOST {
            return Err(self.wrong(name, "has more copies than are described"));
        }
        let mut keys = task.clone();
        if let Some(phases) = task.get("phases").and_then(Json::as_object) {
            if phases.len() != 1 {
                self.lost.push(format!("tasks.{name}: {} phases", phases.len()));
                return Ok(());
            }
            let phase = phases.values().next().and_then(Json::as_object);
            keys.extend(phase.cloned().unwrap_or_default());
        }
        let policy = keys.get("policy").and_then(Json::as_str).unwrap_or(self.default).to_owned();
        let times = self.times(name, &keys)?;
        match policy.as_str() {
            "SCHED_DEADLINE" => self.server(name, &keys, &times, copies),
            "SCHED_FIFO" | "SCHED_RR" => {
                if policy == "SCHED_RR" {
                    self.lost.push(format!(
                        "tasks.{name}: turns among equal priorities (`time-slice` of the core)"
                    ));
                }
                self.task(name, &keys, &times, copies)
            }
            _ => {
                self.lost.push(format!("tasks.{name}: it is of {policy}"));
                Ok(())
            }
        }
    }

    fn number(
        &self,
        name: &str,
        keys: &Map<String, Json>,
        key: &str,
    ) -> Result<Option<u64>, Refused> {
        let Some(value) = keys.get(key) else { return Ok(None) };
        let number = value.as_u64().filter(|number| *number <= LONGEST);
        number.map(Some).ok_or_else(|| {
            self.wrong(name, &format!("has a `{key}` that is no number, or too large"))
        })
    }

    /// What it does, event by event; what is no time is not carried over.
    fn times(&mut self, name: &str, keys: &Map<String, Json>) -> Result<Times, Refused> {
        let mut times = Times::default();
        for (key, value) in keys {
            if PLAIN.contains(&key.as_str()) {
                continue;
            }
            if key.starts_with("run") {
                let run = self.number(name, keys, key)?.unwrap_or(0);
                times.run = times.run.saturating_add(run);
            } else if key.starts_with("sleep") {
                let sleep = self.number(name, keys, key)?.unwrap_or(0);
                times.sleep = Some(times.sleep.unwrap_or(0).saturating_add(sleep));
            } else if let (true, Some(timer)) = (key.starts_with("timer"), value.as_object()) {
                times.timer = self.number(name, timer, "period")?.or(times.timer);
            } else {
                self.lost.push(format!("tasks.{name}: {key}"));
            }
        }
        Ok(times)
    }

    /// Where it runs.
    fn on(&mut self, name: &str, keys: &Map<String, Json>) -> Result<Value, Refused> {
        let Some(cpus) = keys.get("cpus").and_then(Json::as_array) else { return Ok(Value::Open) };
        let mut numbers = Vec::new();
        for cpu in cpus {
            let cpu = cpu
                .as_u64()
                .filter(|cpu| *cpu <= limits::CPU)
                .and_then(|cpu| u32::try_from(cpu).ok());
            numbers.push(cpu.ok_or_else(|| self.wrong(name, "has `cpus` that are no processors"))?);
        }
        for &cpu in &numbers {
            self.description.cores.insert(cpu, core(Some(cpu)));
        }
        Ok(match numbers[..] {
            [cpu] => Value::Core(cpu),
            _ => Value::Open,
        })
    }

    fn server(
        &mut self,
        name: &str,
        keys: &Map<String, Json>,
        times: &Times,
        copies: u64,
    ) -> Result<(), Refused> {
        let runtime = self.number(name, keys, "dl-runtime")?.unwrap_or(0);
        let period = self.number(name, keys, "dl-period")?.unwrap_or(runtime);
        let deadline = self.number(name, keys, "dl-deadline")?.unwrap_or(period);
        if runtime == 0 || runtime > deadline || deadline > period {
            return Err(
                self.wrong(name, "has no dl-runtime <= dl-deadline <= dl-period above zero")
            );
        }
        let on = self.on(name, keys)?;
        for copy in 0..copies {
            let mut own = vec![
                ("on", on.clone()),
                ("server", Value::word("sched-deadline")),
                ("budget", Value::Time(runtime * 1_000)),
                ("period", Value::Time(period * 1_000)),
            ];
            if deadline < period {
                own.push(("deadline", Value::Time(deadline * 1_000)));
            }
            if keys.get("dl-reclaim") == Some(&Json::Bool(true)) {
                own.push(("reclaim", Value::Yes));
            }
            own.push(("thread", thread(name, copy)));
            let label = label_of(name, copy, copies);
            let place = self.description.add(Table {
                noun: "server",
                name: label,
                comments: Vec::new(),
                keys: own,
            });
            let times = Times { timer: times.timer.or(Some(period)), ..*times };
            self.work(
                name,
                &label_of(name, copy, copies),
                &times,
                vec![("on", Value::Table(place))],
            );
        }
        Ok(())
    }

    fn task(
        &mut self,
        name: &str,
        keys: &Map<String, Json>,
        times: &Times,
        copies: u64,
    ) -> Result<(), Refused> {
        let priority = self.number(name, keys, "priority")?.unwrap_or(PRIORITY);
        if !(1..=99).contains(&priority) {
            return Err(self.wrong(name, "has a priority that is none of SCHED_FIFO"));
        }
        let on = self.on(name, keys)?;
        for copy in 0..copies {
            let own = vec![
                ("on", on.clone()),
                ("priority", Value::Number(priority)),
                ("thread", thread(name, copy)),
            ];
            self.work(name, &label_of(name, copy, copies), times, own);
        }
        Ok(())
    }

    /// The task, if its times are there.
    fn work(
        &mut self,
        name: &str,
        label: &str,
        times: &Times,
        mut keys: Vec<(&'static str, Value)>,
    ) {
        let period = times.timer.or(times.sleep).filter(|period| *period > 0);
        match period {
            Some(period) if times.run > 0 && times.run <= period => {
                keys.insert(1, ("wcet", Value::Time(times.run * 1_000)));
                keys.insert(2, ("period", Value::Time(period * 1_000)));
                let label = label.to_owned();
                self.description.add(Table {
                    noun: "task",
                    name: label,
                    comments: Vec::new(),
                    keys,
                });
            }
            _ => {
                let lost = format!("tasks.{name}: it does not run for less than a period");
                if !self.lost.contains(&lost) {
                    self.lost.push(lost);
                }
            }
        }
    }
}

/// rt-app calls its threads by name and place.
fn thread(name: &str, copy: u64) -> Value {
    let full = format!("{name}-{copy}");
    let kept: String = full.chars().take(15).collect();
    Value::Text(format!("name:{kept}"))
}

fn label_of(name: &str, copy: u64, copies: u64) -> String {
    if copies == 1 { name.to_owned() } else { format!("{name}-{copy}") }
}
