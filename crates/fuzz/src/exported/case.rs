//! Threads and interrupts with drawn names, as a system and as what has to arrive.

use super::names;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use vorrang_campaign::random::Random;
use vorrang_enforce::export::Form;
use vorrang_model::system::{InterruptId, SupplyId, System, TaskId};
use vorrang_model::{Format, read};

/// The processor of the only core.
pub(super) const CPU: u32 = 1;

/// A thread, as a description names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Thread {
    /// `pid:`
    Number(i32),
    /// `name:`
    Name(String),
    /// `process:`
    OfProcess(String, String),
    /// `vm:`
    Vm(String, u32),
    /// `irq:`
    Irq(String),
    /// `napi:`
    Napi(String, Option<usize>),
}

/// Something of a description with its thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// What it is called in the description.
    pub label: String,
    /// Its thread.
    pub thread: Thread,
    /// How it is scheduled.
    pub scheduled: Scheduled,
}

/// How a thread is scheduled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheduled {
    /// By a priority of `SCHED_FIFO`.
    Priority(u32),
    /// By a reservation of `SCHED_DEADLINE`: budget and period in nanoseconds.
    Reservation(u64, u64),
}

/// Names on one core.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case {
    /// Reserved threads.
    pub threads: Vec<Named>,
    /// Interrupts that are placed: what each is called in the description and on the machine.
    pub interrupts: Vec<(String, String)>,
}

impl Thread {
    /// As a description has it.
    pub fn written(&self) -> String {
        match self {
            Self::Number(number) => format!("pid:{number}"),
            Self::Name(name) => format!("name:{name}"),
            Self::OfProcess(process, name) => format!("process:{process}/{name}"),
            Self::Vm(vm, number) => format!("vm:{vm}/{number}"),
            Self::Irq(name) => format!("irq:{name}"),
            Self::Napi(interface, None) => format!("napi:{interface}"),
            Self::Napi(interface, Some(place)) => format!("napi:{interface}/{place}"),
        }
    }

    fn drawn(random: &mut Random) -> Self {
        match random.below(8) {
            0 => Self::Number(random.one_of(&[-1, 0, 1, 4711])),
            1 => Self::Name(names::text(random)),
            2 => Self::OfProcess(names::without(random, '/'), names::text(random)),
            3 => Self::Irq(names::text(random)),
            4 => Self::Napi(names::text(random), random.one_of(&[None, Some(0), Some(7)])),
            _ => Self::Vm(names::text(random), random.one_of(&[0, 1, 4_000_000_000])),
        }
    }

    /// Why nothing is called that.
    fn refusal(&self) -> Option<&'static str> {
        let texts = match self {
            Self::Number(number) => return (*number < 1).then_some("no thread has this number"),
            Self::OfProcess(process, name) => vec![process, name],
            Self::Name(name) | Self::Vm(name, _) | Self::Irq(name) | Self::Napi(name, _) => {
                vec![name]
            }
        };
        if texts.iter().any(|text| text.is_empty()) {
            return Some("it is empty");
        }
        if texts.iter().any(|text| text.chars().any(char::is_control)) {
            return Some("it has a control character");
        }
        match self {
            Self::Napi(name, _) if name.len() > 15 => Some("the kernel has no such long interface"),
            Self::Napi(name, _) if name.contains(|c: char| c == ':' || c.is_whitespace()) => {
                Some("the kernel has no such interface")
            }
            Self::Irq(name) | Self::Napi(name, _) => no_folder(name),
            _ => None,
        }
    }
}

/// Drawn again until it suits.
fn until<T>(random: &mut Random, draw: fn(&mut Random) -> T, suits: impl Fn(&T) -> bool) -> T {
    loop {
        let drawn = draw(random);
        if suits(&drawn) {
            return drawn;
        }
    }
}

fn no_folder(name: &str) -> Option<&'static str> {
    let refused =
        ["", ".", ".."].contains(&name) || name.contains('/') || name.contains(char::is_control);
    refused.then_some("no folder is called that")
}

impl Case {
    /// Some threads and interrupts. In every other case one of them may have a name that nothing can be called; with
    /// more, what the others do would not be seen.
    pub fn drawn(random: &mut Random) -> Self {
        let mut case = Self::default();
        for index in 0..random.between(1, 12) {
            // Labels are told apart, whatever is drawn.
            // A name with a slash is one that a kernel gives (docs/kernel.md).
            let label = format!("{}{index}", names::text(random)).replace('/', "-");
            let thread = until(random, Thread::drawn, |thread| thread.refusal().is_none());
            let scheduled = if random.chance(1, 2) {
                let period = random.between(2_000, 100_000_000);
                Scheduled::Reservation(random.between(1, period), period)
            } else {
                Scheduled::Priority(u32::try_from(random.between(1, 99)).expect("below 100"))
            };
            case.threads.push(Named { label, thread, scheduled });
        }
        for index in 0..random.below(3) {
            let label = format!("{}{index}", names::text(random));
            case.interrupts
                .push((label, until(random, names::text, |irq| no_folder(irq).is_none())));
        }
        match random.below(6) {
            0 if !case.interrupts.is_empty() => case.interrupts[0].1 = names::text(random),
            0..3 => case.threads[0].thread = Thread::drawn(random),
            _ => {}
        }
        case
    }

