//! What the names in a file stand for, as far as they stand for something in another file of its crate.

use crate::path::Binding;
use crate::source::Source;

/// The files that a file needs, as places among all of its crate.
pub(crate) fn needed(source: &Source, all: &[Source]) -> Vec<usize> {
    let own = all.iter().position(|one| std::ptr::eq(one, source)).expect("it is one of them");
    let within = Names(all);
    let imported =
        source.bindings.iter().filter(|binding| !binding.is_passed_on).map(|of| &of.path);
    let named = source.references.iter().map(|of| &of.0);
    let needed = imported.chain(named).filter_map(|path| within.defines(own, path, DEPTH));
    needed.filter(|&target| target != own).collect()
}

/// Imports that are followed one after the other: more than any crate has, so that only a circle of imports ends there.
const DEPTH: usize = 16;

struct Names<'a>(&'a [Source]);

impl Names<'_> {
    /// The file in which a path ends that stands in the file `at`; `None` if it leaves the crate, or
    /// begins with a name that is the file's own.
    fn defines(&self, at: usize, path: &[String], depth: usize) -> Option<usize> {
        let (first, rest) = path.split_first()?;
        let sources = self.0;
        match first.as_str() {
            "crate" => self.inside(self.module(at, &[])?, rest, depth),
            "self" => self.inside(at, rest, depth),
            "super" => {
                let (_, above) = sources[at].module.split_last()?;
                let parent = self.module(at, above)?;
                // Several in a row go up one each.
                let is_again = rest.first().is_some_and(|next| next == "super");
                if is_again {
                    self.defines(parent, rest, depth)
                } else {
                    self.inside(parent, rest, depth)
                }
            }
            name => self.below(at, name).map_or_else(
                || self.imported(at, name, rest, depth),
                |child| self.inside(child, rest, depth),
            ),
        }
    }

    /// Where a path ends that begins inside the file `at`.
    fn inside(&self, at: usize, path: &[String], depth: usize) -> Option<usize> {
        let Some((first, rest)) = path.split_first() else { return Some(at) };
        if let Some(child) = self.below(at, first) {
            return self.inside(child, rest, depth);
        }
        Some(self.imported(at, first, rest, depth).unwrap_or(at))
    }

    /// Where a path ends that begins with a name that the file `at` imports.
    fn imported(&self, at: usize, name: &str, rest: &[String], depth: usize) -> Option<usize> {
        let depth = depth.checked_sub(1)?;
        let is_it = |binding: &&Binding| binding.name.as_deref() == Some(name);
        let binding = self.0[at].bindings.iter().find(is_it)?;
        let whole = [binding.path.as_slice(), rest].concat();
        self.defines(at, &whole, depth)
    }

    /// The module of that name in the file `at`.
    fn below(&self, at: usize, name: &str) -> Option<usize> {
        self.module(at, &[self.0[at].module.as_slice(), &[name.to_owned()]].concat())
    }

    /// The file that is a module, in the tree in which the file `at` is.
    fn module(&self, at: usize, module: &[String]) -> Option<usize> {
        let root = self.0[at].root;
        self.0.iter().position(|one| one.root == root && one.module == module)
    }
}
