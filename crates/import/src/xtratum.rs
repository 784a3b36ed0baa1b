//! The configuration of XtratuM (`XM_CF`): cyclic plans of partitions.
//!
//! **Model.** A partition's virtual processor has windows of the major frame of a plan. One window is a slot of a description.
//! Several are one, too, where they have the same length and stand at equal distances: the frame is then that many periods.
//! All others are a table.
//!
//! **Assumption.** The plan with the least number is the one that runs. What is left out costs the others nothing: a slot has
//! its interval alone.
//!
//! **Sources.** The user manual of XtratuM, and configurations that are published with hypervisors which take the same.

use crate::description::{Core, Description, Table, Value};
use crate::found::{LINES, NAME};
use crate::refused::Refused;
use crate::xml::{document, line};
use roxmltree::Node;
use std::collections::BTreeMap;
use vorrang_model::limits;

/// The longest time that is read: some eleven days.
const LONGEST: u64 = 1_000_000_000_000_000;

/// A window of a frame.
#[derive(Clone, Copy)]
struct Window {
    start: u64,
    duration: u64,
    line: usize,
}

/// Windows by partition and virtual processor.
type Windows = BTreeMap<(u64, u64), Vec<Window>>;

/// Its partitions as slots.
pub(crate) fn read(text: &str, lost: &mut Vec<String>) -> Result<Description, Refused> {
    let document = document(text)?;
    let elements = || document.descendants().filter(Node::is_element).take(LINES);
    let names = names(elements().filter(|node| node.has_tag_name_of("Partition")))?;
    let mut description = Description::default();
    for processor in elements().filter(|node| node.has_tag_name_of("Processor")) {
        let at = line(processor);
        let cpu = u32::try_from(number(processor, "id")?).ok();
        let cpu = cpu.filter(|cpu| u64::from(*cpu) <= limits::CPU);
        let cpu = cpu.ok_or_else(|| Refused::at(at, "there is no such processor"))?;
        let plans = processor.descendants().filter(|node| node.has_tag_name_of("Plan"));
        let mut plans =
            plans.map(|plan| Ok((number(plan, "id")?, plan))).collect::<Result<Vec<_>, _>>()?;
        plans.sort_by_key(|(id, _)| *id);
        let Some(((_, first), others)) = plans.split_first() else {
            lost.push(format!("line {at}: processor {cpu} has no cyclic plan"));
            continue;
        };
        lost.extend(
            others
                .iter()
                .map(|(id, plan)| format!("line {}: plan {id} of processor {cpu}", line(*plan))),
        );
        description.cores.insert(cpu, Core { scheduler: "slots", cpu: None, release: None });
        plan(*first, cpu, &names, &mut description, lost)?;
    }
    if description.tables.is_empty() {
        return Err(Refused::at(1, "there is no plan with a partition that has windows"));
    }
    Ok(description)
}

/// Tags have a namespace, which differs from version to version.
trait Tagged {
    fn has_tag_name_of(&self, name: &str) -> bool;
}

impl Tagged for Node<'_, '_> {
    fn has_tag_name_of(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }
}

fn names<'a>(
    partitions: impl Iterator<Item = Node<'a, 'a>>,
) -> Result<BTreeMap<u64, String>, Refused> {
    let mut names = BTreeMap::new();
    for partition in partitions {
        let id = number(partition, "id")?;
        let name =
            partition.attribute("name").filter(|name| !name.is_empty() && name.len() <= NAME);
        let name = name.map_or_else(|| format!("partition-{id}"), str::to_owned);
        if names.insert(id, name).is_some() {
            return Err(Refused::at(line(partition), format!("there are two partitions {id}")));
        }
    }
    Ok(names)
}

