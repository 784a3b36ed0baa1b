//! Modules of a kernel, with the modules they need.
//!
//! A module names what it needs in its section `.modinfo`, as `depends=one,two`; names are those
//! of files, with `_` for `-`. So the package's own lists, which are made when it is installed, are
//! not needed.

use crate::failure::Failure;
use crate::program;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A module, ready to be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Its name.
    pub name: String,
    /// Its object file, unpacked.
    pub object: Vec<u8>,
}

/// All modules of a kernel.
#[derive(Debug)]
pub struct Modules {
    files: BTreeMap<String, PathBuf>,
}

impl Modules {
    /// Looks for modules below a folder.
    ///
    /// # Errors
    /// A folder cannot be read.
    pub fn below(folder: &Path) -> Result<Self, Failure> {
        let mut files = BTreeMap::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            let entries = fs::read_dir(&folder).map_err(|why| Failure::at(&folder, why))?;
            for entry in entries.flatten() {
                let kind = entry.file_type().map_err(|why| Failure::at(&entry.path(), why))?;
                if kind.is_dir() {
                    folders.push(entry.path());
                } else if let Some(name) = name(&entry.path()) {
                    files.insert(name, entry.path());
                }
            }
        }
        Ok(Self { files })
    }

    /// These modules, each after its dependencies. A name without a file is part of the kernel.
    ///
    /// # Errors
    /// A file cannot be read or unpacked.
    pub fn with_what_they_need(&self, names: &[&str]) -> Result<Vec<Module>, Failure> {
        let mut loaded = Vec::new();
        for name in names {
            self.load(&name.replace('-', "_"), &mut loaded)?;
        }
        Ok(loaded)
    }

    fn load(&self, name: &str, loaded: &mut Vec<Module>) -> Result<(), Failure> {
        let Some(file) = self.files.get(name) else { return Ok(()) };
        if loaded.iter().any(|module| module.name == name) {
            return Ok(());
        }
        let object = unpacked(file)?;
        for needed in needs(&object) {
            self.load(&needed, loaded)?;
        }
        loaded.push(Module { name: name.to_owned(), object });
        Ok(())
    }
}

/// The name of the module in a file, if it is one.
fn name(path: &Path) -> Option<String> {
    let file = path.file_name()?.to_str()?;
    let (name, packed) = file.split_once(".ko")?;
    ["", ".xz", ".zst", ".gz"].contains(&packed).then(|| name.replace('-', "_"))
}

fn unpacked(path: &Path) -> Result<Vec<u8>, Failure> {
    let unpack = |program: &str| {
        program::output(Command::new(program).args(["--decompress", "--stdout"]).arg(path))
    };
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("xz") => unpack("xz"),
        Some("zst") => unpack("zstd"),
        Some("gz") => unpack("gzip"),
        _ => fs::read(path).map_err(|why| Failure::at(path, why)),
    }
}

/// The names after `depends=`, which is a text of its own between zero bytes.
fn needs(object: &[u8]) -> Vec<String> {
    const KEY: &[u8] = b"\0depends=";
    let Some(at) = object.windows(KEY.len()).position(|window| window == KEY) else {
        return Vec::new();
    };
    let list = object[at + KEY.len()..].split(|&byte| byte == 0).next().unwrap_or_default();
    let names = String::from_utf8_lossy(list);
    names.split(',').filter(|name| !name.is_empty()).map(|name| name.replace('-', "_")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_module_needs_comes_before_it_and_once() {
        let folder = std::env::temp_dir().join(format!("vorrang-modules-{}", std::process::id()));
        fs::create_dir_all(folder.join("net")).expect("a folder");
        let write = |file: &str, depends: &str| {
            let object = format!("\u{7f}ELF\0license=GPL\0depends={depends}\0name=x\0");
            fs::write(folder.join(file), object).expect("a file");
        };
        write("net/card.ko", "net-core,bus");
        write("net/net_core.ko", "bus");
        write("bus.ko", "");
        write("notes.txt", "");
        let modules = Modules::below(&folder).expect("modules");
        let loaded = modules.with_what_they_need(&["card", "built-in"]).expect("files");
        fs::remove_dir_all(&folder).expect("a folder");
        let names: Vec<&str> = loaded.iter().map(|module| module.name.as_str()).collect();
        assert_eq!(names, ["bus", "net_core", "card"]);
    }

    #[test]
    fn packed_modules_are_recognised() {
        assert_eq!(name(Path::new("/a/virtio-net.ko.xz")), Some("virtio_net".to_owned()));
        assert_eq!(name(Path::new("/a/e1000.ko")), Some("e1000".to_owned()));
        assert_eq!(name(Path::new("/a/modules.dep")), None);
    }
}
