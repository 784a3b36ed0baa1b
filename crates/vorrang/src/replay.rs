//! The command that shows a history again.

use crate::input::Input;
use std::fmt;
use vorrang_model::system::SupplyId;
use vorrang_sim::{Observations, Search};

/// `vorrang simulate FILE --core CORE --witness PATTERN`, with what else it needs.
pub struct Replay(String);

impl Replay {
    /// The command for one history of one core.
    pub fn of(input: &Input, observations: &Observations, core: SupplyId, pattern: &str) -> Self {
        let core = &input.system.supply(core).name;
        let mut words = ["vorrang", "simulate", &input.name, "--core", core, "--witness", pattern]
            .map(quoted)
            .join(" ");
        if observations.horizon != Search::default().horizon {
            words = format!("{words} --for {}", observations.horizon);
        }
        Self(words)
    }
}

impl fmt::Display for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A word as a POSIX shell reads it back.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,=+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_quoted_only_where_a_shell_would_touch_them() {
        assert_eq!(quoted("exhausted:task.can-rx"), "exhausted:task.can-rx");
        assert_eq!(quoted("my file.toml"), "'my file.toml'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
