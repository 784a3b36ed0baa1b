//! The least budgets for given periods: a least fixed point.
//!
//! **Model.** Begin with budgets that no design can be below. While what is in some server does not hold,
//! give that server the least budget with which it does, as everything else stands; servers in it are
//! settled anew for each budget that is tried. Nothing else is ever raised, so if more of its own budget
//! harms no server, and more of another's helps none, no accepted design with these periods has a lower
//! budget anywhere; and when some budget is not guaranteed, or something outside does not hold, none is
//! accepted at all (docs/design.md).
//!
//! **Assumptions.**
//! 1. Of *least*: more of its own budget harms no server, and more of another's helps none. Where that does not hold, what
//!    is accepted is so all the same, and something smaller may be.
//!
//! **Cost.** Some two analyses for each doubling of the budgets raised, for each time that one is raised.

use crate::judge::Judgement;
use crate::part::Part;
use crate::steps::{Spent, Steps};
use vorrang_time::Duration;

/// What a try of a budget shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settled {
    Holds,
    /// More may help.
    TooLittle,
    /// The budget is not guaranteed: more does not help.
    TooMuch,
}

impl Part {
    /// Settles all nodes, from the budgets that they have; whether everything holds then.
    pub(crate) fn settle_all(&mut self, steps: &mut Steps) -> Result<bool, Spent> {
        Ok(self.settle(None, steps)? == Settled::Holds)
    }

    /// Looks for a larger budget of a node with which everything holds, where the least ones have failed:
    /// doubling away from what it has, then evenly; whether there is one.
    pub(crate) fn climb(&mut self, node: usize, steps: &mut Steps) -> Result<bool, Spent> {
        const EVENLY: u64 = 32;
        let ladder = self.nodes[node].budgets(self.period(node));
        let now = ladder.least(self.budget(node));
        let more = ladder.len().saturating_sub(now + 1);
        let doubling = (0..).map(|power| 1_u64 << power).take_while(|further| *further <= more);
        let evenly = (1..=EVENLY).map(|part| more * part / EVENLY);
        for further in doubling.chain(evenly) {
            self.set_budget(node, ladder.at(now + further));
            if self.settle_all(steps)? {
                return Ok(true);
            }
        }
        self.climb_together(EVENLY, steps)
    }

    /// The same for all nodes at once, evenly: what a chain takes depends on all that its tasks are in, and what an interrupt
    /// takes on its pseudo-VCPU and its virtual processor.
    fn climb_together(&mut self, evenly: u64, steps: &mut Steps) -> Result<bool, Spent> {
        if self.nodes.len() < 2 || !self.needs_several() {
            return Ok(false);
        }
        let nodes = 0..self.nodes.len();
        let least: Vec<u64> = nodes
            .map(|node| self.nodes[node].budgets(self.period(node)).least(self.budget(node)))
            .collect();
        for part in 1..=evenly {
            for (node, &least) in least.iter().enumerate() {
                let ladder = self.nodes[node].budgets(self.period(node));
                let more = ladder.len().saturating_sub(least + 1);
                self.set_budget(node, ladder.at(least + more * part / evenly));
            }
            if self.settle_all(steps)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Settles the nodes in `parent`; those in these begin anew.
    fn settle(&mut self, parent: Option<usize>, steps: &mut Steps) -> Result<Settled, Spent> {
        let children: Vec<usize> =
            (0..self.nodes.len()).filter(|&node| self.nodes[node].parent == parent).collect();
        if parent.is_some() {
            for &child in &children {
                if !self.begin(child) {
                    return Ok(Settled::TooLittle);
                }
            }
        }
        loop {
            let Some(judged) = self.judge(steps)? else { return Ok(Settled::TooMuch) };
            if parent.is_some_and(|parent| !judged.reserved[parent]) {
                return Ok(Settled::TooMuch);
            }
            if children.iter().any(|&child| !judged.reserved[child]) {
                return Ok(Settled::TooLittle);
            }
            let Some(&lacking) = children.iter().find(|&&child| !self.holds_in(child, &judged))
            else {
                let own = parent.map_or(judged.outside, |parent| judged.content[parent]);
                return Ok(if own { Settled::Holds } else { Settled::TooLittle });
            };
            if !self.raise(lacking, steps)? {
                return Ok(Settled::TooLittle);
            }
        }
    }

    /// Whether a budget is too little for what is in a node, whatever those in it have.
    pub(crate) fn lacks(
        &mut self,
        node: usize,
        budget: Duration,
        steps: &mut Steps,
    ) -> Result<bool, Spent> {
        self.set_budget(node, budget);
        Ok(self.settle(Some(node), steps)? == Settled::TooLittle)
    }

    /// Gives a node, and those in it, the budgets that no design is below; whether there are such.
    pub(crate) fn begin(&mut self, node: usize) -> bool {
        let ladder = self.nodes[node].budgets(self.period(node));
        let least = ladder.least(self.nodes[node].least(self.period(node)));
        if least >= ladder.len() {
            return false;
        }
        self.set_budget(node, ladder.at(least));
        let inside = |&other: &usize| self.nodes[other].parent == Some(node);
        let inside: Vec<usize> = (0..self.nodes.len()).filter(inside).collect();
        inside.into_iter().all(|child| self.begin(child))
    }

    fn holds_in(&self, node: usize, judged: &Judgement) -> bool {
        judged.content[node]
            && (0..self.nodes.len())
                .filter(|&other| self.nodes[other].parent == Some(node))
                .all(|child| judged.reserved[child] && self.holds_in(child, judged))
    }

    /// Gives a node the least budget above what it has with which all in it holds, or at which its budget
    /// is not guaranteed any more; whether there is one.
    fn raise(&mut self, node: usize, steps: &mut Steps) -> Result<bool, Spent> {
        let ladder = self.nodes[node].budgets(self.period(node));
        let now = ladder.least(self.budget(node));
        let has_nodes = self.nodes.iter().any(|other| other.parent == Some(node));
        let mut at = |index: u64, part: &mut Self| {
            part.set_budget(node, ladder.at(index));
            part.settle(Some(node), steps)
        };
        // With other budgets inside, the one that it has may do.
        if has_nodes && at(now, self)? == Settled::Holds {
            return Ok(true);
        }
        let (mut below, mut width) = (now, 1);
        let mut enough = loop {
            let next = (below + width).min(ladder.len() - 1);
            if next == below {
                return Ok(false);
            }
            if at(next, self)? != Settled::TooLittle {
                break next;
            }
            (below, width) = (next, width * 2);
        };
        while enough - below > 1 {
            let middle = below + (enough - below) / 2;
            if at(middle, self)? == Settled::TooLittle {
                below = middle;
            } else {
                enough = middle;
            }
        }
        Ok(at(enough, self)? == Settled::Holds)
    }
}
