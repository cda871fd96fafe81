//! What a manifest must not say because it is a script tool's: every rule is a finding with a
//! place.

use std::{collections::BTreeSet, ops::Range, sync::Arc};

use serde_json::Value;
use toolcontract_manifest::{Diagnostic, Document, names, text};
use toolcontract_protocol::{
    Manifest, ToolContract,
    contradiction::{Contradiction, contradictions},
};
use toolcontract_schema::pointer::join;

use super::variables;
use crate::registry::{Checker, check_name};

/// Characters of a description that a model is shown.
const MAX_DESCRIPTION: usize = 4_000;

/// Adds what is wrong with `manifest`, whose contract is `contract`.
pub(super) fn check(
    manifest: &Manifest,
    contract: &ToolContract,
    document: &Arc<Document>,
    findings: &mut Vec<Diagnostic>,
) {
    let mut refuse = |rule, pointer: &str, message: String, help: &str| {
        let span = document.span(pointer);
        findings.push(Diagnostic::error(rule, document, span, message).help(help));
    };
    let name = names::tool(&manifest.name).map_err(|error| error.to_string());
    if let Err(reason) = name.and_then(|()| check_name(contract)) {
        refuse("invalid-name", "/name", reason, "rename the tool");
    }
    command(manifest, &mut refuse);
    environment(manifest, &mut refuse);
    if !manifest.events.is_empty() {
        let message = "a script tool cannot emit events".to_owned();
        refuse(
            "script-with-events",
            "/events",
            message,
            "leave `events` out",
        );
    }
    if manifest.origin.is_some() {
        let message = "a tool cannot be both a script and imported".to_owned();
        refuse(
            "script-with-origin",
            "/origin",
            message,
            "leave `origin` out",
        );
    }
    if manifest.description.chars().count() > MAX_DESCRIPTION {
        let message = format!("the description has more than {MAX_DESCRIPTION} characters");
        let help = "a description says what the tool does and what it returns";
        refuse("description-too-long", "/description", message, help);
    }
    for (pointer, place, c) in hidden(&document.root.to_json()) {
        let message = format!("`{pointer}` holds {}", text::describe(c));
        let help = "what a reader does not see, a model must not read";
        refuse("hidden-character", &place, message, help);
    }
    for contradiction in contradictions(contract, |_| true) {
        let (pointer, help) = match contradiction {
            Contradiction::InputNotAnObject => ("/input_schema", "write `type = \"object\"`"),
            _ => ("", "say one or the other"),
        };
        refuse(
            contradiction.rule(),
            pointer,
            contradiction.to_string(),
            help,
        );
    }
    let schemas = [
        ("/input_schema", Some(&contract.input_schema)),
        ("/output_schema", contract.output_schema.as_ref()),
    ];
    for (pointer, schema) in schemas {
        let compiled = schema.map(|schema| Checker::compile(schema, &contract.provenance));
        if let Some(Err(error)) = compiled {
            let place = format!("{pointer}{}", error.pointer);
            let help = "write JSON Schema 2020-12 that refers to nothing outside";
            refuse("invalid-schema", &place, error.message, help);
        }
    }
}

type Refuse<'a> = dyn FnMut(&'static str, &str, String, &str) + 'a;

fn command(manifest: &Manifest, refuse: &mut Refuse<'_>) {
    let argv = manifest.command.as_deref().unwrap_or_default();
    if argv.first().is_none_or(|program| program.trim().is_empty()) {
        let message = "the command names no program".to_owned();
        refuse("invalid-command", "/command", message, "name one first");
    }
    for (index, argument) in argv.iter().enumerate() {
        let place = join("/command", &index.to_string());
        if argument.contains('\0') {
            let message = "an argument holds the character NUL".to_owned();
            refuse("invalid-command", &place, message, "leave it out");
        }
        if argument.starts_with("~/") {
            let message = format!("`{argument}` is taken as it stands: no shell expands `~`");
            refuse("invalid-command", &place, message, "write the path in full");
        }
    }
}

