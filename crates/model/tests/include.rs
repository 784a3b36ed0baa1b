//! A description with what it includes: one system, and each error in the file where it stands.

use std::collections::BTreeMap;
use vorrang_model::{Beside, Code, Colour, Diagnostic, Format, Profile, Read, System, Text};
use vorrang_model::{read, read_beside, read_open_beside, read_profile, render_all};
use vorrang_time::Duration;

/// Files by their paths, and which of them were read.
#[derive(Default)]
struct Files {
    texts: BTreeMap<&'static str, String>,
    read: Vec<String>,
}

impl Beside for Files {
    fn profile(&mut self, file: &str) -> Result<Profile, String> {
        let text = self.included(file)?;
        read_profile(text, Format::of_path(file.as_ref())).map_err(|errors| errors[0].to_string())
    }

    fn included(&mut self, file: &str) -> Result<Vec<u8>, String> {
        self.read.push(file.to_owned());
        let text = self.texts.get(file).ok_or("there is no such file")?;
        Ok(text.clone().into_bytes())
    }
}

const CORE: &str = "version = 1\n[core.0]\nscheduler = \"edf\"\n";
const TASK: &str = "[task.x]\non = \"core.0\"\nwcet = \"1ms\"\nperiod = \"5ms\"\n";

fn including(files: &str) -> String {
    format!("version = 1\ninclude = [{files}]\n{TASK}")
}

