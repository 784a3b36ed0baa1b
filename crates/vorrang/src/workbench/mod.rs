//! `vorrang workbench`: a page on which a description is checked while it is edited.
//!
//! **Model.** The page is one file with everything in it, the core as WebAssembly included; what is served is that
//! file with the description in it, and nothing else. Descriptions are edited in the browser and saved by it.
//!
//! **What it is safe against.** 1. It listens on the loopback address only. 2. A request without the
//! token in the address gets nothing. 3. A page of another site cannot send requests in its name: a
//! foreign `Host` or `Origin` is refused. 4. It answers `GET` and `HEAD`, and never writes.
//!
//! **Does not cover** other users of this machine who may read the memory or the terminal of this one.

mod page;
mod request;

use crate::content::Content;
use crate::destination::{Destinations, Replace};
use request::{Answer, Asked};
use std::io::Write as _;
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::time::Duration;
use tiny_http::{Header, Request, Response, Server};
use vorrang_command::exit::{Exit, Failure, Output};
use vorrang_command::interruption;

/// Edit a description in the browser, with its verdicts beside it
///
///     vorrang workbench system.toml
///
/// Open the address that is printed. The description is shown beside its verdicts, with sliders for
/// its budgets, periods and execution times; every change is checked in the browser, by the same code
/// as `vorrang check`. The file itself is never written: *Save* downloads the text.
///
/// It is served on the loopback address only, with a token in the address, until Ctrl-C. With --out
/// nothing is served: the page is written to a file that works from disk.
///
/// Exit codes: 0 ended by Ctrl-C, or the page was written; 2 the input is wrong; 4 the host cannot do it.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Workbench {
    /// The description to begin with [default: an example]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// The port on the loopback address [default: a free one]
    #[arg(long, value_name = "NUMBER", conflicts_with = "out")]
    port: Option<u16>,
    /// Write the page to this file instead, `-` for standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    replace: Replace,
}

/// The interval at which an interruption is noticed.
const TICK: Duration = Duration::from_millis(100);

impl Workbench {
    /// # Errors
    /// The description cannot be read, the page cannot be written, or the port is not available.
    pub fn run(&self) -> Result<Output, Failure> {
        let page = match &self.file {
            Some(file) => page::with(file)?,
            None => page::EMPTY.to_owned(),
        };
        if let Some(out) = &self.out {
            let mut destinations = Destinations::new(self.replace, self.file.as_slice());
            destinations.begin(out, Content::Workbench)?.write_whole(page.as_bytes())?;
            return Ok(destinations.output(String::new(), Exit::Success));
        }
        interruption::listen();
        self.serve(&page)
    }

    fn serve(&self, page: &str) -> Result<Output, Failure> {
        let server = Server::http((Ipv4Addr::LOCALHOST, self.port.unwrap_or(0)))
            .map_err(|why| Failure::host(format!("error: no port to serve at: {why}\n")))?;
        let port = server.server_addr().to_ip().map_or(0, |address| address.port());
        let token = token()?;
        // Printed at once: the rest of the output comes at the end.
        let mut out = std::io::stdout();
        let told = writeln!(out, "http://127.0.0.1:{port}/{token}/").and_then(|()| out.flush());
        told.map_err(|why| Failure::host(format!("error: standard output: {why}\n")))?;
        eprintln!("Open this address in a browser; Ctrl-C ends it.");
        while !interruption::is_wanted() {
            match server.recv_timeout(TICK) {
                Ok(Some(asked)) => answer(asked, port, &token, page),
                Ok(None) => {}
                Err(why) => return Err(Failure::host(format!("error: the server ended: {why}\n"))),
            }
        }
        Ok(Output::success(""))
    }
}

/// It cannot be guessed: 128 random bits of the system.
fn token() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|why| Failure::host(format!("error: no randomness for a token: {why}\n")))?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

fn answer(request: Request, port: u16, token: &str, page: &str) {
    let value = |name: &'static str| {
        let own = request.headers().iter().find(|header| header.field.equiv(name));
        own.map(|header| header.value.as_str())
    };
    let asked = Asked {
        method: request.method().as_str(),
        path: request.url(),
        host: value("Host"),
        origin: value("Origin"),
    };
    let answer = asked.answer(port, token);
    let text = if answer == Answer::Page { page } else { answer.text() };
    let mut response = Response::from_string(text).with_status_code(answer.status());
    for (name, value) in answer.headers() {
        let header = Header::from_bytes(name.as_bytes(), value.as_bytes());
        response = response.with_header(header.expect("a header of ours"));
    }
    // The client may have closed the connection.
    let _ = request.respond(response);
}
