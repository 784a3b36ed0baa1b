//! The thread that runs the virtual processor.

use crate::machine::Machine;
use kvm_ioctls::{VcpuExit, VcpuFd};
use std::sync::Arc;
use std::{io, thread};
use vorrang_guest::raised::THREAD;

/// A thread runs the virtual processor, with the policy of the caller.
pub(crate) fn start(machine: &Arc<Machine>, vcpu: VcpuFd) -> io::Result<()> {
    let of_processor = Arc::clone(machine);
    thread::Builder::new().name(THREAD.to_owned()).spawn(move || {
        let ended = enter(vcpu);
        drop(of_processor);
        eprintln!("error: the guest ended: {ended}");
        std::process::exit(4);
    })?;
    Ok(())
}

/// Runs the virtual processor until something ends it, and says what.
fn enter(mut vcpu: VcpuFd) -> String {
    loop {
        match vcpu.run() {
            Ok(VcpuExit::Hlt | VcpuExit::Intr) => {}
            Ok(other) => return format!("{other:?}"),
            Err(why) if why.errno() == nix::libc::EINTR => {}
            Err(why) => return why.to_string(),
        }
    }
}
