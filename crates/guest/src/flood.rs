//! Packets, at the requested rate.

use std::net::UdpSocket;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

/// Packets a second: twice what a fortieth of a processor can take in the lab, and few enough that the processor that
/// sends is idle in between, when the emulator lets the other one run.
const RATE: u64 = 10_000;
/// Of one packet.
const BYTES: usize = 64;

/// Sends packets to an address until it is ended.
pub(crate) fn run(to: &str) -> ExitCode {
    let Ok(socket) = UdpSocket::bind("0.0.0.0:0") else { return ExitCode::FAILURE };
    let packet = [7; BYTES];
    let begin = Instant::now();
    for number in 1_u32.. {
        // One that is lost on the way out is not sent again.
        let _lost = socket.send_to(&packet, to);
        let due = Duration::from_nanos(1_000_000_000 / RATE) * number;
        thread::sleep(due.saturating_sub(begin.elapsed()));
    }
    ExitCode::SUCCESS
}
