//! Where parts of a kernel are built: a folder with the headers of that kernel and the compilers of its
//! own suite of Debian, used as the root of what runs in it.
//!
//! **Model.** A module has to be built by the compiler that built its kernel, and the programs that come
//! with the headers need the C library of their suite; neither is that of the host. So everything
//! comes from the suite, down to the shell: packages are unpacked, not installed, and `make`
//! sees the folder as its root. Sources are copied in; a copy that is the same already is left
//! alone, so that `make` builds what has changed.
//!
//! **Assumptions.** The host lets its users have namespaces of their own (`unshare`), or we are root and
//! may change the root (`chroot`), as in a container.
//!
//! **Cost.** 150 to 190 MB of packages for each line of kernels, 450 to 670 MB on the disk, once.

use crate::apt::Tree;
use crate::failure::Failure;
use crate::kernel::{Kernel, Line};
use crate::{program, storage};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// The packages needed besides the headers, which bring the compiler of their kernel.
// Without what comes with `clang-19` the modules of 7.2 do not build.
const PACKAGES: &[&str] =
    &["make", "dash", "coreutils", "sed", "grep", "mawk", "findutils", "clang-19"];

/// The root of the project, with the sources of kernel parts.
const PROJECT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// One at a time is set up.
static SETTING_UP: Mutex<()> = Mutex::new(());

/// A place to build in.
#[derive(Debug)]
pub struct Workshop {
    root: PathBuf,
    release: String,
    line: Line,
}

impl Workshop {
    /// The one for a kernel; set up if there is none.
    ///
    /// # Errors
    /// It has to be set up and cannot be.
    pub fn of(kernel: &Kernel) -> Result<Self, Failure> {
        let one_at_a_time = SETTING_UP.lock();
        let root = storage::subfolder("workshops")?.join(&kernel.release);
        let line = Line::named(&kernel.line)
            .ok_or_else(|| Failure(format!("there are no kernels {}", kernel.line)))?;
        if !root.exists() {
            // Under another name until it is whole.
            let beside = root.with_extension("partial");
            if beside.exists() {
                fs::remove_dir_all(&beside).map_err(|why| Failure::at(&beside, why))?;
            }
            set_up(&beside, line, &kernel.release)?;
            fs::rename(&beside, &root).map_err(|why| Failure::at(&root, why))?;
        }
        drop(one_at_a_time);
        Ok(Self { root, release: kernel.release.clone(), line })
    }

    /// Builds the module of this name.
    ///
    /// # Errors
    /// It cannot be built: with the end of what the compiler said.
    pub fn module(&self, name: &str) -> Result<Vec<u8>, Failure> {
        self.bring(name)?;
        let headers = format!("/usr/src/linux-headers-{}", self.release);
        let folder = format!("M=/build/{name}");
        self.run(&["make", "--silent", "-C", &headers, &folder, "modules"])?;
        self.made(&format!("{name}/{name}.ko"))
    }

    fn made(&self, path: &str) -> Result<Vec<u8>, Failure> {
        let path = self.root.join("build").join(path);
        fs::read(&path).map_err(|why| Failure::at(&path, why))
    }

    /// Unpacks more packages of the suite, without what they need, if a file that they bring is not there.
    ///
    /// # Errors
    /// One cannot be downloaded or unpacked.
    pub(crate) fn add(&self, packages: &[&str], brings: &str) -> Result<(), Failure> {
        let one_at_a_time = SETTING_UP.lock();
        if !self.root.join(brings).exists() {
            let packages: Vec<String> = packages.iter().copied().map(str::to_owned).collect();
            apt(self.line)?.unpack(&packages, &self.root)?;
        }
        drop(one_at_a_time);
        Ok(())
    }

    /// Removes a folder with all that is in it.
    ///
    /// # Errors
    /// It is there and cannot be removed.
    pub(crate) fn empty(&self, folder: &str) -> Result<(), Failure> {
        let path = self.root.join(folder);
        if path.exists() {
            fs::remove_dir_all(&path).map_err(|why| Failure::at(&path, why))?;
        }
        Ok(())
    }

    /// Copies the sources of a part.
    fn bring(&self, name: &str) -> Result<(), Failure> {
        self.copy(&format!("kernel/{name}"), name)
    }

