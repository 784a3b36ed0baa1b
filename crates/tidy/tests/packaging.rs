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
