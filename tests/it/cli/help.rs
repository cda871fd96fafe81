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
        let name = command.get_name().to_owned();
        write(&mut expected, &name, command);
        for inner in command.get_subcommands_mut() {
            write(
                &mut expected,
                &format!("{name} {}", inner.get_name()),
                inner,
            );
        }
    }
    expected.finish();
}

fn write(expected: &mut ExpectFolder, name: &str, command: &mut clap::Command) {
    if command.get_name() == "help" {
        return;
    }
    let help = command.render_long_help().to_string();
    let lines = help.lines().map(str::trim_end).collect::<Vec<_>>();
    expected.text(name, lines.join("\n") + "\n");
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
