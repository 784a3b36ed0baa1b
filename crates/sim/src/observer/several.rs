//! Several observers of one run, an optional one, and one of a single core.
//!
//! A run ends early as soon as one of them has seen enough.

use super::{Cause, Context, Job, Observer, Packet, Payer, Running};
use crate::history::History;
use vorrang_model::system::{DeviceId, InterruptId, SupplyId, TimerId};
use vorrang_time::{Duration, Instant};

/// All methods that report an event, each forwarded to the observers in brackets, or to all observers of a
/// collection.
macro_rules! passed_on {
    ($self:ident to $to:tt) => {
        passed_on! { $self to $to:
            began(core: SupplyId, history: &History)
            ended(at: Instant)
            decided(what: Running, at: Instant)
            runs(what: Running, at: Instant)
            served(interrupt: InterruptId, in_guest: bool, at: Instant)
            ran(from: Instant, to: Instant, what: Running)
            released(job: &Job)
            completed(job: &Job, at: Instant)
            unfinished(job: &Job, at: Instant)
            replenished(server: SupplyId, at: Instant)
            exhausted(server: SupplyId, at: Instant)
            budget(server: SupplyId, left: Duration, at: Instant)
            paid(payer: Payer, from: Instant, to: Instant)
            called(at: Instant)
            switched(from: Option<Context>, to: Context, at: Instant)
            lost(context: Option<Context>, cause: Cause, amount: Duration, at: Instant)
            masked(interrupt: InterruptId, at: Instant)
            unmasked(interrupt: InterruptId, at: Instant)
            pseudo_vcpu_budget(interrupt: InterruptId, left: Duration, at: Instant)
            merged(interrupt: InterruptId, at: Instant)
            expired(timer: TimerId, due: Instant, at: Instant)
            packet(device: DeviceId, event: Packet, arrival: Instant, at: Instant)
        }
    };
    ($self:ident to $to:tt: $($method:ident($($name:ident: $kind:ty),+))+) => {
        $(
            #[inline]
            fn $method(&mut $self, $($name: $kind),+) {
                told!($to $method ($($name),+));
            }
        )+
    };
}

macro_rules! told {
    ([$($observer:expr),+] $method:ident $arguments:tt) => {
        $($observer.$method $arguments;)+
    };
    ((all in $observers:expr) $method:ident $arguments:tt) => {
        for observer in $observers {
            observer.$method $arguments;
        }
    };
}

impl<A: Observer, B: Observer> Observer for (A, B) {
    passed_on!(self to [self.0, self.1]);
    passed_on!(self to [self.0, self.1]: on(core: SupplyId));

    #[inline]
    fn has_seen_enough(&self) -> bool {
        self.0.has_seen_enough() || self.1.has_seen_enough()
    }
}

impl<A: Observer, B: Observer, C: Observer> Observer for (A, B, C) {
    passed_on!(self to [self.0, self.1, self.2]);
    passed_on!(self to [self.0, self.1, self.2]: on(core: SupplyId));

    #[inline]
    fn has_seen_enough(&self) -> bool {
        self.0.has_seen_enough() || self.1.has_seen_enough() || self.2.has_seen_enough()
    }
}

/// No observer, or one.
impl<O: Observer> Observer for Option<O> {
    passed_on!(self to (all in self.iter_mut()));
    passed_on!(self to (all in self.iter_mut()): on(core: SupplyId));

    #[inline]
    fn has_seen_enough(&self) -> bool {
        self.as_ref().is_some_and(O::has_seen_enough)
    }
}

impl<O: Observer> Observer for &mut O {
    passed_on!(self to [(**self)]);
    passed_on!(self to [(**self)]: on(core: SupplyId));

    #[inline]
    fn has_seen_enough(&self) -> bool {
        (**self).has_seen_enough()
    }
}

/// An observer of one core of several.
pub(crate) struct OnlyOn<'o, O> {
    core: SupplyId,
    /// What follows happens there.
    is_there: bool,
    observer: &'o mut O,
}

impl<'o, O> OnlyOn<'o, O> {
    pub(crate) fn new(core: SupplyId, observer: &'o mut O) -> Self {
        Self { core, is_there: false, observer }
    }

    #[inline]
    fn told(&mut self) -> Option<&mut O> {
        self.is_there.then_some(&mut *self.observer)
    }
}

