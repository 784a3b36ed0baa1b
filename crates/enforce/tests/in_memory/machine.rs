//! A machine in memory that refuses as Linux does.
//!
//! **Model.** Linux 6.12 or later: control groups (`groups.rs`), threads with policies, affinity and the admission of
//! `SCHED_DEADLINE` (`kernel/sched/syscalls.c`, `deadline.c`), interrupts and their threads, the files of the scheduler, and the
//! module `timer_shield`. What the kernel does in the background is done at the next `wait`.
//!
//! **Not covered.** Time: no thread runs, so none receives any. Only the test changes anything.

use crate::groups::{Group, ROOT};
use crate::task::{Held, Task};
use std::collections::BTreeMap;
use std::io;
use vorrang_enforce::{Policy, cpu_list, cpus_of};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Irq {
    pub(crate) handler: String,
    pub(crate) cpus: Vec<u32>,
    /// The driver keeps it where it is.
    pub(crate) managed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Machine {
    pub(crate) cpus: Vec<u32>,
    pub(crate) groups: BTreeMap<String, Group>,
    pub(crate) tasks: BTreeMap<i32, Task>,
    pub(crate) irqs: BTreeMap<u32, Irq>,
    pub(crate) default_irq: Vec<u32>,
    /// `HRTICK_DL`.
    pub(crate) by_timer: bool,
    /// Runtime of the server of `SCHED_OTHER` of each processor, in ns of every second.
    pub(crate) fair: BTreeMap<u32, u64>,
    /// Whether the interface `eth0` polls in threads.
    pub(crate) polls: bool,
    /// The `wait`s until such a thread runs first.
    pub(crate) begin_after: u32,
    /// `cpus`, `max_defer` and `callback` of the module, where it is loaded.
    pub(crate) shield: Option<(Vec<u32>, u64, u64)>,
}

pub(crate) fn error(code: i32) -> io::Error {
    io::Error::from_raw_os_error(code)
}

pub(crate) fn list(cpus: &[u32]) -> String {
    cpu_list(cpus)
}

pub(crate) fn numbers(text: &str) -> Option<Vec<u32>> {
    cpus_of(text)
}

/// The thread that polls `eth0`.
pub(crate) const NAPI: i32 = 900;
const MODULES: &str = "/lib/modules/7.2.12/updates/dkms";
const SHIELD: &str = "/sys/module/timer_shield/";

impl Machine {
    /// So many processors, with what every machine has.
    pub(crate) fn new(cpus: u32) -> Self {
        let cpus: Vec<u32> = (0..cpus).collect();
        let mut machine = Self {
            groups: BTreeMap::from([(ROOT.to_owned(), Group::default())]),
            tasks: BTreeMap::new(),
            irqs: BTreeMap::new(),
            default_irq: cpus.clone(),
            by_timer: false,
            fair: cpus.iter().map(|&cpu| (cpu, 50_000_000)).collect(),
            polls: false,
            begin_after: 3,
            shield: None,
            cpus: cpus.clone(),
        };
        machine.add(Task::new(1, 1, "init", &cpus));
        for (number, cpu) in (10..).zip(&cpus) {
            let of_processor = Task {
                held: Held::OnProcessor,
                ..Task::new(number, number, &format!("ksoftirqd/{cpu}"), &[*cpu])
            };
            machine.add(of_processor);
        }
        machine
    }

    pub(crate) fn add(&mut self, task: Task) {
        self.tasks.insert(task.thread.thread, task);
    }

    /// What has to be as before: not where threads ran, nor what was asked for where it changes nothing.
    pub(crate) fn state(&self) -> Self {
        let mut state = self.clone();
        for task in state.tasks.values_mut() {
            (task.last, task.asked) = (0, None);
            // One that has ended runs nowhere.
            if task.ended {
                task.allowed.clear();
            }
        }
        state
    }

    pub(crate) fn bandwidth(policy: &Policy) -> u64 {
        (policy.runtime << 20) / policy.period.max(1)
    }

    /// Whether the domain of a processor has room, where some of it becomes free (`__dl_overflow`).
    pub(crate) fn admits(&self, cpu: u32, free: u64, comes: u64) -> bool {
        let domain = self.domain(cpu);
        let limit = (95 << 20) / 100 * domain.len() as u64;
        let of_domain = |task: &&Task| task.is_reserved() && domain.contains(&task.allowed[0]);
        let taken: u64 =
            self.tasks.values().filter(of_domain).map(|task| Self::bandwidth(&task.policy)).sum();
        taken - free + comes <= limit
    }

    pub(crate) fn task(&self, number: i32) -> io::Result<&Task> {
        self.tasks.get(&number).ok_or_else(|| error(libc::ESRCH))
    }

    /// `__sched_setscheduler`.
    pub(crate) fn set_policy(&mut self, number: i32, policy: &Policy) -> io::Result<()> {
        let task = self.task(number)?;
        match policy.policy {
            Policy::DEADLINE => {
                let Policy { runtime, deadline, period, .. } = *policy;
                let is_valid = (1024..=deadline).contains(&runtime)
                    && deadline <= period
                    && (100_000..=1 << 32).contains(&period);
                if !is_valid {
                    return Err(error(libc::EINVAL));
                }
                if !self.domain(task.last).iter().all(|cpu| task.allowed.contains(cpu)) {
                    return Err(error(libc::EPERM));
                }
                let own = if task.is_reserved() { Self::bandwidth(&task.policy) } else { 0 };
                if !self.admits(task.last, own, Self::bandwidth(policy)) {
                    return Err(error(libc::EBUSY));
                }
            }
            Policy::FIFO | Policy::ROUND_ROBIN if !(1..=99).contains(&policy.priority) => {
                return Err(error(libc::EINVAL));
            }
            _ => {}
        }
        self.tasks.get_mut(&number).expect("it is there").policy = *policy;
        Ok(())
    }

    /// `sched_setaffinity`.
    pub(crate) fn set_affinity(&mut self, number: i32, cpus: &[u32]) -> io::Result<()> {
        let task = self.task(number)?;
        let may = self.effective(&task.group);
        if task.held != Held::Not || !may.iter().any(|cpu| cpus.contains(cpu)) {
            return Err(error(libc::EINVAL));
        }
        if task.is_reserved() && !self.domain(task.last).iter().all(|cpu| cpus.contains(cpu)) {
            return Err(error(libc::EBUSY));
        }
        let task = self.tasks.get_mut(&number).expect("it is there");
        task.asked = Some(cpus.to_vec());
        task.confine(&may);
        Ok(())
    }

    /// What happens in the background: threads of interrupts follow them, and those that were made run.
    pub(crate) fn wait(&mut self) {
        for waits in self.tasks.values_mut().filter_map(|task| task.begins_after.as_mut()) {
            *waits = waits.saturating_sub(1);
        }
        for (number, irq) in &self.irqs {
            let prefix = format!("irq/{number}-");
            for task in self.tasks.values_mut().filter(|task| task.thread.name.starts_with(&prefix))
            {
                task.allowed.clone_from(&irq.cpus);
                task.run();
            }
        }
    }

    pub(crate) fn names(&self, path: &str) -> io::Result<Vec<String>> {
        let texts = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        if self.groups.contains_key(path) {
            return Ok(texts(&["cgroup.procs"]));
        }
        let rest = match path {
            "/proc" => {
                let processes = self.tasks.values().map(|task| task.thread.process);
                let all: std::collections::BTreeSet<i32> = processes.collect();
                return Ok(all.iter().map(i32::to_string).chain(["irq".to_owned()]).collect());
            }
            "/proc/irq" => {
                let all = self.irqs.keys().map(u32::to_string);
                return Ok(all.chain(["default_smp_affinity".to_owned()]).collect());
            }
            "/sys/class/net" => return Ok(texts(&["eth0"])),
            "/sys/kernel/debug/sched/fair_server" => {
                return Ok(self.fair.keys().map(|cpu| format!("cpu{cpu}")).collect());
            }
            "/sys/module/timer_shield/parameters" if self.shield.is_some() => {
                return Ok(texts(&["batch", "callback", "cpus", "max_defer"]));
            }
            MODULES => return Ok(texts(&["timer_shield.ko.xz"])),
            _ => path.strip_prefix("/proc/").ok_or_else(|| error(libc::ENOENT))?,
        };
        if let Some(rest) = rest.strip_prefix("irq/") {
            let (number, file) = rest.split_once('/').unwrap_or((rest, ""));
            let irq = number.parse().ok().and_then(|number: u32| self.irqs.get(&number));
            let irq = irq.ok_or_else(|| error(libc::ENOENT))?;
            return match file {
                "" => Ok(texts(&[&irq.handler, "smp_affinity_list"])),
                _ if *file == irq.handler => Ok(Vec::new()),
                _ => Err(error(libc::ENOTDIR)),
            };
        }
        let process: i32 = rest
            .strip_suffix("/task")
            .and_then(|text| text.parse().ok())
            .ok_or_else(|| error(libc::ENOENT))?;
        let of = self.tasks.values().filter(|task| task.thread.process == process);
        let threads: Vec<String> = of.map(|task| task.thread.thread.to_string()).collect();
        if threads.is_empty() { Err(error(libc::ENOENT)) } else { Ok(threads) }
    }

    pub(crate) fn text(&self, path: &str) -> io::Result<String> {
        if let Some((group, file)) = self.split(path) {
            return self.read_group(group, file);
        }
        let line = match path {
            "/proc/sys/kernel/random/boot_id" => "boot".to_owned(),
            "/proc/sys/kernel/osrelease" => "7.2.12".to_owned(),
            "/proc/sys/kernel/version" => "#1 SMP PREEMPT_RT".to_owned(),
            "/proc/cmdline" => "quiet".to_owned(),
            "/boot/config-7.2.12" => "CONFIG_SMP=y".to_owned(),
            "/proc/sys/kernel/sched_rt_runtime_us" => "950000".to_owned(),
            "/proc/sys/kernel/sched_rt_period_us" => "1000000".to_owned(),
            "/sys/devices/system/cpu/online" => list(&self.cpus),
            "/sys/kernel/debug/sched/features" => {
                format!("PLACE_LAG {}HRTICK_DL", if self.by_timer { "" } else { "NO_" })
            }
            "/proc/irq/default_smp_affinity" => {
                let bits = self.default_irq.iter().fold(0, |bits: u32, cpu| bits | 1 << cpu);
                format!("{bits:0width$x}", width = self.cpus.len().div_ceil(4))
            }
            "/sys/class/net/eth0/threaded" => u8::from(self.polls).to_string(),
            _ => return self.text_of_many(path),
        };
        Ok(line + "\n")
    }

    fn text_of_many(&self, path: &str) -> io::Result<String> {
        let gone = || error(libc::ENOENT);
        if let Some(file) = path.strip_prefix(SHIELD) {
            let (cpus, defer, callback) = self.shield.as_ref().ok_or_else(gone)?;
            return Ok(match file {
                "version" => "2\n".to_owned(),
                "parameters/cpus" => list(cpus) + "\n",
                "parameters/max_defer" => format!("{defer}\n"),
                "parameters/callback" => format!("{callback}\n"),
                _ => return Err(gone()),
            });
        }
        if let Some((cpu, file)) = path
            .strip_prefix("/sys/kernel/debug/sched/fair_server/cpu")
            .and_then(|rest| rest.split_once('/'))
        {
            let runtime = self.fair.get(&cpu.parse().map_err(|_| gone())?).ok_or_else(gone)?;
            return Ok(if file == "runtime" {
                format!("{runtime}\n")
            } else {
                "1000000000\n".to_owned()
            });
        }
        if let Some(number) =
            path.strip_prefix("/proc/irq/").and_then(|rest| rest.strip_suffix("/smp_affinity_list"))
        {
            let irq = number.parse().ok().and_then(|number: u32| self.irqs.get(&number));
            return Ok(list(&irq.ok_or_else(gone)?.cpus) + "\n");
        }
        let words: Vec<&str> = path.split('/').collect();
        let ["", "proc", _, "task", thread, file] = words[..] else { return Err(gone()) };
        let task = thread.parse().ok().and_then(|number: i32| self.tasks.get(&number));
        let task = task.ok_or_else(gone)?;
        Ok(match file {
            "comm" => format!("{}\n", task.thread.name),
            "stat" => task.stat(),
            "schedstat" => "1 2 3\n".to_owned(),
            "cgroup" => {
                let below = task.group.strip_prefix(ROOT).expect("a group");
                format!("0::{}\n", if below.is_empty() { "/" } else { below })
            }
            _ => return Err(gone()),
        })
    }

    pub(crate) fn set(&mut self, path: &str, text: &str) -> io::Result<()> {
        if let Some((group, file)) = self.split(path) {
            let (group, file) = (group.to_owned(), file.to_owned());
            return self.write_group(&group, &file, text);
        }
        self.text(path)?;
        let text = text.trim();
        let invalid = || error(libc::EINVAL);
        if let Some(number) =
            path.strip_prefix("/proc/irq/").and_then(|rest| rest.strip_suffix("/smp_affinity_list"))
        {
            let irq =
                self.irqs.get_mut(&number.parse().expect("it was read")).expect("it was read");
            let cpus = numbers(text).filter(|cpus| !cpus.is_empty()).ok_or_else(invalid)?;
            if irq.managed {
                return Err(error(libc::EIO));
            }
            irq.cpus = cpus;
            return Ok(());
        }
        if let Some(cpu) = path.strip_prefix("/sys/kernel/debug/sched/fair_server/cpu") {
            let (cpu, _) = cpu.split_once('/').expect("it was read");
            let runtime = text.parse().map_err(|_| invalid())?;
            self.fair.insert(cpu.parse().expect("it was read"), runtime);
            return Ok(());
        }
        match path {
            "/sys/kernel/debug/sched/features" => {
                self.by_timer = match text {
                    "HRTICK_DL" => true,
                    "NO_HRTICK_DL" => false,
                    _ => return Err(invalid()),
                }
            }
            "/proc/irq/default_smp_affinity" => {
                let bits = u32::from_str_radix(text, 16).map_err(|_| invalid())?;
                self.default_irq = (0..32).filter(|cpu| bits >> cpu & 1 == 1).collect();
            }
            "/sys/class/net/eth0/threaded" => {
                self.polls = text == "1";
                self.tasks.remove(&NAPI);
                if self.polls {
                    let cpus = self.effective(ROOT);
                    let made = Task::new(NAPI, NAPI, "napi/eth0-8193", &cpus);
                    self.add(Task { begins_after: Some(self.begin_after), ..made });
                }
            }
            "/sys/module/timer_shield/parameters/cpus" => {
                self.shield.as_mut().expect("it was read").0 = numbers(text).ok_or_else(invalid)?;
            }
            "/sys/module/timer_shield/parameters/max_defer" => {
                self.shield.as_mut().expect("it was read").1 =
                    text.parse().map_err(|_| invalid())?;
            }
            "/sys/module/timer_shield/parameters/callback" => {
                self.shield.as_mut().expect("it was read").2 =
                    text.parse().map_err(|_| invalid())?;
            }
            _ => return Err(error(libc::EACCES)),
        }
        Ok(())
    }

    pub(crate) fn load(&mut self, path: &str) -> io::Result<()> {
        if !path.starts_with(MODULES) {
            return Err(error(libc::ENOENT));
        }
        if self.shield.is_some() {
            return Err(error(libc::EEXIST));
        }
        self.shield = Some((Vec::new(), 1_000_000, 4_000));
        Ok(())
    }
}
