//! What is behind the queue of the guest: the kernel's `vhost-net` on a tap device, whose interrupts go to the guest without
//! this program (`include/uapi/linux/vhost.h`, `if_tun.h`).
#![expect(unsafe_code, reason = "system calls without a wrapper")]

use crate::driver::{AVAILABLE, DESCRIPTORS, LENGTH, USED, VECTOR};
use crate::machine::Machine;
use nix::errno::Errno;
use nix::sys::eventfd::{EfdFlags, EventFd};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::process::Command;

/// The interface, its address and that of the guest.
const INTERFACE: &str = "tap0";
const ADDRESS: &str = "10.9.0.1/24";
pub(crate) const GUEST: &str = "10.9.0.2";
const HARDWARE: &str = "02:00:00:00:00:02";

const BUSYBOX: &str = "/bin/busybox";

const TUNSETIFF: libc::c_ulong = 0x4004_54CA;
/// `IFF_TAP | IFF_NO_PI`
const TAP: u16 = 0x1002;

const SET_FEATURES: libc::c_ulong = 0x4008_AF00;
const SET_OWNER: libc::c_ulong = 0xAF01;
const SET_MEM_TABLE: libc::c_ulong = 0x4008_AF03;
const SET_VRING_NUM: libc::c_ulong = 0x4008_AF10;
const SET_VRING_ADDR: libc::c_ulong = 0x4028_AF11;
const SET_VRING_BASE: libc::c_ulong = 0x4008_AF12;
const SET_VRING_KICK: libc::c_ulong = 0x4008_AF20;
const SET_VRING_CALL: libc::c_ulong = 0x4008_AF21;
const NET_SET_BACKEND: libc::c_ulong = 0x4008_AF30;
/// `VIRTIO_F_VERSION_1`, and `VHOST_NET_F_VIRTIO_NET_HDR`: the header is made by vhost, not by the device.
const FEATURES: u64 = 1 << 32 | 1 << 27;
/// The queue of received frames.
const RECEIVE: u32 = 0;

/// `struct ifreq`, as far as it is read.
#[repr(C)]
struct Request {
    name: [u8; 16],
    flags: u16,
    rest: [u8; 22],
}

/// `struct vhost_vring_state`, and `struct vhost_vring_file`.
#[repr(C)]
struct Of(u32, i32);

/// `struct vhost_vring_addr`
#[repr(C)]
struct Addresses {
    index: u32,
    flags: u32,
    descriptors: u64,
    used: u64,
    available: u64,
    log: u64,
}

/// `struct vhost_memory` with one region.
#[repr(C)]
struct Memory {
    regions: u32,
    padding: u32,
    guest: u64,
    size: u64,
    here: u64,
    flags: u64,
}

/// It works as long as its files are open.
pub(crate) struct Backend {
    _files: [File; 2],
    _events: [EventFd; 2],
}

impl Backend {
    /// Frames of the interface go to the guest from now on.
    ///
    /// # Errors
    /// As the kernel says.
    pub(crate) fn new(machine: &Machine) -> io::Result<Self> {
        let tap = open("/dev/net/tun")?;
        let mut name = [0; 16];
        name[..INTERFACE.len()].copy_from_slice(INTERFACE.as_bytes());
        control(&tap, TUNSETIFF, &Request { name, flags: TAP, rest: [0; 22] })?;
        ip(&["address", "add", ADDRESS, "dev", INTERFACE])?;
        ip(&["link", "set", INTERFACE, "up"])?;
        busybox(&["arp", "-i", INTERFACE, "-s", GUEST, HARDWARE])?;
        let vhost = open("/dev/vhost-net")?;
        let (kick, call) = (event()?, event()?);
        machine.route(&call, VECTOR)?;
        // SAFETY: it takes nothing.
        Errno::result(unsafe { libc::ioctl(vhost.as_raw_fd(), SET_OWNER) })?;
        control(&vhost, SET_FEATURES, &FEATURES)?;
        let (here, size) = machine.place();
        control(
            &vhost,
            SET_MEM_TABLE,
            &Memory { regions: 1, padding: 0, guest: 0, size, here, flags: 0 },
        )?;
        control(&vhost, SET_VRING_NUM, &Of(RECEIVE, i32::from(LENGTH)))?;
        control(&vhost, SET_VRING_BASE, &Of(RECEIVE, 0))?;
        let [descriptors, used, available] =
            [DESCRIPTORS, USED, AVAILABLE].map(|at| here + at as u64);
        let addresses =
            Addresses { index: RECEIVE, flags: 0, descriptors, used, available, log: 0 };
        control(&vhost, SET_VRING_ADDR, &addresses)?;
        control(&vhost, SET_VRING_KICK, &Of(RECEIVE, kick.as_raw_fd()))?;
        control(&vhost, SET_VRING_CALL, &Of(RECEIVE, call.as_raw_fd()))?;
        control(&vhost, NET_SET_BACKEND, &Of(RECEIVE, tap.as_raw_fd()))?;
        Ok(Self { _files: [tap, vhost], _events: [kick, call] })
    }
}

fn event() -> io::Result<EventFd> {
    Ok(EventFd::from_flags(EfdFlags::EFD_NONBLOCK)?)
}

fn open(path: &str) -> io::Result<File> {
    let opened = OpenOptions::new().read(true).write(true).open(path);
    opened.map_err(|why| io::Error::other(format!("{path}: {why}")))
}

/// A call that reads its argument.
fn control<T>(file: &impl AsRawFd, call: libc::c_ulong, argument: &T) -> io::Result<()> {
    // SAFETY: the types above are those of these calls, and the kernel reads no more than one of them.
    let result = unsafe { libc::ioctl(file.as_raw_fd(), call, std::ptr::from_ref(argument)) };
    Errno::result(result).map(drop).map_err(|why| io::Error::other(format!("{call:#x}: {why}")))
}

fn ip(words: &[&str]) -> io::Result<()> {
    busybox(&[&["ip"], words].concat())
}

fn busybox(words: &[&str]) -> io::Result<()> {
    let said = Command::new(BUSYBOX).args(words).output()?;
    if said.status.success() {
        return Ok(());
    }
    Err(io::Error::other(format!("{words:?}: {}", String::from_utf8_lossy(&said.stderr).trim())))
}
