//! What is compressed.

use crate::bytes::{Bytes, wrong};
use flate2::bufread::ZlibDecoder;
use ruzstd::decoding::StreamingDecoder;
use std::io::{self, Read};

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    None,
    Zlib,
    Zstd,
}

/// A piece of a file, unpacked: trace-cmd makes pieces of some hundred pages.
const PIECE: usize = 1 << 26;

impl Packing {
    /// By the name that the file says.
    pub(super) fn of(name: &str) -> Option<Self> {
        match name {
            "none" => Some(Self::None),
            "zlib" => Some(Self::Zlib),
            "zstd" => Some(Self::Zstd),
            _ => None,
        }
    }

    /// The next piece: its size in the file, its size, and itself. Memory for no more than it says.
    pub(super) fn piece<R: Read>(self, from: &mut Bytes<R>) -> io::Result<Vec<u8>> {
        let at = from.at;
        let (packed, length) = (u64::from(from.u32()?), from.u32()? as usize);
        let packed = from.some(packed, PIECE, "a compressed piece")?;
        if length > PIECE {
            return Err(wrong(
                at,
                format!("a piece would have {length} bytes, and {PIECE} are the most"),
            ));
        }
        let bytes = self
            .unpacked(&packed, length)
            .map_err(|why| wrong(at, format!("what is compressed cannot be read: {why}")))?;
        if bytes.len() != length {
            return Err(wrong(at, "a compressed piece has another length than it says"));
        }
        Ok(bytes)
    }

    fn unpacked(self, packed: &[u8], length: usize) -> io::Result<Vec<u8>> {
        let (mut bytes, most) = (Vec::new(), length as u64 + 1);
        match self {
            Self::None => bytes.extend_from_slice(packed),
            Self::Zlib => drop(ZlibDecoder::new(packed).take(most).read_to_end(&mut bytes)?),
            Self::Zstd => {
                let stream = StreamingDecoder::new(packed).map_err(io::Error::other)?;
                stream.take(most).read_to_end(&mut bytes)?;
            }
        }
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::read::ZlibEncoder;

    fn piece(bytes: &[u8], length: usize) -> Vec<u8> {
        let mut packed = Vec::new();
        ZlibEncoder::new(bytes, Compression::fast()).read_to_end(&mut packed).expect("a piece");
        let sizes =
            [packed.len(), length].map(|size| u32::try_from(size).expect("small").to_le_bytes());
        [sizes.concat(), packed].concat()
    }

    #[test]
    fn a_piece_has_the_length_that_it_says() {
        let bytes = b"a page of events ".repeat(9);
        let read = |piece: Vec<u8>| Packing::Zlib.piece(&mut Bytes::new(&piece[..]));
        assert_eq!(read(piece(&bytes, bytes.len())).expect("a piece"), bytes);
        for other in [bytes.len() - 1, bytes.len() + 1, usize::MAX >> 33] {
            let why = read(piece(&bytes, other)).expect_err("another length").to_string();
            assert!(why.starts_with("byte 0: "), "{why}");
        }
        let mut damaged = piece(&bytes, bytes.len());
        damaged[8] ^= 0xff;
        let why = read(damaged).expect_err("no zlib").to_string();
        assert!(why.contains("cannot be read"), "{why}");
    }
}
