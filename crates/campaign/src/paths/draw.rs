//! Small systems with a chain, by the row of the table of all histories.

use crate::random::Random;
use std::fmt::Write as _;

/// What the tasks of a chain are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// One core, by priority.
    Core,
    /// One core, by deadline.
    ByDeadline,
    /// Two cores, by priority.
    Cores,
    /// Servers without a budget, by priority or by deadline inside, beside a task of the core.
    Levels,
    /// A deferrable server, beside a task of the core.
    Budget,
}

/// When the tasks read and write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// All at the beginning and the end of their jobs.
    Registers,
    /// All at arrivals and deadlines.
    Logical,
    /// Each in one of the two ways.
    Mixed,
    /// The first as in [`Manner::Mixed`]; the others after one or two before them, mostly, and by registers.
    Woken,
}

/// A supply, and how many tasks are on it.
struct Supply {
    name: &'static str,
    by_deadline: bool,
    tasks: u64,
}

/// A description.
pub fn text(random: &mut Random, place: Place, manner: Manner) -> String {
    let mut text = "version = 1\n".to_owned();
    let supplies = supplies(random, place, &mut text);
    let (mut names, mut roots) = (Vec::new(), Vec::new());
    let mut priorities: Vec<u64> = (11..20).collect();
    for supply in &supplies {
        for _ in 0..supply.tasks {
            let name = format!("task.t{}", names.len());
            let index = random.index(priorities.len());
            let priority = priorities.swap_remove(index);
            let before = match manner {
                Manner::Woken => before(random, &mut roots),
                _ => Vec::new(),
            };
            if before.is_empty() {
                task(random, &mut text, &name, supply, priority, manner);
            } else {
                woken(random, &mut text, &name, supply, priority, &before);
            }
            names.push(name);
        }
    }
    let length = names.len().min(if random.chance(1, 3) { 3 } else { 2 });
    let path = (0..length).map(|_| {
        let index = random.index(names.len());
        format!("\"{}\"", names.swap_remove(index))
    });
    let path: Vec<String> = path.collect();
    let _ = writeln!(text, "[chain.target]\npath = [{}]\nreaction = \"1us\"", path.join(", "));
    text
}

fn supplies(random: &mut Random, place: Place, text: &mut String) -> Vec<Supply> {
    let cores = if place == Place::Cores { 2 } else { 1 };
    let rule = if place == Place::ByDeadline { "edf" } else { "fixed-priority" };
    for core in 0..cores {
        let _ = writeln!(text, "[core.{core}]\nscheduler = \"{rule}\"");
    }
    let mut all = Vec::new();
    let mut add = |name, by_deadline, tasks| all.push(Supply { name, by_deadline, tasks });
    match place {
        Place::Core | Place::ByDeadline => {
            add("core.0", place == Place::ByDeadline, random.between(2, 3));
        }
        Place::Cores => {
            add("core.0", false, random.between(1, 2));
            add("core.1", false, random.between(1, 2));
        }
        Place::Budget => {
            let period = random.between(3, 6);
            let budget = random.between(1, period - 1);
            let priority = random.one_of(&[1, 50]);
            let _ = writeln!(
                text,
                "[server.v]\non = \"core.0\"\nserver = \"deferrable\"\nbudget = \"{budget}ns\"\n\
                 period = \"{period}ns\"\npriority = {priority}"
            );
            add("server.v", false, random.between(1, 2));
            add("core.0", false, 1);
        }
        Place::Levels => {
            let both = random.chance(1, 2);
            add("server.v", level(random, text, ("v", "core.0"), 50), random.between(1, 2));
            if both {
                let on = random.one_of(&["core.0", "core.0", "server.v"]);
                let by_deadline = on == "server.v" && all[0].by_deadline;
                let on = if by_deadline { "core.0" } else { on };
                let priority = random.one_of(&[2, 60]);
                let inside = level(random, text, ("u", on), priority);
                all.push(Supply { name: "server.u", by_deadline: inside, tasks: 1 });
            }
            if !both || random.chance(1, 3) {
                all.push(Supply { name: "core.0", by_deadline: false, tasks: 1 });
            }
        }
    }
    all
}

/// A server without a budget; whether deadlines decide in it.
fn level(random: &mut Random, text: &mut String, (name, on): (&str, &str), priority: u64) -> bool {
    let by_deadline = random.chance(1, 2);
    let rule = if by_deadline { "edf" } else { "fixed-priority" };
    let _ = writeln!(
        text,
        "[server.{name}]\non = \"{on}\"\nserver = \"none\"\nscheduler = \"{rule}\"\npriority = {priority}"
    );
    by_deadline
}

fn task(
    random: &mut Random,
    text: &mut String,
    name: &str,
    supply: &Supply,
    priority: u64,
    manner: Manner,
) {
    let least = random.between(1, 2);
    let most = least + random.one_of(&[0, 0, 1, 2]);
    let more = if manner == Manner::Woken { 4 } else { 0 };
    let period = (more + random.between(4, 9)).max(2 * most);
    let latest = period + random.one_of(&[0, 0, 1, 2, 4]);
    let is_logical = match manner {
        Manner::Registers => false,
        Manner::Logical => true,
        Manner::Mixed => random.chance(1, 2),
        Manner::Woken => random.chance(1, 4),
    };
    let deadline = random.between(most, period);
    let _ = write!(
        text,
        "[{name}]\non = \"{}\"\nbcet = \"{least}ns\"\nwcet = \"{most}ns\"\nperiod = \"{period}ns\"\n\
         latest-interarrival = \"{latest}ns\"\ndeadline = \"{deadline}ns\"\n",
        supply.name
    );
    if is_logical {
        text.push_str("communication = \"let\"\n");
    } else if random.chance(1, 3) {
        let _ = writeln!(text, "jitter = \"{}ns\"", random.between(1, 3));
    }
    if !supply.by_deadline {
        let _ = writeln!(text, "priority = {priority}");
    }
}

/// One or two of those before it that descend from one, or none; `roots`: from which each of them descends.
fn before(random: &mut Random, roots: &mut Vec<usize>) -> Vec<usize> {
    let own = roots.len();
    if own == 0 || random.chance(1, 4) {
        roots.push(own);
        return Vec::new();
    }
    let first = random.index(own);
    let root = roots[first];
    roots.push(root);
    let second = (0..own).find(|&other| other != first && roots[other] == root);
    let second = second.filter(|_| random.chance(1, 2));
    [first].into_iter().chain(second).collect()
}

fn woken(
    random: &mut Random,
    text: &mut String,
    name: &str,
    supply: &Supply,
    priority: u64,
    before: &[usize],
) {
    let least = random.between(1, 2);
    let most = random.between(least, 2);
    let after: Vec<String> = before.iter().map(|first| format!("\"task.t{first}\"")).collect();
    let _ = write!(
        text,
        "[{name}]\non = \"{}\"\nbcet = \"{least}ns\"\nwcet = \"{most}ns\"\ndeadline = \"{}ns\"\nafter = [{}]\n",
        supply.name,
        random.between(4, 20),
        after.join(", ")
    );
    if !supply.by_deadline {
        let _ = writeln!(text, "priority = {priority}");
    }
}
