//! A profile as TOML: a line for each thing.

use super::{Cache, Number, Profile};
use crate::fit::Model;
use std::fmt::{self, Display, Formatter};

impl Display for Profile {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "version = 1")?;
        if !self.costs.is_empty() {
            writeln!(f, "\n[costs]")?;
        }
        for (name, ns) in &self.costs {
            writeln!(f, "{} = \"{ns}ns\"", key(name))?;
        }
        if !self.caches.is_empty() {
            writeln!(f, "\n[cache]")?;
        }
        for (name, cache) in &self.caches {
            writeln!(f, "{} = {cache}", key(name))?;
        }
        if let Some(kernel) = &self.kernel {
            write!(f, "\n{kernel}")?;
        }
        for section in &self.sections {
            if !section.conditions.is_empty() {
                writeln!(f, "\n[conditions.{}]", key(&section.verb))?;
            }
            for (name, value) in &section.conditions {
                writeln!(f, "{} = {}", key(name), toml::Value::from(value.as_str()))?;
            }
            writeln!(f, "\n[measured.{}]", key(&section.verb))?;
            for (name, number) in &section.numbers {
                writeln!(f, "{} = {number}", key(name))?;
            }
        }
        Ok(())
    }
}

/// A name as TOML has it to the left of `=`: quoted, where it is no bare one.
fn key(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !name.is_empty() && name.chars().all(is_bare) {
        return name.to_owned();
    }
    let line = toml::Table::from_iter([(name.to_owned(), toml::Value::Boolean(true))]).to_string();
    line.trim_end().trim_end_matches(" = true").to_owned()
}

impl Display for Cache {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let model = match self.model {
            Model::Flood => "flood",
            Model::Exponential => "exponential",
        };
        let (whole, rest) = (self.useful_ppm / 10_000, self.useful_ppm % 10_000);
        let useful = format!("{whole}.{rest:04}");
        let useful = useful.trim_end_matches('0').trim_end_matches('.');
        let sustained = self.sustained_ns;
        write!(
            f,
            "{{ model = \"{model}\", useful = \"{useful}%\", sustained = \"{sustained}ns\" }}"
        )
    }
}

impl Display for Number {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let spread = &self.spread;
        write!(f, "{{ count = {}, interrupted = {}", spread.count, self.interrupted)?;
        let of_spread = [
            ("low", spread.low),
            ("median", spread.median),
            ("high", spread.high),
            ("max", spread.max),
        ];
        for (name, value) in of_spread {
            write!(f, ", {name}-ns = {value:.1}")?;
        }
        for (name, value) in &self.further {
            write!(f, ", {} = {value:.3}", key(name))?;
        }
        write!(f, " }}")
    }
}
