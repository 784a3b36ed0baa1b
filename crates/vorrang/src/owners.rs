//! Threads by what they belong to, as a command line says it.

use std::collections::BTreeSet;
use vorrang_command::exit::Failure;
use vorrang_enforce::Kernel;
use vorrang_learn::{Owner, threads_of};

/// What threads belong to.
#[derive(Debug, clap::Args)]
pub(crate) struct Owners {
    /// Threads of these processes only, by name or number; may be repeated, as the next two
    #[arg(long = "process", value_name = "PROCESS")]
    processes: Vec<String>,
    /// Threads of these control groups only, and of those below them
    #[arg(long = "group", value_name = "PATH")]
    groups: Vec<String>,
    /// Threads of these virtual machines of QEMU only
    #[arg(long = "vm", value_name = "NAME")]
    machines: Vec<String>,
}

impl Owners {
    /// The threads that belong to them; `None`: nothing is asked for.
    ///
    /// # Errors
    /// There are no files of the machine, or they cannot be read.
    pub(crate) fn threads(
        &self,
        machine: Option<&dyn Kernel>,
    ) -> Result<Option<BTreeSet<u32>>, Failure> {
        let processes = self.processes.iter().cloned().map(Owner::Process);
        let groups = self.groups.iter().cloned().map(Owner::Group);
        let machines = self.machines.iter().cloned().map(Owner::Machine);
        let owners: Vec<Owner> = processes.chain(groups).chain(machines).collect();
        let Some(first) = owners.first() else { return Ok(None) };
        let Some(kernel) = machine else {
            return Err(Failure::bad_input(format!(
                "error: which threads the {first} has is not in a trace: give the files of that machine (--root)\n"
            )));
        };
        let found = threads_of(kernel, &owners);
        found.map(Some).map_err(|why| {
            Failure::host(format!("error: the threads of the machine cannot be read: {why}\n"))
        })
    }
}
