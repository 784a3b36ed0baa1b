//! What a report has of the threads of QEMU: the state that libvirt keeps, and what `taskset` printed.
//!
//! **Source.** `domstatus` of libvirt's `src/qemu/qemu_domain.c`; the module `virsh` of sos, which asks `taskset -ac -p`.

use crate::root::folder::files;
use crate::xml::document;
use vorrang_enforce::{Kernel, cpus_of};

/// The thread of a virtual processor: its number, the virtual machine, and the number there.
pub(super) fn virtual_processors(root: &dyn Kernel) -> Vec<(i32, String, u32)> {
    let states = files(root, "/run/libvirt/qemu", ".xml");
    states.iter().filter_map(|path| of_state(&root.read(path).ok()?)).flatten().collect()
}

fn of_state(text: &str) -> Option<Vec<(i32, String, u32)>> {
    let document = document(text).ok()?;
    let state = document.descendants().find(|node| node.has_tag_name("domstatus"))?;
    let child = |of: roxmltree::Node<'_, '_>, name: &'static str| {
        of.children().find(|child| child.has_tag_name(name)).map(|child| child.id())
    };
    let domain = document.get_node(child(state, "domain")?)?;
    let name = document.get_node(child(domain, "name")?)?.text()?.trim().to_owned();
    let all = document.get_node(child(state, "vcpus")?)?;
    let of = |node: roxmltree::Node<'_, '_>| {
        let number = node.attribute("id")?.parse().ok()?;
        Some((node.attribute("pid")?.parse().ok()?, name.clone(), number))
    };
    Some(all.children().filter(|node| node.has_tag_name("vcpu")).filter_map(of).collect())
}

/// Where each thread may run.
pub(super) fn affinities(root: &dyn Kernel) -> Vec<(i32, Vec<u32>)> {
    const FOLDER: &str = "/sos_commands/virsh";
    let names = root.list(FOLDER).unwrap_or_default();
    let of_tasks = names.iter().filter(|name| name.starts_with("taskset_"));
    let texts = of_tasks.filter_map(|name| root.read(&format!("{FOLDER}/{name}")).ok());
    texts.flat_map(|text| text.lines().filter_map(affinity).collect::<Vec<_>>()).collect()
}

/// `pid 1207's current affinity list: 2`.
fn affinity(line: &str) -> Option<(i32, Vec<u32>)> {
    let (thread, list) = line.strip_prefix("pid ")?.split_once("'s current affinity list:")?;
    let cpus = cpus_of(list).filter(|cpus| !cpus.is_empty())?;
    Some((thread.parse().ok()?, cpus))
}
