//! What is to be done, and by which program.

use crate::reader::Reader;
use crate::tally::Fault;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// What is to be done.
#[derive(Clone, Debug)]
pub struct Order {
    /// The program that is a worker if it is told to.
    pub program: PathBuf,
    /// What decides the inputs.
    pub seed: u64,
    /// How many.
    pub inputs: u64,
    /// Of one reader.
    pub only: Option<Reader>,
    /// Whether an input may take too long: a program that is not optimised does.
    pub untimed: bool,
    /// The processor time after which an input has come to no end.
    pub patience: Duration,
}

impl Order {
    /// Inputs of all readers, by the program that runs.
    ///
    /// # Errors
    /// The system does not say which that is.
    pub fn of(seed: u64, inputs: u64) -> std::io::Result<Self> {
        let program = std::env::current_exe()?;
        let patience = Duration::from_secs(20);
        Ok(Self { program, seed, inputs, only: None, untimed: false, patience })
    }

    /// Whether a fault counts.
    pub fn judges(&self, fault: Fault) -> bool {
        !(self.untimed && fault == Fault::Slow)
    }

    /// The program, told which inputs are meant.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(["--seed", &self.seed.to_string()]);
        if let Some(only) = self.only {
            command.args(["--only", only.name()]);
        }
        if self.untimed {
            command.arg("--untimed");
        }
        command
    }
}
