//! Decides which server has a processor, and until when at the latest.
//!
//! **Model.** `docs/model.md`, by the steps of the simulator at one instant:
//!
//! ```text
//!   charge      what the lent thread has received; a budget that is gone loses its place, a turn that is
//!               used up is over
//!   replenish   what is due
//!   raise       interrupts of guests: each wakes its virtual processor, and takes a credit of its pseudo-VCPU
//!   look        who has work: see below
//!   settle      wake-ups and sleeps are told, then the levels of sporadic servers
//!   choose      the most urgent server that is ready, or whose turn it is; who had the processor until now
//!               is told
//! ```
//!
//! **Looks.** The lent thread counts as awake until it is reported to sleep. A parked one that slept is sampled
//! when its server is replenished, and, if the kind needs it ([`WakeUps::AtOnce`]), at every multiple of
//! `look`: so its wake-up is noticed up to that much late. In the model this is jitter of the tasks on the
//! server. A thread that was awake when it was parked counts as awake.
//!
//! One that an interrupt of a guest takes the processor from is charged at the decision after that (`interrupted.rs`).
//!
//! A thread whose loan *stands* is sampled at every decision, and neither watched nor told of in between (`standing.rs`).
//!
//! **Turns.** The time that a thread receives beyond the end of its turn is charged to its next one, so shares
//! hold over many turns. A server without a thread ([`WakeUps::Rest`]) always has work: in its turn there is no
//! loan, and all other threads have the processor.
//!
//! **Assumptions.** 1. Those of the crate. 2. The mechanisms are called late rather than early: `now` is never
//! before the requested instant.
//!
//! **Cost.** A step for each loan, replenishment and look; each goes over the servers, and tells and places those that have
//! changed. A step allocates only when a sporadic server has more fragments of budget than ever before.

mod interrupted;
mod level;
mod standing;
mod step;

use crate::machine::Attention;
pub use crate::member::Account;
use crate::member::Member;
pub use crate::order::Order;
pub use crate::raised::Interrupt;
use crate::rule::WakeUps;
use vorrang_mechanisms::interrupt::PseudoVcpu;
use vorrang_mechanisms::scheduler::ReadyMembers;
use vorrang_mechanisms::scheduler::turns::AnyTurns;
use vorrang_mechanisms::server::AnyServer;
use vorrang_time::{Duration, Instant};

/// The decision at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The thread that has the loan from now on.
    pub lent: Option<usize>,
    /// The level of that loan among the tasks on the core.
    pub level: usize,
    /// The thread whose loan goes on behind that one, which is for an interrupt.
    pub behind: Option<usize>,
    /// Whether no server has both budget and work; a loan may stand nevertheless.
    pub is_idle: bool,
    /// What must be noticed before the next decision.
    pub attention: Attention,
    /// The instant of the next decision, unless the thread leaves before.
    pub until: Instant,
    /// The same as a time for which the thread may have the processor.
    pub at_most: Duration,
}

/// The servers of a processor.
#[derive(Clone, Debug)]
pub struct Processor {
    order: Order,
    members: Vec<Member>,
    interrupts: Vec<Interrupt>,
    ready: ReadyMembers,
    /// The interval of samples of sleeping threads.
    look: Duration,
    next_look: Instant,
    /// Less budget is not lent, and no less of a turn.
    grain: Duration,
    chosen: Option<usize>,
    /// The server whose loan stands, also while its thread sleeps and none is chosen.
    standing: Option<usize>,
    /// The thread whose loan goes on behind the one for an interrupt.
    behind: Option<usize>,
    /// The server whose thread was interrupted, to be charged at the next decision.
    uncharged: Option<usize>,
    /// Whether the chosen server consumes its time also while its thread sleeps, or without a thread.
    is_idling: bool,
    /// Since when nothing has changed.
    since: Instant,
}

impl Processor {
    /// A processor without servers. Sleeping threads are sampled every `look`; less budget, and less of a turn,
    /// than `grain` is not lent.
    ///
    /// # Panics
    /// If `look` is zero.
    pub fn new(order: Order, look: Duration, grain: Duration) -> Self {
        assert!(!look.is_zero(), "looks are apart");
        Self {
            order,
            members: Vec::new(),
            interrupts: Vec::new(),
            ready: ReadyMembers::new(0),
            look,
            next_look: Instant::ZERO,
            grain,
            chosen: None,
            standing: None,
            behind: None,
            uncharged: None,
            is_idling: false,
            since: Instant::ZERO,
        }
    }

    /// The same with another server, the last in the order of declaration. Its thread, if it has one, is the
    /// machine's next.
    #[must_use]
    pub fn with(mut self, server: AnyServer, priority: u32, wake_ups: WakeUps) -> Self {
        let threads = self.members.iter().filter_map(|member| member.thread).max();
        let threads = threads.map_or(0, |last| last + 1);
        let thread = (wake_ups != WakeUps::Rest).then_some(threads);
        self.members.push(Member::new(server, priority, wake_ups, thread));
        self.ready = ReadyMembers::new(self.members.len());
        self
    }

    /// The same with a pseudo-VCPU of the server at this place, for the next interrupt of a guest.
    #[must_use]
    pub fn with_pseudo_vcpu(mut self, of: usize, rule: PseudoVcpu, priority: u32) -> Self {
        let thread = self.members[of].thread;
        let (server, wake_ups) = (AnyServer::PseudoVcpu(rule), WakeUps::Interrupt);
        self.interrupts.push(Interrupt::of(self.members.len()));
        self.members.push(Member::new(server, priority, wake_ups, thread));
        self.ready = ReadyMembers::new(self.members.len());
        self
    }

    /// The same, where the next interrupt of a guest wakes the server at this place.
    #[must_use]
    pub fn with_interrupt(mut self, of: usize) -> Self {
        self.interrupts.push(Interrupt::of(of));
        self
    }

    /// The same, where the last interrupt of a guest is described to come so far apart, each up to `jitter` late.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn that_is_apart(mut self, apart: Duration, jitter: Duration) -> Self {
        self.interrupts.last_mut().expect("there is an interrupt").is_apart(apart, jitter);
        self
    }

    /// The same, where its members so far have these levels among the tasks on the core.
    #[must_use]
    pub fn at_levels(mut self, levels: &[usize]) -> Self {
        for (member, &own) in self.members.iter_mut().zip(levels) {
            member.level = own;
        }
        self
    }

    /// The same, with these turns of its servers, in equal number.
    #[must_use]
    pub fn by_turns(mut self, turns: AnyTurns) -> Self {
        self.ready.reset(Some(turns));
        self
    }

    /// The interrupts of guests, in the order of declaration.
    pub fn interrupts(&self) -> &[Interrupt] {
        &self.interrupts
    }

    /// The loans of the threads, in the order of declaration: servers, then pseudo-VCPUs.
    pub fn accounts(&self) -> impl Iterator<Item = Account> + '_ {
        self.members.iter().map(|member| member.account)
    }
}
