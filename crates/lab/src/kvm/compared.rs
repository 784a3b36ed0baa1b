//! Responses and budgets beside their bounds, and which the emulator made long.
//!
//! A response above its bound is set aside if threads of other processors ran, from the longest period of the core before its
//! release on, for more than the stated work of a job leaves ([`AROUND`]): its processor stood still meanwhile
//! ([`beside`]). In one run 100 of the 300 µs of a budget were charged so, and a job was complete 1014 µs after its release,
//! with the next budget. More than a tenth of the jobs may not be set aside.

use super::load::{AROUND, load, threads};
use crate::beside;
use crate::check::Check;
use crate::evidence::Evidence;
use vorrang_guest::{DONE, Job, Record};
use vorrang_model::system::{SupplyId, System};

use vorrang_observe::comparison::{Comparison, Sight, Verdict, What};
use vorrang_observe::observation::{Limits, Row};
use vorrang_time::Duration;

/// Comparisons that know when a processor stood still.
pub(super) struct Compared<'a> {
    pub(super) system: &'a System,
    pub(super) evidence: &'a Evidence,
}

impl Compared<'_> {
    /// For how long the emulator ran others than processor `cpu`, in an interval and before it: for as long as a budget
    /// that was used up early may matter.
    fn stood(&self, cpu: usize, (begin, end): (u64, u64)) -> u64 {
        let is_there = |id: &SupplyId| {
            let core = &self.system.supply(self.system.core_of(*id)).name;
            self.system.host.cpus.get(core).is_some_and(|&there| there as usize == cpu)
        };
        let there = self.system.supply_ids().filter(is_there);
        let servers = there.filter_map(|id| self.system.supply(id).server());
        let longest = servers.map(|server| server.period.as_ns()).max().unwrap_or_default();
        beside::ran(&self.evidence.schedule, cpu, begin.saturating_sub(longest), end)
    }

    /// Each thread did its jobs, none later than its bound; and the longest response as thousandths of that, in
    /// reservations.
    pub(super) fn responses(&self, limits: &Limits) -> (Vec<Check>, Vec<u64>) {
        let records = self.evidence.texts(DONE).flat_map(str::lines);
        let records: Vec<Record> =
            records.filter_map(|line| serde_json::from_str(line).ok()).collect();
        let (mut checks, mut shares) = (Vec::new(), Vec::new());
        for ((id, task, name), load) in threads(self.system).zip(load(self.system)) {
            let of_thread = records.iter().find_map(|record| match record {
                Record::Jobs { task, jobs, .. } if task == name => Some(jobs),
                _ => None,
            });
            let jobs = of_thread.map_or(&[][..], Vec::as_slice);
            let (aside, jobs) = self.set_aside(name, jobs, &limits.tasks[id.0]);
            let longest = jobs.iter().map(|job| response(job)).max().unwrap_or_default();
            let all =
                jobs.len() + aside.len() == load.jobs as usize && aside.len() <= jobs.len() / 10;
            let said = format!("{} jobs, the longest response {} us", jobs.len(), longest / 1_000);
            let said = [said].into_iter().chain(aside).collect::<Vec<_>>().join("; ");
            let (bound, holds) = match &limits.tasks[id.0] {
                Ok(bound) => (format!("{} us", bound.as_ns() / 1_000), longest <= bound.as_ns()),
                // Of best effort nothing is required.
                Err(why) => (why.clone(), task.deadline.is_none()),
            };
            let is_reserved = !self.system.supply(task.on).is_core();
            if let (Ok(bound), true) = (&limits.tasks[id.0], is_reserved && task.deadline.is_some())
            {
                shares.push(longest * 1_000 / bound.as_ns());
            }
            let what = format!("{}: at most the bound, {bound}", task.name);
            checks.push(Check::new(what, said, all && holds));
        }
        (checks, shares)
    }

    /// What is said of the jobs above their bound whose processor stood still, and the others.
    fn set_aside<'j>(
        &self,
        name: &str,
        jobs: &'j [Job],
        bound: &Result<Duration, String>,
    ) -> (Vec<String>, Vec<&'j Job>) {
        let cpu = self.evidence.schedule.runs_of(name).next().map(|run| run.cpu);
        let (mut aside, mut kept) = (Vec::new(), Vec::new());
        for job in jobs {
            let stood = cpu.map_or(0, |cpu| self.stood(cpu, (job.release, job.finish)));
            let is_above = bound.as_ref().is_ok_and(|bound| response(job) > bound.as_ns());
            if is_above && stood > AROUND {
                let (response, stood) = (response(job) / 1_000, stood / 1_000);
                aside.push(format!(
                    "set aside: {response} us, the processor stood still for {stood} us"
                ));
            } else {
                kept.push(job);
            }
        }
        (aside, kept)
    }

    /// The report of `vorrang observe` about an entity: its processor, its responses and its budget.
    pub(super) fn observed(&self, row: &Row) -> Option<Check> {
        let what = format!("observe: {}", row.name);
        let seen = match &row.seen {
            Ok(seen) => seen,
            // The inside of a guest, or a timer.
            Err(_) if !self.system.host.threads.contains_key(&row.name) => return None,
            Err(why) => return Some(Check::new(what, why.as_str(), false)),
        };
        let of_time = |one: &&Comparison| one.what != What::Execution;
        let comparisons: Vec<&Comparison> = seen.comparisons.iter().filter(of_time).collect();
        let said = comparisons.iter().map(|one| {
            let longest = one.worst.map_or_else(String::new, |worst| {
                let aside = if self.is_set_aside(one) { " (set aside)" } else { "" };
                format!(", {} of {} us{aside}", worst.time / 1_000, worst.bound / 1_000)
            });
            format!("{} {}{longest}", one.what.word(), one.verdict.word())
        });
        let said: Vec<String> = said.chain(seen.notes.iter().cloned()).collect();
        let holds = comparisons.iter().all(|one| {
            matches!(one.verdict, Verdict::Below | Verdict::AtTheBound) || self.is_set_aside(one)
        });
        Some(Check::new(what, said.join("; "), holds && seen.notes.is_empty()))
    }

    /// Whether the only response above its bound is one whose processor stood still. Budgets are not: time that the
    /// kernel charges is time received.
    fn is_set_aside(&self, one: &Comparison) -> bool {
        let stood = |sight: Sight| self.stood(sight.place.cpu, sight.place.window) > AROUND;
        one.what == What::Response
            && one.verdict == Verdict::Above
            && one.above == 1
            && one.worst.is_some_and(stood)
    }
}

fn response(job: &Job) -> u64 {
    job.finish - job.release
}
