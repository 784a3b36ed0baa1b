//! Stock kernels: their list, how they are resolved, and where they are stored.
//!
//! An archive of backports keeps the newest version only, so no version is written down here: the
//! package that stands for "the newest kernel" of a kind says which it is. Once resolved, a kernel
//! is stored and used without the network, until `vorrang-lab fetch` fetches the newest one.

use crate::apt::Tree;
use crate::failure::Failure;
use crate::storage;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// How the names of packages begin that have an image.
const IMAGE: &str = "linux-image-";

/// A line of kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its name in the lab.
    pub name: &'static str,
    /// The suite of Debian that has it.
    pub suite: &'static str,
    /// The suite that this one adds to, which has the compiler that the kernel was built with.
    pub base: &'static str,
    /// The beginning of its versions.
    pub version: &'static str,
    /// The end of its releases: Debian's name for a kind of kernels.
    pub kind: &'static str,
}

/// With `PREEMPT_RT`.
const REAL_TIME: &str = "rt-amd64";
/// Without it.
const ORDINARY: &str = "amd64";

/// All lines.
pub const LINES: &[Line] = &[
    of_bookworm("6.12-rt", REAL_TIME),
    of_trixie("7.2-rt", REAL_TIME),
    of_bookworm("6.12", ORDINARY),
    of_trixie("7.2", ORDINARY),
];

const fn of_bookworm(name: &'static str, kind: &'static str) -> Line {
    Line { name, suite: "bookworm-backports", base: "bookworm", version: "6.12.", kind }
}

const fn of_trixie(name: &'static str, kind: &'static str) -> Line {
    Line { name, suite: "trixie-backports", base: "trixie", version: "7.2.", kind }
}

/// A kernel that is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kernel {
    /// Its line.
    pub line: String,
    /// Release, as `uname -r` says it.
    pub release: String,
    /// The packages it came in, with their version.
    pub packages: Vec<String>,
    /// The image to boot.
    pub image: PathBuf,
    /// The folder of its modules.
    pub modules: PathBuf,
    /// Its compiler.
    pub configuration: PathBuf,
}

impl Line {
    /// The line with this name.
    pub fn named(name: &str) -> Option<Self> {
        LINES.iter().copied().find(|line| line.name == name)
    }

    /// The line of a release, as `uname -r` says it.
    pub fn of_release(release: &str) -> Option<Self> {
        LINES.iter().copied().find(|line| line.has(release))
    }

    /// Whether it has `PREEMPT_RT`.
    pub fn is_real_time(self) -> bool {
        self.kind == REAL_TIME
    }

    /// Whether a release is one of it, such as `7.2.12+deb13-rt-amd64`.
    fn has(self, release: &str) -> bool {
        let kind = release.split_once('-').map(|(_, kind)| kind);
        release.starts_with(self.version) && kind == Some(self.kind)
    }

    /// The kernel that is kept; fetched if there is none.
    ///
    /// # Errors
    /// It has to be fetched and cannot be.
    pub fn kernel(self) -> Result<Kernel, Failure> {
        let kept = fs::read_to_string(self.note()?).ok();
        let kept = kept.and_then(|text| serde_json::from_str::<Kernel>(&text).ok());
        match kept.filter(|kernel| kernel.image.exists()) {
            Some(kernel) => Ok(kernel),
            None => self.fetch(),
        }
    }

    /// Resolves and downloads the newest kernel of the line.
    ///
    /// # Errors
    /// The archive cannot be reached or has no such kernel.
    pub fn fetch(self) -> Result<Kernel, Failure> {
        let tree = Tree::update(storage::subfolder("apt")?.join(self.suite), &[self.suite])?;
        let (image_package, version) = self.resolve(&tree)?;
        let release = image_package.trim_start_matches(IMAGE).to_owned();
        let root = storage::subfolder("kernels")?.join(&release).join(&version);
        let packages = closure(&tree, &image_package);
        if !root.join("complete").exists() {
            fs::create_dir_all(&root).map_err(|why| Failure::at(&root, why))?;
            tree.unpack(&packages, &root)?;
            fs::write(root.join("complete"), "").map_err(|why| Failure::at(&root, why))?;
        }
        let packages = packages.iter().map(|name| format!("{name} {version}")).collect();
        let image = first_of(
            &root,
            &[format!("boot/vmlinuz-{release}"), format!("usr/lib/modules/{release}/vmlinuz")],
        )?;
        let modules = first_of(
            &root,
            &[format!("usr/lib/modules/{release}/kernel"), format!("lib/modules/{release}/kernel")],
        )?;
        let configuration = first_of(
            &root,
            &[format!("boot/config-{release}"), format!("usr/lib/modules/{release}/config")],
        )?;
        let line = self.name.to_owned();
        let kernel = Kernel { line, release, packages, image, modules, configuration };
        let text = serde_json::to_string_pretty(&kernel).expect("a kernel has no maps");
        let note = self.note()?;
        fs::write(&note, text).map_err(|why| Failure::at(&note, why))?;
        Ok(kernel)
    }

