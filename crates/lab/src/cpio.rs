//! Archives in the format that the kernel unpacks as its first file system ("newc").
//!
//! The same entries give the same bytes: times and owners are zero, inodes are counted. Format:
//! `Documentation/driver-api/early-userspace/buffer-format.rst` of the kernel.

use std::io::{self, Write};

const FOLDER: u32 = 0o040_755;
const PROGRAM: u32 = 0o100_755;
const LINK: u32 = 0o120_777;

/// Writes an archive, entry by entry.
#[derive(Debug)]
pub struct Archive<W: Write> {
    to: W,
    inode: u32,
}

impl<W: Write> Archive<W> {
    /// An archive without entries.
    pub fn new(to: W) -> Self {
        Self { to, inode: 0 }
    }

    /// A folder; the folders around it stand before it.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn folder(&mut self, path: &str) -> io::Result<()> {
        self.entry(path, FOLDER, &[])
    }

    /// A file that may be run.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn file(&mut self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.entry(path, PROGRAM, bytes)
    }

    /// A symbolic link.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn link(&mut self, path: &str, target: &str) -> io::Result<()> {
        self.entry(path, LINK, target.as_bytes())
    }

    /// Ends the archive; returns the writer.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.entry("TRAILER!!!", 0, &[])?;
        Ok(self.to)
    }

    fn entry(&mut self, path: &str, mode: u32, bytes: &[u8]) -> io::Result<()> {
        let too_large = |_| io::Error::new(io::ErrorKind::InvalidInput, "larger than 4 GiB");
        let size = u32::try_from(bytes.len()).map_err(too_large)?;
        let name_size = u32::try_from(path.len() + 1).map_err(too_large)?;
        self.inode += 1;
        // inode, mode, user, group, links, time, size, device (2), device of a device (2), name, check
        let fields = [self.inode, mode, 0, 0, 1, 0, size, 0, 0, 0, 0, name_size, 0];
        self.to.write_all(b"070701")?;
        for field in fields {
            write!(self.to, "{field:08x}")?;
        }
        self.to.write_all(path.as_bytes())?;
        self.to.write_all(b"\0")?;
        // The header of 110 bytes with its name, and the content, fill multiples of four.
        self.pad(110 + path.len() + 1)?;
        self.to.write_all(bytes)?;
        self.pad(bytes.len())
    }

    fn pad(&mut self, length: usize) -> io::Result<()> {
        self.to.write_all(&[0; 3][..length.wrapping_neg() % 4])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Vec<u8> {
        let mut archive = Archive::new(Vec::new());
        archive.folder("bin").expect("memory");
        archive.file("bin/abc", b"12345").expect("memory");
        archive.link("init", "bin/abc").expect("memory");
        archive.finish().expect("memory")
    }

    #[test]
    fn entries_begin_at_multiples_of_four_and_say_their_sizes() {
        let bytes = small();
        let begins: Vec<usize> =
            (0..bytes.len()).filter(|&at| bytes[at..].starts_with(b"070701")).collect();
        assert_eq!(begins.len(), 4, "three entries and the end");
        assert!(begins.iter().all(|at| at % 4 == 0), "{begins:?}");
        assert_eq!(bytes.len() % 4, 0);
        let size = |entry: usize| &bytes[begins[entry] + 54..begins[entry] + 62];
        assert_eq!(size(0), b"00000000");
        assert_eq!(size(1), b"00000005");
        assert_eq!(size(2), b"00000007");
    }

    #[test]
    fn the_same_entries_give_the_same_bytes() {
        assert_eq!(small(), small());
    }

    /// The archive is read back by another program, where that is installed.
    #[test]
    fn other_programs_read_it() {
        use std::process::{Command, Stdio};
        let spawned = Command::new("cpio")
            .args(["--list", "--verbose", "--quiet"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let Ok(mut reader) = spawned else {
            eprintln!("cpio is not installed: nothing to compare with");
            return;
        };
        reader.stdin.take().expect("a pipe").write_all(&small()).expect("it reads");
        let text = reader.wait_with_output().expect("it ends").stdout;
        let text = String::from_utf8(text).expect("text");
        assert_eq!(text.lines().count(), 3, "{text}");
        assert!(text.contains("drwxr-xr-x") && text.contains("init -> bin/abc"), "{text}");
    }
}
