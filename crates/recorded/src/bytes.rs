//! Numbers and texts of a file, and where they stand.

use std::fmt::Display;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};

/// A longer text of a file is none.
const TEXT: usize = 1 << 12;

/// The file is wrong at a byte.
pub(crate) fn wrong(at: u64, why: impl Display) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, format!("byte {at}: {why}"))
}

/// Bytes with a place.
pub(crate) struct Bytes<R> {
    from: R,
    pub(crate) at: u64,
}

impl<R: Read> Bytes<R> {
    pub(crate) const fn new(from: R) -> Self {
        Self { from, at: 0 }
    }

    /// # Errors
    /// The file ends before.
    pub(crate) fn fill(&mut self, into: &mut [u8]) -> io::Result<()> {
        let at = self.at;
        self.from.read_exact(into).map_err(|why| match why.kind() {
            ErrorKind::UnexpectedEof => wrong(at, "the file ends here: it is cut"),
            _ => why,
        })?;
        self.at += into.len() as u64;
        Ok(())
    }

    fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    pub(crate) fn byte(&mut self) -> io::Result<u8> {
        Ok(self.array::<1>()?[0])
    }

    pub(crate) fn u16(&mut self) -> io::Result<u16> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    pub(crate) fn u32(&mut self) -> io::Result<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(crate) fn u64(&mut self) -> io::Result<u64> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// So many bytes, of at most so many.
    pub(crate) fn some(&mut self, length: u64, most: usize, of: &str) -> io::Result<Vec<u8>> {
        let fits = usize::try_from(length).ok().filter(|length| *length <= most);
        let Some(length) = fits else {
            let why = format!("{of} would have {length} bytes, and {most} are the most");
            return Err(wrong(self.at, why));
        };
        let (mut bytes, at) = (Vec::new(), self.at);
        // What is not there takes no memory.
        self.from.by_ref().take(length as u64).read_to_end(&mut bytes)?;
        if bytes.len() < length {
            return Err(wrong(at + bytes.len() as u64, "the file ends here: it is cut"));
        }
        self.at += length as u64;
        Ok(bytes)
    }

    /// Up to a zero.
    pub(crate) fn text(&mut self) -> io::Result<String> {
        let (mut text, at) = (Vec::new(), self.at);
        loop {
            match self.byte()? {
                0 => break,
                _ if text.len() == TEXT => return Err(wrong(at, "a text has no end")),
                byte => text.push(byte),
            }
        }
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// These bytes.
    pub(crate) fn expects(&mut self, expected: &[u8]) -> io::Result<()> {
        let at = self.at;
        let found = self.some(expected.len() as u64, expected.len(), "this")?;
        if found == expected {
            return Ok(());
        }
        let expected = String::from_utf8_lossy(expected.trim_ascii_end());
        let expected = expected.trim_end_matches('\0');
        Err(wrong(at, format!("{expected:?} does not stand here")))
    }

    /// The rest, which is read elsewhere.
    pub(crate) fn inner(&mut self) -> &mut R {
        &mut self.from
    }
}

impl<R: Read + Seek> Bytes<R> {
    pub(crate) fn go(&mut self, at: u64) -> io::Result<()> {
        self.at = self.from.seek(SeekFrom::Start(at))?;
        Ok(())
    }

    pub(crate) fn skip(&mut self, length: u64) -> io::Result<()> {
        let to =
            self.at.checked_add(length).ok_or_else(|| wrong(self.at, "a size is too large"))?;
        self.go(to)
    }
}
