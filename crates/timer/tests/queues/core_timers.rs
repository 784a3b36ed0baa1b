//! The timers of a core against a list of all of them on the hardware's axis.

use core::num::NonZeroU32;
use proptest::prelude::*;
use vorrang_time::{Duration, Instant};
use vorrang_timer::{
    Cause, Clock, CoreTimers, HrTimer, Program, TimerId, TimerQueue, TimerShield, Urgency,
};

#[derive(Clone, Copy, Debug)]
enum Operation {
    Arm(TimerId, u64, Urgency),
    Restart(TimerId, u64),
    Cancel(TimerId),
    Rekey(TimerId, Urgency),
    SetClock(Clock, u64),
    Switch(Urgency, u32),
    /// Time passes, and the hardware fires when it has been told to.
    Pass(u64),
    /// The same; the first callback wakes something.
    PassAndWake(u64, Urgency),
}

fn operation() -> impl Strategy<Value = Operation> {
    let clock = || prop::sample::select(&Clock::ALL[..]);
    let timer = move || (clock(), 0_u32..6).prop_map(|(clock, slot)| TimerId { clock, slot });
    let urgency = || {
        let priorities = (0_u32..3).prop_map(Urgency::of_priority);
        prop_oneof![1 => Just(Urgency::LEAST), 1 => Just(Urgency::MOST), 4 => priorities]
    };
    prop_oneof![
        6 => (timer(), 0_u64..200, urgency()).prop_map(|(t, at, u)| Operation::Arm(t, at, u)),
        2 => (timer(), 0_u64..200).prop_map(|(t, at)| Operation::Restart(t, at)),
        1 => timer().prop_map(Operation::Cancel),
        2 => (timer(), urgency()).prop_map(|(t, u)| Operation::Rekey(t, u)),
        1 => (clock(), 0_u64..50).prop_map(|(clock, offset)| Operation::SetClock(clock, offset)),
        3 => (urgency(), 1_u32..4).prop_map(|(to, limit)| Operation::Switch(to, limit)),
        3 => (0_u64..30).prop_map(Operation::Pass),
        1 => (0_u64..30, urgency()).prop_map(|(time, u)| Operation::PassAndWake(time, u)),
    ]
}

/// A core whose hardware works, next to the list.
struct Core<Q> {
    timers: CoreTimers<Q>,
    shields: bool,
    now: u64,
    fires: Option<u64>,
    offsets: [u64; 4],
    running: Urgency,
    /// Pending: timer, instant on its clock, urgency.
    list: Vec<(TimerId, u64, Urgency)>,
}

impl<Q: TimerQueue> Core<Q> {
    fn new(queues: [Q; 4]) -> Self {
        let shields = queues[0].shields();
        let (timers, running) = (CoreTimers::new(queues), Urgency::LEAST);
        Self { timers, shields, now: 0, fires: None, offsets: [0; 4], running, list: Vec::new() }
    }

    fn obey(&mut self, program: Program) {
        match program {
            Program::Keep => {}
            Program::At(at) => self.fires = Some(at.as_ns()),
            Program::Never => self.fires = None,
        }
    }

    /// The first that may be handled: when due, which, since when on its clock.
    fn first(&self) -> Option<(u64, TimerId)> {
        let may_run = |urgency| !self.shields || !self.running.is_more_urgent_than(urgency);
        let may_run = self.list.iter().filter(|(_, _, urgency)| may_run(*urgency));
        may_run
            .map(|&(timer, at, _)| {
                (at.saturating_sub(self.offsets[timer.clock as usize]), timer, at)
            })
            .min_by_key(|&(due, timer, at)| (due, timer.clock, at, timer.slot))
            .map(|(due, timer, _)| (due, timer))
    }

    fn forget(&mut self, timer: TimerId) -> Option<Urgency> {
        let place = self.list.iter().position(|(other, _, _)| *other == timer)?;
        Some(self.list.swap_remove(place).2)
    }

    /// Handles what may be handled, at most `limit` timers, and compares one by one.
    fn handle(
        &mut self,
        limit: u32,
        cause: Cause,
        mut wakes: Option<Urgency>,
    ) -> Result<(), TestCaseError> {
        for left in (0..=limit).rev() {
            let first = self.first().filter(|(due, _)| left > 0 && *due <= self.now);
            let expired = self.timers.expire(Instant::from_ns(self.now));
            prop_assert_eq!(expired.map(|e| (e.due.as_ns(), e.timer)), first);
            let Some(expired) = expired else { break };
            prop_assert_eq!(expired.cause, cause);
            prop_assert_eq!(self.forget(expired.timer), Some(expired.urgency));
            if let Some(woken) = wakes.take() {
                prop_assert_eq!(self.timers.woke(woken), Program::Keep);
                self.running = self.running.max(woken);
            }
        }
        let program = self.timers.finish();
        self.obey(program);
        Ok(())
    }

