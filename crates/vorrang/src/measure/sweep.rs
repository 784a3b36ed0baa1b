//! `vorrang measure sweep`: the loss by the caches of a profile against the frequency of switching.
//!
//! **Model.** Every slice begins with a cold cache (`vorrang reproduce switch-loss`): two virtual machines
//! that always have work take turns, and are simulated turn by turn with each curve of the profile. In
//! a double-logarithmic picture the loss rises with slope one up to the knee at `1/t_sust` and is
//! flat from there on.
//!
//! **Does not cover** exponential curves: the flood model is drawn, which loses no less.

use super::merge::{profile, wrong};
use super::plot::{self, Series};
use crate::content::Content;
use crate::destination::{Destinations, Replace};
use rayon::prelude::*;
use std::path::PathBuf;
use vorrang_command::exit::{Exit, Failure, Output};
use vorrang_command::screen;
use vorrang_measure::fit::Model;
use vorrang_measure::profile::{Cache, Profile};
use vorrang_quote::name::shown;
use vorrang_reproduce::switch_loss::{self, Row};
use vorrang_time::Duration;
use vorrang_verdict::identity::TOOL;
use vorrang_verdict::table::Column;

/// Simulate the loss by the caches of a profile against the length of slices, beside published
/// machines
///
///     vorrang measure sweep machine.toml --svg sweep.svg
///
/// Every slice begins with a switch and a cold cache, and is simulated. The first table has the loss
/// in percent for each frequency of switching; `^` marks the knee, the first frequency at which a
/// slice is no longer than the time to the full rate, so that more switches do not increase the loss.
/// The second one has the published machines.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Sweep {
    /// A profile with caches: as `vorrang measure cache --out` writes it, or of `published/machines/`
    #[arg(value_name = "PROFILE")]
    profile: PathBuf,
    /// These caches, separated by commas [default: the dirty ones of the first access pattern]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    cache: Vec<String>,
    /// Draw the loss against the frequency of switching into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    replace: Replace,
}

/// Columns that fit on a page.
const MOST: usize = 6;

impl Sweep {
    /// # Errors
    /// The profile cannot be read or has no such cache, or the file cannot be written.
    pub(super) fn run(&self) -> Result<Output, Failure> {
        let profile = profile(&self.profile)?;
        let rows = self.rows(&profile).map_err(|why| wrong(&self.profile, &why))?;
        let mut files = Destinations::new(self.replace, &[&self.profile]);
        if let Some(path) = &self.svg {
            let draft = files.begin(path, Content::Picture)?;
            let series = rows.iter().zip(plot::COLOURS.iter().cycle());
            let series: Vec<Series> = series
                .map(|((name, row), colour)| Series {
                    name: name.clone(),
                    colour,
                    row: row.clone(),
                })
                .collect();
            draft.write_whole(plot::sweep(&series).as_bytes())?;
        }
        Ok(files.output(page(&rows), Exit::Success))
    }

    fn rows(&self, profile: &Profile) -> Result<Vec<(String, Row)>, String> {
        let floods: Vec<&(String, Cache)> =
            profile.caches.iter().filter(|(_, cache)| cache.model == Model::Flood).collect();
        let chosen: Vec<&(String, Cache)> = if self.cache.is_empty() {
            usual(&floods)
        } else {
            let find = |name: &String| {
                let found = floods.iter().find(|(known, _)| known == name).copied();
                found.ok_or_else(|| format!("there is no flood curve `{}`", shown(name)))
            };
            self.cache.iter().map(find).collect::<Result<_, _>>()?
        };
        if chosen.is_empty() {
            return Err("there is no cache; `vorrang measure cache` measures them".to_owned());
        }
        Ok(chosen.into_iter().map(|(name, cache)| (name.clone(), row(cache))).collect())
    }
}

/// Evenly chosen among the dirty ones of the first access pattern.
fn usual<'a>(floods: &[&'a (String, Cache)]) -> Vec<&'a (String, Cache)> {
    let access = |name: &str| name.split('-').next().map(str::to_owned);
    let first = floods.iter().find(|(name, _)| name.ends_with("-dirty"));
    let Some(first) = first.map(|(name, _)| access(name)) else {
        return floods.iter().take(MOST).copied().collect();
    };
    // `write-64k-dirty`, not `write-descending-64k-dirty`.
    let is_first = |name: &str| {
        name.ends_with("-dirty") && access(name) == first && name.matches('-').count() == 2
    };
    let dirty: Vec<_> = floods.iter().filter(|(name, _)| is_first(name)).copied().collect();
    let step = dirty.len().div_ceil(MOST).max(1);
    dirty.into_iter().step_by(step).collect()
}

fn row(cache: &Cache) -> Row {
    Row {
        name: Default::default(),
        useful_ppm: cache.useful_ppm,
        sustained: Duration::from_ns(cache.sustained_ns),
    }
}

/// Slices of 10 ms to 1 µs, four in a decade.
fn slices() -> Vec<Duration> {
    let lengths = [10_000_000, 5_620_000, 3_160_000, 1_780_000];
    let decades = [1, 10, 100, 1_000];
    let all = decades.iter().flat_map(|part| lengths.map(|ns| Duration::from_ns(ns / part)));
    all.chain([Duration::from_us(1)]).collect()
}

