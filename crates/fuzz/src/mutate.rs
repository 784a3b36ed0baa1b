//! Changes of a text that leave most of its structure.
//!
//! **Model.** A text is lines, and lines are words, quoted texts and single signs; that holds for TOML, JSON, traces,
//! journals and patterns alike. Most changes replace, repeat, move or remove one of these; some are of
//! single bytes. Few are made at once, so that most of what stands there still means something.
//!
//! **Cost.** O(length of the text) for each change; at most [`LONGEST`] bytes come out.

use crate::corpus::Corpus;
use crate::reader::Reader;
use vorrang_campaign::random::Random;

/// No text becomes longer. More than the longest description, so that this limit is met as well.
const LONGEST: usize = 5 << 20;

/// A change.
#[derive(Clone, Copy)]
enum Change {
    Word,
    Foreign,
    Number,
    RemoveLine,
    RepeatLine,
    MoveLine,
    ForeignLines,
    Byte,
    Cut,
    Many,
    Nest,
    Encode,
}

const CHANGES: [(u64, Change); 12] = [
    (20, Change::Word),
    (12, Change::Foreign),
    (34, Change::Number),
    (7, Change::RemoveLine),
    (6, Change::RepeatLine),
    (4, Change::MoveLine),
    (6, Change::ForeignLines),
    (8, Change::Byte),
    (2, Change::Cut),
    (2, Change::Many),
    (1, Change::Nest),
    (2, Change::Encode),
];

/// How many at once.
const COUNTS: [(u64, u64); 4] = [(8, 1), (5, 2), (3, 4), (1, 12)];

/// How often something is repeated: mostly little, as what is quadratic shows at thousands already.
const TIMES: [(u64, usize); 5] = [(60, 3), (25, 40), (12, 400), (3, 4_000), (1, 40_000)];

/// A text of the reader, changed.
pub fn mutated(random: &mut Random, corpus: &Corpus, reader: Reader, mut text: Vec<u8>) -> Vec<u8> {
    for _ in 0..random.weighted(&COUNTS) {
        change(random, corpus, reader, &mut text);
        text.truncate(LONGEST);
    }
    text
}

fn change(random: &mut Random, corpus: &Corpus, reader: Reader, text: &mut Vec<u8>) {
    match random.weighted(&CHANGES) {
        Change::Word => {
            let place = word_at(text, place(random, text));
            text.splice(place, corpus.word(random).bytes());
        }
        Change::Foreign => {
            let from = corpus.text(random, reader);
            let word = from[word_at(from, place(random, from))].to_vec();
            let place = word_at(text, place(random, text));
            text.splice(place, word);
        }
        Change::Number => number(random, text),
        Change::RemoveLine => drop(text.drain(line_at(text, place(random, text)))),
        Change::RepeatLine => {
            let line = line_at(text, place(random, text));
            let copy = text[line.clone()].to_vec();
            text.splice(line.end..line.end, copy);
        }
        Change::MoveLine => {
            let line: Vec<u8> = text.drain(line_at(text, place(random, text))).collect();
            let to = line_at(text, place(random, text)).start;
            text.splice(to..to, line);
        }
        Change::ForeignLines => {
            let from = corpus.text(random, reader);
            let first = line_at(from, place(random, from)).start;
            let last = line_at(from, (first + random.index(400)).min(from.len())).end;
            let to = line_at(text, place(random, text)).start;
            text.splice(to..to, from[first..last].iter().copied());
        }
        Change::Byte => byte(random, text),
        Change::Cut => text.truncate(place(random, text)),
        Change::Many => {
            let at = place(random, text);
            let part = if random.chance(1, 2) { word_at(text, at) } else { line_at(text, at) };
            let times = random.weighted(&TIMES).min(LONGEST / part.len().max(1));
            let many = text[part.clone()].repeat(times);
            text.splice(part, many);
        }
        Change::Nest => {
            let (open, close) = random.one_of(&[
                ("[", "]"),
                ("{a=", "}"),
                ("{\"a\":", "}"),
                ("a.", ""),
                ("(", ")"),
            ]);
            let times = random.weighted(&TIMES);
            let inside = word_at(text, place(random, text));
            text.splice(inside.end..inside.end, close.repeat(times).into_bytes());
            text.splice(inside.start..inside.start, open.repeat(times).into_bytes());
        }
        Change::Encode => encode(random, text),
    }
}

