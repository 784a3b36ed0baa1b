//! The kernel that is packed in an image to boot, as QEMU can start it by itself.
//!
//! **Model.** An image is a loader and, where its header says, a packed ELF file. QEMU starts that file by its entry
//! for virtual machines (PVH), with the same bytes in memory as the loader leaves without address randomisation. Unpacking
//! takes the loader one and a half of the eight seconds that an emulated boot takes, and a program of the host 0.3, once.
//!
//! **Not covered.** Other ways of packing than that of Debian's kernels: such an image is booted as it is.
//!
//! Reference: the kernel's `Documentation/arch/x86/boot.rst`, "The Real-Mode Kernel Header".

use crate::failure::Failure;
use crate::program;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// How data begins that `zstd` packed.
const PACKED: &[u8] = &[0x28, 0xB5, 0x2F, 0xFD];
/// After it the kernel's build writes the length of the unpacked file.
const LENGTH: usize = 4;
/// A block of the loader.
const BLOCK: usize = 512;

/// One at a time is unpacked.
static UNPACKING: Mutex<()> = Mutex::new(());

/// The unpacked kernel of an image, beside it; the image itself where it is not packed like that.
///
/// # Errors
/// It cannot be read or unpacked.
pub fn kernel(image: &Path) -> Result<PathBuf, Failure> {
    let beside = |ending: &str| PathBuf::from(format!("{}.{ending}", image.display()));
    let unpacked = beside("unpacked");
    let _one = UNPACKING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if unpacked.exists() {
        return Ok(unpacked);
    }
    let bytes = fs::read(image).map_err(|why| Failure::at(image, why))?;
    let Some(packed) = packed(&bytes) else { return Ok(image.to_owned()) };
    let (whole, part) = (beside("packed"), beside(&format!("part-{}", std::process::id())));
    fs::write(&whole, packed).map_err(|why| Failure::at(&whole, why))?;
    program::output(
        Command::new("zstd").args(["--decompress", "--force"]).arg(&whole).arg("-o").arg(&part),
    )?;
    // Complete or not at all, for other processes.
    let kept = fs::rename(&part, &unpacked).and_then(|()| fs::remove_file(&whole));
    kept.map_err(|why| Failure::at(&unpacked, why))?;
    Ok(unpacked)
}

/// The packed file in an image.
fn packed(image: &[u8]) -> Option<&[u8]> {
    let number = |at: usize| {
        let bytes = image.get(at..at + 4)?.try_into().ok()?;
        usize::try_from(u32::from_le_bytes(bytes)).ok()
    };
    let blocks = usize::from(*image.get(0x1F1)?);
    let begin = (blocks + 1) * BLOCK + number(0x248)?;
    let packed = image.get(begin..begin + number(0x24C)?.checked_sub(LENGTH)?)?;
    packed.starts_with(PACKED).then_some(packed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packed_file_is_where_the_header_says() {
        let mut image = vec![0_u8; 3 * BLOCK];
        image[0x1F1] = 1;
        image[0x248] = 16;
        image[0x24C] = 10;
        let begin = 2 * BLOCK + 16;
        image[begin..begin + 4].copy_from_slice(PACKED);
        image[begin + 4..begin + 10].copy_from_slice(&[7, 8, 1, 2, 3, 4]);
        assert_eq!(packed(&image), Some(&[0x28, 0xB5, 0x2F, 0xFD, 7, 8][..]));
        image[begin] = 0;
        assert_eq!(packed(&image), None);
        assert_eq!(packed(&image[..BLOCK]), None);
    }
}
