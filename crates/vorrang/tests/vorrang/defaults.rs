//! `vorrang.toml`: options that a project gives to each of its commands.

use crate::program::{Run, command, of, root};
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// A folder with a description in `systems/`, and a file of defaults beside that folder.
struct Project(TempDir);

impl Project {
    fn new(defaults: &str) -> Self {
        let project = Self(TempDir::new().unwrap());
        fs::create_dir(project.path("systems")).unwrap();
        fs::copy(root().join("examples/hello.toml"), project.path("systems/hello.toml")).unwrap();
        fs::write(project.path("vorrang.toml"), defaults).unwrap();
        project
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Run {
        let mut command = command(arguments);
        command.current_dir(self.0.path());
        of(command)
    }

    /// The end of the result of `vorrang check`, and what is said beside it.
    fn seed(&self, arguments: &[&str]) -> (String, String) {
        let Run { out, err, code } =
            self.run(&[&["check", "systems/hello.toml"], arguments].concat());
        assert_eq!(code, 0, "{err}");
        let seed = out.lines().find_map(|line| line.split_once(", seed ")).expect("a seed").1;
        (seed.to_owned(), err)
    }
}

#[test]
fn the_nearest_file_adds_what_is_not_typed() {
    let project = Project::new("[check]\nseed = 5\nall = true\n");
    let added = |seed: &str, note: &str| (seed.to_owned(), note.to_owned());
    assert_eq!(project.seed(&[]), added("5.", "vorrang.toml: --seed=5 --all\n"));
    assert_eq!(project.seed(&["--seed", "7"]), added("7.", "vorrang.toml: --all\n"));
    assert_eq!(project.seed(&["--no-defaults"]), added("1.", ""));
    fs::write(project.path("systems/vorrang.toml"), "seed = 3\n[check]\nseed = 6\n").unwrap();
    assert_eq!(project.seed(&[]), added("6.", "systems/vorrang.toml: --seed=6\n"));
    fs::write(project.path("systems/vorrang.toml"), "seed = 3\n[check]\nall = false\n").unwrap();
    assert_eq!(project.seed(&[]), added("3.", "systems/vorrang.toml: --seed=3\n"));
    let Run { out, code, .. } = project.run(&["check", "systems", "--quiet"]);
    assert_eq!((out.as_str(), code), ("systems/hello.toml: All 3 requirements are proven.\n", 0));
}

#[test]
fn a_list_is_an_option_several_times() {
    let project = Project::new("allow = [\"W0001\", \"W0002\"]\n");
    let Run { err, code, .. } = project.run(&["margin", "systems/hello.toml", "--of", "log"]);
    assert_eq!((err.as_str(), code), ("vorrang.toml: --allow=W0001 --allow=W0002\n", 0));
}

#[test]
fn what_is_typed_goes_before_what_it_excludes() {
    let project = Project::new("[check]\noutput-format = \"junit\"\n");
    let Run { out, err, code } = project.run(&["check", "systems/hello.toml", "--json"]);
    assert!(out.starts_with('{'), "{out}");
    assert_eq!((err.as_str(), code), ("", 0));
}

#[test]
fn what_is_wrong_is_pointed_at() {
    let cases = [
        ("[check]\nsteps = \"many\"\n", "vorrang.toml:2:9", "'many'"),
        ("[check]\nstep = 5\n", "vorrang.toml:2:1", "there is no option step of check"),
        ("stepps = 5\n", "vorrang.toml:1:1", "there is no option stepps of any command"),
        ("[verify]\nsteps = 5\n", "vorrang.toml:1:2", "there is no command verify"),
        ("[check]\nquiet = \"yes\"\n", "vorrang.toml:2:1", "it is true or false"),
        ("[design]\nout = \"a.toml\"\n", "vorrang.toml:2:1", "it names a file"),
        ("[apply]\nyes = true\n", "vorrang.toml:2:1", "where the command is typed"),
        ("[check]\nseed = [1, 2]\n", "vorrang.toml:2:1", "it has one value"),
        ("[check\nseed = 1\n", "vorrang.toml:1:7", "this is not TOML"),
    ];
    for (text, place, says) in cases {
        let project = Project::new(text);
        let Run { out, err, code } = project.run(&["check", "systems/hello.toml"]);
        assert_eq!((out.as_str(), code), ("", 2), "{text}");
        assert!(err.contains(place) && err.contains(says), "{text}: {err}");
        let Run { code, .. } = project.run(&["check", "systems/hello.toml", "-q", "--no-defaults"]);
        assert_eq!(code, 0);
    }
}
