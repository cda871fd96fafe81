//! The files around the modules: Cargo.toml, lib.rs, the catalog, the folders' lists of modules.

use std::fmt::Write as _;

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use toml_edit::{DocumentMut, InlineTable, Item, Table, value};
use toolcontract_manifest::project::DependencySource;

use super::{doc, ident::token, module::Module, named::Named};
use crate::{emit::text::banner, lint::CheckedModel, model::Tool};

/// Where the choices of a project stand.
pub(super) const PROJECT: &str = "manifests/toolcontract.toml";

/// `Cargo.toml`.
pub(super) fn cargo_toml(model: &CheckedModel, krate: &str, source: &DependencySource) -> String {
    let mut package = Table::new();
    package.insert("name", value(krate));
    package.insert("description", value(&model.project.description));
    package.insert("version", value(&model.project.package_version));
    package.insert("edition", value("2024"));
    package.insert("rust-version", value(env!("CARGO_PKG_RUST_VERSION")));
    package.insert("license", value(&model.project.license));
    package
        .decor_mut()
        .set_prefix(format!("# {}\n", banner(PROJECT)));

    let mut dependencies = Table::new();
    for (name, version, features) in [
        ("serde", "1", "derive"),
        ("serde_json", "1", "preserve_order"),
    ] {
        let dependency = match source {
            DependencySource::Workspace => inherited(),
            DependencySource::Path(_) | DependencySource::Git(_) | DependencySource::Version(_) => {
                let mut table = InlineTable::new();
                table.insert("version", version.into());
                table.insert(
                    "features",
                    [features].into_iter().collect::<toml_edit::Array>().into(),
                );
                value(table)
            }
        };
        dependencies.insert(name, dependency);
    }
    for name in ["protocol", "schema"] {
        let dependency = match source {
            DependencySource::Workspace => inherited(),
            DependencySource::Path(path) => table("path", &format!("{path}/{name}")),
            DependencySource::Version(version) => value(version),
            DependencySource::Git(repository) => match repository.split_once('#') {
                None => table("git", repository),
                Some((url, revision)) => {
                    let mut table = InlineTable::new();
                    table.insert("git", url.into());
                    table.insert("rev", revision.into());
                    value(table)
                }
            },
        };
        dependencies.insert(&format!("toolcontract-{name}"), dependency);
    }

    let mut document = DocumentMut::new();
    document.insert("package", Item::Table(package));
    document.insert("dependencies", Item::Table(dependencies));
    document.to_string()
}

fn table(key: &str, text: &str) -> Item {
    let mut table = InlineTable::new();
    table.insert(key, text.into());
    value(table)
}

/// `name.workspace = true`.
fn inherited() -> Item {
    let mut table = Table::new();
    table.set_dotted(true);
    table.insert("workspace", value(true));
    Item::Table(table)
}

/// `src/lib.rs`: docs and the list of modules. `foreign` says that some identifier is not ASCII.
pub(super) fn lib(model: &CheckedModel, krate: &str, modules: &[String], foreign: bool) -> String {
    let mut text = format!("// {}\n", banner(PROJECT));
    let about = format!(
        "{}.\n\n{}",
        model.project.name.trim_end_matches('.'),
        model.project.description
    );
    for line in doc::lines(&about, 0) {
        let line = format!("//! {line}");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let _ = write!(
        text,
        "//!\n//! A module a tool, with its types, `parse` and the marker `Contract`.\n//!\n\
         //! ```\n//! for contract in {}::catalog() {{\n\
         //!     println!(\"{{}}: risk {{}}\", contract.name, contract.risk);\n//! }}\n//! ```\n",
        krate.replace('-', "_"),
    );
    if foreign {
        text.push_str(
            "#![allow(\n    confusable_idents,\n    mixed_script_confusables,\n    non_camel_case_types,\n    non_snake_case,\n    uncommon_codepoints,\n    reason = \"members are called what the manifests call them\"\n)]\n",
        );
    }
    text.push('\n');
    for module in modules {
        let public = if module == "catalog" { "" } else { "pub " };
        let _ = writeln!(text, "#[rustfmt::skip]\n{public}mod {};", token(module));
    }
    text.push_str("\npub use catalog::catalog;\n");
    text
}

/// `src/catalog.rs`.
pub(super) fn catalog(tools: &[Tool]) -> String {
    let count = Literal::usize_unsuffixed(tools.len());
    let contracts: Vec<TokenStream> = tools
        .iter()
        .map(|tool| {
            let module = token(&tool.names.module);
            quote!(crate::#module::Contract::contract())
        })
        .collect();
    let mut module = Module::new("manifests/tools");
    module.about("Every contract of the crate.");
    let protocol = if tools.is_empty() {
        "use toolcontract_protocol::ToolContract;"
    } else {
        "use toolcontract_protocol::{Contract as _, ToolContract};"
    };
    module.lines(["use std::sync::LazyLock;", "", protocol]);
    module.items([
        quote! {
            /// The contracts, by name.
            pub fn catalog() -> &'static [&'static ToolContract] {
                CATALOG.as_slice()
            }
        },
        quote! {
            static CATALOG: LazyLock<[&ToolContract; #count]> = LazyLock::new(|| [#(#contracts),*]);
        },
    ]);
    module.into_text()
}

/// `mod.rs` of a folder of named schemas: each module, and the type of the same name.
pub(super) fn folder(about: &str, source: &str, all: &[Named<'_>]) -> String {
    let mut module = Module::new(source);
    module.about(about);
    let mods = all
        .iter()
        .map(|named| format!("pub mod {};", token(named.module)));
    let uses = all.iter().map(|named| {
        format!(
            "pub use {}::{};",
            token(named.module),
            token(named.type_name)
        )
    });
    let lines: Vec<String> = mods.chain([String::new()]).chain(uses).collect();
    module.lines(lines.iter().map(String::as_str));
    module.items(event_schemas(all));
    module.into_text()
}

/// What a registry must be told about events before a contract may list them.
fn event_schemas(all: &[Named<'_>]) -> Option<TokenStream> {
    let pairs: Vec<TokenStream> = all
        .iter()
        .filter(|named| named.event.is_some())
        .map(|named| {
            let module = token(named.module);
            let path = format!("../../schemas/events/{}.json", named.module);
            quote!((#module::NAME, include_str!(#path)))
        })
        .collect();
    (!pairs.is_empty()).then(|| {
        quote! {
            /// Every event: its name, and the JSON Schema of its payload as text.
            pub const SCHEMAS: &[(&str, &str)] = &[#(#pairs),*];
        }
    })
}