impl<O: Observer> Observer for OnlyOn<'_, O> {
    passed_on!(self to (all in self.told().into_iter()));

    fn on(&mut self, core: SupplyId) {
        self.is_there = core == self.core;
    }

    #[inline]
    fn has_seen_enough(&self) -> bool {
        self.observer.has_seen_enough()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Source;
    use crate::observer::Running;
    use vorrang_model::system::{System, TaskId};

    /// The names of the events that it received, and after how many it has seen enough.
    #[derive(Debug, PartialEq, Eq)]
    struct Log(Vec<&'static str>, usize);

    macro_rules! noted {
        ($($method:ident($($kind:ty),+))+) => {
            impl Observer for Log {
                $(fn $method(&mut self, $(_: $kind),+) { self.0.push(stringify!($method)); })+

                fn has_seen_enough(&self) -> bool {
                    self.0.len() >= self.1
                }
            }
        };
    }

    noted! {
        on(SupplyId)
        began(SupplyId, &History)
        ended(Instant)
        decided(Running, Instant)
        runs(Running, Instant)
        served(InterruptId, bool, Instant)
        ran(Instant, Instant, Running)
        released(&Job)
        completed(&Job, Instant)
        unfinished(&Job, Instant)
        replenished(SupplyId, Instant)
        exhausted(SupplyId, Instant)
        budget(SupplyId, Duration, Instant)
        paid(Payer, Instant, Instant)
        called(Instant)
        switched(Option<Context>, Context, Instant)
        lost(Option<Context>, Cause, Duration, Instant)
        masked(InterruptId, Instant)
        unmasked(InterruptId, Instant)
        pseudo_vcpu_budget(InterruptId, Duration, Instant)
        merged(InterruptId, Instant)
        expired(TimerId, Instant, Instant)
        packet(DeviceId, Packet, Instant, Instant)
    }

    /// Reports every event once.
    fn tell_all(observer: &mut impl Observer) {
        let now = Instant::ZERO;
        let (supply, interrupt) = (SupplyId(0), InterruptId(0));
        let source = Source::Task(TaskId(0));
        let job = Job { source, number: 0, arrival: now, release: now };
        let history = History::quiet(&System::default());
        observer.on(supply);
        observer.began(supply, &history);
        observer.ended(now);
        observer.decided(Running::Idle, now);
        observer.runs(Running::Idle, now);
        observer.served(interrupt, false, now);
        observer.ran(now, now, Running::Idle);
        observer.released(&job);
        observer.completed(&job, now);
        observer.unfinished(&job, now);
        observer.replenished(supply, now);
        observer.exhausted(supply, now);
        observer.budget(supply, Duration::ZERO, now);
        observer.paid(Payer::Server(supply), now, now);
        observer.called(now);
        observer.switched(None, Context::Vcpu(supply), now);
        observer.lost(None, Cause::ColdCache, Duration::ZERO, now);
        observer.masked(interrupt, now);
        observer.unmasked(interrupt, now);
        observer.pseudo_vcpu_budget(interrupt, Duration::ZERO, now);
        observer.merged(interrupt, now);
        observer.expired(TimerId(0), now, now);
        observer.packet(DeviceId(0), Packet::Arrived, now, now);
    }

    #[test]
    fn each_of_several_is_told_everything() {
        let log = || Log(Vec::new(), usize::MAX);
        let mut alone = log();
        tell_all(&mut alone);
        assert_eq!(alone.0.len(), 23);
        let mut fourth = log();
        let mut several = ((log(), log()), (Some(log()), None::<Log>, &mut fourth));
        tell_all(&mut several);
        let ((first, second), (third, nobody, fourth)) = several;
        assert_eq!(
            (&first, &second, third.as_ref(), &*fourth),
            (&alone, &alone, Some(&alone), &alone)
        );
        assert_eq!(nobody, None);
    }

    #[test]
    fn one_of_a_core_is_told_what_happens_there() {
        let (mut all, mut seen, mut nothing) =
            (Log(Vec::new(), 40), Log(Vec::new(), 40), Log(Vec::new(), 40));
        tell_all(&mut all);
        let there = OnlyOn::new(SupplyId(0), &mut seen);
        let elsewhere = OnlyOn::new(SupplyId(1), &mut nothing);
        tell_all(&mut (there, elsewhere));
        assert_eq!((seen.0.as_slice(), nothing.0.as_slice()), (&all.0[1..], &[][..]));
    }

    #[test]
    fn one_that_has_seen_enough_ends_the_run() {
        let mut pair = (Log(Vec::new(), 30), (None::<Log>, Some(Log(Vec::new(), 40)), ()));
        assert!(!pair.has_seen_enough());
        tell_all(&mut pair);
        assert!(!pair.has_seen_enough());
        tell_all(&mut pair);
        assert!(pair.has_seen_enough());
    }
}