fn environment(manifest: &Manifest, refuse: &mut Refuse<'_>) {
    for (name, value) in &manifest.env {
        let place = join("/env", name);
        if name.is_empty() || name.contains(['=', '\0']) || value.contains('\0') {
            let message =
                format!("`{name}` cannot be set: a name has no `=`, and neither part NUL");
            refuse("invalid-variable", &place, message, "rename or repair it");
        } else if loads_code(name) {
            let message = format!("`{name}` makes programs load code that nobody looked at");
            refuse(
                "invalid-variable",
                &place,
                message,
                "name what runs in `command`",
            );
        } else if name.starts_with(variables::PREFIX) {
            let message = format!("`{name}` is how the input of a call is passed");
            refuse("invalid-variable", &place, message, "rename it");
        }
    }
}

/// Variables by which a loader or a shell runs something before the program.
fn loads_code(name: &str) -> bool {
    let starts = ["LD_", "DYLD_"];
    let named = [
        "BASH_ENV",
        "ENV",
        "IFS",
        "NODE_OPTIONS",
        "PATH",
        "PERL5LIB",
        "PERL5OPT",
        "PYTHONHOME",
        "PYTHONPATH",
        "PYTHONSTARTUP",
        "RUBYLIB",
        "RUBYOPT",
        "SHELLOPTS",
    ];
    starts.iter().any(|start| name.starts_with(start)) || named.contains(&name)
}

/// The first character that a reader does not see, of each text in `value`: where, the place of
/// a key or value that is there, which.
fn hidden(value: &Value) -> Vec<(String, String, char)> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), value)];
    let mut see = |text: &str, pointer: &str| {
        if let Some((_, c)) = text::hidden(text) {
            found.push((text::escape(pointer).into_owned(), pointer.to_owned(), c));
        }
    };
    while let Some((pointer, value)) = open.pop() {
        match value {
            Value::String(text) => see(text, &pointer),
            Value::Array(items) => {
                let items = items.iter().enumerate();
                open.extend(items.map(|(at, item)| (join(&pointer, &at.to_string()), item)));
            }
            Value::Object(members) => {
                for (key, member) in members {
                    let below = join(&pointer, key);
                    see(key, &below);
                    open.push((below, member));
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    let mut seen = BTreeSet::new();
    found.retain(|(_, pointer, _)| seen.insert(pointer.clone()));
    found
}

/// What a manifest without a `command` lacks. Without one it was read as a built-in tool's.
pub(super) fn without_command(findings: &mut Vec<Diagnostic>) {
    let lacks = |document: &Arc<Document>| {
        let root = &document.root;
        root.is_object() && root.member("command").is_none() && root.member("origin").is_none()
    };
    let document = findings.iter().find_map(|finding| finding.document.clone());
    let Some(document) = document.filter(lacks) else {
        return;
    };
    // The keys that a built-in tool must have and a script tool need not.
    let of_built_ins = ["`group`", "`input_schema`", "`risk`"];
    let is_of_built_ins = |finding: &Diagnostic| {
        finding.rule == "missing-key"
            && of_built_ins.iter().any(|key| finding.message.contains(key))
    };
    findings.retain(|finding| !is_of_built_ins(finding));
    let message = "a script tool has no `command`";
    let help = "write the program and its arguments: `command = [\"sh\", \"tools/x.sh\"]`";
    let finding = Diagnostic::error("script-without-command", &document, 0..0, message);
    findings.push(finding.help(help));
}

/// The name of another tool.
pub(super) fn taken(document: &Arc<Document>, span: Range<usize>, name: &str) -> Diagnostic {
    let message = format!("`{name}` is the name of a tool that is there already");
    Diagnostic::error("taken-name", document, span, message).help("rename the tool")
}

/// The name of a tool in a folder that counts more, or in a file that comes first.
pub(super) fn shadowed(document: &Arc<Document>, span: Range<usize>, first: &str) -> Diagnostic {
    let message = format!("`{first}` has a tool of this name, and comes first");
    Diagnostic::warning("shadowed-tool", document, span, message)
        .help("rename one of the two, or delete it")
}
