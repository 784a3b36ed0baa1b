//! Parts of libvirt's domains, by a parser of XML.

use super::case::{CPU, Case, Scheduled};
use super::compare::{same, unescaped};
use roxmltree::{Document, Node};

/// Nothing but the elements and comments that are meant.
///
/// # Errors
/// What is different.
pub fn check(case: &Case, text: &str) -> Result<(), String> {
    let whole = format!("<domain>{text}</domain>");
    let document = Document::parse(&whole).map_err(|why| why.to_string())?;
    let mut found = Vec::new();
    for node in document.root_element().children() {
        describe(&node, &mut found)?;
    }
    same("elements", &found, &meant(case))
}

/// An element with its attributes, a comment, a text that is no space.
fn describe(node: &Node<'_, '_>, found: &mut Vec<String>) -> Result<(), String> {
    if node.is_comment() {
        let text = node.text().unwrap_or_default();
        let inside = text.strip_prefix(' ').and_then(|text| text.strip_suffix(' '));
        found.push(format!("comment {}", unescaped(inside.ok_or("a comment without spaces")?)?));
    } else if node.is_element() {
        let attributes: Vec<String> =
            node.attributes().map(|one| format!(" {}={}", one.name(), one.value())).collect();
        found.push(format!("{}{}", node.tag_name().name(), attributes.concat()));
        for child in node.children() {
            describe(&child, found)?;
        }
        found.push(format!("end of {}", node.tag_name().name()));
    } else if !node.is_text() || node.text().is_some_and(|text| !text.trim().is_empty()) {
        found.push(format!("{node:?}"));
    }
    Ok(())
}

const NO_RESERVATION: &str =
    "libvirt has no SCHED_DEADLINE: vorrang apply sets it, or chrt on the thread";

fn meant(case: &Case) -> Vec<String> {
    let mut meant: Vec<String> =
        case.others().into_iter().map(|says| format!("comment {says}")).collect();
    for (vm, processors) in case.machines() {
        meant.extend([format!("comment {vm}"), "cputune".to_owned()]);
        for (number, named) in processors {
            meant.push(format!("vcpupin vcpu={number} cpuset={CPU}"));
            meant.push("end of vcpupin".to_owned());
            match named.scheduled {
                Scheduled::Reservation(..) => meant.push(format!("comment {NO_RESERVATION}")),
                Scheduled::Priority(priority) => meant.extend([
                    format!("vcpusched vcpus={number} scheduler=fifo priority={priority}"),
                    "end of vcpusched".to_owned(),
                ]),
            }
        }
        meant.push("end of cputune".to_owned());
    }
    meant
}