    /// The package of the newest image of the line, and its version. The meta-package says it; if
    /// that has moved on to another line, the newest image of this one that is still there.
    fn resolve(self, tree: &Tree) -> Result<(String, String), Failure> {
        let beginning = format!("{IMAGE}{}", self.version);
        let meta = format!("{IMAGE}{}", self.kind);
        let depends = tree.field(&meta, "Depends").unwrap_or_default();
        let named = names_of(&depends).find(|name| name.starts_with(&beginning));
        let package = match named {
            Some(name) => Some(name.to_owned()),
            None => self.newest(tree.names(&beginning)?),
        };
        let missing =
            || Failure(format!("{} has no kernel {}x of {}", self.suite, self.version, self.kind));
        let package = package.ok_or_else(missing)?;
        let version = tree.field(&package, "Version").ok_or_else(missing)?;
        Ok((package, version))
    }

    /// The signed image of the line with the highest numbers.
    fn newest(self, names: Vec<String>) -> Option<String> {
        let release = |name: &String| name.trim_start_matches(IMAGE).to_owned();
        let numbers = |name: &String| -> Vec<u32> {
            let version = release(name).split('+').next().unwrap_or_default().to_owned();
            version.split('.').filter_map(|part| part.parse().ok()).collect()
        };
        names.into_iter().filter(|name| self.has(&release(name))).max_by_key(numbers)
    }

    /// The file that says which kernel of the line is kept.
    fn note(self) -> Result<PathBuf, Failure> {
        Ok(storage::subfolder("kernels")?.join(format!("{}.json", self.name)))
    }
}

/// The packages of an image: itself, and the parts of the kernel that it needs in the same version.
fn closure(tree: &Tree, image: &str) -> Vec<String> {
    let mut packages = vec![image.to_owned()];
    let mut next = 0;
    while let Some(package) = packages.get(next) {
        let depends = tree.field(package, "Depends").unwrap_or_default();
        for name in exact_names_of(&depends) {
            if !packages.iter().any(|known| known == name) {
                packages.push(name.to_owned());
            }
        }
        next += 1;
    }
    packages
}

/// The names in a list of dependencies; of alternatives the first.
fn names_of(depends: &str) -> impl Iterator<Item = &str> {
    depends.split(", ").filter_map(|one| one.split_whitespace().next())
}

/// Those of the kernel that are needed in one version.
fn exact_names_of(depends: &str) -> impl Iterator<Item = &str> {
    let exact = |one: &&str| one.starts_with("linux-") && one.contains(" (= ");
    depends.split(", ").filter(exact).filter_map(|one| one.split_whitespace().next())
}

fn first_of(root: &Path, places: &[String]) -> Result<PathBuf, Failure> {
    let found = places.iter().map(|place| root.join(place)).find(|path| path.exists());
    found.ok_or_else(|| {
        Failure::at(root, format!("the packages have none of: {}", places.join(", ")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEPENDS: &str = "dracut | initramfs-tools (>= 0.120), linux-base-7.2.12+deb13-rt-amd64 \
         (= 7.2.12-1), linux-binary-7.2.12+deb13-rt-amd64 (= 7.2.12-1), linux-base (>= 4.12~)";

    #[test]
    fn what_an_image_comes_in_is_what_it_needs_in_its_own_version() {
        let names: Vec<&str> = exact_names_of(DEPENDS).collect();
        assert_eq!(
            names,
            ["linux-base-7.2.12+deb13-rt-amd64", "linux-binary-7.2.12+deb13-rt-amd64"]
        );
        assert_eq!(names_of(DEPENDS).next(), Some("dracut"));
    }

    #[test]
    fn versions_are_compared_by_number() {
        let names = [
            "linux-image-7.2.9+deb13-rt-amd64",
            "linux-image-7.2.12+deb13-rt-amd64",
            "linux-image-7.2.13+deb13-amd64",
            "linux-image-7.2.14+deb13-cloud-amd64",
            "linux-image-7.2.14+deb13-amd64-dbg",
        ];
        let newest = |line: &str| Line::named(line)?.newest(names.map(str::to_owned).to_vec());
        assert_eq!(newest("7.2-rt").as_deref(), Some("linux-image-7.2.12+deb13-rt-amd64"));
        assert_eq!(newest("7.2").as_deref(), Some("linux-image-7.2.13+deb13-amd64"));
        assert_eq!(newest("6.12"), None);
    }

    #[test]
    fn a_release_has_its_line() {
        let name = |release| Line::of_release(release).map(|line| line.name);
        assert_eq!(name("6.12.95+deb12-rt-amd64"), Some("6.12-rt"));
        assert_eq!(name("6.12.95+deb12-amd64"), Some("6.12"));
        assert_eq!(name("7.2.12+deb13-amd64"), Some("7.2"));
        assert_eq!(name("7.3.4+deb13-amd64"), None);
    }
}
