//! The virtual machine: 64 pages of memory, 32-bit protected mode, one program, two interrupts.
//!
//! ```text
//!   0x0500 descriptors of segments   0x1000 program   0x8000 stack (downwards)
//!   0x2000 table of interrupts       0x1100 handlers  0x9000 how many were handled, of each vector
//!                                    0x9100 turns of its loop, 0x10000 and 0x20000 beginning and end of each
//! ```
//!
//! Its interrupt controller is an x2APIC, whose registers are those of the processor: an end of interrupt is one exit.

use crate::code::{DONE, HANDLED, Inside, MOST, NEXT_STAMPS, STAMPS, address};
use kvm_bindings::{
    CpuId, KVM_IRQ_ROUTING_MSI, KVM_MAX_CPUID_ENTRIES, KvmIrqRouting, Msrs, kvm_irq_routing_entry,
    kvm_irqfd, kvm_msi, kvm_msr_entry, kvm_regs, kvm_segment, kvm_userspace_memory_region,
};
use kvm_ioctls::{Kvm, VcpuFd, VmFd};
use nix::errno::Errno;
use std::io;
use std::os::fd::AsRawFd;
use std::sync::atomic::{AtomicU32, Ordering};
use vorrang_guest::raised::VECTORS;

const SEGMENTS: usize = 0x500;
const PROGRAM: usize = 0x1000;
/// Of the first vector; that of the second is as far behind it as this says.
const HANDLER: usize = 0x1100;
const NEXT_HANDLER: usize = 0x100;
const INTERRUPTS: usize = 0x2000;
const STACK: usize = 0x8000;
const PAGES: usize = 64;

/// Where messages go that are interrupts.
const CONTROLLER: u32 = 0xFEE0_0000;
/// The line of the event that raises an interrupt.
const LINE: u32 = 0;
/// `KVM_IRQFD`
const IRQFD: libc::c_ulong = 0x4020_AE76;

/// The register of the time-stamp counter.
const COUNTER: u32 = 0x10;
/// The bit of leaf 1 of CPUID, register ECX, that says there is an x2APIC.
const X2APIC: u32 = 1 << 21;

/// A page that guest and host change.
#[repr(align(4096))]
struct Page([AtomicU32; 1024]);

/// A virtual machine with one virtual processor.
pub(crate) struct Machine {
    machine: VmFd,
    /// Dropped after its user.
    memory: Vec<Page>,
}

impl Machine {
    /// A new one, and its processor, which has not run.
    pub(crate) fn new(inside: &Inside) -> io::Result<(Self, VcpuFd)> {
        let kvm = Kvm::new()?;
        let machine = kvm.create_vm()?;
        // Intel requires three pages that the guest does not use.
        machine.set_tss_address(0xFFFB_D000)?;
        machine.create_irq_chip()?;
        let memory = memory(inside);
        give(&machine, &memory)?;
        let vcpu = machine.create_vcpu(0)?;
        let mut known = kvm.get_supported_cpuid(KVM_MAX_CPUID_ENTRIES)?;
        with_x2apic(&mut known);
        vcpu.set_cpuid2(&known)?;
        set_up(&vcpu)?;
        Ok((Self { machine, memory }, vcpu))
    }

    /// Raises an interrupt with this vector.
    pub(crate) fn raise(&self, vector: u8) -> io::Result<()> {
        let message =
            kvm_msi { address_lo: CONTROLLER, data: u32::from(vector), ..kvm_msi::default() };
        match self.machine.signal_msi(message)? {
            1.. => Ok(()),
            _ => Err(io::Error::other("the guest takes no interrupt")),
        }
    }

    /// The event raises the interrupt with this vector from now on, without this program.
    pub(crate) fn route(&self, event: &impl AsRawFd, vector: u8) -> io::Result<()> {
        let mut entry = kvm_irq_routing_entry {
            gsi: LINE,
            type_: KVM_IRQ_ROUTING_MSI,
            ..kvm_irq_routing_entry::default()
        };
        entry.u.msi.address_lo = CONTROLLER;
        entry.u.msi.data = u32::from(vector);
        let routes = KvmIrqRouting::from_entries(&[entry]).map_err(io::Error::other)?;
        self.machine.set_gsi_routing(&routes)?;
        let file = u32::try_from(event.as_raw_fd()).map_err(io::Error::other)?;
        let wanted = kvm_irqfd { fd: file, gsi: LINE, ..kvm_irqfd::default() };
        call(&self.machine, &wanted)
    }

    /// Where its memory is here, and how long.
    pub(crate) fn place(&self) -> (u64, u64) {
        (self.memory.as_ptr() as u64, (self.memory.len() * 4096) as u64)
    }

    /// Writes into its memory, in words.
    pub(crate) fn put(&self, at: usize, bytes: &[u8]) {
        for (number, word) in bytes.chunks(4).enumerate() {
            let mut whole = [0; 4];
            whole[..word.len()].copy_from_slice(word);
            self.word(at + 4 * number).store(u32::from_le_bytes(whole), Ordering::Release);
        }
    }

