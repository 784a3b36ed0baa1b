//! The sources of a crate: which file needs which, and how long files and functions are.
//!
//! **Model.** A crate is its modules, a file each ([`Modules::read`]); what is compiled for tests only is
//! no part of it. A file *needs* another where a path in it ends at something that the other defines,
//! imports and re-exports followed ([`Modules::circles`]).
//!
//! **Assumptions.**
//! 1. Modules lie where the language expects them, without `#[path]`.
//! 2. Names in the arguments of macros are not seen, nor are calls of methods that another file
//!    implements for a type: only the names of the types and traits are.
//! 3. A re-export alone is no need: it is the front of a folder.

mod function;
mod name;
mod path;
mod source;

pub use function::Function;
pub use source::Source;

use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// The modules of a crate, a file each.
#[derive(Debug)]
pub struct Modules {
    sources: Vec<Source>,
}

impl Modules {
    /// Reads the crate whose sources lie in `folder`, from its `lib.rs` and `main.rs` on.
    ///
    /// # Errors
    /// A file cannot be read, or is not Rust.
    pub fn read(folder: &Path) -> io::Result<Self> {
        let mut sources = Vec::new();
        for root in ["lib.rs", "main.rs"] {
            if folder.join(root).is_file() {
                source::read(folder, Path::new(root), &[], root, &mut sources)?;
            }
        }
        Ok(Self { sources })
    }

    /// Its files, a module before what is in it.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Pairs of files of which the first needs the second, sorted.
    pub fn needs(&self) -> Vec<(&str, &str)> {
        let mut needs: Vec<(&str, &str)> = Vec::new();
        for source in &self.sources {
            for target in name::needed(source, &self.sources) {
                needs.push((&source.file, &self.sources[target].file));
            }
        }
        needs.sort_unstable();
        needs.dedup();
        needs
    }

    /// The circles of files that need each other; each circle and the list of them is sorted.
    pub fn circles(&self) -> Vec<Vec<&str>> {
        circles(self.needs())
    }

    /// The circles among what lies directly in a folder, where a folder is one of it: a folder needs what
    /// any file in it needs. Each is sorted, and so is the list; those of files alone are in [`Modules::circles`].
    pub fn circles_of_folders(&self) -> Vec<Vec<&str>> {
        let mut by_folder: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
        for (needs, needed) in self.needs() {
            let (folder, needs, needed) = apart(needs, needed);
            by_folder.entry(folder).or_default().push((needs, needed));
        }
        let has_folder = |circle: &Vec<&str>| circle.iter().any(|one| one.ends_with('/'));
        let all = by_folder.into_values().flat_map(circles);
        let mut found: Vec<Vec<&str>> = all.filter(has_folder).collect();
        found.sort_unstable();
        found
    }
}

fn circles<'a>(needs: Vec<(&'a str, &'a str)>) -> Vec<Vec<&'a str>> {
    let graph: DiGraphMap<&str, ()> = needs.into_iter().collect();
    let mut circles: Vec<Vec<&str>> =
        tarjan_scc(&graph).into_iter().filter(|circle| circle.len() > 1).collect();
    for circle in &mut circles {
        circle.sort_unstable();
    }
    circles.sort_unstable();
    circles
}

/// The innermost folder that has both files, and where each of them is in it: a file of it, or a folder of it with a
/// stroke at the end.
fn apart<'a>(one: &'a str, other: &'a str) -> (&'a str, &'a str, &'a str) {
    let same = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let folder = one[..same].rfind('/').map_or(0, |at| at + 1);
    let in_it = |file: &'a str| match file[folder..].find('/') {
        Some(length) => &file[..=folder + length],
        None => file,
    };
    (&one[..folder], in_it(one), in_it(other))
}
