//! A root directory: `/`, an image, or what an unpacked report of a machine holds.

mod command_line;
mod domains;
mod folder;
mod interrupts;
mod names;
mod release;
mod report;
mod running;
mod tick;
mod tuned;
mod units;

pub use release::release;
pub use report::{Reported, reported};
pub use tick::{Tick, tick};

use crate::contradictions;
use crate::found::{Import, Listed, Machine};
use crate::refused::Refused;
use crate::written;
use vorrang_enforce::{Kernel, cpus_of};

/// Everything that configures a machine, as one description.
///
/// # Errors
/// There is nothing in it that configures one.
pub fn of_root(root: &dyn Kernel) -> Result<Import, Refused> {
    let mut machine = Machine::default();
    processors(root, &mut machine);
    command_line::read(root, &mut machine);
    tuned::read(root, &mut machine);
    domains::read(root, &mut machine);
    units::read(root, &mut machine);
    running::read(root, &mut machine);
    interrupts::read(root, &mut machine);
    machine.tick = tick(root).map(|tick| format!("{}: {}", tick.from, tick.said()));
    if machine == Machine::default() {
        return Err(Refused::whole(
            "there is nothing of a machine here: no domains of libvirt, no units, no /proc, no /sys",
        ));
    }
    let contradictions = contradictions::of(&machine);
    let text = written::description(&machine, &contradictions).text();
    Ok(Import { text, lost: machine.lost.into_iter().collect(), contradictions })
}

fn processors(root: &dyn Kernel, machine: &mut Machine) {
    const ONLINE: &str = "/sys/devices/system/cpu/online";
    let online = root.read(ONLINE).ok().and_then(|list| cpus_of(&list));
    machine.online = online.filter(|cpus| !cpus.is_empty()).map(|cpus| Listed {
        name: "online".to_owned(),
        from: ONLINE.to_owned(),
        cpus,
    });
    machine.release = release(root);
}
