//! Lines of TOML.

use crate::system::{Distance, Window};
use std::fmt::{Display, Write as _};
use vorrang_time::Duration;

pub(super) struct Page(String);

impl Page {
    pub(super) fn new() -> Self {
        Self("version = 1\n".into())
    }

    pub(super) fn finish(self) -> String {
        self.0
    }

    pub(super) fn table(&mut self, name: &str) {
        self.raw(format_args!("\n[{name}]"));
    }

    /// Texts hold no control characters; what else means something in a string is escaped.
    pub(super) fn text(&mut self, key: &str, value: &str) {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        self.raw(format_args!("{key} = \"{value}\""));
    }

    /// Names need no escapes.
    pub(super) fn names(&mut self, key: &str, names: &[&str]) {
        let list: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
        self.raw(format_args!("{key} = [{}]", list.join(", ")));
    }

    pub(super) fn distances(&mut self, key: &str, distances: &[Distance]) {
        let mut next = 1;
        let mut one = |Distance { steps, least }: &Distance| {
            let is_next = *steps == next;
            next = steps + 1;
            if is_next { format!("\"{least}\"") } else { format!("\"{steps}: {least}\"") }
        };
        let list: Vec<String> = distances.iter().map(&mut one).collect();
        self.raw(format_args!("{key} = [{}]", list.join(", ")));
    }

    pub(super) fn number(&mut self, key: &str, value: impl Into<u64>) {
        self.raw(format_args!("{key} = {}", value.into()));
    }

    pub(super) fn flag_unless_false(&mut self, key: &str, value: bool) {
        if value {
            self.raw(format_args!("{key} = true"));
        }
    }

    pub(super) fn duration(&mut self, key: &str, value: Duration) {
        self.raw(format_args!("{key} = \"{value}\""));
    }

    pub(super) fn duration_unless_zero(&mut self, key: &str, value: Duration) {
        if !value.is_zero() {
            self.duration(key, value);
        }
    }

    pub(super) fn weights(&mut self, key: &str, times: &[(Duration, u32)]) {
        let times = times.iter().map(|(time, weight)| format!("\"{time}\" = {weight}"));
        self.raw(format_args!("{key} = {{ {} }}", times.collect::<Vec<_>>().join(", ")));
    }

    pub(super) fn windows(&mut self, key: &str, windows: &[Window]) {
        let one = |Window { offset, length }: &Window| format!("\"{offset}\" = \"{length}\"");
        let all: Vec<String> = windows.iter().map(one).collect();
        self.raw(format_args!("{key} = {{ {} }}", all.join(", ")));
    }

    pub(super) fn inline(&mut self, key: &str, values: &[(&str, impl Display)]) {
        let values = values.iter().map(|(key, value)| format!("{key} = \"{value}\""));
        self.raw(format_args!("{key} = {{ {} }}", values.collect::<Vec<_>>().join(", ")));
    }

    fn raw(&mut self, line: std::fmt::Arguments<'_>) {
        writeln!(self.0, "{line}").expect("a string takes everything");
    }
}
