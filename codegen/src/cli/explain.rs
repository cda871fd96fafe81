//! `explain`: the page of a rule, the same text that the docs show.

use super::{CliError, Exit, Io};
use crate::lint::{RULES, faults, page};

/// Runs it.
pub(super) fn run(rule: Option<&str>, io: &mut Io<'_>) -> Result<Exit, CliError> {
    let Some(id) = rule else {
        return list(io);
    };
    match page(id) {
        Some(page) => {
            write!(io.out, "{}", page.markdown())?;
            Ok(Exit::Clean)
        }
        None => {
            let ids: Vec<&str> = pages().map(|(id, _)| id).collect();
            let near = toolcontract_manifest::nearest(id, ids);
            let hint = near.map_or_else(
                || "; without a rule, `explain` lists all".to_owned(),
                |near| format!("; did you mean `{near}`?"),
            );
            Err(CliError::Request(format!(
                "there is no rule `{}`{hint}",
                super::screen::plain(id)
            )))
        }
    }
}

/// Id and sentence of everything that a finding can carry, by id.
fn list(io: &mut Io<'_>) -> Result<Exit, CliError> {
    let mut all: Vec<(&str, &str)> = pages().collect();
    all.sort_unstable();
    let width = all.iter().map(|(id, _)| id.len()).max().unwrap_or(0);
    for (id, about) in all {
        writeln!(io.out, "{id:width$}  {about}")?;
    }
    Ok(Exit::Clean)
}

fn pages() -> impl Iterator<Item = (&'static str, &'static str)> {
    let rules = RULES.iter().map(|rule| &rule.page);
    rules.chain(faults()).map(|page| (page.id, page.about))
}
