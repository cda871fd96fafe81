//! typify alone, on every schema of a folder: one module a schema, formatted.

use std::{fs, path::Path};

use crate::Failure;

/// Writes `out/NAME.rs` for each `NAME.json`, and a `lib.rs`.
///
/// # Errors
/// When the disk fails, or typify on a schema.
pub fn generate(schemas: &Path, out: &Path) -> Result<(), Failure> {
    fs::create_dir_all(out)?;
    let mut paths: Vec<_> = fs::read_dir(schemas)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    paths.sort();
    let mut lib = String::new();
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let code = one(&fs::read_to_string(&path)?).map_err(|e| format!("typify, {name}: {e}"))?;
        fs::write(out.join(format!("{name}.rs")), code)?;
        lib.push_str(&format!("pub mod {name};\n"));
    }
    fs::write(out.join("lib.rs"), lib)?;
    Ok(())
}

fn one(text: &str) -> Result<String, Failure> {
    let schema: schemars08::schema::RootSchema = serde_json::from_str(text)?;
    let mut space = typify::TypeSpace::new(&typify::TypeSpaceSettings::default());
    space.add_root_schema(schema)?;
    let file: syn::File = syn::parse2(space.to_stream())?;
    Ok(prettyplease::unparse(&file))
}
