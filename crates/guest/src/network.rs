//! Another host in the same machine: a network of its own, with interfaces and programs in it.
//!
//! ```text
//! this network      eth0 ─┐
//!                         ├─ a hub of the emulator
//! the other host's  eth1 ─┘
//! ```
//!
//! A thread leaves its network for a new one (`unshare`), which is kept by a mount; the interface is
//! moved by a thread that stayed. A process that enters by the mount is on the other host.

use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, setns, unshare};
use std::fs::File;
use std::io;
use std::net::UdpSocket;
use std::os::unix::process::CommandExt as _;
use std::process::Command;
use std::sync::mpsc;
use std::thread;

/// Where the other host's network is kept.
const KEPT: &str = "/run/other-host";
const BUSYBOX: &str = "/bin/busybox";

/// A new network with an interface of this one.
pub(crate) fn make(interface: &str, address: &str) -> io::Result<()> {
    let number = std::process::id().to_string();
    let (left, is_left) = mpsc::channel();
    let moved = interface.to_owned();
    let stays = thread::spawn(move || {
        // If the other thread could not leave there is nothing to move to.
        is_left.recv().map_err(io::Error::other)?;
        succeed(&["ip", "link", "set", &moved, "netns", &number])
    });
    unshare(CloneFlags::CLONE_NEWNET)?;
    left.send(()).map_err(io::Error::other)?;
    stays.join().map_err(|_| io::Error::other("the thread that stayed panicked"))??;
    File::create(KEPT)?;
    let own = "/proc/thread-self/ns/net";
    mount(Some(own), KEPT, None::<&str>, MsFlags::MS_BIND, None::<&str>)?;
    succeed(&["ip", "address", "add", address, "dev", interface])?;
    succeed(&["ip", "link", "set", interface, "up"])
}

/// Becomes a program on the other host; returns only if that cannot be.
pub(crate) fn enter(program: &str, arguments: &[&str]) -> io::Error {
    let entered = File::open(KEPT)
        .and_then(|network| setns(network, CloneFlags::CLONE_NEWNET).map_err(io::Error::from));
    match entered {
        Ok(()) => Command::new(program).args(arguments).exec(),
        Err(why) => why,
    }
}

/// A thread called `receiver` takes packets until it is ended.
pub(crate) fn receive(at: &str) -> io::Result<()> {
    nix::sys::prctl::set_name(c"receiver")?;
    let socket = UdpSocket::bind(at)?;
    let mut packet = [0; 2048];
    loop {
        socket.recv(&mut packet)?;
    }
}

fn succeed(arguments: &[&str]) -> io::Result<()> {
    let output = Command::new(BUSYBOX).args(arguments).output()?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(io::Error::other(format!("{}: {}", arguments.join(" "), said.trim())))
}
