//! Files that a command writes: whole or not at all, and never over what it reads.
//!
//! **Model.** Output goes to a temporary file in the same folder, which is renamed when it is
//! complete: a reader finds either the previous content or the whole new one, and of two commands that
//! write to one name the later one wins. The temporary file is removed on an error, a panic and
//! Ctrl-C. `-` is standard output; then the text of the result goes to standard error. What is no
//! regular file (a device, a pipe) is written as it is.
//!
//! Refused are: a file that the command reads, also by a link to it; two outputs under one name; and
//! an existing file of another [`Content`], unless `--force` is given. An empty file is of any kind.
//!
//! **Assumptions.** 1. A file gets another name in its folder at once or not at all, as POSIX says.
//!
//! **Does not cover** a file that another program puts in place between the last look and the
//! renaming; and a signal that is not caught (`KILL`, `XFSZ`) leaves the file `.vorrang-…`.

use crate::content::Content;
use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, Read as _, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;
use vorrang_command::exit::{Exit, Failure, Output};
use vorrang_command::interruption;
use vorrang_measure::machine::restore::Restore;
use vorrang_quote::name::shown;

/// Whether anything may be replaced.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct Replace {
    /// Overwrite files of another kind, too
    #[arg(long)]
    force: bool,
}

/// What a command reads, and what it writes so far.
pub struct Destinations {
    replace: Replace,
    read: Vec<Identity>,
    written: Vec<(PathBuf, Option<Identity>)>,
    to_stdout: bool,
}

/// Device and number: equal for all names of a file.
type Identity = (u64, u64);

fn identity(of: &Metadata) -> Identity {
    (of.dev(), of.ino())
}

impl Destinations {
    /// Nothing is written yet.
    pub fn new(replace: Replace, inputs: &[impl AsRef<Path>]) -> Self {
        let named = inputs.iter().filter_map(|path| fs::metadata(path).ok());
        // A file that a shell has opened for the command.
        let streams = [of_stream(io::stdin()), of_stream(io::stdout()), of_stream(io::stderr())];
        let read = named.chain(streams.into_iter().flatten()).filter(Metadata::is_file);
        let read = read.map(|of| identity(&of)).collect();
        Self { replace, read, written: Vec::new(), to_stdout: false }
    }

    /// Begins a file.
    ///
    /// # Errors
    /// It must not be replaced, or cannot be written.
    pub fn begin(&mut self, path: &Path, content: Content) -> Result<Draft, Failure> {
        let replace = self.replace;
        let draft = |out| Draft { path: path.to_owned(), content, replace, out };
        if ["-", "/dev/stdout", "/dev/fd/1"].iter().any(|name| path == Path::new(name)) {
            if std::mem::replace(&mut self.to_stdout, true) {
                return Err(twice(path));
            }
            return Ok(draft(Out::Stream(Box::new(Stdout(io::stdout())))));
        }
        // From here on there is something to remove, and Ctrl-C removes it.
        interruption::listen();
        let unwritable = |why: io::Error| unwritable(path, &why);
        let there = match fs::metadata(path) {
            Err(why) if why.kind() == io::ErrorKind::NotFound => None,
            there => Some(there.map_err(unwritable)?),
        };
        if there.as_ref().is_some_and(|there| !there.is_file()) {
            let file = File::options().write(true).open(path).map_err(unwritable)?;
            return Ok(draft(Out::Stream(Box::new(file))));
        }
        let place = resolved(path).map_err(unwritable)?;
        self.take(path, &place, there.as_ref().map(identity))?;
        if let Some(there) = &there {
            replace.may(path, content, there)?;
            File::options().append(true).open(path).map_err(unwritable)?;
        }
        Beside::new(place).map(|beside| draft(Out::Beside(beside))).map_err(unwritable)
    }

    /// Notes a file that is to be written.
    fn take(&mut self, path: &Path, place: &Path, own: Option<Identity>) -> Result<(), Failure> {
        if own.is_some_and(|own| self.read.contains(&own)) {
            let name = shown(path);
            return Err(Failure::bad_input(format!(
                "error: {name} is read by this command, or open for it already, and would be \
                 overwritten: give another name\n"
            )));
        }
        let is_same = |(other, identity): &(PathBuf, Option<Identity>)| {
            other == place || (own.is_some() && *identity == own)
        };
        if self.written.iter().any(is_same) {
            return Err(twice(path));
        }
        self.written.push((place.to_owned(), own));
        Ok(())
    }

    /// Whether `--force` is given.
    pub fn may_replace_anything(&self) -> bool {
        self.replace.force
    }

