//! `vorrang export`: the settings of a description for other programs.

mod unit;

use vorrang_command::decided::unfit;
use vorrang_command::exit::{Failure, Output};
use vorrang_command::input::Source;
use vorrang_enforce::export::{Form, export};
use vorrang_verdict::input::Input;

/// Write the settings of a description for other programs
///
/// The settings are those of `vorrang apply`, for other means of setting them. What the program cannot
/// express is written as a comment. Nothing is checked on this machine, and no verdict is needed.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Export {
    #[command(flatten)]
    source: Source,
    /// The program
    #[arg(long = "as", value_name = "PROGRAM", value_enum)]
    program: Program,
}

/// A program that sets reservations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Program {
    /// A shell script with chrt and partitions of control groups
    Chrt,
    /// Parts of systemd units
    Systemd,
    /// The cputune element of libvirt's domains
    Libvirt,
    /// xl sched-rtds of Xen
    Xl,
    /// Protection domains and virtual machines of the seL4 Microkit
    Microkit,
    /// A workload of rt-app, which loads a machine as described
    RtApp,
    /// process.scheduler of OCI containers
    Oci,
    /// The command line of the kernel
    CommandLine,
    /// A profile of tuned
    Tuned,
    /// A shell script with budgets of control groups (cpu.rt.max), for kernels that have them
    Cgroup,
    /// A systemd unit that applies the description at each boot, and restores when it is stopped
    Unit,
}

impl Export {
    /// # Errors
    /// The input is wrong, or asks for what the target does not have.
    pub fn run(&self) -> Result<Output, Failure> {
        let input = self.source.read()?;
        let form = match self.program {
            Program::Chrt => Form::Chrt,
            Program::Systemd => Form::Systemd,
            Program::Libvirt => Form::Libvirt,
            Program::Xl => Form::Xl,
            Program::Microkit => Form::Microkit,
            Program::RtApp => Form::RtApp,
            Program::Oci => Form::Oci,
            Program::CommandLine => Form::CommandLine,
            Program::Tuned => Form::Tuned,
            Program::Cgroup => Form::Cgroup,
            Program::Unit => return self.unit(&input),
        };
        let text =
            export(&input.system, form).map_err(|why| unfit(&input, &why.missing, &why.wrong))?;
        Ok(Output::success(text))
    }

    /// # Errors
    /// The input asks for what Linux does not have, or is in no file.
    fn unit(&self, input: &Input) -> Result<Output, Failure> {
        let is_dispatched = vorrang_enforce::is_dispatched(&input.system);
        let fits =
            if is_dispatched { Ok(()) } else { export(&input.system, Form::Systemd).map(drop) };
        fits.map_err(|why| unfit(input, &why.missing, &why.wrong))?;
        if self.source.is_standard_input() {
            return Err(Failure::bad_input("error: a unit applies a file\n"));
        }
        Ok(Output::success(unit::unit(&self.source.file)))
    }
}
