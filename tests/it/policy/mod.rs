//! Policies, hooks and the questions about them.

mod check;
mod cli;
mod decide;
mod governed;
mod guide;
mod hooks;
mod laws;
mod tool_set;
mod why;
mod why_whole;

use std::path::{Path, PathBuf};

use toolcontract_manifest::{Diagnostic, Source};
use toolcontract_protocol::ToolContract;
use toolcontract_runtime::policy::role::RolePolicy;

pub(crate) fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/policy")
}

/// The folders and files of `folder`, sorted.
pub(crate) fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("a folder of cases")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    all.sort();
    all
}

/// The contracts of the catalog, for as long as those that are put beside them.
pub(crate) fn catalog<'c>() -> impl Iterator<Item = &'c ToolContract> {
    let all = stella_contracts::catalog().iter();
    all.map(|contract| -> &'c ToolContract { contract })
}

/// Reads the policy at `file`, which findings call `policy.toml`, against the catalog.
pub(crate) fn parse(file: &Path) -> (Option<RolePolicy>, Vec<Diagnostic>) {
    let bytes = std::fs::read(file).expect("a policy");
    parse_bytes(bytes)
}

pub(crate) fn parse_bytes(bytes: impl Into<Vec<u8>>) -> (Option<RolePolicy>, Vec<Diagnostic>) {
    let source = Source {
        path: "policy.toml".to_owned(),
        bytes: bytes.into(),
    };
    RolePolicy::parse(&source, catalog())
}

pub(crate) fn policy(text: &str) -> RolePolicy {
    let (policy, findings) = parse_bytes(text);
    policy.unwrap_or_else(|| panic!("the policy is whole: {}", screen(&findings)))
}

/// The findings as a person sees them.
pub(crate) fn screen(findings: &[Diagnostic]) -> String {
    use toolcontract_manifest::print::{Format, Settings, print};
    let mut out = Vec::new();
    let settings = Settings {
        format: Format::Human,
        colors: false,
        about: |_| None,
    };
    print(findings, settings, &mut out).expect("a vector takes all");
    String::from_utf8(out).expect("a screen is UTF-8")
}
