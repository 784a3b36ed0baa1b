//! Members that take turns of a quantum.
//!
//! ```text
//!  quantum 2; A, B from 0, C from 3; # runs   (round-robin)
//!  A  |####    ####
//!  B      |####        ####      C joined behind B, whose turn it was at 3
//!  C            ···####
//! ```
//!
//! **Model.** The caller reports which members are ready ([`Turns::join`], [`Turns::leave`]) and the time
//! consumed by the member whose turn it is ([`Turns::consume`]), and, after the events of every instant,
//! starts the next turn if there is none ([`Turns::settle`]). A turn ends when its quantum is used or its
//! member leaves; no other member interrupts it.
//!
//! **Assumptions.**
//! 1. Consumption is reported before anything else of the same instant, only while there is a
//!    turn, and never more than [`Turns::left`].
//! 2. A member that joins is not ready, one that leaves is.
//!
//! Members that join at one instant do so in the order of declaration, whatever the order of the calls: they
//! are inserted when the instant is settled.

mod member_set;
mod ring;
mod round_robin;
mod stride;
mod virtual_time;
mod vtrr;

pub use round_robin::RoundRobin;
pub use stride::Stride;
pub use vtrr::Vtrr;

use crate::server::Violation;
use alloc::vec::Vec;
use vorrang_time::Duration;

/// A scheduler whose members take turns of a quantum. Members are known by their place in the
/// order of declaration.
pub trait Turns {
    /// The member is ready, having not been. It is put in by [`Turns::settle`].
    fn join(&mut self, member: u32);

    /// The member is no longer ready. If it was its turn, that is over.
    fn leave(&mut self, member: u32);

    /// Begins the next turn if none goes on and a member is ready.
    fn settle(&mut self);

    /// The turn that goes on. Once an instant is settled: `None` only if no member is ready.
    fn turn(&self) -> Option<Turn>;

    /// The member whose turn it is.
    #[inline]
    fn current(&self) -> Option<u32> {
        self.turn().map(|turn| turn.member)
    }

    /// The rest of the turn; zero if there is none.
    #[inline]
    fn left(&self) -> Duration {
        self.turn().map_or(Duration::ZERO, |turn| turn.left)
    }

    /// The member whose turn it is used `amount` of the supply's time.
    fn consume(&mut self, amount: Duration);

    /// From now on the share of the member is `share`, at least 1; if it is its turn, from the
    /// end of that on.
    fn set_share(&mut self, member: u32, share: u32);

    /// The invariant, asserted by every mutator at both ends.
    ///
    /// # Errors
    /// The first violated clause.
    fn check(&self) -> Result<(), Violation>;
}

/// Asserts the invariant, in debug builds.
fn assert_invariant(turns: &impl Turns) {
    debug_assert_eq!(turns.check(), Ok(()));
}

/// The member whose turn it is, and the rest of the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    member: u32,
    left: Duration,
}

/// Members that join when the instant is settled.
#[derive(Clone, Debug, Default)]
struct Joining(Vec<u32>);

impl Joining {
    fn with_capacity(members: usize) -> Self {
        Self(Vec::with_capacity(members))
    }

    fn push(&mut self, member: u32) {
        self.0.push(member);
    }

    /// Whether the member was about to join; cancels that.
    fn withdraw(&mut self, member: u32) -> bool {
        let place = self.0.iter().position(|&joining| joining == member);
        place.map(|place| self.0.swap_remove(place)).is_some()
    }

    /// In the order of declaration, the first to be popped first.
    fn sort(&mut self) {
        self.0.sort_unstable_by(|one, other| other.cmp(one));
    }

    /// The next of them.
    fn pop(&mut self) -> Option<u32> {
        self.0.pop()
    }
}

/// Turns of any kind, dispatched by `match` so that the call can be inlined.
#[derive(Clone, Debug)]
pub enum AnyTurns {
    /// One quantum each: [`RoundRobin::new`].
    RoundRobin(RoundRobin),
    /// A share of quanta each: [`RoundRobin::weighted`].
    WeightedRoundRobin(RoundRobin),
    /// See [`Stride`].
    Stride(Stride),
    /// See [`Vtrr`].
    Vtrr(Vtrr),
}

/// Calls the method on whatever kind it is.
macro_rules! dispatch {
    ($self:ident.$method:ident($($argument:expr),*)) => {
        match $self {
            AnyTurns::RoundRobin(turns) | AnyTurns::WeightedRoundRobin(turns) => {
                turns.$method($($argument),*)
            }
            AnyTurns::Stride(turns) => turns.$method($($argument),*),
            AnyTurns::Vtrr(turns) => turns.$method($($argument),*),
        }
    };
}

impl Turns for AnyTurns {
    fn join(&mut self, member: u32) {
        dispatch!(self.join(member));
    }

    fn leave(&mut self, member: u32) {
        dispatch!(self.leave(member));
    }

    fn settle(&mut self) {
        dispatch!(self.settle());
    }

    #[inline]
    fn turn(&self) -> Option<Turn> {
        dispatch!(self.turn())
    }

    #[inline]
    fn consume(&mut self, amount: Duration) {
        dispatch!(self.consume(amount));
    }

    fn set_share(&mut self, member: u32, share: u32) {
        dispatch!(self.set_share(member, share));
    }

    fn check(&self) -> Result<(), Violation> {
        dispatch!(self.check())
    }
}
