//! How often something takes longer than a limit, in words.

use super::Names;
use crate::derivation::OfProbability;
use crate::stochastic::Served;

pub(super) fn text(fact: &OfProbability, names: &Names<'_>) -> String {
    match fact {
        OfProbability::NoBound(reason) => format!("no bound on the probability: {reason}"),
        OfProbability::Never => {
            "the bound for all histories is within the limit: probability 0".to_owned()
        }
        OfProbability::Busy { task, busy } => {
            format!("{}: its level is busy for at most {busy}", names.task(*task))
        }
        OfProbability::NoThresholds { limit } => {
            format!("with the shortest execution times stated it may take longer than {limit}, too")
        }
        OfProbability::Thresholds { limit } => format!(
            "within {limit} as long as none of these executes for longer than its threshold"
        ),
        OfProbability::Threshold { task, threshold, longer: 0, .. } => {
            format!("{}: {threshold}, never exceeded", names.task(*task))
        }
        OfProbability::Threshold { task, threshold, jobs, longer, all } => {
            format!("{}: {threshold}, exceeded {jobs} x {longer}/{all}", names.task(*task))
        }
        OfProbability::Alone { task, server, budget, period } => format!(
            "{}: alone in {}, ({budget}, {period})",
            names.task(*task),
            names.supply(*server)
        ),
        OfProbability::Times { mean, longest, step } => format!(
            "time of a job: mean {mean}, longest {longest}, counted in steps of {step}, rounded up"
        ),
        OfProbability::Served { counted: Served::WholePeriods, apart, budget, period, between } => {
            format!(
                "served between two arrivals: floor({apart} / {period}) x {budget} = {between} at least"
            )
        }
        OfProbability::Served { counted: Served::Bandwidth, apart, budget, period, between } => {
            format!(
                "served between two arrivals: floor({apart} x {budget} / {period}) = {between} at least"
            )
        }
        OfProbability::Decay(decay) => format!(
            "backlog: P{{w >= x steps}} <= r^x with r = {decay} (Kingman), then the recursion itself step by step"
        ),
        OfProbability::AnyBacklog(probability) => format!("P{{w > 0}} <= {probability}"),
        OfProbability::Exceeds { limit, later } => format!("P{{R > {limit}}} <= {later}"),
    }
}
