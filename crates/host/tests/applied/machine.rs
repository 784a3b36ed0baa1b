//! A machine that has the threads and interrupts of a description, and Linux 7.2 with `PREEMPT_RT`.
//!
//! Files only: a plan reads, and nothing of it is made.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use vorrang_enforce::{Kernel, Policy};
use vorrang_model::System;
use vorrang_model::system::Selector;

pub(crate) struct Machine {
    files: BTreeMap<String, String>,
}

const CPUS: u32 = 4;

impl Machine {
    /// With the threads and interrupts that a description names.
    ///
    /// # Panics
    /// It names one in a way that none is named.
    pub(crate) fn of(system: &System) -> Self {
        let mut machine = Self { files: BTreeMap::new() };
        let everywhere = [
            ("/proc/sys/kernel/osrelease", "7.2.12-rt\n".to_owned()),
            ("/proc/sys/kernel/version", "#1 SMP PREEMPT_RT\n".to_owned()),
            ("/proc/sys/kernel/random/boot_id", "0\n".to_owned()),
            ("/sys/devices/system/cpu/online", format!("0-{}\n", CPUS - 1)),
            ("/sys/fs/cgroup/cgroup.controllers", "cpuset cpu\n".to_owned()),
            ("/sys/fs/cgroup/cgroup.subtree_control", "cpuset cpu\n".to_owned()),
            ("/sys/kernel/debug/sched/features", "HRTICK_DL\n".to_owned()),
        ];
        for (path, text) in everywhere {
            machine.file(path, &text);
        }
        for cpu in 0..CPUS {
            let server = format!("/sys/kernel/debug/sched/fair_server/cpu{cpu}");
            machine.file(&format!("{server}/runtime"), "50000000\n");
            machine.file(&format!("{server}/period"), "1000000000\n");
        }
        machine.thread(1, "init", "");
        for (number, name) in (24..).zip(system.host.interrupts.values()) {
            machine.interrupt(number, name);
        }
        for (number, written) in (100..).step_by(10).zip(system.host.threads.values()) {
            let selector = Selector::read(written).unwrap_or_else(|why| panic!("{written}: {why}"));
            machine.selected(number, &selector);
        }
        machine
    }

    fn file(&mut self, path: &str, text: &str) {
        self.files.insert(path.to_owned(), text.to_owned());
    }

    /// A process with one thread.
    fn thread(&mut self, number: i32, name: &str, command: &str) {
        self.file(&format!("/proc/{number}/cmdline"), command);
        self.task(number, number, name);
    }

    fn task(&mut self, process: i32, number: i32, name: &str) {
        let task = format!("/proc/{process}/task/{number}");
        self.file(&format!("{task}/comm"), &format!("{name}\n"));
        self.file(&format!("{task}/cgroup"), "0::/\n");
        // Fields 3 to 52: the state, flags and start time are looked at.
        let fields = (4..=52).map(|field| if field == 22 { "7" } else { "0" });
        let fields: Vec<&str> = fields.collect();
        self.file(&format!("{task}/stat"), &format!("{number} ({name}) S {}\n", fields.join(" ")));
    }

    fn interrupt(&mut self, number: i32, name: &str) {
        self.file(&format!("/proc/irq/{number}/smp_affinity_list"), "0-3\n");
        self.file(&format!("/proc/irq/{number}/effective_affinity_list"), "0\n");
        self.file(&format!("/proc/irq/{number}/{name}/"), "");
        self.thread(1000 + number, &format!("irq/{number}-{name}"), "");
    }

    fn selected(&mut self, number: i32, selector: &Selector) {
        match selector {
            Selector::Number(own) => self.thread(*own, "thread", ""),
            Selector::Name(name) => self.thread(number, name, ""),
            Selector::OfProcess(process, name) => {
                self.thread(number, process, process);
                if process != name {
                    self.task(number, number + 1, name);
                }
            }
            Selector::Vm(vm, cpu) => {
                self.thread(number, "qemu", &format!("qemu\0-name\0{vm},debug-threads=on\0"));
                self.task(number, number + 1, &format!("CPU {cpu}/KVM"));
            }
            // The kernel makes it with its interrupt.
            Selector::Irq(name) => {
                let is_there = self.files.keys().any(|path| path.contains(&format!("/{name}/")));
                if !is_there {
                    self.interrupt(number, name);
                }
            }
            Selector::Napi(interface, _) => {
                self.file(&format!("/sys/class/net/{interface}/threaded"), "0\n");
                self.thread(number, &format!("napi/{interface}-1"), "");
            }
        }
    }
}

impl Kernel for Machine {
    fn read(&self, path: &str) -> io::Result<String> {
        self.files.get(path).cloned().ok_or(io::ErrorKind::NotFound.into())
    }

    fn list(&self, path: &str) -> io::Result<Vec<String>> {
        if self.files.contains_key(path) {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        let folder = format!("{path}/");
        let within = self.files.keys().filter_map(|file| file.strip_prefix(&folder));
        let names: BTreeSet<&str> = within.filter_map(|rest| rest.split('/').next()).collect();
        let is_there = self.files.keys().any(|file| file.starts_with(&folder));
        let names = names.into_iter().filter(|name| !name.is_empty()).map(str::to_owned);
        is_there.then(|| names.collect()).ok_or(io::ErrorKind::NotFound.into())
    }

    fn write(&mut self, path: &str, _: &str) -> io::Result<()> {
        panic!("a plan writes nothing: {path}")
    }

    fn make(&mut self, path: &str) -> io::Result<()> {
        panic!("a plan makes nothing: {path}")
    }

    fn remove(&mut self, path: &str) -> io::Result<()> {
        panic!("a plan removes nothing: {path}")
    }

    fn load_module(&mut self, path: &str) -> io::Result<()> {
        panic!("a plan loads nothing: {path}")
    }

    fn unload_module(&mut self, name: &str) -> io::Result<()> {
        panic!("a plan unloads nothing: {name}")
    }

    fn policy(&self, _: i32) -> io::Result<Policy> {
        Ok(Policy::default())
    }

    fn set_policy(&mut self, thread: i32, _: &Policy) -> io::Result<()> {
        panic!("a plan sets nothing: {thread}")
    }

    fn affinity(&self, _: i32) -> io::Result<Vec<u32>> {
        Ok((0..CPUS).collect())
    }

    fn set_affinity(&mut self, thread: i32, _: &[u32]) -> io::Result<()> {
        panic!("a plan sets nothing: {thread}")
    }
}
