//! A machine of which files are known, for plans and for tests: changes are accepted, and nothing happens.

use super::kernel::Kernel;
use super::list::cpus_of;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use vorrang_sched::Policy;

/// A machine of which files are known: the text of a file by its path, and the names in a folder, a line each, by its path
/// with a slash behind.
#[derive(Clone, Copy, Debug)]
pub struct Known<F>(pub F);

/// A machine of these files. A path with a slash behind is a folder without any.
pub fn known(files: BTreeMap<String, String>) -> Known<impl Fn(&str) -> Option<String>> {
    Known(move |path: &str| {
        if !path.ends_with('/') {
            return files.get(path).cloned();
        }
        let within: Vec<&str> = files.keys().filter_map(|file| file.strip_prefix(path)).collect();
        let names: BTreeSet<&str> =
            within.iter().filter_map(|rest| rest.split('/').next()).collect();
        let lines = names.into_iter().collect::<Vec<_>>().join("\n");
        (!within.is_empty()).then_some(lines)
    })
}

impl<F: Fn(&str) -> Option<String>> Kernel for Known<F> {
    fn read(&self, path: &str) -> io::Result<String> {
        (self.0)(path).ok_or(io::ErrorKind::NotFound.into())
    }

    fn list(&self, path: &str) -> io::Result<Vec<String>> {
        if (self.0)(path).is_some() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        let lines = self.read(&format!("{path}/"))?;
        Ok(lines.lines().filter(|name| !name.is_empty()).map(str::to_owned).collect())
    }

    fn write(&mut self, _: &str, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn make(&mut self, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn remove(&mut self, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn load_module(&mut self, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn unload_module(&mut self, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn policy(&self, _: i32) -> io::Result<Policy> {
        Ok(Policy::default())
    }

    fn set_policy(&mut self, _: i32, _: &Policy) -> io::Result<()> {
        Ok(())
    }

    /// Every thread may use all of its processors.
    fn affinity(&self, _: i32) -> io::Result<Vec<u32>> {
        let online = self.read("/sys/devices/system/cpu/online")?;
        cpus_of(&online).ok_or(io::ErrorKind::InvalidData.into())
    }

    fn set_affinity(&mut self, _: i32, _: &[u32]) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_those_of_the_files() {
        let files = ["/a/b/c", "/a/d", "/e/f/", "/sys/devices/system/cpu/online"];
        let files = files.map(|path| (path.to_owned(), "0-1\n".to_owned()));
        let machine = known(BTreeMap::from(files));
        let names = |path| machine.list(path).map_err(|why| why.kind());
        assert_eq!(names("/a"), Ok(vec!["b".to_owned(), "d".to_owned()]));
        assert_eq!(names("/e/f"), Ok(Vec::new()));
        assert_eq!(names("/a/d"), Err(io::ErrorKind::NotADirectory));
        assert_eq!(names("/b"), Err(io::ErrorKind::NotFound));
        assert_eq!(machine.affinity(1).unwrap(), [0, 1]);
    }
}
