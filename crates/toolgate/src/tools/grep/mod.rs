//! `grep`: files by what they say. Refuses patterns that are none; leaves binary files alone.

mod found;

use std::{path::Path, sync::Arc, time::Duration};

use globset::GlobMatcher;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use ignore::types::{Types, TypesBuilder};
use stella_contracts::grep::{Contract, Input, Output, OutputMode};
use tokio_util::sync::CancellationToken;
use toolcontract_protocol::ErrorClass;
use toolcontract_runtime::{
    ctx::ToolCtx,
    tool::{Tool, ToolError},
};

use super::{
    blocking::blocking,
    glob::compile,
    stoppable::Stoppable,
    walk::{Kind, Start, Walk, start},
    workspace::{Workspace, shown, slashed},
};
use found::Found;

/// What the contract says.
const TIME: Duration = Duration::from_secs(60);
/// The longest line that is searched, in bytes: what has longer ones is hardly text.
const MAX_LINE: usize = 16 << 20;
/// What a compiled pattern may weigh, in bytes.
const MAX_PATTERN: usize = 10 << 20;

/// `grep` in a workspace.
#[derive(Debug)]
pub struct Grep(pub Arc<Workspace>);

impl Tool for Grep {
    type Contract = Contract;

    async fn call(&self, input: Input, ctx: &ToolCtx) -> Result<Output, ToolError> {
        let workspace = Arc::clone(&self.0);
        blocking(ctx, TIME, move |stop| search(&workspace, &input, stop)).await
    }
}

fn search(
    workspace: &Workspace,
    input: &Input,
    stop: &CancellationToken,
) -> Result<String, ToolError> {
    let matcher = pattern(input)?;
    let filter = Filter::new(input)?;
    let mut searcher = searcher(input);
    let mut found = Found::new(input.output_mode_or_default());
    let mut each = |path: &Path| {
        if let Ok(Some((file, _))) = workspace.open_file(path) {
            let name = slashed(path);
            let reader = Stoppable { file, stop };
            // A file that cannot be read to its end matches with what was read.
            let _ = searcher.search_reader(&matcher, reader, found.of_file(&name));
            found.end_file(&name);
        }
        found.wants_more()
    };
    match start(workspace, input.path.as_deref())? {
        Start::File(path) => {
            each(&path);
        }
        Start::Folder(folder, handle) => {
            Walk::new(folder, handle, stop)
                .filter(|(path, kind)| *kind == Kind::File && filter.lets_in(path))
                .all(|(path, _)| each(&path));
        }
    }
    if stop.is_cancelled() {
        found.stop();
    }
    Ok(found.into_text())
}

fn pattern(input: &Input) -> Result<RegexMatcher, ToolError> {
    RegexMatcherBuilder::new()
        .case_insensitive(input.case_insensitive_or_default())
        .line_terminator(Some(b'\n'))
        .size_limit(MAX_PATTERN)
        .dfa_size_limit(MAX_PATTERN)
        .build(&input.pattern)
        .map_err(|error| {
            // The last line says what is wrong; those before repeat the pattern.
            let error = error.to_string();
            let what = error.lines().last().unwrap_or_default();
            let what = shown(what.trim_start_matches("error: "));
            let message = format!("`pattern` is no regular expression that is taken here: {what}");
            ToolError::new(ErrorClass::InvalidInput, message)
        })
}

fn searcher(input: &Input) -> Searcher {
    let mut builder = SearcherBuilder::new();
    builder
        .line_number(true)
        .heap_limit(Some(MAX_LINE))
        .binary_detection(BinaryDetection::quit(0));
    if input.output_mode_or_default() == OutputMode::Content {
        let lines = |own: Option<u64>| {
            let lines = own.or(input.context).unwrap_or(0);
            usize::try_from(lines).unwrap_or(usize::MAX)
        };
        builder
            .before_context(lines(input.context_before))
            .after_context(lines(input.context_after));
    }
    builder.build()
}

fn file_types(name: Option<&str>) -> Result<Option<Types>, ToolError> {
    let Some(name) = name else { return Ok(None) };
    let mut types = TypesBuilder::new();
    types.add_defaults().select(name);
    types.build().map(Some).map_err(|_| {
        let message = format!(
            "`{}` is no file type that is known; common ones are `rust`, `py`, `js`, `ts`, `go`, `java`, `c`, `cpp`, `md`, `toml`, `json`, `yaml`; or use `glob`",
            shown(name)
        );
        ToolError::new(ErrorClass::InvalidInput, message)
    })
}

/// Which files are searched.
struct Filter {
    glob: Option<GlobMatcher>,
    /// The glob has no slash: it means names, in whatever folder.
    by_name: bool,
    types: Option<Types>,
}

impl Filter {
    fn new(input: &Input) -> Result<Self, ToolError> {
        Ok(Self {
            glob: input.glob.as_deref().map(compile).transpose()?,
            by_name: input
                .glob
                .as_deref()
                .is_some_and(|glob| !glob.contains('/')),
            types: file_types(input.r#type.as_deref())?,
        })
    }

    fn lets_in(&self, path: &Path) -> bool {
        let types = self.types.as_ref();
        if types.is_some_and(|types| types.matched(path, false).is_ignore()) {
            return false;
        }
        let Some(glob) = &self.glob else { return true };
        match (self.by_name, path.file_name()) {
            (true, Some(name)) => glob.is_match(name),
            _ => glob.is_match(path),
        }
    }
}