    /// The text of the result, which makes way where a file goes to standard output.
    pub fn output(&self, text: String, exit: Exit) -> Output {
        if !self.to_stdout {
            return Output { text, exit };
        }
        let exit = match io::stderr().write_all(text.as_bytes()) {
            Err(why) if why.kind() != io::ErrorKind::BrokenPipe => Exit::Host,
            _ => exit,
        };
        Output { text: String::new(), exit }
    }
}

fn twice(path: &Path) -> Failure {
    let name = shown(path);
    Failure::bad_input(format!("error: {name} would be written twice: give each output a name\n"))
}

/// The message when a file could not be written.
pub fn unwritable(path: &Path, why: &io::Error) -> Failure {
    Failure::host(format!("error: {} cannot be written: {why}\n", shown(path)))
}

/// What a stream of this process is, if it is open.
fn of_stream(stream: impl AsFd) -> Option<Metadata> {
    File::from(stream.as_fd().try_clone_to_owned().ok()?).metadata().ok()
}

/// The place behind links: there a file is replaced, and links to it stay.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    if fs::symlink_metadata(path).is_ok() {
        // A link that leads nowhere is an error here.
        return fs::canonicalize(path);
    }
    let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    Ok(fs::canonicalize(folder.unwrap_or(Path::new(".")))?.join(name))
}

impl Replace {
    /// Whether an existing file may be replaced.
    fn may(self, path: &Path, content: Content, there: &Metadata) -> Result<(), Failure> {
        if self.force || there.len() == 0 {
            return Ok(());
        }
        let mut beginning = Vec::new();
        let read = File::open(path)
            .and_then(|file| file.take(content.looked_at()).read_to_end(&mut beginning));
        if read.is_ok() && content.is_that_of(&beginning) {
            return Ok(());
        }
        Err(Failure::bad_input(format!(
            "error: {} is there already and is no {}: give another name, or --force to replace it\n",
            shown(path),
            content.name()
        )))
    }
}

/// A file while it is written. Dropped unfinished it leaves nothing.
pub struct Draft {
    path: PathBuf,
    content: Content,
    replace: Replace,
    out: Out,
}

enum Out {
    /// A file that is not renamed in the end.
    Stream(Box<dyn Write + Send>),
    Beside(Beside),
}

/// Under another name in the folder of its own.
struct Beside {
    file: NamedTempFile,
    place: PathBuf,
    /// Removes it where nothing unwinds.
    _removal: Restore,
}

impl Beside {
    fn new(place: PathBuf) -> io::Result<Self> {
        let folder = place.parent().unwrap_or(Path::new("/"));
        let file = tempfile::Builder::new()
            .prefix(".vorrang-")
            // The mode of a new file: without the bits of the umask.
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(folder)?;
        let own = file.path().to_owned();
        let removal = Restore::with(move || {
            // Not there any more once it has its name.
            let _ = fs::remove_file(own);
        });
        Ok(Self { file, place, _removal: removal })
    }

    /// Renames it, with the owner and mode of the file that it replaces.
    fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        if let Ok(there) = fs::metadata(&self.place) {
            self.file.as_file().set_permissions(there.permissions())?;
            // Only root may give files away.
            let _ = fchown(self.file.as_file(), Some(there.uid()), Some(there.gid()));
        }
        self.file.persist(&self.place)?;
        Ok(())
    }
}

impl Draft {
    /// Gives the file its name.
    ///
    /// # Errors
    /// It cannot be written, or another file has appeared meanwhile.
    pub fn finish(self) -> Result<(), Failure> {
        let Self { path, content, replace, out } = self;
        let done = match out {
            Out::Stream(mut stream) => stream.flush(),
            Out::Beside(beside) => {
                if let Ok(there) = fs::metadata(&beside.place) {
                    replace.may(&beside.place, content, &there)?;
                }
                beside.finish()
            }
        };
        done.map_err(|why| unwritable(&path, &why))
    }

    /// Writes all of it.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write_whole(mut self, text: &[u8]) -> Result<(), Failure> {
        self.write_all(text).map_err(|why| unwritable(&self.path, &why))?;
        self.finish()
    }

    /// The file as it was named.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.out {
            Out::Stream(stream) => stream.write(bytes),
            Out::Beside(beside) => beside.file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.out {
            Out::Stream(stream) => stream.flush(),
            Out::Beside(beside) => beside.file.flush(),
        }
    }
}

/// Standard output. A closed reader is no failure.
struct Stdout(io::Stdout);

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.write(bytes) {
            Err(why) if why.kind() == io::ErrorKind::BrokenPipe => Ok(bytes.len()),
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0.flush() {
            Err(why) if why.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            flushed => flushed,
        }
    }
}
