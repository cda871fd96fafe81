//! The program `toolgate` in this process: arguments in, exit code and both streams out.

use clap::Parser;
use toolgate::cli::{self, Command, Exit, Io};

/// The program's arguments, as its `main` reads them.
#[derive(Debug, Parser)]
#[command(name = "toolgate")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// Exit, standard output, standard error.
pub(crate) fn toolgate(arguments: &[&str]) -> (Exit, String, String) {
    let all = ["toolgate"].iter().chain(arguments);
    let Arguments { command } = Arguments::try_parse_from(all).unwrap();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut io = Io {
        out: &mut out,
        err: &mut err,
        colour: false,
    };
    let exit = cli::run(&command, &mut io);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (exit, text(out), text(err))
}
