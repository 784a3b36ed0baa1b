//! Machines and files, what is written of them, and what is said of what is not.

mod amalthea;
mod exported;
mod files;
mod machine;
mod report;

use vorrang_import::Import;
use vorrang_model::{Format, read, read_open};

/// What is written is a description, complete or with open values; never a wrong one.
pub(crate) fn valid(import: &Import) {
    if read(&import.text, Format::Toml).is_ok() {
        return;
    }
    let none = |_: &str| Err("there is none".to_owned());
    if let Err(why) = read_open(&import.text, Format::Toml, none) {
        panic!("{why:#?}\n{}", import.text);
    }
}

/// The table with a name, without the line of its name.
pub(crate) fn table<'a>(import: &'a Import, name: &str) -> &'a str {
    let head = format!("\n[{name}]\n");
    let (_, rest) =
        import.text.split_once(&head).unwrap_or_else(|| panic!("{name}: {}", import.text));
    rest.split("\n\n").next().unwrap_or(rest)
}
