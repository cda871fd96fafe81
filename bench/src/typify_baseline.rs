//! typify alone, on every schema of a folder: one module a schema, formatted.

use std::{fs, path::Path, time::Instant};

use crate::Failure;

/// Writes `out/NAME.rs` for each `NAME.json`, and a `lib.rs`. Schemas on which typify panics or fails are counted.
///
/// # Errors
/// When the disk fails.
pub fn generate(schemas: &Path, out: &Path) -> Result<(), Failure> {
    fs::create_dir_all(out)?;
    let mut names: Vec<_> = fs::read_dir(schemas)?
        .filter_map(Result::ok)
        .map(|e| e.path())
        .collect();
    names.sort();
    let start = Instant::now();
    let mut lib = String::new();
    let mut failed = 0;
    std::panic::set_hook(Box::new(|_| {}));
    for path in names {
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let text = fs::read_to_string(&path)?;
        let Some(code) = std::panic::catch_unwind(|| one(&text).ok()).ok().flatten() else {
            failed += 1;
            continue;
        };
        fs::write(out.join(format!("{name}.rs")), code)?;
        lib.push_str(&format!("pub mod {name};\n"));
    }
    fs::write(out.join("lib.rs"), lib)?;
    println!(
        "typify: {} ms, {failed} failed",
        start.elapsed().as_millis()
    );
    Ok(())
}

fn one(text: &str) -> Result<String, Failure> {
    let schema: schemars08::schema::RootSchema = serde_json::from_str(text)?;
    let mut space = typify::TypeSpace::new(&typify::TypeSpaceSettings::default());
    space.add_root_schema(schema)?;
    let file: syn::File = syn::parse2(space.to_stream())?;
    Ok(prettyplease::unparse(&file))
}
