//! Packages of Debian suites that the machine itself does not use, by a private tree of `apt`.
//!
//! The system's configuration is not touched and no rights are needed. The address of the archive
//! is that of the machine's own sources, so that its mirror or proxy is used.

mod sources;

use crate::failure::Failure;
use crate::program;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A private tree for some suites.
#[derive(Debug)]
pub struct Tree {
    root: PathBuf,
}

impl Tree {
    /// Makes the tree in a folder and brings its lists up to date.
    ///
    /// # Errors
    /// The machine's sources name no Debian archive, or that cannot be reached.
    pub fn update(root: PathBuf, suites: &[&str]) -> Result<Self, Failure> {
        let archive = sources::debian_archive(Path::new("/etc/apt"))?;
        let tree = Self { root };
        for folder in ["etc", "state/lists/partial", "cache/archives/partial"] {
            let path = tree.root.join(folder);
            fs::create_dir_all(&path).map_err(|why| Failure::at(&path, why))?;
        }
        let (key, address) = (archive.key.display(), archive.address);
        let line = |suite| format!("deb [arch=amd64 signed-by={key}] {address} {suite} main\n");
        tree.write("etc/sources.list", &suites.iter().map(line).collect::<String>())?;
        tree.write("state/status", "")?;
        tree.write("apt.conf", &tree.configuration())?;
        program::output(tree.command("apt-get").args(["update", "--quiet"]))?;
        Ok(tree)
    }

    fn write(&self, file: &str, text: &str) -> Result<(), Failure> {
        let path = self.root.join(file);
        fs::write(&path, text).map_err(|why| Failure::at(&path, why))
    }

    /// The differences from the machine's configuration, whose proxies and trust remain.
    fn configuration(&self) -> String {
        let root = self.root.display();
        format!(
            "Dir::Etc::sourcelist \"{root}/etc/sources.list\";\n\
             Dir::Etc::sourceparts \"-\";\n\
             Dir::State \"{root}/state\";\n\
             Dir::State::status \"{root}/state/status\";\n\
             Dir::Cache \"{root}/cache\";\n\
             APT::Architecture \"amd64\";\n\
             APT::Architectures {{ \"amd64\"; }};\n\
             APT::Sandbox::User \"\";\n\
             Acquire::Languages \"none\";\n"
        )
    }

    /// A program of apt that sees this tree only.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("APT_CONFIG", self.root.join("apt.conf")).env("LC_ALL", "C");
        command
    }

    /// A field of the newest version of a package; `None` if there is no such package.
    pub fn field(&self, package: &str, field: &str) -> Option<String> {
        let shown = self.command("apt-cache").args(["show", "--no-all-versions", package]).output();
        let text = String::from_utf8(shown.ok()?.stdout).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(": "));
        line.map(str::to_owned)
    }

    /// The names of all packages that begin so.
    ///
    /// # Errors
    /// The tree cannot be read.
    pub fn names(&self, beginning: &str) -> Result<Vec<String>, Failure> {
        let text = program::text(self.command("apt-cache").args(["pkgnames", beginning]))?;
        Ok(text.lines().map(str::to_owned).collect())
    }

    /// Downloads packages, which `apt` verifies, and unpacks them into one folder.
    ///
    /// # Errors
    /// One cannot be downloaded or unpacked.
    pub fn unpack(&self, packages: &[String], into: &Path) -> Result<(), Failure> {
        let folder = self.root.join("packages");
        fs::create_dir_all(&folder).map_err(|why| Failure::at(&folder, why))?;
        program::output(
            self.command("apt-get")
                .current_dir(&folder)
                .args(["download", "--quiet"])
                .args(packages),
        )?;
        unpack_all(&folder, into)
    }

    /// The same, with everything that they need.
    ///
    /// # Errors
    /// As [`Tree::unpack`], or something that they need is not there.
    pub fn unpack_with_needs(&self, packages: &[&str], into: &Path) -> Result<(), Failure> {
        program::output(
            self.command("apt-get")
                .args(["install", "--quiet", "--yes", "--download-only", "--no-install-recommends"])
                .args(packages),
        )?;
        unpack_all(&self.root.join("cache/archives"), into)
    }
}

/// Unpacks the packages of a folder into another, and removes them.
fn unpack_all(folder: &Path, into: &Path) -> Result<(), Failure> {
    let entries = fs::read_dir(folder).map_err(|why| Failure::at(folder, why))?;
    for package in entries.flatten().map(|entry| entry.path()) {
        if package.extension().is_some_and(|ending| ending == "deb") {
            program::output(Command::new("dpkg-deb").arg("--extract").arg(&package).arg(into))?;
            fs::remove_file(&package).map_err(|why| Failure::at(&package, why))?;
        }
    }
    Ok(())
}
