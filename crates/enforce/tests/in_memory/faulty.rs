//! A machine on which one call fails, or before or after which the program is killed.

use crate::machine::{Machine, error};
use std::cell::{Cell, RefCell};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use vorrang_enforce::{Kernel, Policy};

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    Refuse(i32),
    KillBefore,
    KillBehind,
}

/// What a call does: only looks, or changes something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    Look,
    Change,
}

pub(crate) struct Faulty {
    pub(crate) machine: RefCell<Machine>,
    /// At which call, counted from 0.
    fault: Option<(usize, Fault)>,
    calls: RefCell<Vec<Call>>,
    /// The call at which something went wrong, for messages.
    at: Cell<Option<String>>,
}

/// The panic value of a killed program.
struct Killed;

impl Faulty {
    pub(crate) fn new(machine: &Machine, fault: Option<(usize, Fault)>) -> Self {
        let (machine, calls) = (RefCell::new(machine.clone()), RefCell::default());
        Self { machine, fault, calls, at: Cell::new(None) }
    }

    pub(crate) fn calls(&self) -> Vec<Call> {
        self.calls.borrow().clone()
    }

    pub(crate) fn at(&self) -> String {
        self.at.take().unwrap_or_default()
    }

    /// What a program does on it; `None` if it is killed.
    pub(crate) fn run<T>(&mut self, program: impl FnOnce(&mut dyn Kernel) -> T) -> Option<T> {
        match catch_unwind(AssertUnwindSafe(|| program(self))) {
            Ok(done) => Some(done),
            Err(why) if why.is::<Killed>() => None,
            Err(why) => resume_unwind(why),
        }
    }

    fn call<T>(
        &self,
        call: Call,
        what: impl FnOnce() -> String,
        make: impl FnOnce(&mut Machine) -> io::Result<T>,
    ) -> io::Result<T> {
        let number = self.calls.borrow().len();
        self.calls.borrow_mut().push(call);
        let fault = self.fault.filter(|(at, _)| *at == number).map(|(_, fault)| fault);
        if fault.is_some() {
            self.at.set(Some(what()));
        }
        match fault {
            Some(Fault::Refuse(code)) => return Err(error(code)),
            // No message: nothing of the program goes on.
            Some(Fault::KillBefore) => resume_unwind(Box::new(Killed)),
            _ => {}
        }
        let done = make(&mut self.machine.borrow_mut());
        if fault == Some(Fault::KillBehind) {
            resume_unwind(Box::new(Killed));
        }
        done
    }
}

impl Kernel for Faulty {
    fn read(&self, path: &str) -> io::Result<String> {
        self.call(Call::Look, || format!("read {path}"), |machine| machine.text(path))
    }

    fn list(&self, path: &str) -> io::Result<Vec<String>> {
        self.call(Call::Look, || format!("list {path}"), |machine| machine.names(path))
    }

    fn write(&mut self, path: &str, text: &str) -> io::Result<()> {
        let what = || format!("write {text} to {path}");
        self.call(Call::Change, what, |machine| machine.set(path, text))
    }

    fn make(&mut self, path: &str) -> io::Result<()> {
        self.call(Call::Change, || format!("mkdir {path}"), |machine| machine.make_group(path))
    }

    fn remove(&mut self, path: &str) -> io::Result<()> {
        self.call(Call::Change, || format!("rmdir {path}"), |machine| machine.remove_group(path))
    }

    fn load_module(&mut self, path: &str) -> io::Result<()> {
        self.call(Call::Change, || format!("load {path}"), |machine| machine.load(path))
    }

    fn unload_module(&mut self, name: &str) -> io::Result<()> {
        let unload = |machine: &mut Machine| {
            machine.shield.take().map(|_| ()).ok_or_else(|| error(libc::ENOENT))
        };
        self.call(Call::Change, || format!("unload {name}"), unload)
    }

    fn policy(&self, thread: i32) -> io::Result<Policy> {
        let policy = |machine: &mut Machine| machine.task(thread).map(|task| task.policy);
        self.call(Call::Look, || format!("sched_getattr {thread}"), policy)
    }

    fn set_policy(&mut self, thread: i32, policy: &Policy) -> io::Result<()> {
        let what = || format!("sched_setattr {thread} {policy:?}");
        self.call(Call::Change, what, |machine| machine.set_policy(thread, policy))
    }

    fn affinity(&self, thread: i32) -> io::Result<Vec<u32>> {
        let allowed = |machine: &mut Machine| machine.task(thread).map(|task| task.allowed.clone());
        self.call(Call::Look, || format!("sched_getaffinity {thread}"), allowed)
    }

    fn set_affinity(&mut self, thread: i32, cpus: &[u32]) -> io::Result<()> {
        let what = || format!("sched_setaffinity {thread} {cpus:?}");
        self.call(Call::Change, what, |machine| machine.set_affinity(thread, cpus))
    }

    fn wait(&self) {
        self.machine.borrow_mut().wait();
    }
}