/// Whether this is the longest of the slices that are no longer than the time to the full rate.
fn is_knee(slices: &[Duration], place: usize, row: &Row) -> bool {
    let is_flat = |place: usize| slices[place] <= row.sustained;
    is_flat(place) && (place == 0 || !is_flat(place - 1))
}

fn page(rows: &[(String, Row)]) -> String {
    let slices = slices();
    let percent = |part: f64| format!("{:.2}", part * 100.0);
    let frequency = |slice: &Duration| format!("{:.0}", 1e9 / ns(*slice));
    let mut columns = vec![Column::numbers("switches [1/s]", slices.iter().map(frequency))];
    columns.push(Column::numbers("slice [us]", slices.iter().map(|slice| us(*slice))));
    let losses: Vec<Vec<f64>> = rows
        .par_iter()
        .map(|(_, row)| slices.iter().map(|slice| switch_loss::loss(row, *slice)).collect())
        .collect();
    for ((name, row), losses) in rows.iter().zip(&losses) {
        let cells = losses.iter().enumerate().map(|(place, part)| {
            let mark = if is_knee(&slices, place, row) { '^' } else { ' ' };
            format!("{}{mark}", percent(*part))
        });
        columns.push(Column::numbers(&format!("{name} [%]"), cells));
    }
    let knees = screen::draw(&[
        Column::words("cache", rows.iter().map(|(name, _)| name.clone())),
        Column::numbers("f0", rows.iter().map(|(_, row)| useful(row))),
        Column::numbers("t_sust [us]", rows.iter().map(|(_, row)| us(row.sustained))),
        Column::numbers("knee [kHz]", rows.iter().map(|(_, row)| knee(row))),
    ]);
    let sweep = screen::draw(&columns);
    format!(
        "Loss of time, simulated; ^ the knee\n\n{sweep}\n{knees}\nPublished\n\n{}\n{TOOL}\n",
        published()
    )
}

/// The published machines at some of the frequencies.
fn published() -> String {
    let rows = switch_loss::rows();
    let slices = [10_000, 1_000, 100, 10, 1].map(Duration::from_us);
    let mut columns = vec![
        Column::words("machine", rows.iter().map(|row| row.name[0].clone())),
        Column::numbers("KiB", rows.iter().map(|row| row.name[1].clone())),
        Column::words("access", rows.iter().map(|row| row.name[2].clone())),
        Column::words("caches", rows.iter().map(|row| row.name[3].clone())),
        Column::numbers("f0", rows.iter().map(useful)),
        Column::numbers("t_sust [us]", rows.iter().map(|row| us(row.sustained))),
        Column::numbers("knee [kHz]", rows.iter().map(knee)),
    ];
    for (slice, header) in slices.into_iter().zip(["100 Hz", "1 kHz", "10 kHz", "100 kHz", "1 MHz"])
    {
        let lost = |row: &Row| format!("{:.2}", switch_loss::formula(row, slice) * 100.0);
        columns.push(Column::numbers(&format!("{header} [%]"), rows.iter().map(lost)));
    }
    screen::draw(&columns)
}

fn useful(row: &Row) -> String {
    format!("{:.3}", f64::from(row.useful_ppm) / 1e6)
}

fn knee(row: &Row) -> String {
    format!("{:.1}", 1e6 / ns(row.sustained))
}

fn us(time: Duration) -> String {
    format!("{:.1}", ns(time) / 1e3)
}

#[expect(clippy::cast_precision_loss, reason = "a time to be printed")]
fn ns(time: Duration) -> f64 {
    time.as_ns() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The loss grows with the frequency up to the knee and stays there.
    #[test]
    fn the_knee_is_where_the_time_to_the_full_rate_puts_it() {
        let row =
            Row { name: Default::default(), useful_ppm: 100_000, sustained: Duration::from_us(30) };
        let slices = slices();
        let knee = (0..slices.len()).find(|&place| is_knee(&slices, place, &row)).unwrap();
        assert_eq!(slices[knee], Duration::from_ns(17_800));
        let losses: Vec<f64> = slices.iter().map(|slice| switch_loss::loss(&row, *slice)).collect();
        assert!(losses[..=knee].windows(2).all(|pair| pair[0] < pair[1]), "{losses:?}");
        assert!(losses[knee..].iter().all(|loss| (loss - 0.9).abs() < 0.001), "{losses:?}");
    }

    #[test]
    fn a_profile_of_a_measurement_is_swept_by_its_first_access() {
        let flood = |name: &str| {
            let cache = Cache { model: Model::Flood, useful_ppm: 1, sustained_ns: 2 };
            (name.to_owned(), cache)
        };
        let sets = ["2k", "4k", "8k", "16k", "32k", "64k", "128k", "256k"];
        let dirty = sets.map(|set| flood(&format!("write-{set}-dirty")));
        let others = ["write-2k-clean", "write-descending-2k-dirty", "read-2k-dirty"].map(flood);
        let all: Vec<_> = others[..1].iter().chain(&dirty).chain(&others[1..]).collect();
        let names: Vec<&str> = usual(&all).iter().map(|(name, _)| name.as_str()).collect();
        let chosen = ["2k", "8k", "32k", "128k"].map(|set| format!("write-{set}-dirty"));
        assert_eq!(names, chosen);
        assert_eq!(usual(&all[..1]), [all[0]]);
    }
}
