//! A model of Amalthea (APP4MC): tasks, stimuli, the mapping to cores, requirements and event chains.
//!
//! **Model.** A task is one of a description: its execution time is the most of its ticks at the frequency of its core, its
//! period that of its stimulus. What triggers an inter-process stimulus wakes the tasks that have it. An upper limit of a
//! response time is a deadline. An event chain over events of tasks is a path.
//!
//! **Assumptions.** 1. Accesses to memory are part of the ticks, or cost nothing. 2. A larger priority is more urgent.
//! 3. Files of one model are read together, and refer to each other by name. What is in a file that is not given is not known.
//!
//! **Source.** The manual of APP4MC, and models of versions 0.9 to 3.

mod arrivals;
mod chains;
mod element;
mod files;
mod places;
mod task;
mod work;

use crate::description::{Core, Description, Table, Value};
use crate::refused::Refused;
use crate::xml::{document, line};
use arrivals::{Arrival, First, arrival};
use chains::{Chain, chains};
use element::{Model, child, names, rounded_down, time};
use files::Files;
use places::{Places, priority_of_task};
use roxmltree::Node;
use std::collections::{BTreeMap, BTreeSet};
use task::Task;
use vorrang_model::limits;
use work::{Reader, Work};

/// Tasks that a description holds, so that it can be read again.
const MOST: usize = 2_000;

/// The tasks and chains of a model, from its files by name and text.
pub(crate) fn read(files: &[(&str, &str)], lost: &mut Vec<String>) -> Result<Description, Refused> {
    let files = Files::of(files)?;
    let mut own = Vec::new();
    let read = of_model(&files, &mut own);
    lost.extend(own.iter().map(|why| files.said(why)));
    read.map_err(|why| files.refused(why))
}

fn of_model(files: &Files, lost: &mut Vec<String>) -> Result<Description, Refused> {
    let document = document(&files.text)?;
    let model = Model::of(&files.roots(&document))?;
    let places = Places::of(&model);
    let mut readers = BTreeMap::new();
    let mut rules = BTreeMap::new();
    let mut tasks = Vec::new();
    for node in model.all("tasks") {
        if tasks.len() == MOST {
            return Err(Refused::at(line(node), format!("there are more than {MOST} tasks")));
        }
        let name = node.attribute("name").unwrap_or_default().to_owned();
        match task(&model, &places, &mut readers, node)? {
            Ok(task) => {
                let mut units = task.place.units.iter();
                let is_one =
                    units.all(|unit| *rules.entry(*unit).or_insert(task.rule) == task.rule);
                if is_one {
                    tasks.push(task);
                } else {
                    lost.push(format!(
                        "line {}: task {name}: another scheduler has its core",
                        line(node)
                    ));
                }
            }
            Err(why) => lost.push(format!("line {}: task {name}: {why}", line(node))),
        }
    }
    for node in model.all("isrs") {
        let name = node.attribute("name").unwrap_or_default();
        lost.push(format!("line {}: interrupt {name}, which takes time of its core", line(node)));
    }
    let wakers = woken(&mut tasks, lost);
    if tasks.is_empty() {
        let first = lost.first().map(|why| format!(", as {why}")).unwrap_or_default();
        return Err(Refused::at(
            1,
            format!("no task of it has a time and arrivals that are known{first}"),
        ));
    }
    let chains = chains(&model, lost)?;
    let deadlines = deadlines(&model)?;
    Ok(described(&tasks, &wakers, &chains, &deadlines, &places, lost))
}

type Readers<'m, 'a> = BTreeMap<Option<String>, Reader<'m, 'a>>;

/// The task, or why it is left out.
fn task<'m, 'a>(
    model: &'m Model<'a>,
    places: &Places,
    readers: &mut Readers<'m, 'a>,
    node: Node<'a, 'a>,
) -> Result<Result<Task, String>, Refused> {
    let name = node.attribute("name").unwrap_or_default().to_owned();
    let [stimulus] = &names(node, "stimuli")[..] else {
        return Ok(Err("it has no stimulus, or several".to_owned()));
    };
    let Some(of) = model.get("stimuli", stimulus) else {
        return Ok(Err(format!("stimulus {stimulus} is in another file")));
    };
    let Some(arrival) = arrival(of)? else {
        return Ok(Err(format!("stimulus {stimulus} has no least time between two arrivals")));
    };
    let place = places.of_task(&name);
    let rule = match &place.rule {
        Ok(rule) => *rule,
        Err(rule) => return Ok(Err(format!("its scheduler goes by {rule}"))),
    };
    let (mut longest, mut all) = (0, Work::default());
    for unit in &place.units {
        let unit = &places.units[*unit as usize];
        let key = unit.definition.clone();
        let reader = readers.entry(key.clone()).or_insert_with(|| Reader::new(model, key));
        let work = reader.of_task(node)?;
        let Some(time) = unit.time(work.ticks, work.instructions) else {
            return Ok(Err(format!("{} has no frequency, or its time is too long", unit.name)));
        };
        longest = time.max(longest);
        all = work;
    }
    if let Some(why) = all.unknown.first() {
        return Ok(Err(format!("its time is not known: {why}")));
    }
    if longest == 0 {
        return Ok(Err("it runs on no core, or takes no time".to_owned()));
    }
    Ok(Ok(Task {
        line: line(node),
        rule,
        wcet: longest,
        arrival,
        stimulus: stimulus.clone(),
        triggers: all.triggers,
        priority: place.priority.or_else(|| priority_of_task(node)),
        is_preempted: node.attribute("preemption") != Some("non_preemptive"),
        place,
        name,
    }))
}

