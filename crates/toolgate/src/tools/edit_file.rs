//! `edit_file`: one exact piece of text for another. Refuses what occurs not at all, or more often
//! than was said.

use std::{sync::Arc, time::Duration};

use stella_contracts::{
    edit_file::{Contract, Event, Input, Output},
    events::FileUpdated,
};
use toolcontract_protocol::ErrorClass;
use toolcontract_runtime::{
    ctx::ToolCtx,
    tool::{Tool, ToolError},
};

use super::{
    blocking::blocking,
    edits,
    workspace::{Workspace, shown},
};

const TIME: Duration = Duration::from_secs(60);
/// So many places of an ambiguous text are told.
const MAX_TOLD: usize = 5;

/// `edit_file` in a workspace.
#[derive(Debug)]
pub struct EditFile(pub Arc<Workspace>);

impl Tool for EditFile {
    type Contract = Contract;

    async fn call(&self, input: Input, ctx: &ToolCtx<Event>) -> Result<Output, ToolError> {
        let workspace = Arc::clone(&self.0);
        let output = blocking(ctx, TIME, move |_| edit(&workspace, &input)).await?;
        ctx.emit(&Event::FileUpdated(FileUpdated {
            path: output.path.clone(),
            lines_added: output.lines_added,
            lines_removed: output.lines_removed,
        }));
        Ok(output)
    }
}

fn edit(workspace: &Workspace, input: &Input) -> Result<Output, ToolError> {
    let path = shown(&input.path);
    let refuse = |class, what: String| Err(ToolError::new(class, what));
    if input.old_string == input.new_string {
        let what = "`old_string` and `new_string` are equal; nothing would change".to_owned();
        return refuse(ErrorClass::InvalidInput, what);
    }
    let _alone = workspace.change();
    // Opened as a file first, so that nothing is made where nothing is.
    workspace.read(&input.path)?;
    let place = workspace.place_to_write(&input.path)?;
    let Some(bytes) = place.bytes()? else {
        return refuse(ErrorClass::NotFound, format!("`{path}` does not exist"));
    };
    let Ok(old) = String::from_utf8(bytes) else {
        let what = format!("`{path}` is not UTF-8 text; use `bash`");
        return refuse(ErrorClass::InvalidInput, what);
    };
    let places = occurrences(&old, &input.old_string);
    let replacements = match places.as_slice() {
        [] => {
            let what = format!("`old_string` does not occur in `{path}`; read the file again");
            return refuse(ErrorClass::NotFound, what);
        }
        [_] => 1,
        _ if input.replace_all_or_default() => old.matches(&input.old_string).count() as u64,
        many => {
            let what = format!(
                "`old_string` occurs {} times in `{path}`, {}; include more of its surroundings, or set `replace_all`",
                many.len(),
                told(&old, many)
            );
            return refuse(ErrorClass::InvalidInput, what);
        }
    };
    let new = old.replace(&input.old_string, &input.new_string);
    place.replace(new.as_bytes())?;
    let (lines_added, lines_removed) = edits::changed(&old, &new);
    Ok(Output {
        path: place.path,
        replacements,
        lines_added,
        lines_removed,
    })
}

/// Where `part` begins, also where it overlaps with itself: which of those is meant is not said.
fn occurrences(text: &str, part: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find(part)) {
        found.push(from + at);
        from = text.ceil_char_boundary(from + at + 1);
    }
    found
}

/// The lines of some places.
fn told(text: &str, places: &[usize]) -> String {
    let line = |at: &usize| text.bytes().take(*at).filter(|byte| *byte == b'\n').count() + 1;
    let lines: Vec<String> = places
        .iter()
        .take(MAX_TOLD)
        .map(|at| line(at).to_string())
        .collect();
    let more = if places.len() > MAX_TOLD {
        " and others"
    } else {
        ""
    };
    format!("in lines {}{more}", lines.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_overlap_is_ambiguous() {
        assert_eq!(occurrences("aaa", "aa"), [0, 1]);
        assert_eq!(occurrences("äöäö", "äö"), [0, 4]);
        assert_eq!(occurrences("abc", "x"), [0_usize; 0]);
        assert_eq!(told("a\nb\na\n", &[0, 4]), "in lines 1, 3");
    }
}
