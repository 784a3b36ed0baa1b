//! What a run tells, as packets of its trace.

use crate::core_trace::CoreTrace;
use crate::mark::{ARRIVAL, DUE, JOB, LATE, Mark};
use std::io::Write;
use vorrang_model::system::{DeviceId, InterruptId, SupplyId, TimerId};
use vorrang_sim::{Job, Observer, Packet, Payer, Running, Source};
use vorrang_time::{Duration, Instant};

impl<W: Write> Observer for CoreTrace<'_, '_, W> {
    #[inline]
    fn ran(&mut self, from: Instant, to: Instant, what: Running) {
        self.interval(from, to, what);
    }

    #[inline]
    fn released(&mut self, job: &Job) {
        let (track, mark) = match job.source {
            Source::Task(id) => (self.tracks.tasks[id.0], Mark::Released),
            Source::Interrupt(id) => {
                (self.tracks.interrupts[id.0].map(|tracks| tracks.routine), Mark::Requested)
            }
        };
        self.wakes(job);
        let Some(track) = track else { return };
        let annotations = [(JOB, job.number), (ARRIVAL, job.arrival.as_ns())];
        let told = if job.arrival == job.release { 1 } else { 2 };
        self.mark(track, mark, job.release, &annotations[..told]);
    }

    #[inline]
    fn completed(&mut self, job: &Job, at: Instant) {
        if let Source::Task(id) = job.source {
            self.pending[id.0] = self.pending[id.0].saturating_sub(1);
        }
        self.judge(job, at);
    }

    fn unfinished(&mut self, job: &Job, at: Instant) {
        self.judge(job, at);
    }

    fn replenished(&mut self, server: SupplyId, at: Instant) {
        if let Some(tracks) = self.tracks.servers[server.0] {
            self.mark(tracks.runs, Mark::Replenished, at, &[]);
        }
    }

    fn exhausted(&mut self, server: SupplyId, at: Instant) {
        if let Some(tracks) = self.tracks.servers[server.0] {
            self.mark(tracks.runs, Mark::Exhausted, at, &[]);
        }
    }

    #[inline]
    fn budget(&mut self, server: SupplyId, left: Duration, at: Instant) {
        if let Some(tracks) = self.tracks.servers[server.0] {
            self.count(tracks.budget, left.as_ns(), at);
        }
    }

    /// Charges of a server are shown by its budget and its slices.
    #[inline]
    fn paid(&mut self, payer: Payer, from: Instant, to: Instant) {
        if let Payer::PseudoVcpu(id) = payer {
            self.pays(id, from, to);
        }
    }

    fn masked(&mut self, interrupt: InterruptId, at: Instant) {
        if let Some(tracks) = self.tracks.interrupts[interrupt.0] {
            self.mark(tracks.routine, Mark::Masked, at, &[]);
            self.begins_being_held_back(interrupt, at);
        }
    }

    fn unmasked(&mut self, interrupt: InterruptId, at: Instant) {
        if let Some(tracks) = self.tracks.interrupts[interrupt.0] {
            self.mark(tracks.routine, Mark::Unmasked, at, &[]);
            self.ends_being_held_back(interrupt, at);
        }
    }

    fn pseudo_vcpu_budget(&mut self, interrupt: InterruptId, left: Duration, at: Instant) {
        if let Some(tracks) = self.tracks.pseudo_vcpu(interrupt) {
            self.count(tracks.budget, left.as_ns(), at);
        }
    }

    fn merged(&mut self, interrupt: InterruptId, at: Instant) {
        if let Some(tracks) = self.tracks.interrupts[interrupt.0] {
            self.mark(tracks.routine, Mark::Merged, at, &[]);
        }
    }

    fn expired(&mut self, timer: TimerId, due: Instant, at: Instant) {
        if let Some(track) = self.tracks.timers[timer.0] {
            self.mark(track, Mark::TimerExpired, at, &[(DUE, due.as_ns())]);
        }
    }

    fn packet(&mut self, device: DeviceId, event: Packet, arrival: Instant, at: Instant) {
        let Some(tracks) = self.tracks.devices[device.0] else { return };
        let [card, socket] = &mut self.packets[device.0];
        let arrived = [(ARRIVAL, arrival.as_ns())];
        match event {
            Packet::Arrived => {
                *card += 1;
                let waiting = *card;
                self.count(tracks.waiting, waiting, at);
            }
            Packet::Polled => {
                *card = card.saturating_sub(1);
                // One that finds it full is told to be dropped next.
                *socket = (*socket + 1).min(tracks.socket_holds);
                let [waiting, socket] = self.packets[device.0];
                self.count(tracks.waiting, waiting, at);
                self.count(tracks.socket, socket, at);
            }
            Packet::Delivered => {
                *socket = socket.saturating_sub(1);
                let held = *socket;
                self.count(tracks.socket, held, at);
            }
            Packet::DroppedAtRing => self.mark(tracks.card, Mark::DroppedAtRing, at, &arrived),
            Packet::DroppedAtSocket => {
                self.mark(tracks.card, Mark::DroppedAtSocket, at, &arrived);
            }
        }
    }

    /// Nothing that can be written is left to see.
    #[inline]
    fn has_seen_enough(&self) -> bool {
        self.has_failed()
    }
}

impl<W: Write> CoreTrace<'_, '_, W> {
    /// A task is awake until its last job is complete. A routine may be asleep long before its
    /// interrupt is handled; that it is woken while awake does no harm.
    #[inline]
    fn wakes(&mut self, job: &Job) {
        if let Source::Task(id) = job.source {
            self.pending[id.0] += 1;
            if self.pending[id.0] > 1 {
                return;
            }
        }
        self.waking(job.source, job.release);
    }

    /// Marks the deadline of a job that was complete, or not even then, after it.
    #[inline]
    fn judge(&mut self, job: &Job, at: Instant) {
        let limit = match job.source {
            Source::Task(id) => self.limits.tasks[id.0],
            Source::Interrupt(id) => self.limits.interrupts[id.0],
        };
        let Some(limit) = limit else { return };
        let Some(deadline) = job.arrival.checked_add(limit) else { return };
        if at <= deadline {
            return;
        }
        let track = match job.source {
            Source::Task(id) => self.tracks.tasks[id.0],
            Source::Interrupt(id) => self.tracks.interrupts[id.0].map(|tracks| tracks.routine),
        };
        if let Some(track) = track {
            let late = (at - deadline).as_ns();
            self.mark(track, Mark::DeadlineMissed, deadline, &[(JOB, job.number), (LATE, late)]);
        }
    }
}