/// What wakes each task, by places; tasks without one, or with several, are left out, and what these wake.
fn woken(tasks: &mut Vec<Task>, lost: &mut Vec<String>) -> BTreeMap<usize, usize> {
    loop {
        let mut wakers = BTreeMap::new();
        let mut without = Vec::new();
        for (place, task) in tasks.iter().enumerate() {
            if task.arrival != Arrival::Woken {
                continue;
            }
            let triggering = |(_, other): &(usize, &Task)| other.triggers.contains(&task.stimulus);
            let own: Vec<usize> =
                tasks.iter().enumerate().filter(triggering).map(|(place, _)| place).collect();
            match own[..] {
                [waker] => {
                    wakers.insert(place, waker);
                }
                _ => without.push((place, format!("{} tasks trigger it", own.len()))),
            }
        }
        for place in wakers.keys() {
            let mut at = *place;
            let steps = (0..=limits::WAKE_UPS).take_while(|_| match wakers.get(&at) {
                Some(waker) => {
                    at = *waker;
                    true
                }
                None => false,
            });
            if steps.count() > limits::WAKE_UPS {
                without.push((*place, "tasks wake each other round about".to_owned()));
            }
        }
        if without.is_empty() {
            return wakers;
        }
        without.sort();
        for (place, why) in without.into_iter().rev() {
            let task = tasks.remove(place);
            lost.push(format!("line {}: task {}: {why}", task.line, task.name));
        }
    }
}

/// The least upper limit of each task's response.
fn deadlines(model: &Model) -> Result<BTreeMap<String, u64>, Refused> {
    let mut deadlines = BTreeMap::new();
    for node in model.all("requirements") {
        let Some(limit) = child(node, "limit") else { continue };
        let is = |key, value| limit.attribute(key) == Some(value);
        if !is("limitType", "UpperLimit") || !is("metric", "ResponseTime") {
            continue;
        }
        let most = child(limit, "limitValue").map(time).transpose()?.and_then(rounded_down);
        for (name, most) in names(node, "process").into_iter().zip(most) {
            let limit = deadlines.entry(name).or_insert(most);
            *limit = most.min(*limit);
        }
    }
    Ok(deadlines)
}

fn described(
    tasks: &[Task],
    wakers: &BTreeMap<usize, usize>,
    chains: &[Chain],
    deadlines: &BTreeMap<String, u64>,
    places: &Places,
    lost: &mut Vec<String>,
) -> Description {
    let mut description = Description::default();
    let in_chains: BTreeSet<&String> = chains.iter().flat_map(|chain| &chain.path).collect();
    for (place, task) in tasks.iter().enumerate() {
        for unit in &task.place.units {
            let core = Core { scheduler: task.rule, cpu: None, release: None };
            description.cores.entry(*unit).or_insert(core);
        }
        let mut keys = task::keys(task, deadlines.get(&task.name), in_chains.contains(&task.name));
        let woken = wakers.iter().filter(|(_, waker)| **waker == place).map(|(woken, _)| *woken);
        let woken: Vec<usize> = woken.collect();
        if !woken.is_empty() {
            keys.push(("wakes", Value::Tables(woken)));
        }
        if matches!(task.arrival, Arrival::Periodic { first: First::Between, .. }) {
            lost.push(format!(
                "line {}: task {}: the offset of its stimulus, which is no whole nanosecond",
                task.line, task.name
            ));
        }
        description.add(Table {
            noun: "task",
            name: task.name.clone(),
            comments: Vec::new(),
            keys,
        });
    }
    for number in description.cores.keys() {
        let name = &places.units[*number as usize].name;
        description.head.push(format!("core.{number} is {name}."));
    }
    let place_of = |name: &String| tasks.iter().position(|task| task.name == *name);
    for chain in chains {
        let path: Option<Vec<usize>> = chain.path.iter().map(place_of).collect();
        let Some(path) = path else {
            lost.push(format!("event chain {}: a task of it is left out", chain.name));
            continue;
        };
        let mut keys = vec![("path", Value::Tables(path))];
        keys.extend(chain.reaction.map(|limit| ("reaction", Value::Time(limit))));
        keys.extend(chain.age.map(|limit| ("age", Value::Time(limit))));
        description.add(Table {
            noun: "chain",
            name: chain.name.clone(),
            comments: Vec::new(),
            keys,
        });
    }
    description
}
