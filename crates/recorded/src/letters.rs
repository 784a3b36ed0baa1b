//! Words for numbers, as the kernel's formats have them: `{ 0x0001, "S" }, { 0x0002, "D" }`.

/// Each number with its word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Letters {
    words: Vec<(u64, Vec<u8>)>,
    /// The bits of a thread that could have gone on (`+`).
    plus: u64,
}

impl Letters {
    /// All pairs of a format.
    pub(crate) fn of(print: &str) -> Self {
        let pairs = print.split('{').skip(1).filter_map(|rest| {
            let (value, rest) = rest.split_once(',')?;
            let word = rest.trim_start().strip_prefix('"')?.split('"').next()?;
            Some((number(value.trim())?, word.as_bytes().to_vec()))
        });
        Self { words: pairs.collect(), plus: 0 }
    }

    /// Those of a state, with what marks one that could have gone on: behind `: "R", REC->prev_state & ` stands a number, or
    /// `(((0x0000 | 0x0001 | …) + 1) << 1)`.
    pub(crate) fn of_states(print: &str) -> Option<Self> {
        let (_, mask) = print.split_once(": \"R\", REC->prev_state & ")?;
        let mask = mask.split('?').next()?;
        let words = mask.split(|c: char| !c.is_ascii_alphanumeric());
        let plus = if mask.contains("<< 1") {
            let states = words.filter(|word| word.starts_with("0x")).filter_map(number);
            (states.fold(0_u64, |all, state| all | state).checked_add(1)?).checked_mul(2)?
        } else {
            mask.trim().trim_matches(['(', ')']).parse().ok()?
        };
        let letters = Self { plus, ..Self::of(print) };
        (!letters.words.is_empty()).then_some(letters)
    }

    /// The words of the bits that are set, `R` if there are none.
    pub(crate) fn state(&self, bits: u64, text: &mut Vec<u8>) {
        let is_set = |(bit, _): &&(u64, Vec<u8>)| bits & bit != 0 && *bit < self.plus;
        let mut between: &[u8] = b"";
        for (_, word) in self.words.iter().filter(is_set) {
            text.extend_from_slice(between);
            text.extend_from_slice(word);
            between = b"|";
        }
        if between.is_empty() {
            text.push(b'R');
        }
        if bits & self.plus != 0 {
            text.push(b'+');
        }
    }

    /// The first letter of these words, and whether the bit of those that could have gone on is set; `None`: a word is none.
    pub(crate) fn first(&self, bits: u64) -> Option<(u8, bool)> {
        let is_set = |(bit, _): &&(u64, Vec<u8>)| bits & bit != 0 && *bit < self.plus;
        let word = self.words.iter().find(is_set);
        let letter = word.map_or(Some(&b'R'), |(_, word)| word.first())?;
        Some((*letter, bits & self.plus != 0))
    }

    /// The word of a number.
    pub(crate) fn word(&self, value: u64) -> &[u8] {
        self.words.iter().find(|(own, _)| *own == value).map_or(b"", |(_, word)| word)
    }
}

fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: &str = r#""prev_state=%s%s ==> …", (REC->prev_state & ((((0x00000000 | 0x00000001 | 0x00000002 | 0x00000004 | 0x00000008 | 0x00000010 | 0x00000020 | 0x00000040) + 1) << 1) - 1)) ? __print_flags(REC->prev_state & ((((0x00000000 | 0x00000001 | 0x00000002 | 0x00000004 | 0x00000008 | 0x00000010 | 0x00000020 | 0x00000040) + 1) << 1) - 1), "|", { 0x00000001, "S" }, { 0x00000002, "D" }, { 0x00000080, "I" }) : "R", REC->prev_state & (((0x00000000 | 0x00000001 | 0x00000002 | 0x00000004 | 0x00000008 | 0x00000010 | 0x00000020 | 0x00000040) + 1) << 1) ? "+" : "", REC->next_comm"#;
    const BEFORE: &str = r#""…", REC->prev_state & (2048-1) ? __print_flags(REC->prev_state & (2048-1), "|", { 1, "S"} , { 2, "D" }, { 64, "x" }) : "R", REC->prev_state & 2048 ? "+" : "", REC->next_comm"#;

    #[test]
    fn states_are_those_that_the_kernel_prints() {
        let state = |letters: &Letters, bits| {
            let mut text = Vec::new();
            letters.state(bits, &mut text);
            assert_eq!(letters.first(bits), Some((text[0], text.ends_with(b"+"))));
            String::from_utf8(text).expect("letters")
        };
        let now = Letters::of_states(NOW).expect("the form of today");
        let said = [0, 1, 2, 0x80, 0x100, 0x101].map(|bits| state(&now, bits));
        assert_eq!(said, ["R", "S", "D", "I", "R+", "S+"]);
        let before = Letters::of_states(BEFORE).expect("the form until 4.13");
        assert_eq!([0, 1, 66, 2048].map(|bits| state(&before, bits)), ["R", "S", "D|x", "R+"]);
        assert_eq!(Letters::of_states("\"prev_state=%d\", REC->prev_state"), None);
    }
}
