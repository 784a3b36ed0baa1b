//! A domain of Xen as `xl` creates it (`xl.cfg`).
//!
//! **Model.** Assignments of strings, numbers and lists, as in Python; what stands behind `#` is a comment. Xen's RTDS is
//! by deadline, each virtual processor a deferrable server; their budgets are not in this file.
//!
//! **Sources.** xl.cfg(5): `vcpus`, `maxvcpus`, `cpus` (for all, or a list with one for each virtual processor).

use crate::description::{Core, Description, Table, Value};
use crate::found::{LINES, NAME};
use crate::libvirt::cpuset;
use crate::refused::Refused;
use std::collections::BTreeMap;

/// More virtual processors than any machine has.
const MOST: usize = 512;
/// What shares the processor by other schedulers, or is about memory nodes and soft places.
const LOST: [&str; 6] = ["cpu_weight", "cap", "cpus_soft", "pool", "maxvcpus", "nodes"];

/// A value, with its line.
struct Assigned {
    line: usize,
    value: Literal,
}

enum Literal {
    Text(String),
    List(Vec<String>),
}

/// The virtual processors of the domain.
pub(crate) fn read(text: &str, lost: &mut Vec<String>) -> Result<Description, Refused> {
    let all = assignments(text)?;
    let get = |key: &str| match all.get(key).map(|assigned| &assigned.value) {
        Some(Literal::Text(text)) => Some(text.clone()),
        _ => None,
    };
    let name = get("name").filter(|name| !name.is_empty() && name.len() <= NAME);
    let name = name.ok_or_else(|| Refused::whole("there is no `name`: this is no domain of xl"))?;
    let count = match (get("vcpus"), all.get("vcpus")) {
        (Some(text), Some(at)) => {
            text.parse::<usize>().ok().filter(|count| (1..=MOST).contains(count)).ok_or_else(
                || Refused::at(at.line, format!("`vcpus` is no number from 1 to {MOST}")),
            )?
        }
        _ => 1,
    };
    for key in LOST {
        if let Some(Assigned { line, .. }) = all.get(key) {
            lost.push(format!("line {line}: {key}"));
        }
    }
    lost.push(
        "budgets and periods of RTDS: they are in the output of `xl sched-rtds -v all`".to_owned(),
    );
    let mut description = Description::default();
    for number in 0..count {
        let cpus = places(all.get("cpus"), number, lost);
        add(&mut description, &name, number, cpus.as_deref());
    }
    if description.cores.is_empty() {
        description.cores.insert(0, core(None));
    }
    Ok(description)
}

pub(crate) fn core(cpu: Option<u32>) -> Core {
    Core { scheduler: "edf", cpu, release: None }
}

/// Where a virtual processor may run; `None`: anywhere.
fn places(cpus: Option<&Assigned>, number: usize, lost: &mut Vec<String>) -> Option<Vec<u32>> {
    let Assigned { line, value } = cpus?;
    let written = match value {
        Literal::Text(text) => text,
        Literal::List(each) => each.get(number)?,
    };
    if written == "all" {
        return None;
    }
    let cpus = cpuset(written);
    if cpus.is_none() {
        lost.push(format!("line {line}: cpus {written} is no plain list of processors"));
    }
    cpus
}

fn add(description: &mut Description, name: &str, number: usize, cpus: Option<&[u32]>) {
    for &cpu in cpus.unwrap_or_default() {
        description.cores.insert(cpu, core(Some(cpu)));
    }
    let on = match cpus {
        Some([cpu]) => Value::Core(*cpu),
        _ => Value::Open,
    };
    description.add(Table {
        noun: "vcpu",
        name: format!("{name}-{number}"),
        comments: Vec::new(),
        keys: vec![
            ("vm", Value::word(name)),
            ("on", on),
            ("server", Value::word("deferrable")),
            ("budget", Value::Open),
            ("period", Value::Open),
            ("thread", Value::Text(format!("vm:{name}/{number}"))),
        ],
    });
}

/// All assignments by their keys; a list may go over several lines.
fn assignments(text: &str) -> Result<BTreeMap<String, Assigned>, Refused> {
    let mut all = BTreeMap::new();
    let mut lines = text.lines().zip(1..);
    while let Some((line, number)) = lines.next().filter(|(_, number)| *number <= LINES) {
        let line = without_comment(line);
        if line.trim().is_empty() {
            continue;
        }
        let wrong = || Refused::at(number, "this is no `key = value`");
        let (key, value) = line.split_once('=').ok_or_else(wrong)?;
        let is_key = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let key = key.trim().trim_end_matches('+');
        if key.is_empty() || !key.chars().all(is_key) {
            return Err(wrong());
        }
        let mut value = value.trim().to_owned();
        if value.starts_with('[') {
            while !value.ends_with(']') {
                let (more, _) =
                    lines.next().ok_or_else(|| Refused::at(number, "the list has no end"))?;
                value.push(' ');
                value.push_str(without_comment(more).trim());
            }
        }
        all.insert(key.to_owned(), Assigned { line: number, value: literal(&value) });
    }
    Ok(all)
}

/// The line up to a `#` that is in no string.
fn without_comment(line: &str) -> &str {
    let mut open: Option<char> = None;
    for (place, c) in line.char_indices() {
        match open {
            Some(quote) if c == quote => open = None,
            None if c == '"' || c == '\'' => open = Some(c),
            None if c == '#' => return &line[..place],
            _ => {}
        }
    }
    line
}

fn literal(value: &str) -> Literal {
    let plain = |text: &str| text.trim().trim_matches(['"', '\'']).to_owned();
    match value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        // Commas within a string are of the string.
        Some(list) if list.contains(['"', '\'']) => {
            let quote = if list.contains('"') { '"' } else { '\'' };
            Literal::List(list.split(quote).skip(1).step_by(2).map(str::to_owned).collect())
        }
        Some(list) => {
            Literal::List(list.split(',').map(plain).filter(|one| !one.is_empty()).collect())
        }
        None => Literal::Text(plain(value)),
    }
}
