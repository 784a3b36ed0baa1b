//! Every code explains itself truthfully: its wrong example gives the code, its right one nothing.

use vorrang_model::{Code, Format, explain, read, read_with_warnings};

/// The fenced blocks of a text: their format, whether they are `wrong`, and their source.
fn examples(text: &str) -> Vec<(Format, bool, String)> {
    let mut examples = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(fence) = line.strip_prefix("```") else { continue };
        let (format, kind) = fence.split_once(' ').expect("a fence says `toml wrong`");
        let format = if format == "json" { Format::Json } else { Format::Toml };
        let source = lines.by_ref().take_while(|line| *line != "```");
        let source = source.collect::<Vec<_>>().join("\n");
        assert!(kind == "wrong" || kind == "right", "{fence}");
        examples.push((format, kind == "wrong", source));
    }
    examples
}

#[test]
fn examples_do_what_they_say() {
    for code in Code::ALL {
        for (format, wrong, source) in examples(code.explanation()) {
            if code.is_warning() {
                let no_profile = |_: &str| Err("there is none".to_owned());
                let read = read_with_warnings(&source, format, no_profile).expect("no error");
                let codes: Vec<_> = read.warnings.iter().map(|found| found.code).collect();
                let expected = if wrong { vec![*code] } else { Vec::new() };
                assert_eq!(codes, expected, "{code}: in\n{source}");
                continue;
            }
            match read(&source, format) {
                Ok(_) => assert!(!wrong, "{code}: nothing is wrong with\n{source}"),
                Err(errors) => {
                    assert!(wrong, "{code}: {errors:?} in\n{source}");
                    let codes: Vec<_> = errors.iter().map(|error| error.code).collect();
                    assert!(codes.iter().all(|found| found == code), "{code}: got {codes:?}");
                }
            }
        }
    }
}

#[test]
fn explanations_have_their_title_and_short_lines() {
    for code in Code::ALL {
        let title = format!("# {code}: {}\n\n", code.title());
        let text = code.explanation();
        assert!(text.starts_with(&title), "{code}");
        assert!(text.len() > title.len() + 80, "{code} says too little");
        assert!(text.lines().all(|line| line.chars().count() <= 110), "{code}");
    }
}

#[test]
fn codes_are_found_by_their_text() {
    assert_eq!(explain("E0101"), Some(Code::UnknownKey.explanation()));
    assert_eq!(explain("e0101"), explain("E0101"));
    assert_eq!(explain("E9999"), None);
    assert_eq!(explain(""), None);
    assert!(Code::ALL.windows(2).all(|pair| pair[0].text() < pair[1].text()));
}
