//! Progress on standard error, for those who wait.
//!
//! Nothing is shown in the first second, and nothing ever where standard error is no terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};
use vorrang_sim::Progress;

/// How long a command may be silent.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar that appears when something takes long.
pub struct Waiting {
    since: Instant,
    bar: Option<ProgressBar>,
}

impl Waiting {
    /// Starts to wait.
    pub fn start() -> Self {
        Self { since: Instant::now(), bar: None }
    }

    /// So many histories are simulated.
    pub fn simulated(&mut self, progress: Progress) {
        if self.bar.is_none() && self.since.elapsed() > PATIENCE {
            self.bar = Some(bar());
        }
        if let Some(bar) = &self.bar {
            bar.set_length(progress.total);
            bar.set_position(progress.done);
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("simulating history {pos} of {len} [{bar:30}]")
        .expect("a valid template")
        .progress_chars("##-");
    // The target is hidden where standard error is no terminal.
    ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()).with_style(style)
}
