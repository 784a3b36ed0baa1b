//! One option that a file adds to what is typed.

use clap::builder::ValueParser;
use clap::{Arg, ArgAction, Command};
use std::ops::Range;
use toml_edit::{Item, Value};

/// Options that are asked for where a command is typed: they change something, or end with it.
const TYPED: [&str; 8] =
    ["yes", "force", "fix", "unproven", "watch", "help", "version", "no-defaults"];

/// An option of a command, as words.
#[derive(Debug)]
pub(super) struct Added {
    /// As clap knows it.
    pub(super) id: String,
    /// `--steps=100`.
    pub(super) words: Vec<String>,
    /// Where its value stands.
    pub(super) span: Range<usize>,
}

/// The option of a command by its long name, or one of its aliases.
pub(super) fn option<'c>(command: &'c Command, name: &str) -> Option<&'c Arg> {
    let is_so = |arg: &&Arg| {
        arg.get_long() == Some(name)
            || arg.get_all_aliases().is_some_and(|aliases| aliases.contains(&name))
    };
    command.get_arguments().find(is_so)
}

/// Why an option may not stand in a file, if it may not.
pub(super) fn only_typed(arg: &Arg) -> Option<&'static str> {
    let names_a_file = arg.get_value_parser().type_id() == ValueParser::path_buf().type_id();
    let name = arg.get_long().unwrap_or_default();
    if arg.get_action().takes_values() && names_a_file {
        Some("it names a file, so it is given where the command is typed")
    } else {
        TYPED.contains(&name).then_some("it is given where the command is typed")
    }
}

/// The words for it; or what is wrong with its value.
pub(super) fn words(arg: &Arg, item: &Item) -> Result<Vec<String>, String> {
    let name = arg.get_long().unwrap_or_default();
    let value = item.as_value().ok_or("it is an option, and has a value")?;
    if !arg.get_action().takes_values() {
        return match (value.as_bool(), arg.get_action()) {
            (Some(true), ArgAction::SetTrue) => Ok(vec![format!("--{name}")]),
            (Some(false), ArgAction::SetTrue) => Ok(Vec::new()),
            _ => Err("it is true or false".to_owned()),
        };
    }
    let word = |value: &Value| Ok(format!("--{name}={}", scalar(value)?));
    match value {
        Value::Array(several) if matches!(arg.get_action(), ArgAction::Append) => {
            several.iter().map(word).collect()
        }
        value => Ok(vec![word(value)?]),
    }
}

/// As it would be typed.
fn scalar(value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.value().clone()),
        Value::Integer(number) => Ok(number.value().to_string()),
        Value::Float(number) => Ok(number.value().to_string()),
        _ => Err("it has one value: a text or a number".to_owned()),
    }
}

/// What an option of a command has in a file.
pub(super) fn added(arg: &Arg, item: &Item) -> Result<Added, String> {
    let words = words(arg, item)?;
    Ok(Added { id: arg.get_id().to_string(), words, span: item.span().unwrap_or_default() })
}
