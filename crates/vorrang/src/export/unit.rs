//! A unit of systemd that applies a description at each boot, and restores the machine when it is stopped.
//!
//! **Model.** Threads that a description names may begin after the unit: `vorrang apply` then refuses, and is tried again
//! until they are there. What was refused has changed nothing.

use std::path::Path;

/// The unit for the description in this file.
pub(super) fn unit(file: &Path) -> String {
    let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let file = argument(&file.to_string_lossy());
    format!(
        "# /etc/systemd/system/vorrang.service, then `systemctl enable --now vorrang`.\n\
         # `After=` the units whose threads the description names spares the first tries.\n\
         [Unit]\n\
         Description=Reservations of processor time by Vorrang\n\
         StartLimitIntervalSec=0\n\n\
         [Service]\n\
         Type=oneshot\n\
         RemainAfterExit=yes\n\
         ExecStart=vorrang apply {file} --yes --look 0s\n\
         ExecStop=vorrang restore\n\
         Restart=on-failure\n\
         RestartSec=10s\n\n\
         [Install]\n\
         WantedBy=multi-user.target\n"
    )
}

/// One argument of a command of a unit: neither split nor expanded.
fn argument(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '%' => quoted.push_str("%%"),
            '$' => quoted.push_str("$$"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_one_argument() {
        assert_eq!(argument("/a b/\"%h\"\\$X\n.toml"), r#""/a b/\"%%h\"\\$$X\n.toml""#);
    }
}