    /// Copies the files of a folder of the project to one below `/build`.
    ///
    /// # Errors
    /// One cannot be read or written.
    pub(crate) fn copy(&self, from: &str, to: &str) -> Result<(), Failure> {
        let (from, to) = (Path::new(PROJECT).join(from), self.root.join("build").join(to));
        fs::create_dir_all(&to).map_err(|why| Failure::at(&to, why))?;
        let entries = fs::read_dir(&from).map_err(|why| Failure::at(&from, why))?;
        for entry in entries.flatten() {
            let bytes = fs::read(entry.path()).map_err(|why| Failure::at(&entry.path(), why))?;
            let copy = to.join(entry.file_name());
            if fs::read(&copy).ok().as_ref() != Some(&bytes) {
                fs::write(&copy, &bytes).map_err(|why| Failure::at(&copy, why))?;
            }
        }
        Ok(())
    }

    /// Runs a program that sees the folder as its root; returns its standard output.
    ///
    /// # Errors
    /// It cannot be started, or fails: with the end of what it said.
    pub(crate) fn run(&self, command: &[&str]) -> Result<String, Failure> {
        let mut program = if may_have_namespaces() {
            let mut unshare = Command::new("unshare");
            unshare.args(["--user", "--map-root-user", "--mount", "sh", "-ec"]);
            unshare.arg("mount --rbind /dev \"$0/dev\"; mount --rbind /proc \"$0/proc\"; exec chroot \"$0\" \"$@\"");
            unshare.arg(&self.root);
            unshare
        } else {
            self.make_null()?;
            self.copy_maps()?;
            let mut chroot = Command::new("chroot");
            chroot.arg(&self.root);
            chroot
        };
        program.env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").env("LC_ALL", "C");
        program::text(program.args(command))
    }

    /// The device that a compiler reads nothing from, where the host's are not to be had.
    fn make_null(&self) -> Result<(), Failure> {
        let null = self.root.join("dev/null");
        if null.exists() {
            return Ok(());
        }
        let made = program::output(
            Command::new("mknod").args(["-m", "666"]).arg(&null).args(["c", "1", "3"]),
        );
        made.map(drop).map_err(|Failure(why)| {
            Failure(format!(
                "parts of kernels cannot be built: this host gives its users no namespaces \
                 (user.max_user_namespaces), and we are not root: {why}"
            ))
        })
    }

    /// Where `/proc` is not to be had: from its map of memory `objtool` of 7.2 takes where its stack is, to
    /// name an overflow of it. Ours will do.
    fn copy_maps(&self) -> Result<(), Failure> {
        let own = self.root.join("proc/self");
        fs::create_dir_all(&own).map_err(|why| Failure::at(&own, why))?;
        let copied = fs::copy("/proc/self/maps", own.join("maps"));
        copied.map(drop).map_err(|why| Failure::at(&own, why))
    }
}

/// Whether a program can be given a root of its own without being root.
pub(crate) fn may_have_namespaces() -> bool {
    let tried =
        Command::new("unshare").args(["--user", "--map-root-user", "--mount", "true"]).output();
    tried.is_ok_and(|tried| tried.status.success())
}

/// The packages of the suites of a line.
fn apt(line: Line) -> Result<Tree, Failure> {
    let name = format!("{}-{}", line.base, line.suite);
    Tree::update(storage::subfolder("apt")?.join(name), &[line.base, line.suite])
}

fn set_up(root: &Path, line: Line, release: &str) -> Result<(), Failure> {
    for folder in ["dev", "proc", "tmp", "build"] {
        let path = root.join(folder);
        fs::create_dir_all(&path).map_err(|why| Failure::at(&path, why))?;
    }
    let tree = apt(line)?;
    let headers = format!("linux-headers-{release}");
    let packages: Vec<&str> = PACKAGES.iter().copied().chain([headers.as_str()]).collect();
    tree.unpack_with_needs(&packages, root)?;
    // The effects of installing packages: merged folders of newer suites, and the choice of awk.
    let links = ["bin", "lib", "lib64", "sbin"].map(|name| (name, format!("usr/{name}")));
    for (link, target) in links.into_iter().chain([("usr/bin/awk", "mawk".to_owned())]) {
        let path = root.join(link);
        if !path.exists() {
            symlink(target, &path).map_err(|why| Failure::at(&path, why))?;
        }
    }
    Ok(())
}
