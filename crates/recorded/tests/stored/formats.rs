//! Formats of events, as Linux 6.12 describes them.

/// An event: its name, its number, and the fields behind those that all events have.
pub(crate) struct Format {
    pub(crate) name: &'static str,
    pub(crate) number: u16,
    pub(crate) fields: &'static [(&'static str, Kind)],
}

/// What a field holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Name,
    Number,
    State,
    /// A number of eight bytes.
    Long,
    /// The text stands behind all fields.
    Elsewhere,
}
use Kind::{Elsewhere, Long, Name, Number, State};

const WOKEN: &[(&str, Kind)] =
    &[("comm", Name), ("pid", Number), ("prio", Number), ("target_cpu", Number)];

/// Those that are written.
pub(crate) const FORMATS: [Format; 12] = [
    Format {
        name: "sched_switch",
        number: 316,
        fields: &[
            ("prev_comm", Name),
            ("prev_pid", Number),
            ("prev_prio", Number),
            ("prev_state", State),
            ("next_comm", Name),
            ("next_pid", Number),
            ("next_prio", Number),
        ],
    },
    Format { name: "sched_waking", number: 319, fields: WOKEN },
    Format { name: "sched_wakeup", number: 318, fields: WOKEN },
    Format {
        name: "sched_pi_setprio",
        number: 320,
        fields: &[("comm", Name), ("pid", Number), ("oldprio", Number), ("newprio", Number)],
    },
    Format {
        name: "irq_handler_entry",
        number: 150,
        fields: &[("irq", Number), ("name", Elsewhere)],
    },
    Format { name: "irq_handler_exit", number: 149, fields: &[("irq", Number), ("ret", Number)] },
    Format { name: "softirq_entry", number: 148, fields: &[("vec", Number)] },
    Format { name: "softirq_exit", number: 147, fields: &[("vec", Number)] },
    Format { name: "local_timer_entry", number: 90, fields: &[("vector", Number)] },
    Format { name: "local_timer_exit", number: 89, fields: &[("vector", Number)] },
    Format {
        name: "hrtimer_start",
        number: 400,
        fields: &[("hrtimer", Long), ("function", Long), ("expires", Long), ("softexpires", Long)],
    },
    Format { name: "sched_process_fork", number: 311, fields: &[("child_pid", Number)] },
];

const STATES: &str = "((((0x00000000 | 0x00000001 | 0x00000002 | 0x00000004 | 0x00000008 | 0x00000010 | 0x00000020 | \
                      0x00000040) + 1) << 1) - 1)";

impl Format {
    /// The bytes before the first field.
    pub(crate) const COMMON: usize = 8;

    /// As the kernel has it in a file.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("name: {}\nID: {}\nformat:\n", self.name, self.number);
        text += "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\
                 \tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\
                 \tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\
                 \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";
        let mut at = Self::COMMON;
        for (name, kind) in self.fields {
            let (kind, size, name, is_signed) = match kind {
                Name => ("char", 16, format!("{name}[16]"), 0),
                Number => ("int", 4, (*name).to_owned(), 1),
                State | Long => ("long", 8, (*name).to_owned(), 1),
                Elsewhere => ("__data_loc char[]", 4, (*name).to_owned(), 0),
            };
            let place = format!("offset:{at};\tsize:{size};\tsigned:{is_signed};");
            text.extend(["\tfield:", kind, " ", &name, ";\t", &place, "\n"]);
            at += size;
        }
        text + &self.print()
    }

    fn print(&self) -> String {
        let words: Vec<String> =
            self.fields.iter().map(|(name, kind)| self.word(name, *kind)).collect();
        let values = self.fields.iter().map(|(name, kind)| match kind {
            State => format!(
                "(REC->{name} & {STATES}) ? __print_flags(REC->{name} & {STATES}, \"|\", {{ 0x00000001, \"S\" }}, \
                 {{ 0x00000002, \"D\" }}, {{ 0x00000004, \"T\" }}, {{ 0x00000008, \"t\" }}, {{ 0x00000010, \"X\" }}, \
                 {{ 0x00000020, \"Z\" }}, {{ 0x00000040, \"P\" }}, {{ 0x00000080, \"I\" }}) : \"R\", REC->{name} & {} ? \"+\" : \"\"",
                &STATES[1..STATES.len() - 5]
            ),
            Elsewhere => format!("__get_str({name})"),
            _ if self.name.starts_with("softirq") => format!(
                "REC->{name}, __print_symbolic(REC->{name}, {{ 0, \"HI\" }}, {{ 1, \"TIMER\" }}, {{ 3, \"NET_RX\" }}, \
                 {{ 7, \"SCHED\" }}, {{ 8, \"HRTIMER\" }}, {{ 9, \"RCU\" }})"
            ),
            _ => format!("REC->{name}"),
        });
        let values: Vec<String> = values.collect();
        format!("\nprint fmt: \"{}\", {}\n", words.join(" "), values.join(", "))
    }

    fn word(&self, name: &str, kind: Kind) -> String {
        let arrow = if name == "next_comm" { "==> " } else { "" };
        match kind {
            Name | Elsewhere => format!("{arrow}{name}=%s"),
            State => format!("{name}=%s%s"),
            _ if name == "target_cpu" => format!("{name}=%03d"),
            _ if self.name.starts_with("softirq") => format!("{name}=%u [action=%s]"),
            _ => format!("{name}=%d"),
        }
    }
}
