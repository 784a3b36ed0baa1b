//! The command that shows a history again.

use crate::input::{Input, Source};
use crate::name::quoted;
use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};
use vorrang_model::system::SupplyId;
use vorrang_sim::{Observations, Search};

/// `vorrang simulate FILE --core CORE --witness PATTERN`, with what else it needs.
pub struct Replay(String);

impl Replay {
    /// The command for one history of one core.
    pub fn of(input: &Input, observations: &Observations, core: SupplyId, pattern: &str) -> Self {
        let Source { file, format, allow: _, text: _ } = &input.source;
        let core = &input.system.supply(core).name;
        let mut options = format!("--core {} --witness {}", quoted(core), quoted(pattern));
        if let Some(format) = format {
            let _ = write!(options, " --format {}", format.word());
        }
        if observations.horizon != Search::default().horizon {
            let _ = write!(options, " --for {}", observations.horizon);
        }
        let name = quoted(file);
        let is_option = file.as_os_str().as_encoded_bytes().starts_with(b"-");
        Self(match standard_input(&input.source) {
            Some(read) => format!("vorrang simulate - {options} < {}", quoted(read)),
            // Behind `--` nothing is an option.
            None if is_option && !input.source.is_standard_input() => {
                format!("vorrang simulate {options} -- {name}")
            }
            None => format!("vorrang simulate {name} {options}"),
        })
    }
}

/// The file that a shell gave to the command as its standard input, where the system says which.
fn standard_input(source: &Source) -> Option<PathBuf> {
    let place = Path::new("/proc/self/fd/0");
    let is_file = || std::fs::metadata(place).is_ok_and(|stdin| stdin.is_file());
    if source.is_standard_input() && is_file() { std::fs::read_link(place).ok() } else { None }
}

impl fmt::Display for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
