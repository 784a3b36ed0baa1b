//! What is packaged is what the module is built from.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// For tests of the queue outside a kernel.
const NOT_OF_THE_KERNEL: &str = "user_space.h";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn names(folder: &Path) -> BTreeSet<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string();
    fs::read_dir(folder).unwrap().map(name).map(Result::unwrap).collect()
}

/// A file that is new in the folder of the sources, or gone from it, is missed here.
#[test]
fn the_source_package_of_the_module_is_complete() {
    let below = std::env::temp_dir().join(format!("vorrang-packaging-{}", std::process::id()));
    let script = root().join("packaging/timer-shield/install.sh");
    let installed = Command::new("sh").arg(script).arg(&below).status().unwrap();
    assert!(installed.success());
    let sources = root().join("kernel/timer_shield");
    let version = fs::read_to_string(sources.join("shield.h")).unwrap();
    let version = version.split_once("#define TS_VERSION \"").unwrap().1;
    let version = version.split_once('"').unwrap().0;
    let package = below.join(format!("usr/src/timer_shield-{version}"));
    let mut expected = names(&sources);
    expected.remove(NOT_OF_THE_KERNEL);
    for name in &expected {
        let same = fs::read(sources.join(name)).unwrap() == fs::read(package.join(name)).unwrap();
        assert!(same, "{name}");
    }
    expected.insert("dkms.conf".to_owned());
    assert_eq!(names(&package), expected, "of the version in shield.h");
    fs::remove_dir_all(&below).unwrap();
}

/// Half a package would be built by DKMS, and fail there.
#[test]
fn an_incomplete_copy_of_the_sources_installs_nothing_and_says_what_is_missing() {
    let copy = std::env::temp_dir().join(format!("vorrang-incomplete-{}", std::process::id()));
    for folder in ["packaging/timer-shield", "kernel/timer_shield"] {
        fs::create_dir_all(copy.join(folder)).unwrap();
        for name in names(&root().join(folder)).iter().filter(|name| *name != "proxy.c") {
            fs::copy(root().join(folder).join(name), copy.join(folder).join(name)).unwrap();
        }
    }
    // Below a folder that is relative to where it is run.
    let mut command = Command::new("sh");
    let script = "packaging/timer-shield/install.sh";
    let ended = command.args([script, "below"]).current_dir(&copy).output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(!ended.status.success());
    assert!(said.contains("kernel/timer_shield/proxy.c cannot be copied: run this in a"), "{said}");
    assert_eq!(names(&copy.join("below/usr/src")), BTreeSet::new());
    fs::write(copy.join("kernel/timer_shield/proxy.c"), "").unwrap();
    let mut command = Command::new("sh");
    assert!(command.args([script, "below"]).current_dir(&copy).status().unwrap().success());
    assert_eq!(names(&copy.join("below/usr/src")).len(), 1);
    fs::remove_dir_all(&copy).unwrap();
}
