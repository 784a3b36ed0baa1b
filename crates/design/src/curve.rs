//! What one server takes against its period: with what the machine takes, and without.
//!
//! **Model.** The other servers of which something is open are away, and places and kinds are the first that
//! may be chosen; what is stated on its core stays. For each period that is considered for the server
//! the least budget is settled, once with the costs of the description and once without costs and cold
//! caches.
//!
//! **Assumptions.**
//! 1. More of its own budget harms no server ([`crate::settle`]): where that does not hold, a smaller budget may do
//!    than the one that is shown, and the optimum of the curve is that of what is shown.
//!
//! **Does not cover** servers that stand in another one, or have others in them, of which something is open.

use crate::aim::Aim;
use crate::answer::Limits;
use crate::cost::Cost;
use crate::judge::Theorems;
use crate::layout::provisional;
use crate::objective::Weights;
use crate::on_core::alone_on_core;
use crate::part::{Machine, Part};
use crate::steps::{Spent, Steps};
use vorrang_model::Open;
use vorrang_time::Duration;

/// What a server takes with one period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// The period.
    pub period: Duration,
    /// The least budget, and what it takes with switching; `None`: no budget is enough.
    pub with_costs: Option<(Duration, Cost)>,
    /// The same where the machine takes nothing.
    pub without: Option<(Duration, Cost)>,
}

/// Why there is no curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoCurve {
    /// No server of this name has something open.
    NoSuchServer,
    /// It stands in another one of which something is open, or such a one in it.
    Nested,
    /// The analyses were used up, or the end was wanted.
    Spent,
}

/// The curve of a server, from the shortest period on.
///
/// # Errors
/// There is none.
pub fn curve(open: &mut Open, server: &str, limits: Limits) -> Result<Vec<Point>, NoCurve> {
    let nothing_fixed = vec![None; open.values().len()];
    let chosen = provisional(open, &nothing_fixed);
    let system = open.resolve(&chosen).ok_or(NoCurve::NoSuchServer)?;
    let mut steps = Steps::new(limits.steps).unless(limits.is_end_wanted);
    let part = |machine: Machine| {
        alone_on_core(open, &system, &Aim::new(Weights::PRICE), server, machine)
            .ok_or(NoCurve::NoSuchServer)
    };
    let (mut with_costs, mut without) = (part(Machine::Stated)?, part(Machine::Free)?);
    let [node] = &with_costs.nodes[..] else { return Err(NoCurve::Nested) };
    let (periods, switching) = (node.periods.clone(), node.switching);
    (0..periods.len())
        .map(|index| {
            let period = periods.at(index);
            let budgets =
                [&mut with_costs, &mut without].map(|part| least(part, period, &mut steps));
            let [with_costs, without] = budgets;
            let cost = |around: Duration| move |budget| (budget, Cost::of(budget + around, period));
            Ok(Point {
                period,
                with_costs: with_costs?.map(cost(switching)),
                without: without?.map(cost(Duration::ZERO)),
            })
        })
        .collect::<Result<Vec<Point>, Spent>>()
        .map_err(|Spent| NoCurve::Spent)
}

/// The less of what the monotonic theorems accept, and all.
fn least(part: &mut Part, period: Duration, steps: &mut Steps) -> Result<Option<Duration>, Spent> {
    part.set_period(0, period);
    let mut found = None;
    for theorems in [Theorems::Monotonic, Theorems::All] {
        part.theorems = theorems;
        if part.begin(0) && part.settle_all(steps)? {
            found = found.into_iter().chain([part.budget(0)]).min();
        }
        if !part.differs() {
            break;
        }
    }
    Ok(found)
}
