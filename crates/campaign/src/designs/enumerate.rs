//! All choices, evaluated one by one.

use vorrang_design::accepts;
use vorrang_model::system::SupplyId;
use vorrang_model::{Allowed, Chosen, Open, OpenKey, System};

/// The most choices of a small description.
const MOST: usize = 256;

/// A sum of fractions: over, under.
pub(super) type Share = (u128, u128);

/// All candidates; `None` if there are too many, or if any value is allowed.
pub(super) fn choices(open: &Open) -> Option<Vec<Vec<Chosen>>> {
    let of = |allowed: &Allowed| match allowed {
        Allowed::Grid { from, to, step } => {
            let count = to.saturating_sub(*from).div_floor(*step);
            Some((0..=count).map(|times| Chosen::Time(*from + *step * times)).collect())
        }
        Allowed::Times(times) => Some(times.iter().copied().map(Chosen::Time).collect()),
        Allowed::Kinds(kinds) => Some(kinds.iter().copied().map(Chosen::Kind).collect()),
        Allowed::Supplies(names) => {
            Some(names.iter().map(|(name, _)| Chosen::On(name.clone())).collect())
        }
        Allowed::Priorities(all) => Some(all.iter().copied().map(Chosen::Priority).collect()),
        Allowed::Any => None,
    };
    let own: Vec<Vec<Chosen>> =
        open.values().iter().map(|value| of(&value.allowed)).collect::<Option<_>>()?;
    let mut all = vec![Vec::new()];
    for choices in own {
        if all.len() * choices.len() > MOST {
            return None;
        }
        let longer = |begun: &Vec<Chosen>| {
            let begun = begun.clone();
            choices.clone().into_iter().map(move |choice| [&begun[..], &[choice]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    Some(all)
}

/// The least reservation that the analysis accepts; `None`: it accepts none.
pub(super) fn least(open: &mut Open, choices: &[Vec<Chosen>]) -> Option<Share> {
    let mut least: Option<Share> = None;
    for chosen in choices {
        let Some(system) = open.resolve(chosen) else { continue };
        let own = reserved(open, &system);
        if least.is_none_or(|least| is_less(own, least)) && accepts(&system) {
            least = Some(own);
        }
    }
    least
}

/// The reservation of cores by the servers with an open budget or period; servers inside another of them
/// count as zero.
pub(super) fn reserved(open: &Open, system: &System) -> Share {
    let is_open = |id: SupplyId| {
        let name = &system.supply(id).name;
        let mut values = open.values().iter().filter(|value| value.of == *name);
        values.any(|value| matches!(value.key, OpenKey::Budget | OpenKey::Period))
    };
    let around = |id: SupplyId| system.supply(id).on();
    let outermost = |&id: &SupplyId| {
        is_open(id) && !std::iter::successors(around(id), |&id| around(id)).any(is_open)
    };
    let ids = system.supply_ids().filter(outermost);
    let servers = ids.filter_map(|id| system.supply(id).server());
    servers.fold((0, 1), |(over, under), server| {
        let (budget, period) =
            (u128::from(server.budget.as_ns()), u128::from(server.period.as_ns()));
        (over * period + budget * under, under * period)
    })
}

pub(super) fn is_less(one: Share, other: Share) -> bool {
    one.0 * other.1 < other.0 * one.1
}
