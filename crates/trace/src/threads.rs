//! The contexts of a CPU, as threads with numbers.
//!
//! **Model.** Everything that a core can run is a thread; its number is its place in one table of
//! the system, so it is the same on every core and in every run:
//!
//! ```text
//!   0       idle
//!   1..     supplies   a server that idles its budget away; of a core: its kernel
//!           tasks
//!           tasks      the less urgent work that blocks a task
//!           interrupts the service routine of the core
//!           interrupts the guest's routine
//! ```
//!
//! The threads of a virtual machine form a process, so that they share a colour and a group;
//! everything else is a process of its own.

use crate::sequence::packet;
use crate::sink::Sink;
use crate::wire::Message;
use std::collections::BTreeMap;
use std::io::Write;
use vorrang_model::system::{Member, Priority, Scheduler, ServerKind, Supply, SupplyId, System};
use vorrang_sim::{Running, Source};

/// Priorities as Linux counts them: the less, the more urgent. Real-time priorities of
/// `SCHED_FIFO`, 1 to 99, are this number less them.
const REAL_TIME: i32 = 99;
const MOST_URGENT_REAL_TIME: i32 = 0;
const LEAST_URGENT_REAL_TIME: i32 = 98;
const DEADLINE: i32 = -1;
const NORMAL: i32 = 120;

/// Something that can have a CPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Thread {
    /// By which a reader knows it.
    pub(crate) number: u64,
    pub(crate) name: String,
    pub(crate) priority: i32,
    /// The first thread of its process.
    process: usize,
    /// The name of the process, at its first thread.
    process_name: String,
}

impl Thread {
    /// Its priority as the wire wants it: negative numbers are extended to 64 bits.
    #[inline]
    pub(crate) fn encoded_priority(&self) -> u64 {
        i64::from(self.priority).cast_unsigned()
    }
}

/// The threads of a system.
#[derive(Clone, Debug)]
pub(crate) struct Threads {
    all: Vec<Thread>,
    first_task: usize,
    first_blocking: usize,
    first_blocked_server: usize,
    first_interrupt: usize,
    first_guest_routine: usize,
}

/// Has the CPU while it is idle.
pub(crate) const IDLE: usize = 0;

impl Threads {
    /// Those of a system.
    pub(crate) fn new(system: &System) -> Self {
        let (supplies, tasks) = (system.supplies.len(), system.tasks.len());
        let first_task = 1 + supplies;
        let first_blocking = first_task + tasks;
        let first_blocked_server = first_blocking + tasks;
        let first_interrupt = first_blocked_server + supplies;
        let first_guest_routine = first_interrupt + system.interrupts.len();
        let mut list = List { system, machines: BTreeMap::new(), all: Vec::new() };
        list.push("idle".to_owned(), NORMAL, None);
        list.supplies();
        list.tasks();
        list.blocked_servers();
        list.interrupts();
        Self {
            all: list.all,
            first_task,
            first_blocking,
            first_blocked_server,
            first_interrupt,
            first_guest_routine,
        }
    }

    /// By number.
    #[inline]
    pub(crate) fn all(&self) -> &[Thread] {
        &self.all
    }

    /// The thread that has the CPU while the core runs this.
    #[inline]
    pub(crate) fn running(&self, core: SupplyId, what: Running) -> usize {
        match what {
            Running::Idle => IDLE,
            Running::Task(id) => self.first_task + id.0,
            Running::Interrupt(id) => self.first_interrupt + id.0,
            Running::Idling(id) => 1 + id.0,
            Running::Blocking(Member::Task(id)) => self.first_blocking + id.0,
            Running::Blocking(Member::Server(id)) => self.first_blocked_server + id.0,
            Running::GuestRoutine(id) => self.first_guest_routine + id.0,
            Running::Kernel(_) => 1 + core.0,
        }
    }

    /// The thread that runs the jobs of a source.
    #[inline]
    pub(crate) fn of(&self, source: Source) -> usize {
        match source {
            Source::Task(id) => self.first_task + id.0,
            Source::Interrupt(id) => self.first_interrupt + id.0,
        }
    }

    /// Writes names and processes. What never runs is not shown.
    pub(crate) fn write(&self, sink: &mut Sink<impl Write>, sequence: u64) {
        let mut tree = Message::new();
        for (number, thread) in self.all.iter().enumerate().skip(1) {
            let (id, process) = (number as u64, thread.process as u64);
            if number == thread.process {
                let entry = Message::new().number(1, id).text(3, &thread.process_name);
                tree = tree.message(1, &entry);
            }
            let entry = Message::new().number(1, id).text(2, &thread.name).number(3, process);
            tree = tree.message(2, &entry);
        }
        sink.packet(
            &Message::new()
                .number(packet::TIMESTAMP, 0)
                .number(packet::SEQUENCE, sequence)
                .message(packet::PROCESS_TREE, &tree),
        );
    }
}

