//! Programs that are killed, or refused, at one of their system calls.
//!
//! A program is traced from its beginning (`ptrace`). Counted are the calls of its first thread that
//! may change something outside it: [`CHANGING`]. At the one that is chosen the program is killed
//! before the kernel does it, or the kernel is told another number, does nothing, and the program
//! reads the error that is asked for. The program knows nothing of it.
//!
//! **Cost.** A traced program stops twice at each call, which makes it ten times slower. So programs are traced
//! only to count their calls, and until the chosen one is refused.

use crate::machine::Ports;
use crate::program::program;
use crate::state::State;
use nix::sys::ptrace;
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::Pid;
use std::io::Read as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Stdio};
use vorrang_guest::{Fault, Record};

/// Calls that may change something outside the program.
const CHANGING: &[(libc::c_long, &str)] = &[
    (libc::SYS_write, "write"),
    (libc::SYS_mkdir, "mkdir"),
    (libc::SYS_rmdir, "rmdir"),
    (libc::SYS_link, "link"),
    (libc::SYS_linkat, "linkat"),
    (libc::SYS_unlink, "unlink"),
    (libc::SYS_fsync, "fsync"),
    (libc::SYS_fdatasync, "fdatasync"),
    (libc::SYS_sched_setattr, "sched_setattr"),
    (libc::SYS_sched_setaffinity, "sched_setaffinity"),
    (libc::SYS_finit_module, "finit_module"),
    (libc::SYS_delete_module, "delete_module"),
];

/// What happens to a program.
#[derive(Clone, Copy)]
enum Ending {
    /// It ends by itself, and is not traced.
    Nothing,
    /// The same, and its calls are noted.
    Noted,
    Kill(u32),
    Refuse(u32, i32),
}

/// How a program ended.
struct Ended {
    exit: i32,
    /// Its calls that may change something.
    calls: Vec<&'static str>,
    said: String,
}

/// What is run for each fault.
pub(crate) struct Programs<'a> {
    /// Whole, before what is faulted; empty: nothing.
    pub(crate) before: &'a [String],
    /// What changes the machine.
    pub(crate) change: &'a [String],
    /// What undoes that.
    pub(crate) restore: &'a [String],
}

impl Programs<'_> {
    /// One fault after the other, at every call, or every `stride`th; a record for each.
    pub(crate) fn everywhere(
        &self,
        fault: Fault,
        stride: u32,
        remembered: &State,
        ports: &mut Ports,
    ) {
        let whole = self.changed(Ending::Noted);
        let undone = self.restored(Ending::Noted);
        let calls = if fault == Fault::KillRestore { &undone.calls } else { &whole.calls };
        if whole.exit != 0 || undone.exit != 0 {
            ports.tell(&Record::Refused {
                what: format!("{}, and restore", self.change.join(" ")),
                errno: 0,
                why: format!(
                    "exit codes {} and {}: {}{}",
                    whole.exit, undone.exit, whole.said, undone.said
                ),
            });
            return;
        }
        let stride = stride.max(1);
        let number = |index| u32::try_from(index).expect("a program of fewer calls");
        ports.tell(&Record::Calls { all: number(calls.len()), stride });
        for (index, call) in calls.iter().enumerate().step_by(stride as usize) {
            let at = number(index) + 1;
            let faulted = match fault {
                Fault::Kill => self.changed(Ending::Kill(at)),
                Fault::Refuse(error) => self.changed(Ending::Refuse(at, error)),
                Fault::KillRestore => {
                    self.changed(Ending::Nothing);
                    self.restored(Ending::Kill(at))
                }
            };
            let first = self.restored(Ending::Nothing);
            let differences = remembered.differences(&State::now());
            let second = self.restored(Ending::Nothing);
            let mut all = differences;
            all.extend(remembered.differences(&State::now()));
            let failed = first.exit != 0 || second.exit != 0 || !all.is_empty();
            ports.tell(&Record::Fault {
                at,
                call: (*call).to_owned(),
                exit: faulted.exit,
                restored: [first.exit, second.exit],
                differences: all,
                said: if failed {
                    faulted.said + &first.said + &second.said
                } else {
                    String::new()
                },
            });
        }
    }

    /// The change, which ends in this way.
    fn changed(&self, ending: Ending) -> Ended {
        if !self.before.is_empty() {
            let before = ended(self.before, Ending::Nothing);
            if before.exit != 0 {
                return before;
            }
        }
        ended(self.change, ending)
    }

    fn restored(&self, ending: Ending) -> Ended {
        ended(self.restore, ending)
    }
}

