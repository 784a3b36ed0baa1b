//! A system of the seL4 Microkit (`.system`).
//!
//! **Model.** A protection domain and a virtual processor are a queue of refills each: `budget` of every `period`, in
//! microseconds; 1000 and the budget where nothing is stated. It holds two refills. The one with the higher `priority` runs.
//!
//! **Sources.** docs/manual.md of the Microkit.

use crate::description::{Core, Description, Table, Value};
use crate::found::{LINES, NAME};
use crate::refused::Refused;
use crate::xml::{document, line};
use roxmltree::Node;
use vorrang_model::limits;

/// seL4's longest period, in microseconds.
const LONGEST: u64 = 1_000_000_000_000;
/// Refills of a context: the Microkit asks for no extra ones.
const REFILLS: u64 = 2;
/// The budget where none is stated.
const BUDGET: u64 = 1_000;

/// Its domains and virtual processors.
pub(crate) fn read(text: &str, lost: &mut Vec<String>) -> Result<Description, Refused> {
    let document = document(text)?;
    let system = document.root_element();
    if !system.has_tag_name("system") {
        return Err(Refused::at(1, "there is no <system>: this is none of the Microkit"));
    }
    let mut description = Description::default();
    for node in system.descendants().filter(Node::is_element).take(LINES) {
        match node.tag_name().name() {
            "protection_domain" => domain(node, &mut description, lost)?,
            "virtual_machine" => machine(node, &mut description, lost)?,
            "irq" => lost.push(format!(
                "line {}: interrupt {}: `[interrupt]` needs its times",
                line(node),
                node.attribute("irq").or_else(|| node.attribute("pin")).unwrap_or("of a device")
            )),
            "end" if node.attribute("pp") == Some("true") => lost.push(format!(
                "line {}: protected calls of {}: they run at the priority of the one that is called",
                line(node),
                node.attribute("pd").unwrap_or("a domain")
            )),
            "domain_schedule" => lost.push(format!("line {}: the schedule of domains", line(node))),
            _ => {}
        }
    }
    if description.tables.is_empty() {
        return Err(Refused::at(
            line(system),
            "there is no protection domain with a budget of its own",
        ));
    }
    Ok(description)
}

fn name(node: Node) -> Result<String, Refused> {
    let name = node.attribute("name").filter(|name| !name.is_empty() && name.len() <= NAME);
    name.map(str::to_owned)
        .ok_or_else(|| Refused::at(line(node), "it has no name, or one that is too long"))
}

fn number(node: Node, key: &str) -> Result<Option<u64>, Refused> {
    let Some(text) = node.attribute(key) else { return Ok(None) };
    let plain: String = text.trim().chars().filter(|c| *c != '_').collect();
    let number = plain
        .strip_prefix("0x")
        .map_or_else(|| plain.parse().ok(), |hex| u64::from_str_radix(hex, 16).ok());
    number.map(Some).ok_or_else(|| Refused::at(line(node), format!("`{key}` is no number")))
}

fn domain(
    node: Node,
    description: &mut Description,
    lost: &mut Vec<String>,
) -> Result<(), Refused> {
    let name = name(node)?;
    if node.attribute("passive") == Some("true") {
        lost.push(format!(
            "line {}: {name} is passive: it runs on the budgets of those that call it",
            line(node)
        ));
        return Ok(());
    }
    let cpu = number(node, "cpu")?.unwrap_or(0);
    let keys = keys(node, cpu, description)?;
    description.add(Table { noun: "server", name, comments: Vec::new(), keys });
    Ok(())
}

/// A machine has a virtual processor where it states none.
fn machine(
    node: Node,
    description: &mut Description,
    lost: &mut Vec<String>,
) -> Result<(), Refused> {
    let name = name(node)?;
    let vcpus: Vec<Node> = node.children().filter(|child| child.has_tag_name("vcpu")).collect();
    if vcpus.is_empty() {
        lost.push(format!(
            "line {}: {name} states no virtual processor: one is described",
            line(node)
        ));
    }
    for place in 0..vcpus.len().max(1) {
        let vcpu = vcpus.get(place).copied();
        let at = vcpu.map(|vcpu| number(vcpu, "cpu")).transpose()?.flatten().unwrap_or(0);
        let mut keys = keys(node, at, description)?;
        keys.insert(0, ("vm", Value::word(&name)));
        description.add(Table {
            noun: "vcpu",
            name: format!("{name}-{place}"),
            comments: Vec::new(),
            keys,
        });
    }
    Ok(())
}

/// Its processor, and its reservation.
fn keys(
    node: Node,
    cpu: u64,
    description: &mut Description,
) -> Result<Vec<(&'static str, Value)>, Refused> {
    let at = line(node);
    let cpu = u32::try_from(cpu).ok().filter(|cpu| u64::from(*cpu) <= limits::CPU);
    let cpu = cpu.ok_or_else(|| Refused::at(at, "there is no such processor"))?;
    let priority = number(node, "priority")?.unwrap_or(0);
    if priority > 254 {
        return Err(Refused::at(at, format!("priority {priority} is above 254")));
    }
    let budget = number(node, "budget")?.unwrap_or(BUDGET);
    let period = number(node, "period")?.unwrap_or(budget);
    if budget == 0 || budget > period || period > LONGEST {
        return Err(Refused::at(at, format!("the budget is {budget}, and the period {period}")));
    }
    description.cores.insert(cpu, Core { scheduler: "fixed-priority", cpu: None, release: None });
    Ok(vec![
        ("on", Value::Core(cpu)),
        ("server", Value::word("refill-queue")),
        ("budget", Value::Time(budget * 1_000)),
        ("period", Value::Time(period * 1_000)),
        ("priority", Value::Number(priority)),
        ("refills", Value::Number(REFILLS)),
    ])
}