impl Thread {
    /// A thread of a running machine, a process of its own.
    pub(crate) fn of_host(number: u32, name: String, priority: i32, place: usize) -> Self {
        let process_name = name.clone();
        Self { number: number.into(), name, priority, process: place, process_name }
    }
}

/// Writes names of threads of a running machine.
pub(crate) fn write_host(threads: &[Thread], sink: &mut Sink<impl Write>, sequence: u64) {
    let mut tree = Message::new();
    for thread in threads.iter().filter(|thread| thread.number != 0) {
        let id = thread.number;
        tree = tree.message(1, &Message::new().number(1, id).text(3, &thread.process_name));
        let entry = Message::new().number(1, id).text(2, &thread.name).number(3, id);
        tree = tree.message(2, &entry);
    }
    let packet = Message::new().number(packet::TIMESTAMP, 0).number(packet::SEQUENCE, sequence);
    sink.packet(&packet.message(packet::PROCESS_TREE, &tree));
}

/// Threads while they are listed.
struct List<'s> {
    system: &'s System,
    /// The first thread of each virtual machine.
    machines: BTreeMap<&'s str, usize>,
    all: Vec<Thread>,
}

impl<'s> List<'s> {
    fn push(&mut self, name: String, priority: i32, machine: Option<&'s str>) {
        let number = self.all.len();
        let process = match machine {
            Some(machine) => *self.machines.entry(machine).or_insert(number),
            None => number,
        };
        let process_name = machine.unwrap_or(&name).to_owned();
        self.all.push(Thread { number: number as u64, name, priority, process, process_name });
    }

    fn supplies(&mut self) {
        for (index, supply) in self.system.supplies.iter().enumerate() {
            let machine = self.machine(SupplyId(index));
            let (name, priority) = match supply.on() {
                None => (format!("kernel on {}", supply.name), MOST_URGENT_REAL_TIME),
                Some(on) => (supply.name.clone(), self.priority_of(supply, on)),
            };
            self.push(name, priority, machine);
        }
    }

    fn tasks(&mut self) {
        for task in &self.system.tasks {
            let priority = self.priority(task.on, task.priority, None);
            self.push(task.name.clone(), priority, self.machine(task.on));
        }
        for task in &self.system.tasks {
            let priority = self.priority(task.on, task.priority, None);
            self.push(format!("blocking {}", task.name), priority, self.machine(task.on));
        }
    }

    /// Cores are none, but have a place.
    fn blocked_servers(&mut self) {
        for supply in &self.system.supplies {
            let (priority, machine) = match supply.on() {
                None => (MOST_URGENT_REAL_TIME, None),
                Some(on) => (self.priority_of(supply, on), self.machine(on)),
            };
            self.push(format!("blocking {}", supply.name), priority, machine);
        }
    }

    fn interrupts(&mut self) {
        for interrupt in &self.system.interrupts {
            self.push(interrupt.name.clone(), MOST_URGENT_REAL_TIME, None);
        }
        for interrupt in &self.system.interrupts {
            let machine = interrupt.delivery.as_ref().and_then(|to| self.machine(to.vcpu));
            self.push(guest_routine(&interrupt.name), MOST_URGENT_REAL_TIME, machine);
        }
    }

    /// The virtual machine that a supply is part of.
    fn machine(&self, supply: SupplyId) -> Option<&'s str> {
        let supply = self.system.supply(supply);
        match &supply.vm {
            Some(machine) => Some(machine),
            None => self.machine(supply.on()?),
        }
    }

    fn priority_of(&self, supply: &Supply, on: SupplyId) -> i32 {
        self.priority(on, supply.priority(), supply.server_kind())
    }

    /// The priority of a member of a supply, if it is a server: of that kind.
    fn priority(&self, on: SupplyId, priority: Priority, kind: Option<ServerKind>) -> i32 {
        match self.system.supply(on).scheduler {
            Scheduler::Edf => DEADLINE,
            Scheduler::Linux if kind == Some(ServerKind::SchedDeadline) => DEADLINE,
            Scheduler::FixedPriority | Scheduler::Linux => {
                let urgency = i32::try_from(priority.0).unwrap_or(i32::MAX);
                (REAL_TIME - urgency).clamp(MOST_URGENT_REAL_TIME, LEAST_URGENT_REAL_TIME)
            }
            _ => NORMAL,
        }
    }
}

/// The name of the routine of a guest.
pub(crate) fn guest_routine(interrupt: &str) -> String {
    format!("{interrupt} in the guest")
}
