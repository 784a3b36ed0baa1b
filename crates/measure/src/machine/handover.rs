//! A turn that two threads on one processor pass to each other.
//!
//! **Model.** Each thread has a number, 0 or 1. The thread with the turn passes it on and waits until it
//! comes back; the instant of passing is stored, so that the other thread knows how long that took:
//!
//! ```text
//!   0  ──work── pass ┐                       ┌ work ──
//!   1                └ (wake, switch) work ── pass
//! ```
//!
//! **Assumptions.** 1. Both stay on the same processor, so that a turn arrives only by a switch.

use super::Unable;
use super::counter;
use rustix::fd::OwnedFd;
use rustix::thread::futex;
use std::hint::black_box;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// How the turn is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// The other one sleeps on a word in memory.
    Futex,
    /// The other one waits for a byte.
    Pipe,
}

impl Means {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Futex => "futex",
            Self::Pipe => "pipe",
        }
    }
}

/// The thread that has the turn.
#[derive(Debug)]
pub struct Turn {
    way: Way,
    passed_at: AtomicU64,
}

#[derive(Debug)]
enum Way {
    /// The number of the thread that has the turn, and a word on which no thread sleeps.
    Futex { word: AtomicU32, lonely: AtomicU32 },
    /// One to each thread, and one that only one thread knows.
    Pipe { to: [Pipe; 2], lonely: Pipe },
}

#[derive(Debug)]
struct Pipe {
    read: OwnedFd,
    write: OwnedFd,
}

impl Pipe {
    fn new() -> Result<Self, Unable> {
        let opened = rustix::pipe::pipe();
        let (read, write) = opened.map_err(|why| Unable(format!("a pipe is refused: {why}")))?;
        Ok(Self { read, write })
    }

    /// There is always room for a byte: no thread writes two before one is read.
    fn put(&self) {
        let _ = black_box(rustix::io::write(&self.write, &[0]));
    }

    fn take(&self) {
        let mut byte = [0];
        while rustix::io::read(&self.read, &mut byte) == Err(rustix::io::Errno::INTR) {}
    }
}

impl Turn {
    /// A turn that is with thread 0.
    ///
    /// # Errors
    /// No pipe can be opened.
    pub fn new(means: Means) -> Result<Self, Unable> {
        let way = match means {
            Means::Futex => Way::Futex { word: AtomicU32::new(0), lonely: AtomicU32::new(0) },
            Means::Pipe => Way::Pipe { to: [Pipe::new()?, Pipe::new()?], lonely: Pipe::new()? },
        };
        Ok(Self { way, passed_at: AtomicU64::new(0) })
    }

    /// Passes the turn to the other thread.
    #[inline]
    pub fn pass_to(&self, other: u32) {
        self.passed_at.store(counter::now(), Ordering::Relaxed);
        match &self.way {
            Way::Futex { word, .. } => {
                word.store(other, Ordering::Release);
                wake(word);
            }
            Way::Pipe { to, .. } => to[usize::from(other != 0)].put(),
        }
    }

    /// Waits for the turn; ticks since the other thread passed it.
    #[inline]
    pub fn wait(&self, own: u32) -> u64 {
        match &self.way {
            Way::Futex { word, .. } => {
                while word.load(Ordering::Acquire) != own {
                    sleep_while(word, 1 - own);
                }
            }
            Way::Pipe { to, .. } => to[usize::from(own != 0)].take(),
        }
        counter::now() - self.passed_at.load(Ordering::Relaxed)
    }

    /// The same calls without a switch: passes a turn without a receiver and does not wait; in ticks.
    #[inline]
    pub fn calls(&self) -> u64 {
        let from = counter::now();
        match &self.way {
            Way::Futex { lonely, .. } => {
                lonely.store(0, Ordering::Release);
                wake(lonely);
                sleep_while(lonely, 1);
            }
            Way::Pipe { lonely, .. } => {
                lonely.put();
                lonely.take();
            }
        }
        counter::now() - from
    }
}

fn wake(word: &AtomicU32) {
    let _ = black_box(futex::wake(word, futex::Flags::PRIVATE, 1));
}

/// Returns at once if the word has another value; sometimes early without a reason.
fn sleep_while(word: &AtomicU32, value: u32) {
    let _ = black_box(futex::wait(word, futex::Flags::PRIVATE, value, None));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_comes_back() {
        for means in [Means::Futex, Means::Pipe] {
            let turn = Turn::new(means).unwrap();
            let shared = AtomicU32::new(0);
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    for round in 0..100 {
                        turn.wait(1);
                        assert_eq!(shared.swap(round * 2 + 2, Ordering::Relaxed), round * 2 + 1);
                        turn.pass_to(0);
                    }
                });
                for round in 0..100 {
                    assert_eq!(shared.swap(round * 2 + 1, Ordering::Relaxed), round * 2);
                    turn.calls();
                    turn.pass_to(1);
                    assert!(turn.wait(0) > 0);
                }
            });
        }
    }
}