/// Another number where digits stand, also inside a quoted text: near, far, or at an edge.
fn number(random: &mut Random, text: &mut Vec<u8>) {
    let from = place(random, text);
    let Some(start) = (from..text.len()).find(|&at| text[at].is_ascii_digit()) else { return };
    let length = text[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let digits = String::from_utf8_lossy(&text[start..start + length]);
    let now: u64 = digits.parse().unwrap_or(u64::MAX);
    let new = match random.below(8) {
        0 => 0,
        1 => 1,
        2 => now.saturating_add(1),
        3 => now.saturating_sub(1),
        4 => now.saturating_mul(random.one_of(&[2, 10, 1_000, 1_000_000])),
        5 => now / random.one_of(&[2, 10, 1_000]),
        6 => random.log_uniform(1, u64::MAX >> 1),
        _ => random.between(0, 200),
    };
    text.splice(start..start + length, new.to_string().into_bytes());
}

fn byte(random: &mut Random, text: &mut Vec<u8>) {
    let at = place(random, text);
    let byte = u8::try_from(random.below(256)).expect("a byte");
    match (random.below(3), at < text.len()) {
        (0, true) => text[at] = byte,
        (1, true) => drop(text.remove(at)),
        _ => text.insert(at, byte),
    }
}

/// Other ends of lines, marks of order, other encodings.
fn encode(random: &mut Random, text: &mut Vec<u8>) {
    let wide = |text: &[u8], big: bool| {
        let units = text.iter().map(|byte| u16::from(*byte));
        units
            .flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() })
            .collect::<Vec<_>>()
    };
    match random.below(5) {
        0 => drop(text.splice(0..0, *b"\xEF\xBB\xBF")),
        1 => *text = text.split(|byte| *byte == b'\n').collect::<Vec<_>>().join(&b"\r\n"[..]),
        2 => *text = wide(text, random.chance(1, 2)),
        3 => text.push(0xFF),
        _ => text.retain(|byte| *byte != b'\n'),
    }
}

fn place(random: &mut Random, text: &[u8]) -> usize {
    random.index(text.len() + 1)
}

/// The word, quoted text or sign at a place.
fn word_at(text: &[u8], at: usize) -> std::ops::Range<usize> {
    let Some(&byte) = text.get(at) else { return at..at };
    let is_word =
        |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.%".contains(byte) || !byte.is_ascii();
    if byte == b'"' || byte == b'\'' {
        let rest = text[at + 1..].iter().position(|other| *other == byte || *other == b'\n');
        return at..rest.map_or(text.len(), |length| at + length + 2);
    }
    if !is_word(&byte) {
        return at..at + 1;
    }
    let before = text[..at].iter().rev().take_while(|byte| is_word(byte)).count();
    let after = text[at..].iter().take_while(|byte| is_word(byte)).count();
    at - before..at + after
}

/// The line at a place, with its end.
fn line_at(text: &[u8], at: usize) -> std::ops::Range<usize> {
    let start = text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let length =
        text[at..].iter().position(|byte| *byte == b'\n').map_or(text.len() - at, |end| end + 1);
    start..at + length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_quoted_texts_and_lines_are_found_whole() {
        let text = b"on = \"core.0\"\nperiod = 10ms # x\n";
        assert_eq!(&text[word_at(text, 1)], b"on");
        assert_eq!(&text[word_at(text, 5)], b"\"core.0\"");
        assert_eq!(&text[word_at(text, 24)], b"10ms");
        assert_eq!(&text[word_at(text, 3)], b"=");
        assert_eq!(&text[line_at(text, 20)], b"period = 10ms # x\n");
        assert_eq!(word_at(text, text.len()), text.len()..text.len());
    }
}