fn plan(
    plan: Node,
    cpu: u32,
    names: &BTreeMap<u64, String>,
    description: &mut Description,
    lost: &mut Vec<String>,
) -> Result<(), Refused> {
    let (frame, windows) = (time(plan, "majorFrame")?, windows(plan)?);
    if frame == 0 {
        return Err(Refused::at(line(plan), "the major frame has no length"));
    }
    let mut all: Vec<Window> = windows.values().flatten().copied().collect();
    all.sort_by_key(|window| window.start);
    let ends = all.iter().skip(1).map(|next| next.start).chain([frame]);
    if let Some((window, _)) = all.iter().zip(ends).find(|(window, end)| {
        window.start.checked_add(window.duration).is_none_or(|own| own > *end)
    }) {
        return Err(Refused::at(
            window.line,
            "this slot reaches into the next one or the next frame",
        ));
    }
    for ((partition, vcpu), windows) in windows {
        let name = names.get(&partition).cloned();
        let name = name.unwrap_or_else(|| format!("partition-{partition}"));
        let place = match slot(frame, &windows) {
            Some((period, Window { start, duration, .. })) => vec![
                ("server", Value::word("slot")),
                ("budget", Value::Time(duration)),
                ("period", Value::Time(period)),
                ("offset", Value::Time(start)),
            ],
            None if windows.len() <= limits::WINDOWS => {
                let all = windows.iter().map(|window| (window.start, window.duration));
                vec![
                    ("server", Value::word("table")),
                    ("windows", Value::Windows(all.collect())),
                    ("period", Value::Time(frame)),
                ]
            }
            None => {
                let (line, count, most) = (windows[0].line, windows.len(), limits::WINDOWS);
                lost.push(format!(
                    "line {line}: {name} has {count} windows, and a table has {most} at most"
                ));
                continue;
            }
        };
        let owner = [("vm", Value::word(&name)), ("on", Value::Core(cpu))];
        let keys = owner.into_iter().chain(place).collect();
        let name = format!("{name}-{vcpu}");
        description.add(Table { noun: "vcpu", name, comments: Vec::new(), keys });
    }
    Ok(())
}

/// In the order of their beginnings.
fn windows(plan: Node) -> Result<Windows, Refused> {
    let mut windows = Windows::new();
    for slot in plan.children().filter(|node| node.has_tag_name_of("Slot")) {
        let partition = number(slot, "partitionId")?;
        let vcpu = slot.attribute("vCpuId").map_or(Ok(0), |_| number(slot, "vCpuId"))?;
        let (start, duration) = (time(slot, "start")?, time(slot, "duration")?);
        if duration == 0 {
            return Err(Refused::at(line(slot), "this slot has no length"));
        }
        let window = Window { start, duration, line: line(slot) };
        windows.entry((partition, vcpu)).or_default().push(window);
    }
    for own in windows.values_mut() {
        own.sort_by_key(|window| window.start);
    }
    Ok(windows)
}

/// The period of a slot that has these windows exactly, and its first one.
fn slot(frame: u64, windows: &[Window]) -> Option<(u64, Window)> {
    let first = *windows.first()?;
    let count = windows.len() as u64;
    let period = frame / count;
    let is_next = |(place, window): (u64, &Window)| {
        window.duration == first.duration && window.start == first.start + place * period
    };
    let is_slot = frame.is_multiple_of(count) && (0..).zip(windows).all(is_next);
    // A slot lies within its period.
    (is_slot && first.start + first.duration <= period).then_some((period, first))
}

fn number(node: Node, key: &str) -> Result<u64, Refused> {
    let text = node.attribute(key).unwrap_or_default().trim();
    text.parse().map_err(|_| {
        Refused::at(line(node), format!("`{key}` of this {} is no number", node.tag_name().name()))
    })
}

/// `2ms`, `1.5s`, `250us`, in nanoseconds.
fn time(node: Node, key: &str) -> Result<u64, Refused> {
    let text = node.attribute(key).unwrap_or_default().trim();
    nanoseconds(text).filter(|time| *time <= LONGEST).ok_or_else(|| {
        Refused::at(line(node), format!("`{key}` is no time in s, ms or us that a description has"))
    })
}

fn nanoseconds(text: &str) -> Option<u64> {
    let units = [("ms", 6_usize), ("us", 3), ("s", 9)];
    let (digits, zeroes) = units.iter().find_map(|(unit, zeroes)| {
        let digits = text.strip_suffix(unit).or_else(|| text.strip_suffix(&unit.to_uppercase()));
        Some((digits?, *zeroes))
    })?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || fraction.len() > zeroes || !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    format!("{whole}{fraction:0<zeroes$}").parse().ok()
}