    fn pass(&mut self, time: u64, wakes: Option<Urgency>) -> Result<(), TestCaseError> {
        let until = self.now + time;
        while let Some(at) = self.fires.filter(|at| *at <= until) {
            // Late, if the hardware was told so late.
            self.now = self.now.max(at);
            self.fires = None;
            self.timers.interrupt();
            self.handle(u32::MAX, Cause::Interrupt, wakes)?;
        }
        self.now = until;
        Ok(())
    }

    fn arm(&mut self, timer: TimerId, at: u64, urgency: Urgency) {
        self.forget(timer);
        self.list.push((timer, at, urgency));
    }

    fn apply(&mut self, operation: Operation) -> Result<(), TestCaseError> {
        let program = match operation {
            Operation::Arm(timer, at, urgency) => {
                self.arm(timer, at, urgency);
                self.timers.arm(timer, Instant::from_ns(at), urgency)
            }
            Operation::Restart(timer, at) => {
                let program = self.timers.restart(timer, Instant::from_ns(at));
                let urgency = self.timers.pending(timer).expect("just armed").urgency;
                self.arm(timer, at, urgency);
                program
            }
            Operation::Cancel(timer) => {
                let cancelled = self.timers.cancel(timer);
                prop_assert_eq!(cancelled.was_pending, self.forget(timer).is_some());
                cancelled.program
            }
            Operation::Rekey(timer, urgency) => {
                let entry = self.list.iter_mut().find(|(other, _, _)| *other == timer);
                if let Some((_, _, old)) = entry {
                    *old = urgency;
                }
                self.timers.rekey(timer, urgency)
            }
            Operation::SetClock(clock, offset) => {
                self.offsets[clock as usize] = offset;
                self.timers.set_clock(clock, Duration::from_ns(offset))
            }
            Operation::Switch(to, limit) => {
                let held_back = self.shields && self.running.is_more_urgent_than(to);
                self.running = to;
                self.timers.switch(to, NonZeroU32::new(limit).expect("from one on"));
                return self.handle(if held_back { limit } else { 0 }, Cause::Switch, None);
            }
            Operation::Pass(time) => return self.pass(time, None),
            Operation::PassAndWake(time, woken) => return self.pass(time, Some(woken)),
        };
        self.obey(program);
        Ok(())
    }

    fn agree(&mut self, operations: &[Operation]) -> Result<(), TestCaseError> {
        for operation in operations {
            self.apply(*operation)?;
            prop_assert_eq!(self.timers.check(), Ok(()));
            prop_assert_eq!(self.fires, self.first().map(|(due, _)| due), "{:?}", operation);
            prop_assert_eq!(self.timers.programmed().map(Instant::as_ns), self.fires);
            let mut listed: Vec<_> =
                self.timers.iter().map(|(t, p)| (t, p.at.as_ns(), p.urgency)).collect();
            listed.sort_unstable_by_key(|(timer, _, _)| *timer);
            self.list.sort_unstable_by_key(|(timer, _, _)| *timer);
            prop_assert_eq!(&listed, &self.list);
        }
        Ok(())
    }
}

proptest! {
    #[test]
    fn the_hardware_stands_at_the_first_event(
        operations in prop::collection::vec(operation(), 0..120),
    ) {
        Core::new(Clock::ALL.map(|_| HrTimer::with_capacity(6))).agree(&operations)?;
        Core::new(Clock::ALL.map(|_| TimerShield::with_capacity(6))).agree(&operations)?;
    }
}

#[test]
fn a_callback_that_wakes_something_urgent_holds_back_the_rest_of_the_batch() {
    let queues = Clock::ALL.map(|_| TimerShield::with_capacity(2));
    let mut core = CoreTimers::new(queues);
    let timer = |slot| TimerId { clock: Clock::Monotonic, slot };
    let at = Instant::from_ns(5);
    let (low, high) = (Urgency::of_priority(1), Urgency::of_priority(9));
    assert_eq!(core.arm(timer(0), at, high), Program::At(at));
    assert_eq!(core.arm(timer(1), at, low), Program::Keep);
    core.interrupt();
    assert_eq!(core.expire(at).map(|expired| expired.timer), Some(timer(0)));
    assert_eq!(core.woke(high), Program::Keep);
    assert_eq!(core.expire(at), None);
    assert_eq!(core.finish(), Program::Keep);
    // What was woken runs, and then nothing.
    core.switch(high, NonZeroU32::MIN);
    assert_eq!(core.expire(at), None);
    assert_eq!(core.finish(), Program::Keep);
    core.switch(Urgency::LEAST, NonZeroU32::MIN);
    let expired = core.expire(Instant::from_ns(7)).expect("it was held back");
    assert_eq!((expired.timer, expired.due, expired.cause), (timer(1), at, Cause::Switch));
    assert_eq!(core.finish(), Program::Keep);
}
