//! "Did you mean": the nearest of the words that would have been right.
//!
//! **Cost.** A comparison of words of m and n bytes costs m · n (1 where the lengths already say
//! no); all comparisons of one reading together cost at most [`BUDGET`], so that a file of many errors and many names stays cheap.
//! When it is used up nothing is suggested.

/// About a tenth of a second.
const BUDGET: usize = 10_000_000;

/// What may still be spent on suggestions.
pub(crate) struct Suggestions {
    left: usize,
}

impl Default for Suggestions {
    fn default() -> Self {
        Self { left: BUDGET }
    }
}

impl Suggestions {
    /// The candidate nearest to `written`, if one is near: at most a third of its letters differ
    /// (a swap of neighbours is one difference; upper and lower case are none), or it was
    /// shortened to three letters or more (which counts as one difference).
    pub(crate) fn nearest<'a>(
        &mut self,
        written: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> Option<&'a str> {
        let written = written.to_lowercase();
        let mut best: Option<(usize, &str)> = None;
        for candidate in candidates {
            let lower = candidate.to_lowercase();
            let most = written.len().max(lower.len()).div_ceil(3);
            let shortened = written.len() >= 3 && lower.starts_with(&written);
            let far = written.len().abs_diff(lower.len()) > most && !shortened;
            self.left =
                self.left.checked_sub(if far { 1 } else { written.len() * lower.len() + 1 })?;
            if far {
                continue;
            }
            let distance = if shortened { 1 } else { strsim::osa_distance(&written, &lower) };
            if distance <= most && best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, candidate));
            }
        }
        best.map(|(_, candidate)| candidate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        let keys = ["budget", "period", "priority", "on"];
        let nearest = |written| Suggestions::default().nearest(written, keys);
        assert_eq!(nearest("bugdet"), Some("budget"));
        assert_eq!(nearest("Periode"), Some("period"));
        assert_eq!(nearest("prio"), Some("priority"));
        assert_eq!(nearest("wcet"), None);
        assert_eq!(nearest(""), None);
    }

    #[test]
    fn the_budget_ends_suggestions() {
        let long = "x".repeat(4_000);
        let mut suggestions = Suggestions::default();
        assert_eq!(suggestions.nearest("budgt", ["budget"]), Some("budget"));
        assert_eq!(suggestions.nearest(&long, [long.as_str()]), None);
    }
}
