//! The cost of an expiry: a line through the medians of jobs with equally many expiries.
//!
//! **Model.** Jobs are put together by how many timers expired before they would have been done alone;
//! a line is laid through the medians of the groups by least squares, each with the weight of its
//! group. A few jobs with other interruptions do not move a median. But they have more expiries because they
//! took longer, so groups are not by all expiries: otherwise timers would seem expensive where only chance
//! prolonged a job.
//!
//! **Cost.** O(jobs · log jobs).

use super::Sample;
use crate::statistics::median;
use std::collections::BTreeMap;

/// The fewest jobs with equally many early expiries for a meaningful median.
const FEWEST: usize = 5;

/// The execution time of a job: a constant part, and a part for each expiry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Without any.
    pub alone_ns: f64,
    /// For each.
    pub per_expiry_ns: f64,
}

/// The line through these jobs; `None` if all have equally many expiries.
pub fn of(samples: &[Sample]) -> Option<Line> {
    let mut groups: BTreeMap<usize, Vec<&Sample>> = BTreeMap::new();
    for sample in samples {
        groups.entry(sample.early).or_default().push(sample);
    }
    groups.retain(|_, group| group.len() >= FEWEST);
    let points = groups.into_values().map(|group| {
        let expiries = median(group.iter().map(|of| of.expiries as f64));
        let took_ns = median(group.iter().map(|of| of.took_ns));
        (expiries, took_ns, group.len() as f64)
    });
    line(&points.collect::<Vec<_>>())
}

/// Least squares through points with weights.
fn line(points: &[(f64, f64, f64)]) -> Option<Line> {
    let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
        points.iter().map(|(x, y, weight)| weight * of(*x, *y)).sum()
    };
    let weight = sum(&|_, _| 1.0);
    let (x, y) = (sum(&|x, _| x) / weight, sum(&|_, y| y) / weight);
    let slope = sum(&|own, took| (own - x) * (took - y)) / sum(&|own, _| (own - x).powi(2));
    // No points at all, or one above the other: nothing is finite.
    slope.is_finite().then_some(Line { alone_ns: y - slope * x, per_expiry_ns: slope })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(expiries: usize, took_ns: f64) -> Sample {
        Sample { response_ns: took_ns, took_ns, expiries, early: expiries }
    }

    #[test]
    fn a_line_worked_out_by_hand() {
        // Medians 100, 300 and 500 at 0, 1 and 2, the last with double weight, and an outlier in each.
        let mut samples = Vec::new();
        for (expiries, took_ns, count) in [(0, 100.0, 6), (1, 300.0, 6), (2, 500.0, 12)] {
            samples.extend(vec![sample(expiries, took_ns); count]);
            samples.push(sample(expiries, 9e9));
        }
        // Too few of them to count.
        samples.extend(vec![sample(9, 1.0); FEWEST - 1]);
        let line = of(&samples).unwrap();
        assert!((line.alone_ns - 100.0).abs() < 1e-9 && (line.per_expiry_ns - 200.0).abs() < 1e-9);
    }

    /// Jobs with other interruptions have more expiries; each costs 100 nevertheless.
    #[test]
    fn what_prolongs_a_job_for_other_reasons_is_not_the_cost_of_its_expiries() {
        let prolonged = |early: usize, by: usize| Sample {
            early,
            expiries: early + by,
            ..sample(0, 1_000.0 + 100.0 * (early + by) as f64 + 5_000.0 * by as f64)
        };
        let jobs = (0..3).flat_map(|early| (0..9).map(move |index| prolonged(early, index % 2)));
        let line = of(&jobs.collect::<Vec<_>>()).unwrap();
        assert!((line.per_expiry_ns - 100.0).abs() < 1e-9, "{line:?}");
    }

    #[test]
    fn equally_many_expiries_have_no_line() {
        assert_eq!(of(&vec![sample(3, 100.0); 50]), None);
        assert_eq!(of(&[]), None);
    }
}
