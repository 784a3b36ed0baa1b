//! Control groups v2 with cpusets, as `kernel/cgroup/cgroup.c` and `cpuset.c` of Linux 6.7 and later have them.

use crate::machine::{Machine, error, list, numbers};
use crate::task::{Held, Task};
use std::io;

pub(crate) const ROOT: &str = "/sys/fs/cgroup";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "a file of the kernel each")]
pub(crate) struct Group {
    /// `cpuset` is in `cgroup.subtree_control`.
    pub(crate) enabled: bool,
    /// And `cpu`.
    pub(crate) has_cpu: bool,
    /// `cpu.max`, once it was written.
    pub(crate) most: Option<String>,
    pub(crate) threaded: bool,
    pub(crate) cpus: Vec<u32>,
    pub(crate) exclusive: Vec<u32>,
    /// A partition was requested; whether it is valid is computed each time.
    pub(crate) root: bool,
}

pub(crate) fn parent(path: &str) -> &str {
    path.rsplit_once('/').expect("below the root").0
}

impl Machine {
    /// A group and its file; none for other paths.
    pub(crate) fn split<'a>(&self, path: &'a str) -> Option<(&'a str, &'a str)> {
        path.rsplit_once('/').filter(|(group, _)| self.groups.contains_key(*group))
    }

    fn children<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a String> {
        self.groups.keys().filter(move |other| *other != ROOT && parent(other) == path)
    }

    fn is_thread_root(&self, path: &str) -> bool {
        path != ROOT && self.children(path).any(|child| self.groups[child].threaded)
    }

    /// The group whose processes the threads of a threaded group belong to.
    fn domain_of<'a>(&self, mut path: &'a str) -> &'a str {
        while self.groups[path].threaded {
            path = parent(path);
        }
        path
    }

    /// Processors of valid partitions, with their groups.
    fn partitions(&self) -> Vec<(&String, Vec<u32>)> {
        let mut all: Vec<(&String, Vec<u32>)> = Vec::new();
        for (path, group) in &self.groups {
            let is_granted = |cpu: &u32| {
                let mut above = parent(path);
                while above != ROOT {
                    if !self.groups[above].exclusive.contains(cpu) {
                        return false;
                    }
                    above = parent(above);
                }
                self.cpus.contains(cpu) && !all.iter().any(|(_, taken)| taken.contains(cpu))
            };
            let wanted = &group.exclusive;
            if group.root && !wanted.is_empty() && wanted.iter().all(is_granted) {
                all.push((path, wanted.clone()));
            }
        }
        let taken: usize = all.iter().map(|(_, cpus)| cpus.len()).sum();
        // One processor remains for everything else.
        if taken >= self.cpus.len() {
            all.pop();
        }
        all
    }

    /// What a group may use.
    pub(crate) fn effective(&self, path: &str) -> Vec<u32> {
        let partitions = self.partitions();
        if let Some((_, cpus)) = partitions.iter().find(|(own, _)| own.as_str() == path) {
            return cpus.clone();
        }
        let taken = |cpu: &u32| partitions.iter().any(|(_, cpus)| cpus.contains(cpu));
        if path == ROOT {
            return self.cpus.iter().copied().filter(|cpu| !taken(cpu)).collect();
        }
        let above = self.effective(parent(path));
        let own = &self.groups[path].cpus;
        let both: Vec<u32> = above.iter().copied().filter(|cpu| own.contains(cpu)).collect();
        if both.is_empty() { above } else { both }
    }

    /// The root domain of a processor: its partition, or all that is in none.
    pub(crate) fn domain(&self, cpu: u32) -> Vec<u32> {
        let partitions = self.partitions();
        let own = partitions.into_iter().find(|(_, cpus)| cpus.contains(&cpu));
        own.map_or_else(|| self.effective(ROOT), |(_, cpus)| cpus)
    }

    /// Threads whose groups may use something else now are confined to it.
    fn confine(&mut self, before: &Self) {
        let numbers: Vec<i32> = self.tasks.keys().copied().collect();
        for number in numbers {
            let group = self.tasks[&number].group.clone();
            let now = self.effective(&group);
            let was = before.groups.contains_key(&group).then(|| before.effective(&group));
            let task = self.tasks.get_mut(&number).expect("its number");
            if was.as_ref() != Some(&now) && !(group == ROOT && task.held == Held::OnProcessor) {
                task.confine(&now);
            }
        }
    }

    pub(crate) fn make_group(&mut self, path: &str) -> io::Result<()> {
        if self.groups.contains_key(path) {
            return Err(error(libc::EEXIST));
        }
        if !self.groups.contains_key(parent(path)) {
            return Err(error(libc::ENOENT));
        }
        self.groups.insert(path.to_owned(), Group::default());
        Ok(())
    }

    pub(crate) fn remove_group(&mut self, path: &str) -> io::Result<()> {
        if !self.groups.contains_key(path) {
            return Err(error(libc::ENOENT));
        }
        let is_used = self.tasks.values().any(|task| task.group == path);
        if is_used || self.children(path).next().is_some() {
            return Err(error(libc::EBUSY));
        }
        let before = self.clone();
        self.groups.remove(path);
        self.confine(&before);
        Ok(())
    }

    pub(crate) fn read_group(&self, path: &str, file: &str) -> io::Result<String> {
        let group = &self.groups[path];
        let members = |of: &dyn Fn(&Task) -> Option<i32>| {
            let mut numbers: Vec<i32> =
                self.tasks.values().filter(|task| task.group == path).filter_map(of).collect();
            numbers.dedup();
            numbers.iter().fold(String::new(), |text, number| text + &format!("{number}\n"))
        };
        let text = match file {
            "cgroup.controllers" if path == ROOT => "cpuset cpu io memory pids".to_owned(),
            "cgroup.subtree_control" => {
                let both = [(group.enabled, "cpuset"), (group.has_cpu, "cpu")];
                let names = both.into_iter().filter(|(is, _)| *is).map(|(_, name)| name);
                names.collect::<Vec<_>>().join(" ")
            }
            "cgroup.type" if path != ROOT && group.threaded => "threaded".to_owned(),
            "cgroup.type" if self.is_thread_root(path) => "domain threaded".to_owned(),
            "cgroup.type" if path != ROOT => "domain".to_owned(),
            // Only the domain of a process can be asked for it.
            "cgroup.procs" if group.threaded => return Err(error(libc::EOPNOTSUPP)),
            "cgroup.procs" => return Ok(members(&|task| Some(task.thread.process))),
            "cgroup.threads" => return Ok(members(&|task| Some(task.thread.thread))),
            "cpu.max" if path != ROOT && self.groups[parent(path)].has_cpu => {
                group.most.clone().unwrap_or_else(|| "max 100000".to_owned())
            }
            _ if path == ROOT || !self.groups[parent(path)].enabled => {
                return Err(error(libc::ENOENT));
            }
            "cpuset.cpus" => list(&group.cpus),
            "cpuset.cpus.exclusive" => list(&group.exclusive),
            "cpuset.cpus.partition" if !group.root => "member".to_owned(),
            "cpuset.cpus.partition" => {
                let is_valid = self.partitions().iter().any(|(own, _)| own.as_str() == path);
                let text = if is_valid {
                    "root"
                } else {
                    "root invalid (Cpu list in cpuset.cpus not exclusive)"
                };
                text.to_owned()
            }
            _ => return Err(error(libc::ENOENT)),
        };
        Ok(text + "\n")
    }

    pub(crate) fn write_group(&mut self, path: &str, file: &str, text: &str) -> io::Result<()> {
        let number = || text.trim().parse().map_err(|_| error(libc::EINVAL));
        match file {
            "cgroup.procs" => return self.move_process(path, number()?),
            "cgroup.threads" => return self.move_thread(path, number()?),
            _ => {}
        }
        // The file is there, or not.
        self.read_group(path, file)?;
        let before = self.clone();
        self.set_group(path, file, text.trim())?;
        self.confine(&before);
        Ok(())
    }

    fn set_group(&mut self, path: &str, file: &str, text: &str) -> io::Result<()> {
        let is_below_threads = path != ROOT && self.groups[parent(path)].threaded;
        let has_cpu = path == ROOT || self.groups[parent(path)].has_cpu;
        let gives_cpu = self.children(path).any(|child| self.groups[child].has_cpu);
        let has_cpuset = path == ROOT || self.groups[parent(path)].enabled;
        let is_used = self.children(path).any(|child| self.groups[child].enabled);
        let is_empty = !self.tasks.values().any(|task| task.group == path);
        let siblings = || self.children(parent(path)).filter(|other| *other != path);
        let is_taken =
            |cpu: &u32| siblings().any(|other| self.groups[other].exclusive.contains(cpu));
        let refused = match (file, text) {
            ("cgroup.subtree_control", "+cpuset") if !has_cpuset => Some(libc::ENOENT),
            ("cgroup.subtree_control", "+cpu") if !has_cpu => Some(libc::ENOENT),
            ("cgroup.subtree_control", "-cpuset") if is_used => Some(libc::EBUSY),
            ("cgroup.subtree_control", "-cpu") if gives_cpu => Some(libc::EBUSY),
            ("cgroup.type", "threaded") if is_below_threads || !is_empty => Some(libc::EOPNOTSUPP),
            ("cgroup.subtree_control", "+cpuset" | "-cpuset" | "+cpu" | "-cpu")
            | ("cpu.max", _)
            | ("cgroup.type", "threaded")
            | ("cpuset.cpus.partition", "root" | "member") => None,
            ("cpuset.cpus" | "cpuset.cpus.exclusive", _) => match numbers(text) {
                None => Some(libc::EINVAL),
                Some(cpus) if file != "cpuset.cpus" && cpus.iter().any(is_taken) => {
                    Some(libc::EINVAL)
                }
                Some(_) => None,
            },
            _ => Some(libc::EINVAL),
        };
        if let Some(code) = refused {
            return Err(error(code));
        }
        if (file, text) == ("cgroup.subtree_control", "-cpuset") {
            // What its children were told is gone with the controller.
            let children: Vec<String> = self.children(path).cloned().collect();
            for child in children {
                let Group { threaded, has_cpu, most, .. } = self.groups[&child].clone();
                self.groups.insert(child, Group { has_cpu, most, threaded, ..Group::default() });
            }
        }
        let group = self.groups.get_mut(path).expect("it was read");
        match file {
            "cgroup.subtree_control" if text.ends_with("cpuset") => {
                group.enabled = text == "+cpuset";
            }
            "cgroup.subtree_control" => group.has_cpu = text == "+cpu",
            "cpu.max" => group.most = Some(text.to_owned()),
            "cgroup.type" => group.threaded = true,
            "cpuset.cpus" => group.cpus = numbers(text).expect("they were read"),
            "cpuset.cpus.exclusive" => group.exclusive = numbers(text).expect("they were read"),
            _ => group.root = text == "root",
        }
        Ok(())
    }

    fn move_process(&mut self, path: &str, process: i32) -> io::Result<()> {
        let is_of = |task: &&Task| task.thread.process == process && !task.ended;
        let threads: Vec<i32> =
            self.tasks.values().filter(is_of).map(|task| task.thread.thread).collect();
        if threads.is_empty() {
            return Err(error(libc::ESRCH));
        }
        self.attach(path, &threads)
    }

    fn move_thread(&mut self, path: &str, thread: i32) -> io::Result<()> {
        let task = self.tasks.get(&thread).filter(|task| !task.ended);
        let task = task.ok_or_else(|| error(libc::ESRCH))?;
        if self.domain_of(&task.group) != self.domain_of(path) {
            return Err(error(libc::EOPNOTSUPP));
        }
        self.attach(path, &[thread])
    }

    /// All of them or none (`cgroup_procs_write_start`, `cgroup_migrate_vet_dst`, `cpuset_can_attach`).
    fn attach(&mut self, path: &str, threads: &[i32]) -> io::Result<()> {
        let group = &self.groups[path];
        let may_have_threads = path == ROOT || group.threaded || self.is_thread_root(path);
        if (group.enabled || group.has_cpu) && !may_have_threads {
            return Err(error(libc::EBUSY));
        }
        let cpus = self.effective(path);
        let mut comes = 0;
        for thread in threads {
            let task = &self.tasks[thread];
            if task.held != Held::Not || task.begins_after.is_some_and(|waits| waits > 0) {
                return Err(error(libc::EINVAL));
            }
            let stays = self.effective(&task.group).iter().any(|cpu| cpus.contains(cpu));
            if task.is_reserved() && !stays {
                comes += Self::bandwidth(&task.policy);
            }
        }
        if comes > 0 && !self.admits(cpus[0], 0, comes) {
            return Err(error(libc::EBUSY));
        }
        for thread in threads {
            let task = self.tasks.get_mut(thread).expect("its number");
            path.clone_into(&mut task.group);
            task.confine(&cpus);
        }
        Ok(())
    }
}
