//! The steps of one instant, in their order.

use super::{Core, Job, Ran};
use vorrang_model::system::{
    Activation, InterruptId, Member, Scheduler, ServerKind, SupplyId, Task, TaskId,
};

impl Core<'_> {
    /// Everything that happens at this instant, and what runs until the next.
    pub(super) fn tick(&mut self) -> Ran {
        let completed = self.complete();
        self.exhaust();
        self.replenish();
        self.arrive();
        self.ready_tasks(&completed);
        let mut ran = None;
        // A callback that takes no time may release something, whatever has the core then.
        while ran.is_none() || self.timers.called_back {
            self.timers.called_back = false;
            self.place_blocker();
            self.settle();
            ran = ran.or_else(|| self.give());
            self.forget_completions();
        }
        self.charge_for_routine();
        self.look_at_window();
        self.kernel.busy = ran != Some(Ran::Idle);
        self.now += 1;
        ran.expect("the loop ends with it")
    }

    fn forget_completions(&mut self) {
        self.ready_tasks(&vec![false; self.tasks.len()]);
    }

    /// Step 1: completions and their consequences; returns the tasks that completed a job.
    pub(super) fn complete(&mut self) -> Vec<bool> {
        self.last.completed = false;
        self.end_of_section();
        self.end_section();
        self.end_timer_part();
        self.end_budget_timer();
        for id in 0..self.lines.len() {
            self.end_routine(InterruptId(id));
        }
        for id in 0..self.guests.len() {
            self.end_guest_routine(SupplyId(id));
        }
        self.system.task_ids().map(|id| self.complete_job(id)).collect()
    }

    fn complete_job(&mut self, id: TaskId) -> bool {
        if !self.tasks[id.0].is_done() || self.takes_a_packet(id) {
            return false;
        }
        let number = self.tasks[id.0].number();
        self.tasks[id.0].complete(self.now);
        self.last.completed = true;
        self.kept[self.system.task(id).on.0].take_if(|own| *own == id);
        let Task { on, activation, .. } = self.system.task(id);
        // External arrivals of this instant are not there yet.
        let by = if *activation == Activation::Sporadic {
            self.now.checked_sub(1)
        } else {
            Some(self.now)
        };
        let goes_on = by.is_some_and(|by| self.tasks[id.0].pending(by).is_some());
        self.happens_if(!goes_on || self.may_come_behind(id), *on);
        self.handled_by_job(id, number);
        self.packet_read(id);
        self.end_of_poll(id);
        true
    }

    /// A job of an activated task.
    pub(super) fn release(&mut self, id: TaskId, arrival: u64) {
        let queue = &mut self.tasks[id.0];
        let stated = super::listed(&self.history.tasks, id.0).get(queue.count());
        let wcet = self.system.task(id).wcet.as_ns();
        let execution = stated.map_or(wcet, |job| job.execution);
        let wakes = queue.pending(self.now).is_none();
        queue.release(Job { arrival, release: self.now, execution });
        self.happens_if(wakes, self.system.task(id).on);
    }

    /// Whether something else on its supply may come before the next job of a task.
    fn may_come_behind(&self, id: TaskId) -> bool {
        let supply = self.system.supply(self.system.task(id).on);
        let is_compared = supply.scheduler == Scheduler::Edf || self.system.keeps(id);
        is_compared && supply.members.len() > 1
    }

    /// Step 2: budgets that have reached zero, turns that are over.
    fn exhaust(&mut self) {
        for id in 0..self.servers.len() {
            if let Some(server) = &mut self.servers[id] {
                server.exhaust(self.now);
                let (happened, on) = (server.exhausted_now, self.parent(SupplyId(id)));
                self.happens_if(happened, on);
                if happened {
                    self.time_budget(SupplyId(id), 2);
                }
            }
            if let Some(turns) = &mut self.turns[id] {
                turns.end();
                let ended = turns.ended;
                self.happens_if(ended, SupplyId(id));
            }
        }
        self.end_slices();
        self.exhaust_pseudo();
        self.count_tick();
    }

    /// After the decision, before anything has its tick: queues of refills that have run up to now, and
    /// do not go on.
    pub(super) fn stop_all_but(&mut self, going_on: &[SupplyId]) {
        let mut any = false;
        for id in (0..self.servers.len()).map(SupplyId).filter(|id| !going_on.contains(id)) {
            let Some(server) = &mut self.servers[id.0] else { continue };
            if server.kind == ServerKind::RefillQueue && server.queue.stop(self.now) {
                any = true;
                server.exhausted_now = true;
                self.happens_on(self.parent(id));
            }
        }
        if any {
            // A task that is ready again has left its place and joined already.
            self.forget_completions();
            self.settle();
        }
    }

    /// Step 3: what is due now.
    fn replenish(&mut self) {
        for id in 0..self.servers.len() {
            let now = self.now;
            let Some(server) = &mut self.servers[id] else { continue };
            server.replenish(now);
            let returned = server.replenished_now;
            let happened = returned || server.slot_turns(now);
            self.happens_if(happened, self.parent(SupplyId(id)));
            if returned {
                self.time_budget(SupplyId(id), 3);
            }
        }
        self.replenish_pseudo();
        self.expire_throttle();
    }

    /// Step 4: packets, timers, interrupts, then tasks.
    fn arrive(&mut self) {
        self.packets_arrive();
        self.timers_expire();
        self.interrupts_arrive();
        self.wake_tasks();
        for id in 0..self.tasks.len() {
            let (queue, task) = (&self.tasks[id], &self.system.tasks[id]);
            let waits = self.now > 0 && queue.pending(self.now - 1).is_some();
            let wakes = task.activation == Activation::Sporadic && !waits;
            self.happens_if(wakes && queue.releases(self.now), task.on);
        }
    }

    /// The next job of a task that tasks wake is there when all of them have completed as many jobs as that makes.
    fn wake_tasks(&mut self) {
        let (system, core) = (self.system, self.id);
        for id in system.task_ids().filter(|&id| system.core_of(system.task(id).on) == core) {
            let before = system.predecessors(id);
            let next = self.tasks[id.0].count();
            let arrival = |by: &TaskId| self.tasks[by.0].arrival_of_done(next);
            let arrivals: Option<Vec<u64>> = before.iter().map(arrival).collect();
            if let Some(&[arrival, ..]) = arrivals.as_deref() {
                self.release(id, arrival);
            }
        }
    }

    /// Something happens to a member of a supply: outside virtual processors the scheduler of the
    /// core is called.
    pub(super) fn happens_on(&mut self, supply: SupplyId) {
        if self.is_of_host(supply) && self.on_core(supply) {
            self.kernel.call_needed = true;
        }
    }

    pub(super) fn happens_if(&mut self, happened: bool, supply: SupplyId) {
        if happened {
            self.happens_on(supply);
        }
    }

    pub(super) fn parent(&self, supply: SupplyId) -> SupplyId {
        self.system.supply(supply).on().expect("no core")
    }

    /// Whether a member is a server of kind `sched-deadline`.
    pub(super) fn is_linux_server(&self, member: Member) -> bool {
        matches!(member, Member::Server(id) if self.server(id).kind == ServerKind::SchedDeadline)
    }

    /// The task that an interrupt wakes.
    pub(super) fn woken_by(&self, interrupt: InterruptId) -> Option<TaskId> {
        let woken = self.system.interrupt(interrupt).wakes;
        woken.filter(|&id| self.system.task(id).activation == Activation::Interrupt(interrupt))
    }
}
