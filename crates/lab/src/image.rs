//! The first file system of a guest: its first process, modules, the plan and files beside them.

use crate::cpio::Archive;
use crate::failure::Failure;
use crate::module::Module;
use std::collections::BTreeSet;
use std::io;
use vorrang_guest::{MODULES, PLAN, Plan};

/// A file of the image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Where it is to be, from the root.
    pub path: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// The bytes of an image.
///
/// # Errors
/// It is too large for its format.
pub fn build(
    init: Vec<u8>,
    modules: Vec<Module>,
    plan: &Plan,
    files: Vec<File>,
) -> Result<Vec<u8>, Failure> {
    let plan = serde_json::to_vec(plan).expect("a plan has no maps");
    let mut all = vec![
        File { path: "/init".to_owned(), bytes: init },
        File { path: PLAN.to_owned(), bytes: plan },
    ];
    for (number, module) in modules.into_iter().enumerate() {
        let path = format!("{MODULES}/{number:03}-{}.ko", module.name);
        all.push(File { path, bytes: module.object });
    }
    all.extend(files);
    write(&all).map_err(|why| Failure(format!("the image cannot be written: {why}")))
}

fn write(files: &[File]) -> io::Result<Vec<u8>> {
    let mut archive = Archive::new(Vec::new());
    let folders: BTreeSet<&str> = files.iter().flat_map(|file| folders_of(&file.path)).collect();
    for folder in folders {
        archive.folder(folder)?;
    }
    for File { path, bytes } in files {
        archive.file(path.trim_start_matches('/'), bytes)?;
    }
    archive.finish()
}

/// The folders around a file: `a` and `a/b` of `/a/b/c`.
fn folders_of(path: &str) -> impl Iterator<Item = &str> {
    let path = path.trim_start_matches('/');
    path.match_indices('/').map(|(at, _)| &path[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_stand_before_what_is_in_them() {
        let file = |path: &str| File { path: path.to_owned(), bytes: Vec::new() };
        let bytes = write(&[file("/a/b/c"), file("/a/d"), file("/e")]).expect("memory");
        let text = String::from_utf8(bytes).expect("no binary content");
        let names: Vec<&str> = text
            .split('\0')
            .filter_map(|part| part.split_once("070701"))
            .map(|(_, header)| &header[104..])
            .collect();
        assert_eq!(names, ["a", "a/b", "a/b/c", "a/d", "e", "TRAILER!!!"]);
    }
}
