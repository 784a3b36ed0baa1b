//! A workload of rt-app, in JSON.
//!
//! **Model.** A thread of `SCHED_FIFO` and `SCHED_RR` is a task with its priority. One of `SCHED_DEADLINE` is a server with a
//! task inside. One of `SCHED_OTHER` and its kin is guaranteed nothing: it is a reservation that is open, with a task inside,
//! like every such thread of a machine. How long a task runs and how often it comes is in `pattern.rs`. What is not known of
//! a thread is said by name, and it has no task.
//!
//! **Sources.** doc/tutorial.txt of rt-app: keys of events may have anything behind their word (`run1`), and threads
//! have `instance` copies.

mod pattern;
mod phases;
mod thread;

use crate::description::{Core, Description, Table, Value};
use crate::json::{self, Json};
use crate::refused::Refused;
use pattern::{LONGEST, Pattern};
use phases::Behaviour;
use thread::Thread;
use vorrang_model::limits;

/// Copies of threads that are described.
const MOST: u64 = 4096;
/// Of a thread without a priority.
const PRIORITY: i64 = 10;
/// What a phase may change besides the processors: then one task is not what the thread is.
const SCHEDULED: [&str; 5] = ["policy", "priority", "dl-runtime", "dl-period", "dl-deadline"];

/// Its threads.
pub(crate) fn read(text: &str, lost: &mut Vec<String>) -> Result<Description, Refused> {
    let json = json::read(text)?;
    let tasks = json.get("tasks").and_then(Json::entries);
    let tasks =
        tasks.ok_or_else(|| Refused::at(1, "there are no `tasks`: this is none of rt-app"))?;
    let default = json.get("global").and_then(|global| global.get("default_policy"));
    let mut reader = Reader {
        text,
        default: default.and_then(Json::text).unwrap_or("SCHED_OTHER"),
        copies: 0,
        description: Description::default(),
        lost,
    };
    for (name, task) in tasks {
        if task.entries().is_none() {
            return Err(reader.wrong(name, "is no thread"));
        }
        reader.thread(name, task)?;
    }
    let mut description = reader.description;
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
    copies: u64,
    description: Description,
    lost: &'a mut Vec<String>,
}

