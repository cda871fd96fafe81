//! The barrel: every capability by name and in one list, so that none can be forgotten.

use std::fmt::Write as _;

use super::{
    declaration::{Declaration, declaration},
    module::Names,
};
use crate::{
    emit::{FileSet, text::banner},
    model::{Model, Tool, names},
};

/// A tool that Oxagen is told of.
pub(super) struct Capability<'a> {
    pub(super) tool: &'a Tool,
    pub(super) declaration: Declaration<'a>,
    pub(super) names: Names,
}

/// The capabilities, by capability name, with names that no two share.
pub(super) fn capabilities(model: &Model) -> Vec<Capability<'_>> {
    let mut declared: Vec<(&Tool, Declaration<'_>)> = model
        .tools
        .iter()
        .filter_map(|tool| Some((tool, declaration(model, tool)?)))
        .collect();
    declared.sort_by(|(_, a), (_, b)| a.name.cmp(b.name));
    let mut scope = names::Scope::with_reserved(["capabilities"]);
    declared
        .into_iter()
        .map(|(tool, declaration)| {
            let pascal = scope.allocate(&names::pascal(declaration.name), "");
            let mut letters = pascal.chars();
            let camel = letters
                .next()
                .map(|first| first.to_lowercase().chain(letters).collect())
                .unwrap_or_default();
            Capability {
                tool,
                declaration,
                names: Names { camel, pascal },
            }
        })
        .collect()
}

/// Adds `index.ts`.
pub(super) fn emit(capabilities: &[Capability<'_>], out: &mut FileSet) {
    let mut text = format!("// {}\n", banner("manifests/"));
    for capability in capabilities {
        let Capability {
            declaration, names, ..
        } = capability;
        let _ = writeln!(
            text,
            "import {{ {} }} from \"./{}\";",
            names.camel, declaration.name
        );
    }
    text.push('\n');
    for capability in capabilities {
        let _ = writeln!(text, "export * from \"./{}\";", capability.declaration.name);
    }
    text.push_str("export * from \"./aliases\";\nexport * from \"./governance\";\n");
    text.push_str("\n/** Every capability, by name. */\nexport const capabilities = [\n");
    for capability in capabilities {
        let _ = writeln!(text, "  {},", capability.names.camel);
    }
    text.push_str("] as const;\n");
    out.add("index.ts", text);
}
