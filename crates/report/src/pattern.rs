//! The pattern of a history, which may state every arrival and be as long as a paragraph.

use vorrang_figure::escaped;

/// The pattern of a history; one that states every arrival is folded.
pub(crate) fn folded(of: &str) -> String {
    let code = format!("<code>{}</code>", escaped(of));
    let short = shortened(of);
    if short == of {
        return code;
    }
    format!("<details><summary><code>{}</code></summary>{code}</details>", escaped(&short))
}

/// As much of a pattern as is read at a glance.
pub(crate) fn shortened(pattern: &str) -> String {
    const GLANCE: usize = 60;
    if pattern.chars().count() <= GLANCE {
        return pattern.to_owned();
    }
    let begin: String = pattern.chars().take(GLANCE).collect();
    // Up to the end of what is stated of one thing.
    begin.rsplit_once(';').map_or(begin.as_str(), |(whole, _)| whole).to_owned() + ";…"
}