    /// Why the case cannot be exported.
    pub fn refusal(&self, form: Form) -> Option<&'static str> {
        let option = |named: &Named| match &named.thread {
            Thread::Vm(vm, _) if form == Form::Xl && vm.starts_with('-') => {
                Some("xl takes it for an option")
            }
            _ => None,
        };
        let threads = || self.threads.iter();
        threads()
            .find_map(|named| named.thread.refusal())
            .or_else(|| self.interrupts.iter().find_map(|(_, irq)| no_folder(irq)))
            .or_else(|| threads().find_map(option))
    }

    /// What of it a form can express: Xen runs virtual processors only, each with a budget in whole microseconds.
    #[must_use]
    pub fn of(&self, form: Form) -> Self {
        const LEAST: u64 = 10;
        let mut case = self.clone();
        if form == Form::Xl {
            case.threads.retain(|named| matches!(named.thread, Thread::Vm(..)));
            for named in &mut case.threads {
                let (budget, period) = match named.scheduled {
                    Scheduled::Reservation(budget, period) => (budget, period),
                    Scheduled::Priority(priority) => (u64::from(priority), 1_000_000),
                };
                let budget = (budget / 1_000).max(LEAST);
                let period = (period / 1_000).max(budget);
                named.scheduled = Scheduled::Reservation(budget * 1_000, period * 1_000);
            }
        }
        case
    }

    /// The system: a description with names that can be read, which are replaced then. So names that the reader of
    /// descriptions refuses come as far as `export`, too.
    ///
    /// # Panics
    /// If the description cannot be read.
    pub fn system(&self, form: Form) -> System {
        let (scheduler, kind) =
            if form == Form::Xl { ("edf", "deferrable") } else { ("linux", "sched-deadline") };
        let mut text = format!("version = 1\n[core.0]\nscheduler = \"{scheduler}\"\ncpu = {CPU}\n");
        for (index, named) in self.threads.iter().enumerate() {
            let _ = match named.scheduled {
                Scheduled::Reservation(budget, period) => writeln!(
                    text,
                    "[server.x{index}]\non = \"core.0\"\nserver = \"{kind}\"\nbudget = \"{budget}ns\"\n\
                     period = \"{period}ns\""
                ),
                Scheduled::Priority(priority) => writeln!(
                    text,
                    "[task.x{index}]\non = \"core.0\"\npriority = {priority}\nwcet = \"1us\"\nperiod = \"1s\""
                ),
            };
        }
        for index in 0..self.interrupts.len() {
            let _ = writeln!(
                text,
                "[interrupt.x{index}]\non = \"core.0\"\nisr = \"1us\"\nmin-interarrival = \"1s\"\nirq = \"1\""
            );
        }
        let mut system = read(&text, Format::Toml).unwrap_or_else(|why| panic!("{why:?}\n{text}"));
        self.rename(&mut system);
        system
    }

    fn rename(&self, system: &mut System) {
        system.host.threads.clear();
        system.host.interrupts.clear();
        let (mut supplies, mut tasks) = (1, 0);
        for named in &self.threads {
            if matches!(named.scheduled, Scheduled::Reservation(..)) {
                system.supplies[SupplyId(supplies).0].name.clone_from(&named.label);
                supplies += 1;
            } else {
                system.tasks[TaskId(tasks).0].name.clone_from(&named.label);
                tasks += 1;
            }
            system.host.threads.insert(named.label.clone(), named.thread.written());
        }
        for (index, (label, irq)) in self.interrupts.iter().enumerate() {
            system.interrupts[InterruptId(index).0].name.clone_from(label);
            system.host.interrupts.insert(label.clone(), irq.clone());
        }
    }

    /// The virtual processors of each machine, by name.
    pub fn machines(&self) -> BTreeMap<&str, Vec<(u32, &Named)>> {
        let mut machines: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for named in &self.threads {
            if let Thread::Vm(vm, number) = &named.thread {
                machines.entry(vm.as_str()).or_default().push((*number, named));
            }
        }
        machines
    }

    /// Comments about what is no virtual processor.
    pub fn others(&self) -> Vec<String> {
        let others = self.threads.iter().filter(|named| !matches!(named.thread, Thread::Vm(..)));
        let says = |named: &Named| {
            format!("{} ({}) is no virtual processor", named.label, named.thread.written())
        };
        others.map(says).collect()
    }
}
