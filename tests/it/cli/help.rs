//! Every help text, as it is printed 100 columns wide.

use clap::{CommandFactory as _, Parser};
use toolcontract_codegen::cli::{Command, Global};

use crate::expect_folder::ExpectFolder;

#[derive(Parser)]
#[command(name = "toolcontract", bin_name = "toolcontract")]
struct Arguments {
    #[command(flatten)]
    _global: Global,
    #[command(subcommand)]
    _command: Command,
}

#[test]
fn help_texts_are_as_they_were() {
    let mut expected = ExpectFolder::of("cli/help");
    let mut program = Arguments::command().term_width(100);
    program.build();
    for command in program.get_subcommands_mut() {
        if command.get_name() != "help" {
            let help = command.render_long_help().to_string();
            let lines = help.lines().map(str::trim_end).collect::<Vec<_>>();
            expected.text(command.get_name(), lines.join("\n") + "\n");
        }
    }
    expected.finish();
}

#[test]
fn what_contradicts_itself_is_a_usage_error() {
    for line in [
        "bump",
        "bump --all grep",
        "bump --all --retire grep",
        "init --toolcontract-git x --toolcontract-version 1",
        "gen --format xml",
        "gen --deny everything",
        "explain a b",
        "nothing",
    ] {
        let words = std::iter::once("toolcontract").chain(line.split(' '));
        let error = Arguments::try_parse_from(words).err().expect(line);
        assert_eq!(error.exit_code(), 2, "{line}");
    }
}