fn ended(command: &[String], ending: Ending) -> Ended {
    let mut program = program(command);
    program.stdout(Stdio::null()).stderr(Stdio::piped());
    if !matches!(ending, Ending::Nothing) {
        trace_me(&mut program);
    }
    match program.spawn() {
        Ok(mut child) => {
            let mut ended = follow(&child, ending);
            if let Some(mut errors) = child.stderr.take() {
                // It has ended; what is not text is of no use.
                let _unreadable = errors.read_to_string(&mut ended.said);
            }
            ended
        }
        Err(why) => Ended { exit: -1, calls: Vec::new(), said: why.to_string() },
    }
}

#[expect(unsafe_code, reason = "the only way to be traced from the beginning")]
fn trace_me(program: &mut std::process::Command) {
    // SAFETY: between `fork` and `exec` one system call is made, which allocates nothing.
    unsafe {
        program.pre_exec(|| ptrace::traceme().map_err(std::io::Error::from));
    }
}

/// Lets a program run, from call to call if it is traced, until it ends.
fn follow(child: &Child, ending: Ending) -> Ended {
    let pid = Pid::from_raw(i32::try_from(child.id()).expect("a number of a process"));
    let mut ended = Ended { exit: -1, calls: Vec::new(), said: String::new() };
    let mut entering = true;
    let mut refuse = None;
    loop {
        match waitpid(pid, None) {
            Ok(WaitStatus::Exited(_, code)) => {
                ended.exit = code;
                return ended;
            }
            Ok(WaitStatus::Signaled(_, signal, _)) => {
                ended.exit = 128 + signal as i32;
                return ended;
            }
            Ok(WaitStatus::PtraceSyscall(_)) => {
                if entering {
                    refuse = call(pid, ending, &mut ended.calls);
                } else if let Some(error) = refuse.take() {
                    answer(pid, error);
                    ptrace::detach(pid, None).expect("it has stopped");
                    continue;
                }
                entering = !entering;
                resume(pid, None);
            }
            // Its beginning; from here on calls can be told from signals.
            Ok(WaitStatus::Stopped(_, Signal::SIGTRAP)) => {
                let options =
                    ptrace::Options::PTRACE_O_TRACESYSGOOD | ptrace::Options::PTRACE_O_EXITKILL;
                ptrace::setoptions(pid, options).expect("it is traced");
                resume(pid, None);
            }
            Ok(WaitStatus::Stopped(_, signal)) => resume(pid, Some(signal)),
            Ok(_) => resume(pid, None),
            Err(why) => {
                ended.said = why.to_string();
                return ended;
            }
        }
    }
}

/// A call begins. If it is the chosen one the program is killed, or the kernel told another number;
/// then the error that the program is to read.
fn call(pid: Pid, ending: Ending, calls: &mut Vec<&'static str>) -> Option<i32> {
    let mut registers = ptrace::getregs(pid).expect("it has stopped");
    let number = registers.orig_rax.cast_signed();
    let (_, name) = CHANGING.iter().find(|(known, _)| *known == number)?;
    // What it says to people is outside, but changes nothing.
    if number == libc::SYS_write && registers.rdi <= 2 {
        return None;
    }
    calls.push(name);
    let at = u32::try_from(calls.len()).expect("a program of fewer calls");
    match ending {
        Ending::Kill(chosen) if chosen == at => {
            ptrace::kill(pid).expect("it is there");
            None
        }
        Ending::Refuse(chosen, error) if chosen == at => {
            registers.orig_rax = u64::MAX;
            ptrace::setregs(pid, registers).expect("it has stopped");
            Some(error)
        }
        _ => None,
    }
}

/// The call that was not made returns an error.
fn answer(pid: Pid, error: i32) {
    let mut registers = ptrace::getregs(pid).expect("it has stopped");
    registers.rax = i64::from(-error).cast_unsigned();
    ptrace::setregs(pid, registers).expect("it has stopped");
}

/// Goes on to the beginning or end of the next call; one that is killed does not.
fn resume(pid: Pid, signal: Option<Signal>) {
    let _it_was_killed = ptrace::syscall(pid, signal);
}
