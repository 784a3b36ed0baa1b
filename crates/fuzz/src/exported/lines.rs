//! Lines with comments: the kernel's command line, and a profile of tuned (`configparser` of Python reads it).

use super::case::{CPU, Case};
use super::compare::{same, unescaped};

fn parameters() -> String {
    format!("isolcpus=managed_irq,{CPU} rcu_nocbs={CPU}")
}

/// One line that is no comment.
///
/// # Errors
/// What is different.
pub fn command_line(case: &Case, text: &str) -> Result<(), String> {
    let meant = if case.threads.is_empty() { Vec::new() } else { vec![parameters()] };
    same("lines", &split(text)?.0, &meant)
}

/// Sections and settings, and a comment for each thread.
///
/// # Errors
/// What is different.
pub fn tuned(case: &Case, text: &str) -> Result<(), String> {
    let (settings, mut comments) = split(text)?;
    if !case.threads.is_empty() {
        let lines = format!(
            "[main]\nsummary=Processors that Vorrang reserves\n[bootloader]\ncmdline_vorrang=+{}\n[irqbalance]\nbanned_cpus={CPU}",
            parameters()
        );
        same("settings", &settings, &lines.lines().map(str::to_owned).collect::<Vec<_>>())?;
    }
    let named = case.threads.iter().map(|named| {
        let (label, thread) = (&named.label, named.thread.written());
        format!("{label}: {thread} is set by `vorrang apply`, not by tuned")
    });
    let named: Vec<String> = named.collect();
    comments.retain(|comment| named.contains(comment));
    same("comments", &comments, &named)
}

/// Settings, and comments without their sign.
fn split(text: &str) -> Result<(Vec<String>, Vec<String>), String> {
    let (mut settings, mut comments) = (Vec::new(), Vec::new());
    for line in text.split(['\n', '\r', '\0']) {
        if let Some(comment) = line.strip_prefix("# ") {
            comments.push(unescaped(comment)?);
        } else if !line.is_empty() {
            settings.push(line.to_owned());
        }
    }
    Ok((settings, comments))
}
