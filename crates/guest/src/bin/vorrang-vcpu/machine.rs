//! The virtual machine: 64 pages of memory, 32-bit protected mode, one program, two interrupts.
//!
//! ```text
//!   0x0500 descriptors of segments   0x1000 program   0x8000 stack (downwards)
//!   0x2000 table of interrupts       0x1100 handlers  0x9000 how many were handled, of each vector
//!                                    0x9100 turns of its loop, 0x10000 and 0x20000 beginning and end of each
//! ```
//!
//! Its interrupt controller is an x2APIC, whose registers are those of the processor: an end of interrupt is one exit.

use kvm_bindings::{
    CpuId, KVM_MAX_CPUID_ENTRIES, Msrs, kvm_msi, kvm_msr_entry, kvm_regs, kvm_segment,
    kvm_userspace_memory_region,
};
use kvm_ioctls::{Kvm, VcpuFd, VmFd};
use std::io;
use std::sync::atomic::{AtomicU32, Ordering};
use vorrang_guest::raised::{TURN, VECTORS};

const SEGMENTS: usize = 0x500;
const PROGRAM: usize = 0x1000;
/// Of the first vector; that of the second is as far behind it as this says.
const HANDLER: usize = 0x1100;
const NEXT_HANDLER: usize = 0x100;
const INTERRUPTS: usize = 0x2000;
const STACK: usize = 0x8000;
const HANDLED: usize = 0x9000;
const DONE: usize = 0x9100;
const STAMPS: usize = 0x1_0000;
const NEXT_STAMPS: usize = 0x1_0000;
const PAGES: usize = 64;
/// More are not noted.
pub(crate) const MOST: usize = 4096;

/// The register of the time-stamp counter.
const COUNTER: u32 = 0x10;
/// The bit of leaf 1 of CPUID, register ECX, that says there is an x2APIC.
const X2APIC: u32 = 1 << 21;

/// What the virtual processor does besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    Computes,
    Halts,
}

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
    /// A new one, and its processor, which has not run. The handler does so many turns of a loop.
    pub(crate) fn new(work: Work, turns: u32) -> io::Result<(Self, VcpuFd)> {
        let kvm = Kvm::new()?;
        let machine = kvm.create_vm()?;
        // Intel requires three pages that the guest does not use.
        machine.set_tss_address(0xFFFB_D000)?;
        machine.create_irq_chip()?;
        let memory = memory(work, turns);
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
            kvm_msi { address_lo: 0xFEE0_0000, data: u32::from(vector), ..kvm_msi::default() };
        match self.machine.signal_msi(message)? {
            1.. => Ok(()),
            _ => Err(io::Error::other("the guest takes no interrupt")),
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

/// mov ecx, REGISTER
fn register(number: u32) -> [u8; 5] {
    let [a, b, c, d] = number.to_le_bytes();
    [0xB9, a, b, c, d]
}

fn address(of: usize) -> [u8; 4] {
    u32::try_from(of).expect("within the guest").to_le_bytes()
}

/// The program, from [`PROGRAM`] on.
fn program(work: Work) -> Vec<u8> {
    let mut code: Vec<u8> = Vec::new();
    code.extend(register(0x1B)); // the base of the controller
    code.extend([0x0F, 0x32]); // rdmsr
    code.extend([0x0D, 0x00, 0x0C, 0, 0]); // or eax, 0xC00: on, as x2APIC
    code.extend([0x0F, 0x30]); // wrmsr
    code.extend(register(0x80F)); // the vector of spurious interrupts
    code.extend([0xB8, 0xFF, 0x01, 0, 0]); // mov eax, 0x1FF: lets others through
    code.extend([0x31, 0xD2, 0x0F, 0x30]); // xor edx, edx; wrmsr
    code.push(0xFB); // sti
    let [d0, d1, d2, d3] = address(DONE);
    code.extend(match work {
        Work::Computes => looped(&[0xFF, 0x05, d0, d1, d2, d3]), // inc dword [DONE]
        Work::Halts => vec![0xF4, 0xEB, 0xFD],                   // hlt; jmp to it
    });
    code
}

/// A loop of an instruction, others that do nothing, and the jump: [`TURN`] altogether.
fn looped(first: &[u8]) -> Vec<u8> {
    let mut code = first.to_vec();
    code.extend((0..TURN - 2).map(|_| 0x90)); // nop
    let back = u8::try_from(code.len() + 2).expect("a short jump");
    code.extend([0xEB, back.wrapping_neg()]); // jmp to the first
    code
}

/// The handler of the vector at this place.
fn handler(of: usize, turns: u32) -> Vec<u8> {
    let [h0, h1, h2, h3] = address(HANDLED + 4 * of);
    let [s0, s1, s2, s3] = address(STAMPS + NEXT_STAMPS * of);
    let mut code: Vec<u8> = vec![0x60]; // pushad
    code.extend([0x8B, 0x1D, h0, h1, h2, h3]); // mov ebx, [HANDLED]
    code.extend([0x81, 0xE3, 0xFF, 0x0F, 0, 0]); // and ebx, 0xFFF
    code.extend([0xC1, 0xE3, 0x04]); // shl ebx, 4
    code.extend([0x81, 0xC3, s0, s1, s2, s3]); // add ebx, STAMPS
    code.extend([0x0F, 0x31]); // rdtsc
    code.extend([0x89, 0x03, 0x89, 0x53, 0x04]); // mov [ebx], eax; mov [ebx + 4], edx
    code.extend(register(turns)); // mov ecx, turns
    code.extend([0x49, 0x75, 0xFD]); // dec ecx; jnz to it
    code.extend([0x0F, 0x31]); // rdtsc
    code.extend([0x89, 0x43, 0x08, 0x89, 0x53, 0x0C]); // mov [ebx + 8], eax; mov [ebx + 12], edx
    code.extend([0xFF, 0x05, h0, h1, h2, h3]); // inc dword [HANDLED]
    code.extend(register(0x80B)); // the end of interrupt
    code.extend([0x31, 0xC0, 0x31, 0xD2, 0x0F, 0x30]); // xor eax, eax; xor edx, edx; wrmsr
    code.extend([0x61, 0xCF]); // popad; iret
    code
}

/// The memory before it runs.
fn memory(work: Work, turns: u32) -> Vec<Page> {
    let mut bytes = vec![0_u8; PAGES * 4096];
    let mut put = |at: usize, what: &[u8]| bytes[at..at + what.len()].copy_from_slice(what);
    put(SEGMENTS + 8, &0x00CF_9A00_0000_FFFF_u64.to_le_bytes());
    put(SEGMENTS + 16, &0x00CF_9200_0000_FFFF_u64.to_le_bytes());
    for (of, vector) in VECTORS.into_iter().enumerate() {
        let at = HANDLER + NEXT_HANDLER * of;
        let [low, high, ..] = address(at);
        put(INTERRUPTS + 8 * usize::from(vector), &[low, high, 8, 0, 0, 0x8E, 0, 0]);
        put(at, &handler(of, turns));
    }
    put(PROGRAM, &program(work));
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
