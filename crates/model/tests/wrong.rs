//! Wrong descriptions: what is said about each stands beside it as a snapshot.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use vorrang_model::{Code, Colour, Diagnostic, Format, limits, read, read_open, read_with, render};

/// The files of the corpus in the order of their names.
fn corpus() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrong");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "toml" || end == "json"))
        .collect();
    files.sort();
    files
}

fn errors_of(source: &[u8], format: Format) -> Vec<Diagnostic> {
    let errors = read(source, format).expect_err("a wrong description is refused");
    for error in &errors {
        let labels = error.others.iter().map(|label| &label.span);
        for span in labels.chain([&error.span]) {
            assert!(span.start <= span.end && span.end <= source.len(), "{error:?}");
        }
        assert!(!error.message.ends_with('.'), "{error:?}");
    }
    assert!(errors.windows(2).all(|pair| {
        pair[1].code == Code::MoreErrors || pair[0].span.start <= pair[1].span.start
    }));
    errors
}

/// Codes that need a file too large for the corpus, with such files.
fn generated() -> Vec<(Code, Format, Vec<u8>)> {
    let head = "version = 1\n[core.0]\nscheduler = \"edf\"\n";
    let tables = |count: usize, body: &str| {
        (0..count).fold(head.to_owned(), |mut text, number| {
            writeln!(text, "[task.t{number}]\n{body}").unwrap();
            text
        })
    };
    let slots: String =
        (0..1500).fold("version=1\n[core.0]\nscheduler=\"slots\"\n".into(), |text, n| {
            let slot =
                "server=\"slot\"\nbudget=\"1ns\"\nperiod=\"1s\"\noffset=\"0s\"\non=\"core.0\"";
            text + &format!("[server.s{n}]\n{slot}\n")
        });
    let names = (0..100_000).map(|n| format!("\"{n}\":1")).collect::<Vec<_>>().join(",");
    vec![
        (Code::FileTooLong, Format::Toml, b"#".repeat(10_000_000)),
        (Code::FileTooLong, Format::Json, b" ".repeat(limits::BYTES + 1)),
        (Code::NotUtf8, Format::Toml, b"\xff".repeat(limits::BYTES)),
        (Code::NestedTooDeep, Format::Toml, b"[".repeat(limits::BYTES)),
        (Code::NestedTooDeep, Format::Toml, b"{a=".repeat(limits::BYTES / 3)),
        (Code::NestedTooDeep, Format::Toml, b"a.".repeat(limits::BYTES / 2)),
        (Code::NestedTooDeep, Format::Json, b"[".repeat(limits::BYTES)),
        (Code::NestedTooDeep, Format::Json, b"{\"a\":".repeat(limits::BYTES / 5)),
        (Code::TomlSyntax, Format::Toml, b"=".repeat(limits::RECOVERY_BYTES)),
        (Code::TomlSyntax, Format::Toml, b"=".repeat(limits::BYTES)),
        (Code::TomlSyntax, Format::Toml, b"\0".repeat(limits::BYTES)),
        (Code::JsonSyntax, Format::Json, b"1,".repeat(limits::BYTES / 2)),
        (Code::Duplicate, Format::Toml, b"a=1\n".repeat(limits::BYTES / 4)),
        (Code::Duplicate, Format::Toml, b"a=1\n".repeat(limits::RECOVERY_BYTES / 4)),
        (Code::Duplicate, Format::Toml, [b"a={", &b"b=1,".repeat(65_000)[..], b"}"].concat()),
        (Code::Duplicate, Format::Toml, b"[a]\n".repeat(limits::RECOVERY_BYTES / 4)),
        (Code::Empty, Format::Toml, b"\n".repeat(limits::BYTES)),
        (Code::TooMany, Format::Toml, tables(limits::ENTITIES, "wcet=\"1s\"").into_bytes()),
        (Code::TooMany, Format::Toml, tables(100_000, "").into_bytes()),
        (Code::TooMany, Format::Toml, slots.into_bytes()),
        (
            Code::TooMany,
            Format::Json,
            format!("{{\"version\":1,\"task\":{{{names}}}}}").into_bytes(),
        ),
        (Code::MoreErrors, Format::Toml, tables(10_000, "on=\"core.1\"").into_bytes()),
        (Code::UnknownKey, Format::Toml, (head.to_owned() + &"k".repeat(1 << 20) + "=1").into()),
        (
            Code::UnknownWord,
            Format::Json,
            format!(
                "{{\"version\":1,\"core\":{{\"0\":{{\"scheduler\":\"{}\"}}}}}}",
                "\\u0041".repeat(100_000)
            )
            .into_bytes(),
        ),
    ]
}

#[test]
fn what_is_said_about_each_file() {
    let files = corpus();
    assert!(files.len() >= 70, "the corpus has {} files", files.len());
    insta::with_settings!({ snapshot_path => "wrong/said", prepend_module_to_snapshot => false,
                            omit_expression => true }, {
        for path in files {
            let source = std::fs::read(&path).unwrap();
            let name = path.file_name().unwrap().to_str().unwrap();
            let errors = errors_of(&source, Format::of_path(&path));
            insta::assert_snapshot!(name, render(&errors, name, &source, Colour::Never));
        }
    });
}

#[test]
fn large_files_are_refused_for_their_reason_in_few_words() {
    for (code, format, source) in generated() {
        let errors = errors_of(&source, format);
        assert!(errors.iter().any(|error| error.code == code), "{code}: {:?}", errors[0]);
        assert!(errors.len() <= limits::DIAGNOSTICS + 1);
        let text = render(&errors, "large", &source, Colour::Always);
        assert!(text.len() < 1_000 * errors.len(), "{code}: {} bytes are said", text.len());
        assert!(text.lines().all(|line| line.chars().count() < 400));
    }
}

#[test]
fn every_code_is_produced() {
    let from_corpus = corpus()
        .into_iter()
        .flat_map(|path| errors_of(&std::fs::read(&path).unwrap(), Format::of_path(&path)));
    let from_generated =
        generated().into_iter().flat_map(|(_, format, source)| errors_of(&source, format));
    let with_profile = "version = 1\nprofile = \"missing.toml\"\n[core.0]\nscheduler = \"edf\"\n";
    let without = read_with(with_profile, Format::Toml, |_| Err("there is no such file".into()));
    let without = without.expect_err("a profile that is not found is an error");
    let closed = with_profile.replace("profile = \"missing.toml\"\n", "");
    let closed = read_open(closed, Format::Toml, |_| Err("there is no such file".into()));
    let closed = closed.err().expect("one that leaves nothing open is refused");
    let all = from_corpus.chain(from_generated).chain(without).chain(closed);
    let seen: BTreeSet<Code> = all.map(|error| error.code).collect();
    // Warnings are of right files: their examples are read in `codes.rs`.
    let errors = Code::ALL.iter().filter(|code| !code.is_warning());
    let missing: Vec<_> = errors.filter(|code| !seen.contains(code)).collect();
    assert!(missing.is_empty(), "no file produces {missing:?}");
}
