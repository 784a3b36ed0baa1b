//! A device that is assigned by VFIO (`Documentation/driver-api/vfio.rst`, `include/uapi/linux/vfio.h`), for whose calls
//! no library is needed beside them.
#![expect(unsafe_code, reason = "system calls without a wrapper")]

use nix::errno::Errno;
use nix::sys::eventfd::{EfdFlags, EventFd};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{ffi::CString, thread};

/// Vendor and device of `edu`.
const EDU: [&str; 2] = ["1234", "11e8"];
/// Its register that raises an interrupt.
const RAISE: u64 = 0x60;
/// Where the configuration begins in the file of a device, and the command in it; the registers begin at 0.
const COMMAND: u64 = (7 << 40) + 4;
/// It answers, and may write to memory, as its messages do.
const ANSWERS: u16 = 6;

const SET_IOMMU: libc::c_ulong = 0x3b66;
const SET_CONTAINER: libc::c_ulong = 0x3b68;
const GET_DEVICE: libc::c_ulong = 0x3b6a;
const SET_IRQS: libc::c_ulong = 0x3b6e;
/// `VFIO_TYPE1v2_IOMMU`.
const TYPE1: libc::c_ulong = 3;
/// `VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER`, and `VFIO_PCI_MSI_IRQ_INDEX`.
const TRIGGER: u32 = 4 | 32;
const MSI: u32 = 1;

/// `struct vfio_irq_set` for one event file.
#[repr(C)]
struct Vector {
    size: u32,
    flags: u32,
    index: u32,
    start: u32,
    count: u32,
    file: i32,
}

/// A device, whose interrupts are delivered to an event file.
pub(crate) struct Assigned {
    device: File,
    event: EventFd,
    /// It is assigned as long as they are open.
    _group: [File; 2],
}

impl Assigned {
    /// Has the kernel assign it to this program.
    ///
    /// # Errors
    /// As the kernel says.
    pub(crate) fn new() -> io::Result<Self> {
        let place = place()?;
        fs::write("/sys/bus/pci/drivers/vfio-pci/new_id", EDU.join(" ")).or_else(known)?;
        let group = fs::read_link(place.join("iommu_group"))?;
        let group = group.file_name().ok_or_else(|| io::Error::other("it has no group"))?;
        let container = open(Path::new("/dev/vfio/vfio"))?;
        let group = open(&Path::new("/dev/vfio").join(group))?;
        // SAFETY: the kernel reads a number at the address.
        let joined =
            unsafe { libc::ioctl(group.as_raw_fd(), SET_CONTAINER, &container.as_raw_fd()) };
        Errno::result(joined)?;
        // SAFETY: it takes a number.
        Errno::result(unsafe { libc::ioctl(container.as_raw_fd(), SET_IOMMU, TYPE1) })?;
        let name = place.file_name().unwrap_or_default().as_bytes();
        let name = CString::new(name).map_err(io::Error::other)?;
        // SAFETY: the kernel reads the name up to its end.
        let number =
            Errno::result(unsafe { libc::ioctl(group.as_raw_fd(), GET_DEVICE, name.as_ptr()) })?;
        // SAFETY: the kernel has just opened it, and nothing else has it.
        let device = File::from(unsafe { OwnedFd::from_raw_fd(number) });
        let mut command = [0; 2];
        device.read_exact_at(&mut command, COMMAND)?;
        let command = u16::from_le_bytes(command) | ANSWERS;
        device.write_all_at(&command.to_le_bytes(), COMMAND)?;
        let event = EventFd::from_flags(EfdFlags::EFD_NONBLOCK)?;
        let file = event.as_raw_fd();
        let size = u32::try_from(size_of::<Vector>()).map_err(io::Error::other)?;
        let vector = Vector { size, flags: TRIGGER, index: MSI, start: 0, count: 1, file };
        // SAFETY: the kernel reads as many bytes as its size says.
        Errno::result(unsafe { libc::ioctl(device.as_raw_fd(), SET_IRQS, &raw const vector) })?;
        Ok(Self { device, event, _group: [container, group] })
    }

    /// It raises an interrupt.
    ///
    /// # Errors
    /// As the kernel says.
    pub(crate) fn raise(&self) -> io::Result<()> {
        self.device.write_all_at(&1_u32.to_le_bytes(), RAISE)
    }

    /// How many were delivered since the last time.
    ///
    /// # Errors
    /// As the kernel says.
    pub(crate) fn delivered(&self) -> io::Result<u64> {
        match self.event.read() {
            Err(Errno::EAGAIN) => Ok(0),
            other => Ok(other?),
        }
    }
}

/// The folder of the device.
fn place() -> io::Result<PathBuf> {
    for folder in fs::read_dir("/sys/bus/pci/devices")? {
        let folder = folder?.path();
        let says = |file: &str| fs::read_to_string(folder.join(file)).unwrap_or_default();
        if says("vendor").trim() == format!("0x{}", EDU[0])
            && says("device").trim() == format!("0x{}", EDU[1])
        {
            return Ok(folder);
        }
    }
    Err(io::Error::other("this machine has no device `edu`"))
}

/// The driver has it already, from an earlier run.
fn known(why: io::Error) -> io::Result<()> {
    if why.kind() == io::ErrorKind::AlreadyExists { Ok(()) } else { Err(why) }
}

/// Opens a file that the kernel makes soon.
fn open(path: &Path) -> io::Result<File> {
    let begin = Instant::now();
    loop {
        match OpenOptions::new().read(true).write(true).open(path) {
            // The last one who had it is still ending.
            Err(_) if begin.elapsed() < Duration::from_secs(2) => {
                thread::sleep(Duration::from_millis(10));
            }
            other => return other,
        }
    }
}
