//! The schedule of the history in which a requirement came closest to its limit, or broke it.
//!
//! **Model.** The chart that `vorrang simulate --witness` prints of that history: the surroundings of its first miss, or of
//! the response that comes closest to its limit.
//!
//! **Cost.** A run of the history each, up to its horizon; so only the first few are drawn.

use vorrang_sim::Pattern;
use vorrang_time::Duration;
use vorrang_verdict::checked::Checked;
use vorrang_verdict::distribution::Resolution;
use vorrang_verdict::gantt::Characters;
use vorrang_verdict::patience::Patience;
use vorrang_verdict::ruling::Ruling;
use vorrang_verdict::screen::PLAIN;
use vorrang_verdict::simulation::{Picture, Run};
use vorrang_verdict::watch::Watch;

/// So many requirements have a chart.
pub(crate) const CHARTS: usize = 12;

/// The chart, and the name of its history; nothing where none was simulated.
pub(crate) fn chart(
    checked: &Checked,
    ruling: &Ruling,
    horizon: Duration,
) -> Option<(String, String)> {
    let system = &checked.input.system;
    let seen = &ruling.observed.as_ref()?.pattern;
    let name = ruling.witness.as_ref().map_or(seen, |witness| &witness.pattern);
    let pattern = Pattern::parse(name, system).ok()?;
    let run = Run {
        system,
        pattern: &pattern,
        horizon,
        resolution: Resolution::shared(Watch::distributions(system), horizon),
        picture: Picture::Job,
        is_end_wanted: || false,
    };
    let seen = run.follow::<Vec<u8>>(ruling.core, Patience(|| false), None).ok()?;
    Some((name.clone(), seen.chart?.draw(PLAIN, Characters::Unicode)))
}