impl Reader<'_> {
    /// An error about a thread, with the line where it stands.
    fn wrong(&self, name: &str, why: &str) -> Refused {
        let quoted = serde_json::Value::from(name).to_string();
        let line = self.text.lines().position(|line| line.contains(&quoted));
        Refused::at(line.map_or(0, |line| line + 1), format!("tasks.{name} {why}"))
    }

    fn lose(&mut self, name: &str, why: &str) {
        let lost = format!("tasks.{name}: {why}");
        if !self.lost.contains(&lost) {
            self.lost.push(lost);
        }
    }

    fn thread(&mut self, name: &str, task: &Json) -> Result<(), Refused> {
        let phases: Vec<&Json> = match task.get("phases").and_then(Json::entries) {
            Some(phases) => phases.iter().map(|(_, phase)| phase).collect(),
            None => vec![task],
        };
        let mut thread =
            Thread { name, task, phases, policy: String::new(), copies: 1, pattern: None };
        thread.copies = self.number(&thread, "instance")?.unwrap_or(1);
        self.copies = self.copies.saturating_add(thread.copies);
        if self.copies > MOST {
            return Err(self.wrong(name, "has more copies than are described"));
        }
        if thread.copies == 0 {
            self.lose(name, "no thread of it is there at first (instance 0)");
            return Ok(());
        }
        let policy = thread.all("policy").first().and_then(|policy| policy.text());
        policy.unwrap_or(self.default).clone_into(&mut thread.policy);
        if let Some(key) = SCHEDULED.into_iter().find(|key| thread.changes(key)) {
            self.lose(name, &format!("its `{key}` changes from phase to phase"));
            return Ok(());
        }
        thread.pattern = self.pattern(&thread)?;
        match thread.policy.as_str() {
            "SCHED_DEADLINE" => self.server(&thread),
            "SCHED_FIFO" | "SCHED_RR" => self.task(&thread),
            _ => self.other(&thread),
        }
    }

    /// What it asks for, if that is known; what is not carried over is said.
    fn pattern(&mut self, thread: &Thread) -> Result<Option<Pattern>, Refused> {
        let name = thread.name;
        let behaviour = Behaviour::of(&thread.phases).map_err(|key| {
            self.wrong(name, &format!("has a `{key}` that is no number, or too large"))
        })?;
        for key in &behaviour.lost {
            self.lose(name, key);
        }
        let pattern = match behaviour.unknown {
            Some(why) => Err(why),
            None => behaviour.round.pattern(),
        };
        if let Err(why) = &pattern {
            self.lose(name, &format!("{why}: it has no task here"));
        }
        Ok(pattern.ok())
    }

    fn number(&self, thread: &Thread, key: &str) -> Result<Option<u64>, Refused> {
        let Some(value) = thread.all(key).first().copied() else { return Ok(None) };
        let number = value.number().and_then(|number| u64::try_from(number).ok());
        number.filter(|number| *number <= LONGEST).map(Some).ok_or_else(|| {
            self.wrong(thread.name, &format!("has a `{key}` that is no number, or too large"))
        })
    }

    /// Where it runs: the processors of its phases, or its own.
    fn on(&mut self, thread: &Thread) -> Result<Value, Refused> {
        let mut numbers = Vec::new();
        for phase in &thread.phases {
            let Some(cpus) = phase.get("cpus").or_else(|| thread.task.get("cpus")) else {
                return Ok(Value::Open);
            };
            let Json::List(cpus) = cpus else { return Ok(Value::Open) };
            for cpu in cpus {
                let cpu = cpu.number().and_then(|cpu| u32::try_from(cpu).ok());
                let cpu = cpu.filter(|cpu| u64::from(*cpu) <= limits::CPU);
                numbers.push(
                    cpu.ok_or_else(|| {
                        self.wrong(thread.name, "has `cpus` that are no processors")
                    })?,
                );
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        for &cpu in &numbers {
            self.description.cores.insert(cpu, core(Some(cpu)));
        }
        Ok(match numbers[..] {
            [cpu] => Value::Core(cpu),
            _ => Value::Open,
        })
    }

    fn server(&mut self, thread: &Thread) -> Result<(), Refused> {
        let runtime = self.number(thread, "dl-runtime")?.unwrap_or(0);
        let period = self.number(thread, "dl-period")?.unwrap_or(runtime);
        let deadline = self.number(thread, "dl-deadline")?.unwrap_or(period);
        if runtime == 0 || runtime > deadline || deadline > period {
            let why = "has no dl-runtime <= dl-deadline <= dl-period above zero";
            return Err(self.wrong(thread.name, why));
        }
        let mut keys = vec![
            ("server", Value::word("sched-deadline")),
            ("budget", Value::Time(runtime * 1_000)),
            ("period", Value::Time(period * 1_000)),
        ];
        if deadline < period {
            keys.push(("deadline", Value::Time(deadline * 1_000)));
        }
        if thread.all("dl-reclaim") == [&Json::Yes] {
            keys.push(("reclaim", Value::Yes));
        }
        self.reservations(thread, &keys, &[])
    }

    /// One that is guaranteed nothing today.
    fn other(&mut self, thread: &Thread) -> Result<(), Refused> {
        if thread.pattern.is_none() {
            return Ok(());
        }
        let nice = thread.all("priority").first().and_then(|nice| nice.number()).unwrap_or(0);
        let says = format!("{} {nice}, which guarantees nothing", thread.policy);
        let keys = [
            ("server", Value::word("sched-deadline")),
            ("budget", Value::Open),
            ("period", Value::Open),
        ];
        self.reservations(thread, &keys, &[says])
    }

    /// A server for each copy, with its task inside.
    fn reservations(
        &mut self,
        thread: &Thread,
        keys: &[(&'static str, Value)],
        comments: &[String],
    ) -> Result<(), Refused> {
        let on = self.on(thread)?;
        for copy in 0..thread.copies {
            let mut own = vec![("on", on.clone())];
            own.extend_from_slice(keys);
            own.push(("thread", thread.selector(copy)));
            let place = self.description.add(Table {
                noun: "server",
                name: thread.label(copy),
                comments: comments.to_vec(),
                keys: own,
            });
            self.work(thread, copy, vec![("on", Value::Table(place))]);
        }
        Ok(())
    }

    fn task(&mut self, thread: &Thread) -> Result<(), Refused> {
        let name = thread.name;
        if thread.policy == "SCHED_RR" {
            self.lose(name, "turns among equal priorities (`time-slice` of the core)");
        }
        let priority = thread.all("priority").first().map_or(Some(PRIORITY), |own| own.number());
        let priority = priority.and_then(|own| u64::try_from(own).ok());
        let priority = priority.filter(|own| (1..=99).contains(own));
        let priority = priority
            .ok_or_else(|| self.wrong(name, "has a priority that is none of SCHED_FIFO"))?;
        let on = self.on(thread)?;
        for copy in 0..thread.copies {
            let own = vec![
                ("on", on.clone()),
                ("priority", Value::Number(priority)),
                ("thread", thread.selector(copy)),
            ];
            self.work(thread, copy, own);
        }
        Ok(())
    }

    /// The task, if its times are known.
    fn work(&mut self, thread: &Thread, copy: u64, mut keys: Vec<(&'static str, Value)>) {
        let Some(Pattern { wcet, distances, says }) = &thread.pattern else { return };
        keys.insert(1, ("wcet", Value::Time(wcet * 1_000)));
        let each = distances[0];
        let is_even = distances.iter().zip(1..).all(|(distance, n)| *distance == each * n);
        if is_even {
            keys.insert(2, ("period", Value::Time(each * 1_000)));
        } else {
            let times = distances.iter().map(|distance| distance * 1_000).collect();
            keys.insert(2, ("min-distances", Value::Times(times)));
            keys.insert(3, ("deadline", Value::Time(each * 1_000)));
        }
        self.description.add(Table {
            noun: "task",
            name: thread.label(copy),
            comments: says.iter().cloned().collect(),
            keys,
        });
    }
}
