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
        let failed = try_all(line(self.kernel.as_deref())?, false)?;
        for failed in &failed {
            eprintln!("NOT {failed}");
        }
        Ok(u8::from(!failed.is_empty()))
    }
}

/// Tries the package for each line of kernels, or one; returns what does not hold.
pub(crate) fn try_all(only: Option<Line>, json: bool) -> Result<Vec<String>, Stop> {
    let mut failed = Vec::new();
    if let Some(why) = dkms::cannot() {
        eprintln!("left out: dkms: {why}");
        return Ok(failed);
    }
    for line in LINES.iter().filter(|line| only.is_none_or(|only| only == **line)) {
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
