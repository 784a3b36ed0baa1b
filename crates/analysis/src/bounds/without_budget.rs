//! Servers without a budget: what their priority leaves is what is in them has.
//!
//! Theory: docs/theory/levels.md.

use super::{Fold, Node};
use crate::demand::Load;
use crate::ground::Effort;
use crate::supply::{Residual, Supply};
use vorrang_model::system::SupplyId;
use vorrang_time::Duration;

/// A level among members of its priority: what it takes, and what everything at least as urgent, itself included, leaves.
pub(super) struct BesideEquals<'a> {
    pub(super) own: &'a Load<'a>,
    pub(super) left: Residual<'a>,
}

impl Fold<'_> {
    /// What is in a level, which has what is left there. Equals may have waited for what is in it, and come first now.
    pub(super) fn level_of(
        &mut self,
        node: Node<'_>,
        id: SupplyId,
        (left, equals): (Residual<'_>, Option<BesideEquals<'_>>),
        effort: &Effort,
    ) {
        let earlier = equals.map_or(Ok(Duration::ZERO), |BesideEquals { own, left }| {
            own.in_window(left.time_for(Duration::RESOLUTION)?)
        });
        match earlier {
            Ok(earlier) => {
                self.members_of(node, id, &left.after_own(earlier), node.form, effort);
            }
            Err(error) => {
                let reason = self.why.no_bound(node.id, error);
                self.give_up_below(id, node.form, &reason);
            }
        }
    }
}