    /// What the counter of the guest said at the beginning and the end of each interrupt with the vector at this place.
    pub(crate) fn handled(&self, of: usize) -> Vec<(u64, u64)> {
        let count = self.word(HANDLED + 4 * of).load(Ordering::Acquire) as usize;
        let long = |at: usize| {
            let [low, high] = [at, at + 4].map(|at| self.word(at).load(Ordering::Acquire));
            u64::from(high) << 32 | u64::from(low)
        };
        let stamps = |index: usize| STAMPS + NEXT_STAMPS * of + 16 * index;
        (0..count.min(MOST)).map(|index| (long(stamps(index)), long(stamps(index) + 8))).collect()
    }

    /// The turns of the loop that it has done, modulo 2^32.
    pub(crate) fn done(&self) -> u32 {
        self.word(DONE).load(Ordering::Acquire)
    }

    fn word(&self, at: usize) -> &AtomicU32 {
        &self.memory[at / 4096].0[at % 4096 / 4]
    }
}

/// The counter of the guest.
pub(crate) fn counter(vcpu: &VcpuFd) -> io::Result<u64> {
    let wanted = kvm_msr_entry { index: COUNTER, ..kvm_msr_entry::default() };
    let mut registers = Msrs::from_entries(&[wanted]).map_err(io::Error::other)?;
    vcpu.get_msrs(&mut registers)?;
    Ok(registers.as_slice()[0].data)
}

fn with_x2apic(known: &mut CpuId) {
    for leaf in known.as_mut_slice().iter_mut().filter(|leaf| leaf.function == 1) {
        leaf.ecx |= X2APIC;
    }
}

/// Protected mode with flat segments, at the start of the program.
fn set_up(vcpu: &VcpuFd) -> io::Result<()> {
    let mut system = vcpu.get_sregs()?;
    let flat = |selector: u16, kind: u8| kvm_segment {
        base: 0,
        limit: u32::MAX,
        selector,
        type_: kind,
        present: 1,
        db: 1,
        s: 1,
        g: 1,
        ..kvm_segment::default()
    };
    system.cs = flat(8, 11);
    (system.ds, system.es, system.ss) = (flat(16, 3), flat(16, 3), flat(16, 3));
    (system.fs, system.gs) = (flat(16, 3), flat(16, 3));
    (system.gdt.base, system.gdt.limit) = (SEGMENTS as u64, 23);
    (system.idt.base, system.idt.limit) = (INTERRUPTS as u64, 0x7FF);
    system.cr0 |= 1;
    vcpu.set_sregs(&system)?;
    let start =
        kvm_regs { rip: PROGRAM as u64, rsp: STACK as u64, rflags: 2, ..kvm_regs::default() };
    Ok(vcpu.set_regs(&start)?)
}

/// The memory before it runs.
fn memory(inside: &Inside) -> Vec<Page> {
    let mut bytes = vec![0_u8; PAGES * 4096];
    let mut put = |at: usize, what: &[u8]| bytes[at..at + what.len()].copy_from_slice(what);
    put(SEGMENTS + 8, &0x00CF_9A00_0000_FFFF_u64.to_le_bytes());
    put(SEGMENTS + 16, &0x00CF_9200_0000_FFFF_u64.to_le_bytes());
    for (of, (vector, handler)) in VECTORS.into_iter().zip(&inside.handlers).enumerate() {
        let at = HANDLER + NEXT_HANDLER * of;
        let [low, high, ..] = address(at);
        put(INTERRUPTS + 8 * usize::from(vector), &[low, high, 8, 0, 0, 0x8E, 0, 0]);
        put(at, handler);
    }
    put(PROGRAM, &inside.program);
    let words = bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("4")));
    let words: Vec<u32> = words.collect();
    let page = |words: &[u32]| Page(std::array::from_fn(|place| AtomicU32::new(words[place])));
    words.chunks_exact(1024).map(page).collect()
}

/// Lets the machine use this memory, from its address 0 on.
#[expect(unsafe_code, reason = "the kernel is told an address")]
fn give(machine: &VmFd, memory: &[Page]) -> io::Result<()> {
    let region = kvm_userspace_memory_region {
        memory_size: (memory.len() * 4096) as u64,
        userspace_addr: memory.as_ptr() as u64,
        ..kvm_userspace_memory_region::default()
    };
    // SAFETY: it is that long, consists of atomics, and is dropped after the machine.
    unsafe { Ok(machine.set_user_memory_region(region)?) }
}

#[expect(unsafe_code, reason = "the library's own call takes an event of another library")]
fn call(machine: &VmFd, wanted: &kvm_irqfd) -> io::Result<()> {
    // SAFETY: the kernel reads one of them.
    let result = unsafe { libc::ioctl(machine.as_raw_fd(), IRQFD, std::ptr::from_ref(wanted)) };
    Ok(Errno::result(result).map(drop)?)
}
