//! Reasons that differ only in names and times, grouped.
//!
//! ```text
//! vcpu.a is not guaranteed its budget in each period of 10ms ┐
//! vcpu.b is not guaranteed its budget in each period of 4ms  ┴▶ vcpu.* is not … period of *
//! ```

/// The kinds of parts of a description, as names before the dot.
const KINDS: [&str; 10] =
    ["core", "vcpu", "server", "task", "interrupt", "timer", "device", "cache", "require", "chain"];

/// The text with `*` in the place of every time and of everything that has a name of its own.
pub fn general(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (word, after) = split(rest, is_of_name);
        out += &of_word(word);
        let (between, after) = split(after, |letter| !is_of_name(letter));
        out += between;
        rest = after;
    }
    out
}

fn split(text: &str, belongs: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|letter| !belongs(letter)).unwrap_or(text.len()))
}

fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || ['.', '-', '_'].contains(&letter)
}

fn of_word(word: &str) -> String {
    match word.split_once('.') {
        Some((kind, name)) if KINDS.contains(&kind) && !name.is_empty() => format!("{kind}.*"),
        _ if is_time(word) => "*".to_owned(),
        _ => word.to_owned(),
    }
}

fn is_time(word: &str) -> bool {
    let unit = word.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    word.starts_with(|letter: char| letter.is_ascii_digit())
        && ["s", "ms", "us", "ns"].contains(&unit)
}

/// The common text of a group: the text itself if all are the same, otherwise the general one.
pub fn said<'a>(mut texts: impl Iterator<Item = &'a str>) -> String {
    let Some(first) = texts.next() else { return String::new() };
    if texts.all(|text| text == first) { first.to_owned() } else { general(first) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_times_are_what_may_differ() {
        let text = "vcpu.vm-0 may take 12.5ms to receive its budget, longer than its period of 8ms";
        let general_text = "vcpu.* may take * to receive its budget, longer than its period of *";
        assert_eq!(general(text), general_text);
        let kept = "exhausted:task.*:3 as in docs/model.md of 2003, 64bit";
        assert_eq!(general("exhausted:task.x:3 as in docs/model.md of 2003, 64bit"), kept);
    }

    #[test]
    fn what_all_say_is_said_as_they_do() {
        assert_eq!(said(["on core.0", "on core.0"].into_iter()), "on core.0");
        assert_eq!(said(["on core.0", "on core.1"].into_iter()), "on core.*");
    }
}
