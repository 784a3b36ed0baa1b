//! What is wanted of a report, and how one is known.

/// What every report begins with.
pub const BEGINNING: &str = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
                             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src";

/// What is wanted of a report.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many requirements are drawn and derived at most.
    pub detailed: usize,
    /// What the page says about when it was made; nothing by default.
    pub date: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self { detailed: 60, date: None }
    }
}
