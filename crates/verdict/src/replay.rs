//! The command that shows a history again.

use crate::input::{Given, Input};
use std::fmt::{self, Write as _};
use std::path::Path;
use vorrang_model::system::SupplyId;
use vorrang_quote::name::quoted;
use vorrang_sim::{Observations, Search};

/// `vorrang simulate FILE --core CORE --witness PATTERN`, with what else it needs.
pub struct Replay(String);

impl Replay {
    /// The command for one history of one core.
    pub fn of(input: &Input, observations: &Observations, core: SupplyId, pattern: &str) -> Self {
        let Given { file, format, standard_input } = &input.given;
        let core = &input.system.supply(core).name;
        let mut options = format!("--core {} --witness {}", quoted(core), quoted(pattern));
        if let Some(format) = format {
            let _ = write!(options, " --format {format}");
        }
        if observations.horizon != Search::default().horizon {
            let _ = write!(options, " --for {}", observations.horizon);
        }
        let name = quoted(file);
        let is_option = file.as_os_str().as_encoded_bytes().starts_with(b"-");
        Self(match standard_input {
            Some(read) => format!("vorrang simulate - {options} < {}", quoted(read)),
            // Behind `--` nothing is an option.
            None if is_option && file != Path::new("-") => {
                format!("vorrang simulate {options} -- {name}")
            }
            None => format!("vorrang simulate {name} {options}"),
        })
    }
}

impl fmt::Display for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
