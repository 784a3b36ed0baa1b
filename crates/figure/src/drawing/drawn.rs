//! What a drawing is before it is an SVG.

/// A drawing.
pub(crate) struct Drawn {
    /// Which kind it is, for scripts and style sheets.
    pub(crate) class: &'static str,
    /// What scripts need, as attributes.
    pub(crate) data: String,
    /// Its elements.
    pub(crate) body: String,
    /// Its width and height in pixels.
    pub(crate) size: (f64, f64),
}

/// A name of files and links: small letters, digits and single dashes.
pub(crate) fn name(of: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let words: String = of.chars().map(plain).collect();
    let words: Vec<&str> = words.split('-').filter(|word| !word.is_empty()).collect();
    if words.is_empty() { "figure".to_owned() } else { words.join("-") }
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_safe_everywhere() {
        assert_eq!(super::name("task.<script>/../x y"), "task-script-x-y");
        assert_eq!(super::name("…"), "figure");
    }
}
