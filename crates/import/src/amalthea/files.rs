//! The files of one model as one document: their elements refer to each other by name.
//!
//! **Model.** They stand one after the other, and lines are counted on from file to file. What is said of a line names its
//! file and the line there, if there are several files.

use crate::refused::Refused;
use crate::xml::document;
use roxmltree::{Document, Node};
use std::fmt::Write as _;

/// The text of all, and where each begins.
pub(super) struct Files {
    pub(super) text: String,
    /// The first line of each file, counted from 1, in their order.
    begins: Vec<(usize, String)>,
}

impl Files {
    /// Files by their names and texts.
    ///
    /// # Errors
    /// One is no document.
    pub(super) fn of(files: &[(&str, &str)]) -> Result<Self, Refused> {
        let mut all = Self { text: String::new(), begins: Vec::new() };
        if let [(name, text)] = files {
            all.begins.push((1, (*name).to_owned()));
            (*text).clone_into(&mut all.text);
            return Ok(all);
        }
        all.text += "<files>";
        for (name, text) in files {
            document(text).map_err(|why| in_file(name, why.line, &why.why))?;
            all.begins.push((all.text.lines().count().max(1), (*name).to_owned()));
            all.text += content(text);
            all.text.push_str("\n ");
        }
        all.text += "</files>";
        Ok(all)
    }

    /// The element of each file around all others.
    pub(super) fn roots<'a>(&self, document: &'a Document<'a>) -> Vec<Node<'a, 'a>> {
        let root = document.root_element();
        if self.begins.len() == 1 {
            return vec![root];
        }
        root.children().filter(Node::is_element).collect()
    }

    /// A line as the file has it.
    fn place(&self, line: usize) -> Option<(&str, usize)> {
        let (begin, name) = self.begins.iter().rfind(|(begin, _)| *begin <= line)?;
        Some((name, line - begin + 1))
    }

    /// The error, with its file.
    pub(super) fn refused(&self, why: Refused) -> Refused {
        match self.place(why.line) {
            Some((name, line)) if self.begins.len() > 1 => {
                in_file(name, line, &self.said(&why.why))
            }
            _ => why,
        }
    }

    /// What is said, with the file of each line that it names.
    pub(super) fn said(&self, what: &str) -> String {
        const WORD: &str = "line ";
        if self.begins.len() == 1 {
            return what.to_owned();
        }
        let (mut said, mut rest) = (String::new(), what);
        while let Some(at) = rest.find(WORD) {
            let (before, number) = (&rest[..at], &rest[at + WORD.len()..]);
            let digits = number.bytes().take_while(u8::is_ascii_digit).count();
            let line = number[..digits].parse().ok().filter(|_| number[digits..].starts_with(':'));
            said += before;
            if let Some((name, line)) = line.and_then(|line| self.place(line)) {
                let _ = write!(said, "{name}, line {line}");
                rest = &number[digits..];
            } else {
                said += WORD;
                rest = number;
            }
        }
        said + rest
    }
}

fn in_file(name: &str, line: usize, why: &str) -> Refused {
    Refused::whole(format!("{name}, line {line}: {why}"))
}

/// Without what only the beginning of a document may have.
fn content(text: &str) -> &str {
    let text = text.trim_start_matches('\u{feff}');
    let rest = text.strip_prefix("<?xml").and_then(|rest| rest.split_once("?>"));
    rest.map_or(text, |(_, rest)| rest)
}
