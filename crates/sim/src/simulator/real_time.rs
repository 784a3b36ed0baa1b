//! Whether the core stops members without a reservation of Linux, and whether what runs counts for that.

use vorrang_mechanisms::throttling::Throttling;
use vorrang_model::system::RtThrottling;

/// What the core keeps of it.
#[derive(Clone, Debug)]
pub(super) struct RealTime {
    pub(super) state: Option<Throttling>,
    /// Whether what runs counts.
    pub(super) counts: bool,
}

impl RealTime {
    pub(super) fn of(stated: RtThrottling) -> Self {
        let state = stated.limit().map(|limit| Throttling::new(limit.budget, limit.period));
        Self { state, counts: false }
    }

    /// Nothing that counts has the core.
    #[inline]
    pub(super) fn forget(&mut self) {
        self.counts = false;
    }

    #[inline]
    pub(super) fn is_on(&self) -> bool {
        self.state.as_ref().is_some_and(Throttling::is_on)
    }
}
