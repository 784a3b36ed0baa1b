//! The distributions as CSV: cumulative counts of response times.
//!
//! ```text
//! core,name,response_ns,jobs,share
//! core.0,task.control,1400000,312,0.624000000
//! core.0,task.control,1600000,500,1.000000000
//! ```
//!
//! **Model.** A line for every response that stands for its bucket, shortest first; `jobs` is the
//! exact number of completed jobs that took at most as long, `share` that number over all of them,
//! rounded down to nine decimals. Between two lines the curve is unknown by less than the resolution.
//! For packets, a job is a packet.

use super::rows;
use crate::watch::Watch;
use std::fmt::Write as _;
use vorrang_model::System;

/// The first line.
pub const HEADER: &str = "core,name,response_ns,jobs,share\n";

/// The distributions of some cores. Names need no quotes: they hold no commas.
pub fn text<'w>(system: &System, watches: impl IntoIterator<Item = &'w Watch>) -> String {
    let mut out = HEADER.to_owned();
    for watch in watches {
        let core = &system.supply(watch.core).name;
        for named in rows::all(watch) {
            let mut jobs = 0;
            for bucket in named.distribution.buckets() {
                jobs += bucket.count;
                let share = u128::from(jobs) * 1_000_000_000;
                let share = share / u128::from(named.distribution.count());
                let _ = writeln!(
                    out,
                    "{core},{},{},{jobs},{}.{:09}",
                    named.name,
                    bucket.largest().as_ns(),
                    share / 1_000_000_000,
                    share % 1_000_000_000
                );
            }
        }
    }
    out
}
