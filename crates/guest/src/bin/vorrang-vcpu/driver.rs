//! The guest with a network card of virtio, whose receive queue is a split one (Virtual I/O Device 1.2, 2.7):
//!
//! ```text
//!   0x30000 descriptors, each of a buffer   0x31000 available: the guest gives them   0x32000 used: vhost has filled them
//!   0x34000 buffers                         0x9200 how many were taken, 0x9204 and so handed to control
//! ```
//!
//! The handler takes what is used, if there is anything, and gives it back at once. Behind it control does a job for each frame, or halts. It is no
//! card on a bus: vhost and guest know where the queue is, and all buffers are given before the guest runs.

use crate::code::{HANDLED, Inside, address, beginning, handler, noted};
use vorrang_guest::raised::VECTORS;

/// Buffers.
pub(crate) const LENGTH: u16 = 16;
pub(crate) const DESCRIPTORS: usize = 0x3_0000;
pub(crate) const AVAILABLE: usize = 0x3_1000;
pub(crate) const USED: usize = 0x3_2000;
const BUFFERS: u64 = 0x3_4000;
const BUFFER: u32 = 2048;
const TAKEN: usize = 0x9200;
const FRAMES: usize = 0x9204;

/// A descriptor's flag: the device writes there.
const WRITES: u16 = 2;

/// Where the handler and control note their jobs.
pub(crate) const DRIVER: usize = 0;
pub(crate) const CONTROL: usize = 1;
/// What vhost raises.
pub(crate) const VECTOR: u8 = VECTORS[DRIVER];

/// Turns of the loops of both.
pub(crate) fn inside(driver: u32, control: u32) -> Inside {
    let first = handler(&if_any(&noted(DRIVER, driver, &take())));
    Inside { program: program(control), handlers: vec![first] }
}

/// The queue before the guest runs, as bytes and where they lie: every buffer is given.
pub(crate) fn queue() -> Vec<(usize, Vec<u8>)> {
    let mut descriptors = Vec::new();
    for number in 0..u64::from(LENGTH) {
        descriptors.extend((BUFFERS + u64::from(BUFFER) * number).to_le_bytes());
        descriptors.extend(BUFFER.to_le_bytes());
        descriptors.extend(WRITES.to_le_bytes());
        descriptors.extend([0, 0]); // no next one
    }
    let words = [0, LENGTH].into_iter().chain(0..LENGTH); // no flags, the index, and all of them
    let available = words.flat_map(u16::to_le_bytes).collect();
    vec![(DESCRIPTORS, descriptors), (AVAILABLE, available)]
}

/// Does this only if there is a frame: an emulator may deliver an interrupt once more.
fn if_any(does: &[u8]) -> Vec<u8> {
    let [t0, t1, t2, t3] = address(TAKEN);
    let [i0, i1, i2, i3] = address(USED + 2);
    let mut code: Vec<u8> = vec![0x66, 0x8B, 0x35, t0, t1, t2, t3]; // mov si, [TAKEN]
    code.extend([0x66, 0x3B, 0x35, i0, i1, i2, i3]); // cmp si, [index of used]
    code.extend([0x0F, 0x84]); // je behind it
    code.extend(address(does.len()));
    code.extend(does);
    code
}

/// Takes every frame that is there.
fn take() -> Vec<u8> {
    let [t0, t1, t2, t3] = address(TAKEN);
    let [f0, f1, f2, f3] = address(FRAMES);
    let [i0, i1, i2, i3] = address(USED + 2);
    let [u0, u1, u2, u3] = address(USED + 4);
    let [g0, g1, g2, g3] = address(AVAILABLE + 2);
    let [a0, a1, a2, a3] = address(AVAILABLE + 4);
    let mask = u8::try_from(LENGTH - 1).expect("a short queue");
    let mut body: Vec<u8> = Vec::new();
    body.extend([0x89, 0xF1]); // mov ecx, esi
    body.extend([0x83, 0xE1, mask]); // and ecx, LENGTH - 1
    body.extend([0x8B, 0x04, 0xCD, u0, u1, u2, u3]); // mov eax, [used + 8 * ecx]: the descriptor
    body.extend([0x0F, 0xB7, 0x3D, g0, g1, g2, g3]); // movzx edi, word [index of available]
    body.extend([0x89, 0xF9]); // mov ecx, edi
    body.extend([0x83, 0xE1, mask]); // and ecx, LENGTH - 1
    body.extend([0x66, 0x89, 0x04, 0x4D, a0, a1, a2, a3]); // mov [available + 2 * ecx], ax
    body.push(0x47); // inc edi
    body.extend([0x66, 0x89, 0x3D, g0, g1, g2, g3]); // mov [index of available], di
    body.push(0x46); // inc esi
    body.extend([0xFF, 0x05, f0, f1, f2, f3]); // inc dword [FRAMES]
    let mut code: Vec<u8> = vec![0x8B, 0x35, t0, t1, t2, t3]; // mov esi, [TAKEN]
    let again = code.len();
    code.extend([0x0F, 0xB7, 0x05, i0, i1, i2, i3]); // movzx eax, word [index of used]
    code.extend([0x66, 0x39, 0xF0]); // cmp ax, si
    code.extend([0x74, short(body.len() + 2)]); // je behind the loop
    code.extend(body);
    let back = short(code.len() + 2 - again).wrapping_neg();
    code.extend([0xEB, back]); // jmp again
    code.extend([0x89, 0x35, t0, t1, t2, t3]); // mov [TAKEN], esi
    code
}

/// A job for each frame; halts when there is none.
fn program(turns: u32) -> Vec<u8> {
    let [f0, f1, f2, f3] = address(FRAMES);
    let [h0, h1, h2, h3] = address(HANDLED + 4 * CONTROL);
    let mut code = beginning();
    let again = code.len();
    code.push(0xFA); // cli: none comes between the look and the halt
    code.extend([0xA1, f0, f1, f2, f3]); // mov eax, [FRAMES]
    code.extend([0x3B, 0x05, h0, h1, h2, h3]); // cmp eax, [HANDLED]
    code.extend([0x75, 4]); // jne to the job
    code.extend([0xFB, 0xF4]); // sti; hlt
    let back = short(code.len() + 2 - again).wrapping_neg();
    code.extend([0xEB, back]); // jmp again
    code.push(0xFB); // sti
    code.extend(noted(CONTROL, turns, &[]));
    let back = short(code.len() + 2 - again).wrapping_neg();
    code.extend([0xEB, back]); // jmp again
    code
}

/// The distance of a short jump.
fn short(distance: usize) -> u8 {
    u8::try_from(distance).ok().filter(|distance| *distance < 128).expect("a short jump")
}
