//! What was read back beside what was meant.

/// A text as `visible` wrote it, from its escapes.
///
/// # Errors
/// It holds a character that is to be escaped, or an escape that is none.
pub fn unescaped(text: &str) -> Result<String, String> {
    let mut read = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            if c.is_control() {
                return Err(format!("{c:?} as it is"));
            }
            read.push(c);
            continue;
        }
        read.push(match rest.next() {
            Some('\\') => '\\',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('0') => '\0',
            Some('u') => {
                let digits: String = rest.by_ref().skip(1).take_while(|c| *c != '}').collect();
                let number = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                number.ok_or_else(|| format!("\\u{{{digits}}}"))?
            }
            other => return Err(format!("an escape \\{other:?}")),
        });
    }
    Ok(read)
}

/// Two lists are the same, or where they first differ.
pub(super) fn same(what: &str, found: &[String], meant: &[String]) -> Result<(), String> {
    let longest = found.len().max(meant.len());
    match (0..longest).find(|&place| found.get(place) != meant.get(place)) {
        None => Ok(()),
        Some(place) => Err(format!(
            "{what}, number {place}: {:?}, not {:?}",
            found.get(place),
            meant.get(place)
        )),
    }
}
