//! Limits of idle states.

use super::Unable;
use std::fs::{File, OpenOptions};
use std::io::Write as _;

/// The file for the longest wake-up latency of processors, in microseconds; it holds while the file is open.
const FILE: &str = "/dev/cpu_dma_latency";

/// While it lives no processor sleeps so deep that waking takes time.
#[derive(Debug)]
pub struct Awake {
    _held: File,
}

impl Awake {
    /// # Errors
    /// The system has no such file, or not for this user.
    pub fn hold() -> Result<Self, Unable> {
        let open = || -> std::io::Result<File> {
            let mut file = OpenOptions::new().write(true).open(FILE)?;
            file.write_all(&0_i32.to_ne_bytes())?;
            Ok(file)
        };
        let held = open().map_err(|why| Unable(format!("{FILE}: {why}")))?;
        Ok(Self { _held: held })
    }
}
