//! `vorrang-lab dkms`: the source package of the module, built by DKMS.

use crate::stop::{Stop, line};
use vorrang_lab::dkms;
use vorrang_lab::kernel::{LINES, Line};

#[derive(Debug, clap::Args)]
pub(crate) struct Asked {
    /// For this line of kernels only
    #[arg(long, value_name = "LINE")]
    kernel: Option<String>,
}

impl Asked {
    pub(crate) fn run(&self) -> Result<u8, Stop> {
        let failed = try_all(line(self.kernel.as_deref())?, false, false)?;
        for failed in &failed {
            eprintln!("NOT {failed}");
        }
        Ok(u8::from(!failed.is_empty()))
    }
}

/// Tries the package for each line of kernels, or for those with `PREEMPT_RT`, or for one; returns what does not hold.
pub(crate) fn try_all(
    only: Option<Line>,
    real_time: bool,
    json: bool,
) -> Result<Vec<String>, Stop> {
    let mut failed = Vec::new();
    if let Some(why) = dkms::cannot() {
        eprintln!("left out: dkms: {why}");
        return Ok(failed);
    }
    let is_asked = |line: &&Line| match only {
        Some(only) => only == **line,
        None => line.is_real_time() || !real_time,
    };
    for line in LINES.iter().filter(is_asked) {
        let kernel = line.kernel()?;
        if !json {
            println!("dkms for {}", kernel.release);
        }
        for check in dkms::checks(&kernel)? {
            if json {
                println!("{}", serde_json::to_string(&check).expect("checks have no maps"));
            } else {
                println!("  {check}");
            }
            if !check.holds {
                failed.push(format!("dkms for {}: {}: {}", kernel.release, check.what, check.seen));
            }
        }
    }
    Ok(failed)
}
