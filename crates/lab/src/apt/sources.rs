//! The Debian archive that a machine uses, by its own package sources.
//!
//! Two notations are in use (`sources.list(5)`): one line a source, and paragraphs.

use crate::failure::Failure;
use std::fs;
use std::path::{Path, PathBuf};

/// The key of the archive where the machine's sources do not state one.
const KEY: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// A Debian archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Archive {
    /// Where it is.
    pub(super) address: String,
    /// The keys that its lists are signed with.
    pub(super) key: PathBuf,
}

/// The archive in the files of a folder such as `/etc/apt`.
pub(super) fn debian_archive(etc: &Path) -> Result<Archive, Failure> {
    let mut files = vec![etc.join("sources.list")];
    if let Ok(entries) = fs::read_dir(etc.join("sources.list.d")) {
        let mut parts: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        parts.sort();
        files.extend(parts);
    }
    let archive = files.iter().find_map(|path| {
        let text = fs::read_to_string(path).ok()?;
        match path.extension()?.to_str()? {
            "list" => in_lines(&text),
            "sources" => in_paragraphs(&text),
            _ => None,
        }
    });
    archive.ok_or_else(|| {
        Failure(format!(
            "the package sources in {} name no Debian archive (an address that ends in /debian)",
            etc.display()
        ))
    })
}

/// Security updates and the archives of others lie elsewhere.
fn is_debian(address: &str) -> bool {
    address.contains("://") && address.trim_end_matches('/').ends_with("/debian")
}

fn in_lines(text: &str) -> Option<Archive> {
    let sources = text.lines().filter(|line| line.split_whitespace().next() == Some("deb"));
    let address = sources.flat_map(str::split_whitespace).find(|word| is_debian(word))?.to_owned();
    Some(Archive { address, key: KEY.into() })
}

fn in_paragraphs(text: &str) -> Option<Archive> {
    text.split("\n\n").find_map(|paragraph| {
        let field = |name: &str| {
            let value =
                |line: &str| Some(line.strip_prefix(name)?.strip_prefix(':')?.trim().to_owned());
            paragraph.lines().find_map(value)
        };
        field("Types")?.split_whitespace().find(|kind| *kind == "deb")?;
        let address = field("URIs")?.split_whitespace().find(|uri| is_debian(uri))?.to_owned();
        let key = field("Signed-By").filter(|key| key.starts_with('/'));
        Some(Archive { address, key: key.map_or_else(|| KEY.into(), PathBuf::from) })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        let text = "# deb http://other.example/debian x main\n\
                    deb-src http://source.example/debian x main\n\
                    deb http://security.example/debian-security x main\n\
                    deb [arch=amd64] http://mirror.example/debian/ bookworm main\n";
        let archive = in_lines(text).expect("an archive");
        assert_eq!(archive.address, "http://mirror.example/debian/");
        assert_eq!(archive.key, PathBuf::from(KEY));
    }

    #[test]
    fn paragraphs_are_understood() {
        let text = "Types: deb\nURIs: https://packages.example/node\nSuites: x\n\n\
                    Types: deb deb-src\n# a comment\nURIs: https://mirror.example/debian\n\
                    Suites: bookworm bookworm-updates\nSigned-By: /some/key.gpg\n";
        let archive = in_paragraphs(text).expect("an archive");
        assert_eq!(archive.address, "https://mirror.example/debian");
        assert_eq!(archive.key, PathBuf::from("/some/key.gpg"));
    }

    #[test]
    fn a_machine_without_debian_is_told_so() {
        assert_eq!(in_lines("deb http://archive.example/ubuntu noble main\n"), None);
        let failure = debian_archive(Path::new("/nonexistent")).expect_err("there is nothing");
        assert!(failure.0.contains("/nonexistent"), "{failure}");
    }
}
