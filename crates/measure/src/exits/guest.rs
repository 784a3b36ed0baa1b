//! The guest: 64 KiB of memory, 32-bit protected mode, one program of a page, one interrupt.
//!
//! ```text
//!   0x0500 descriptors of segments   0x1000 program   0x8000 stack (downwards)
//!   0x2000 table of interrupts       0x1100 handler   0x9000 results
//! ```
//!
//! **Assumptions.** 1. The kernel has the interrupt controller of the guest (its local APIC at the
//! usual address). 2. Nothing is at [`NOWHERE`].

use crate::machine::Unable;
use kvm_bindings::{kvm_msi, kvm_regs, kvm_segment, kvm_userspace_memory_region};
use kvm_ioctls::{Kvm, VcpuExit, VcpuFd, VmFd};
use std::sync::atomic::{AtomicU32, Ordering};

/// The ports by which the guest reports its position.
pub(super) mod port {
    pub(in super::super) const BEGIN: u16 = 0x10;
    pub(in super::super) const PROGRAM: u16 = 0x11;
    pub(in super::super) const WAITS: u16 = 0x12;
    pub(in super::super) const HANDLES: u16 = 0x13;
    pub(in super::super) const END: u16 = 0x14;
}

/// Behind the guest's memory.
const NOWHERE: u32 = 0x10_0000;

const SEGMENTS: usize = 0x500;
const PROGRAM: usize = 0x1000;
const HANDLER: usize = 0x1100;
const INTERRUPTS: usize = 0x2000;
const STACK: usize = 0x8000;
const RESULTS: usize = 0x9000;
const VECTOR: usize = 0x40;

/// Fences, the counter, fences: the low half is in EAX then.
const STAMP: &[u8] = &[
    0x0F, 0xAE, 0xF0, // mfence
    0x0F, 0xAE, 0xE8, // lfence
    0x0F, 0x31, // rdtsc
    0x0F, 0xAE, 0xE8, // lfence
];
/// mov esi, eax
const KEEP: &[u8] = &[0x89, 0xC6];
/// sub eax, esi
const LESS: &[u8] = &[0x29, 0xF0];

/// mov [RESULTS + 4 · index], eax
fn store(index: usize) -> [u8; 5] {
    let [a, b, c, d] = address(RESULTS + 4 * index);
    [0xA3, a, b, c, d]
}

fn address(of: usize) -> [u8; 4] {
    u32::try_from(of).expect("within the guest").to_le_bytes()
}

/// The program, from [`PROGRAM`] on, up to the wait for the interrupt.
fn program() -> Vec<u8> {
    let [n0, n1, n2, n3] = NOWHERE.to_le_bytes();
    let out = |port: u16| [0xE6, u8::try_from(port).expect("a small port")];
    let mut code: Vec<u8> = [out(port::BEGIN), out(port::PROGRAM)].concat();
    code.extend([0xA2, n0, n1, n2, n3]); // mov [NOWHERE], al
    code.extend([STAMP, KEEP, STAMP, LESS, &store(0)].concat());
    code.extend([STAMP, KEEP, &[0x31, 0xC0, 0x0F, 0xA2], STAMP, LESS, &store(1)].concat()); // xor eax, eax; cpuid
    code.push(0xFB); // sti
    code.extend(out(port::WAITS));
    code.extend([0xF3, 0x90, 0xEB, 0xFC]); // pause, for ever
    code
}

/// The interrupt handler, from [`HANDLER`] on. It does not return: emulators need not support returns in this
/// mode.
fn handler() -> Vec<u8> {
    let out = |port: u16| [0xE6, u8::try_from(port).expect("a small port")];
    let mut code = out(port::HANDLES).to_vec();
    code.extend([STAMP, KEEP].concat());
    code.extend([0xC7, 0x05, 0xB0, 0x00, 0xE0, 0xFE, 0, 0, 0, 0]); // mov dword [APIC EOI], 0
    code.extend([STAMP, LESS, &store(2)].concat());
    let [s0, s1, s2, s3] = address(STACK);
    code.extend([0xBC, s0, s1, s2, s3]); // mov esp, STACK
    code.extend(out(port::END));
    let back = HANDLER - PROGRAM + code.len() + 5;
    let back = i32::try_from(back).expect("within the guest");
    code.push(0xE9); // jmp PROGRAM
    code.extend((-back).to_le_bytes());
    code
}

/// A page of the guest's memory: the guest changes it while this program reads it.
#[repr(align(4096))]
struct Page([AtomicU32; 1024]);

/// A guest that waits for its first entry.
pub(super) struct Guest {
    vcpu: VcpuFd,
    machine: VmFd,
    /// Dropped after its user.
    memory: Vec<Page>,
}

/// Pages of the guest.
const PAGES: usize = 16;

