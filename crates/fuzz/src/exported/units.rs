//! Parts of units, by systemd's rules for lines (`systemd.syntax(7)`, `config_parse` of its source).
//!
//! A line ends at `\n`, `\r` or NUL. One that is empty or begins with `#` or `;` is nothing; a `\` at the end of
//! any other joins the next one to it. `[…]` begins a section, everything else is a key, `=` and a value, in which `%` and
//! `$` mean something.

use super::case::{CPU, Case, Scheduled, Thread};
use super::compare::{same, unescaped};

/// Nothing but the sections, settings and comments that are meant.
///
/// # Errors
/// What is different.
pub fn check(case: &Case, text: &str) -> Result<(), String> {
    let (mut settings, mut comments) = (Vec::new(), Vec::new());
    for line in text.split(['\n', '\r', '\0']) {
        if let Some(comment) = line.strip_prefix(['#', ';']) {
            // Older ones join what follows to a comment, too.
            if comment.chars().rev().take_while(|c| *c == '\\').count() % 2 == 1 {
                return Err("a comment that goes on in the next line".to_owned());
            }
            comments.push(unescaped(comment.strip_prefix(' ').unwrap_or(comment))?);
        } else if !line.trim().is_empty() {
            settings.push(line.to_owned());
        }
    }
    let (meant, named) = meant(case);
    same("settings", &settings, &meant)?;
    comments.retain(|comment| named.contains(comment));
    same("comments", &comments, &named)
}

fn meant(case: &Case) -> (Vec<String>, Vec<String>) {
    let (mut settings, mut comments) = (Vec::new(), Vec::new());
    for named in &case.threads {
        let (label, thread) = (&named.label, named.thread.written());
        if matches!(named.thread, Thread::Vm(..) | Thread::Irq(_) | Thread::Napi(..)) {
            comments.push(format!(
                "{label}: {thread} is not the process of a unit (`vorrang export --as chrt` finds it)"
            ));
            continue;
        }
        comments.push(format!("{label}: into the unit of {thread}"));
        settings.push("[Service]".to_owned());
        match named.scheduled {
            Scheduled::Reservation(budget, period) => settings.push(format!(
                "ExecStartPost=/usr/bin/chrt --deadline --sched-runtime {budget} --sched-deadline {period} \
                 --sched-period {period} --pid 0 $MAINPID"
            )),
            Scheduled::Priority(priority) => settings.extend([
                format!("CPUAffinity={CPU}"),
                "CPUSchedulingPolicy=fifo".to_owned(),
                format!("CPUSchedulingPriority={priority}"),
            ]),
        }
    }
    (settings, comments)
}