fn of<const N: usize>(files: [(&'static str, &str); N]) -> Files {
    let texts = files.into_iter().map(|(file, text)| (file, text.to_owned())).collect();
    Files { texts, read: Vec::new() }
}

fn system(source: &str, files: &mut Files) -> System {
    let read = read_beside(source, Format::Toml, files);
    read.unwrap_or_else(|errors| panic!("{errors:?}")).system
}

fn errors(source: &str, files: &mut Files) -> Vec<Diagnostic> {
    let read = read_beside(source, Format::Toml, files);
    read.map(|Read { system, .. }| system).unwrap_err()
}

/// The only error: its code, its file, and what stands there.
fn only<'a>(source: &'a str, files: &'a mut Files) -> (Code, Option<String>, String) {
    let errors = errors(source, files);
    let [error] = &errors[..] else { panic!("one error, not {errors:?}") };
    let text = error.file.as_deref().map_or(source, |file| files.texts[file].as_str());
    (error.code, error.file.as_deref().map(str::to_owned), text[error.span.clone()].to_owned())
}

#[test]
fn what_is_included_is_as_if_it_stood_behind() {
    let own = system(&including("\"machine.toml\""), &mut of([("machine.toml", CORE)]));
    let whole = read(format!("{CORE}{TASK}"), Format::Toml).unwrap();
    assert_eq!(own, whole);
    let json = r#"{ "version": 1, "core": { "0": { "scheduler": "edf" } } }"#;
    assert_eq!(system(&including("\"a.json\""), &mut of([("a.json", json)])), whole);
}

#[test]
fn paths_are_relative_to_the_file_that_names_them() {
    let outer = "version = 1\ninclude = [\"../b/inner.toml\", \"costs.toml\"]\n";
    let inner = format!("profile = \"machine.toml\"\n{CORE}");
    let mut files = of([
        ("a/outer.toml", outer),
        ("b/inner.toml", &inner),
        ("a/costs.toml", "version = 1\ncosts.vm-exit = \"3us\"\n"),
        ("b/machine.toml", "version = 1\ncosts.context-switch = \"2us\"\n"),
    ]);
    let found = system(&including("\"./a/outer.toml\""), &mut files);
    assert_eq!(found.costs.context_switch, Duration::from_us(2));
    assert_eq!(found.costs.vm_exit, Duration::from_us(3));
    assert_eq!(files.read, ["a/outer.toml", "b/inner.toml", "a/costs.toml", "b/machine.toml"]);
}

#[test]
fn a_file_is_read_once() {
    let by = "version = 1\ninclude = [\"core.toml\"]\n";
    let mut files = of([("core.toml", CORE), ("a.toml", by), ("b.toml", by)]);
    system(&including("\"a.toml\", \"b.toml\", \"core.toml\""), &mut files);
    assert_eq!(files.read, ["a.toml", "core.toml", "b.toml"]);
}

#[test]
fn errors_stand_in_their_file() {
    let wrong = CORE.replace("edf", "efd");
    let said = only(&including("\"m.toml\""), &mut of([("m.toml", &wrong)]));
    assert_eq!(said, (Code::UnknownWord, Some("m.toml".into()), "\"efd\"".into()));
    let syntax = "version = 1\n[core.0\n";
    let (code, file, _) = only(&including("\"m.toml\""), &mut of([("m.toml", syntax)]));
    assert_eq!((code, file.as_deref()), (Code::TomlSyntax, Some("m.toml")));
    let said =
        only(&including("\"m.toml\"").replace("core.0", "core.1"), &mut of([("m.toml", CORE)]));
    assert_eq!(said, (Code::MissingTarget, None, "\"core.1\"".into()));
    let unversioned = CORE.replace("version = 1\n", "");
    let (code, file, _) = only(&including("\"m.toml\""), &mut of([("m.toml", &unversioned)]));
    assert_eq!((code, file.as_deref()), (Code::MissingKey, Some("m.toml")));
}

#[test]
fn nothing_is_stated_twice() {
    let second = format!("{CORE}{TASK}");
    let found = errors(&including("\"m.toml\""), &mut of([("m.toml", &second)]));
    let [error] = &found[..] else { panic!("{found:?}") };
    assert_eq!((error.code, error.file.as_deref()), (Code::Duplicate, Some("m.toml")));
    assert_eq!(error.others[0].file, None);
    let source = including("\"m.toml\"");
    let name = |file, name, bytes| Text { file, name, bytes };
    let texts = [
        name(None, "own.toml", source.as_bytes()),
        name(Some("m.toml"), "there/m.toml", second.as_bytes()),
    ];
    assert_eq!(
        render_all(&found, &texts, Colour::Never),
        "\
error[E0007]: task.x is declared in two files
  --> there/m.toml:4:7
   |
 4 | [task.x]
   |       ^ the second one
  ::: own.toml:3:7
   |
 3 | [task.x]
   |       - the first one
   |
   = help: what a file includes it does not state again

"
    );
    let costs = "version = 1\ncosts.vm-exit = \"3us\"\n";
    let with =
        format!("version = 1\ncosts.vm-exit = \"4us\"\ninclude = [\"c.toml\"]\n{}", &CORE[12..]);
    let said = only(&with, &mut of([("c.toml", costs)]));
    assert_eq!(said, (Code::Duplicate, Some("c.toml".into()), "vm-exit".into()));
}

#[test]
fn no_file_includes_itself() {
    let a = "version = 1\ninclude = [\"b.toml\"]\n";
    let b = "version = 1\ninclude = [\"sub/../a.toml\"]\n";
    let said = only(&including("\"a.toml\""), &mut of([("a.toml", a), ("b.toml", b)]));
    let there = "\"sub/../a.toml\"".to_owned();
    assert_eq!(said, (Code::IncludeUnusable, Some("b.toml".into()), there));
    // The description itself, whatever its name.
    let own = including("\"b.toml\"");
    let said = only(&own, &mut of([("a.toml", &own), ("b.toml", b)]));
    let there = "\"sub/../a.toml\"".to_owned();
    assert_eq!(said, (Code::IncludeUnusable, Some("b.toml".into()), there));
}

#[test]
fn a_file_that_is_missing_is_all_that_is_said() {
    let said = only(&including("\"m.toml\""), &mut Files::default());
    assert_eq!(said, (Code::IncludeUnusable, None, "\"m.toml\"".into()));
    let errors = read(including("\"m.toml\""), Format::Toml).unwrap_err();
    let [error] = &errors[..] else { panic!("{errors:?}") };
    assert_eq!(error.label, "there are no files here");
    let errors = read(including("3"), Format::Toml).unwrap_err();
    assert!(errors.iter().any(|error| error.code == Code::WrongType), "{errors:?}");
}

#[test]
fn very_many_files_are_refused() {
    struct Chain;
    impl Beside for Chain {
        fn profile(&mut self, _: &str) -> Result<Profile, String> {
            Err("there is none".into())
        }
        fn included(&mut self, file: &str) -> Result<Vec<u8>, String> {
            Ok(format!("version = 1\ninclude = [\"a{file}\"]\n").into_bytes())
        }
    }
    let errors = read_beside(including("\"b.toml\""), Format::Toml, &mut Chain).unwrap_err();
    let [error] = &errors[..] else { panic!("{errors:?}") };
    assert!(error.label.contains("at most 64 files"), "{error:?}");
}

#[test]
fn nothing_is_left_open_in_what_is_included() {
    let server = "version = 1\n[vcpu.a]\non = \"core.0\"\nserver = \"cbs-hard\"\nbudget = \"?\"\n\
                  period = \"10ms\"\nscheduler = \"edf\"\n";
    let mut files = of([("m.toml", CORE), ("s.toml", server)]);
    let source = including("\"m.toml\", \"s.toml\"").replace("core.0", "vcpu.a");
    let errors = read_open_beside(&source, Format::Toml, &mut files).err().unwrap();
    let [error] = &errors[..] else { panic!("{errors:?}") };
    assert_eq!((error.code, error.file.as_deref()), (Code::OpenValue, Some("s.toml")));
    let own = format!("include = [\"m.toml\"]\n{server}{}", TASK.replace("core.0", "vcpu.a"));
    let open = read_open_beside(&own, Format::Toml, &mut files).unwrap();
    let written = open.written(&[vorrang_model::Chosen::Time(Duration::from_ms(3))]);
    assert_eq!(String::from_utf8(written).unwrap(), own.replace('?', "3ms"));
}