impl Guest {
    /// A new one.
    ///
    /// # Errors
    /// There is no `/dev/kvm`, this process may not open it, or the kernel refuses something.
    pub(super) fn new() -> Result<Self, Unable> {
        let kvm = Kvm::new().map_err(|why| Unable(format!("/dev/kvm does not open: {why}")))?;
        let refuses = |what: &str| {
            let what = what.to_owned();
            move |why: kvm_ioctls::Error| Unable(format!("the kernel refuses {what}: {why}"))
        };
        let machine = kvm.create_vm().map_err(refuses("a virtual machine"))?;
        // Intel requires three pages that the guest does not use.
        machine.set_tss_address(0xFFFB_D000).map_err(refuses("the place of a task state"))?;
        machine.create_irq_chip().map_err(refuses("an interrupt controller in the kernel"))?;
        let memory = memory();
        give(&machine, &memory).map_err(refuses("memory for a guest"))?;
        let vcpu = machine.create_vcpu(0).map_err(refuses("a virtual processor"))?;
        let guest = Self { vcpu, machine, memory };
        guest.set_up().map_err(refuses("the state of a virtual processor"))?;
        Ok(guest)
    }

    /// Protected mode with flat segments, interrupts from the local APIC, at the start of the program.
    fn set_up(&self) -> Result<(), kvm_ioctls::Error> {
        let mut system = self.vcpu.get_sregs()?;
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
        self.vcpu.set_sregs(&system)?;
        let start =
            kvm_regs { rip: PROGRAM as u64, rsp: STACK as u64, rflags: 2, ..kvm_regs::default() };
        self.vcpu.set_regs(&start)?;
        let mut controller = self.vcpu.get_lapic()?;
        // The register of spurious interrupts, with the bit that lets others through.
        let [low, high] = 0x1FF_u16.to_le_bytes();
        controller.regs[0xF0] = low.cast_signed();
        controller.regs[0xF1] = high.cast_signed();
        self.vcpu.set_lapic(&controller)
    }

    /// Enters it; returns its position afterwards: a port, or `None` at unmapped memory.
    pub(super) fn enter(&mut self) -> Result<Option<u16>, Unable> {
        match self.vcpu.run() {
            Ok(VcpuExit::IoOut(port, _)) => Ok(Some(port)),
            Ok(VcpuExit::MmioWrite(_, _)) => Ok(None),
            Ok(other) => Err(Unable(format!("the guest ended with {other:?}"))),
            Err(why) => Err(Unable(format!("the guest cannot run: {why}"))),
        }
    }

    /// Sends it the interrupt.
    pub(super) fn send(&self) -> Result<(), Unable> {
        let message = kvm_msi {
            address_lo: 0xFEE0_0000,
            data: u32::try_from(VECTOR).expect("a byte"),
            ..kvm_msi::default()
        };
        match self.machine.signal_msi(message) {
            Ok(1..) => Ok(()),
            Ok(_) => Err(Unable("the guest takes no interrupt".to_owned())),
            Err(why) => Err(Unable(format!("the kernel sends no interrupt: {why}"))),
        }
    }

    /// Ticks between timestamps of the guest: with nothing in between, an exit to the kernel, an end of
    /// interrupt.
    pub(super) fn ticks(&self) -> [u32; 3] {
        [0, 1, 2].map(|index| self.word(RESULTS + 4 * index).load(Ordering::Acquire))
    }

    /// The rate of the guest's counter, in kilohertz, if the kernel knows it.
    pub(super) fn counter_khz(&self) -> Option<u32> {
        self.vcpu.get_tsc_khz().ok()
    }

    fn word(&self, at: usize) -> &AtomicU32 {
        &self.memory[at / 4096].0[at % 4096 / 4]
    }
}

/// The memory of a guest that has not run.
fn memory() -> Vec<Page> {
    let mut bytes = vec![0_u8; PAGES * 4096];
    let mut put = |at: usize, what: &[u8]| bytes[at..at + what.len()].copy_from_slice(what);
    put(SEGMENTS + 8, &0x00CF_9A00_0000_FFFF_u64.to_le_bytes());
    put(SEGMENTS + 16, &0x00CF_9200_0000_FFFF_u64.to_le_bytes());
    let [low, high, ..] = address(HANDLER);
    put(INTERRUPTS + 8 * VECTOR, &[low, high, 8, 0, 0, 0x8E, 0, 0]);
    put(PROGRAM, &program());
    put(HANDLER, &handler());
    let words = bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("4")));
    let words: Vec<u32> = words.collect();
    let page = |words: &[u32]| Page(std::array::from_fn(|place| AtomicU32::new(words[place])));
    words.chunks_exact(1024).map(page).collect()
}

/// Lets the machine use this memory, from its address 0 on.
#[expect(unsafe_code, reason = "the kernel is told an address")]
fn give(machine: &VmFd, memory: &[Page]) -> Result<(), kvm_ioctls::Error> {
    let region = kvm_userspace_memory_region {
        slot: 0,
        flags: 0,
        guest_phys_addr: 0,
        memory_size: size_of_val(memory) as u64,
        userspace_addr: memory.as_ptr() as u64,
    };
    // SAFETY: the pages are whole, aligned, and made of atomics, which others may change at any time;
    // they live as long as the machine does (`Guest` drops them last), and are never moved.
    unsafe { machine.set_user_memory_region(region) }
}
