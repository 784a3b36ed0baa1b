//! Unmodified Linux kernels in QEMU, with deterministic time.
//!
//! **Purpose.** The systems of analysis and simulation are also tried on stock kernels. A *scenario* states
//! the machine, the plan of its first process ([`vorrang_guest::Plan`]) and the expected observations; the
//! lab resolves the kernel, builds the image, boots it and checks.
//!
//! **Model.** One instruction is one nanosecond ([`emulator::Time::Counted`]): the machine is an
//! ideal processor of 10⁹ instructions a second, whose time does not pass while the host does something else.
//! The same image gives the same schedule, except for occasional microseconds.
//!
//! **Assumptions.** 1. Debian, or a system whose package sources name a Debian archive. 2. QEMU,
//! `dpkg-deb`, `apt-get`, `apt-cache`, `xz`, `zstd` and a Rust toolchain with a C
//! compiler and its static library are installed. 3. The archive is signed by a key that the machine trusts.
//!
//! **Cost.** 110 MB for 6.12 and about as much for 7.2, once, in the user's cache folder; ten to
//! twenty seconds for a boot.
//!
//! **Not covered.** Under counted time there are no caches and no races between processors: it
//! tests logic and the cost of instructions, never absolute latency.

mod apply;
pub mod apt;
mod beside;
mod boot;
mod call_count;
pub mod check;
pub mod conformance;
pub mod cpio;
pub mod data;
pub mod dkms;
pub mod emulator;
pub mod evidence;
pub mod experiment;
pub mod failure;
pub mod guest;
mod host;
pub mod image;
pub mod kernel;
mod kvm;
mod learn;
mod measure;
pub mod module;
pub mod nested;
pub mod program;
pub mod runner;
pub mod scenario;
pub mod storage;
mod timer_shield;
pub mod unpacked;
pub mod workshop;
pub mod written;
