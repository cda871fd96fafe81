//! The public cases: each schema accepts its valid instances and refuses its invalid ones, as it
//! is written, bundled, stripped and in normal form.

use std::collections::BTreeMap;

use serde_json::Value;
use toolcontract_schema::{Formats, Validator, bundle::bundle, normal::normalize, strip};

#[test]
fn every_form_agrees() {
    let Some(folder) = super::shared("cases") else {
        return;
    };
    let mut instances = 0;
    let mut faults = Vec::new();
    let paths = super::json_files(&folder);
    for path in &paths {
        let case = super::read(path);
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let bundled = bundle(&case["schema"], &BTreeMap::new()).unwrap();
        let normal = normalize(&bundled).unwrap();
        for formats in [Formats::Annotate, Formats::Assert] {
            for (form, schema) in [
                ("as written", &case["schema"]),
                ("bundled", &bundled.schema),
                ("stripped", &strip(&bundled.schema)),
                ("normal", &normal.schema),
            ] {
                let validator = match Validator::compile(schema, formats) {
                    Ok(validator) => validator,
                    Err(e) => {
                        faults.push(format!("{name}, {form}, {formats:?}: {}: {e}", e.pointer));
                        continue;
                    }
                };
                let of = |key: &str| case[key].as_array().cloned().unwrap_or_default();
                for (valid, list) in [
                    (true, of("valid")),
                    (false, of("invalid")),
                    (
                        formats == Formats::Annotate,
                        of("invalid_if_format_asserted"),
                    ),
                ] {
                    for instance in &list {
                        instances += 1;
                        agree(&validator, instance, valid).unwrap_or_else(|e| {
                            faults.push(format!("{name}, {form}, {formats:?}: {e}"))
                        });
                    }
                }
            }
        }
    }
    println!(
        "{} cases, {instances} checks, {} faults",
        paths.len(),
        faults.len()
    );
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn agree(validator: &Validator, instance: &Value, valid: bool) -> Result<(), String> {
    let told = validator.validate(instance, 8);
    if told.is_ok() != validator.is_valid(instance) {
        return Err(format!("`validate` and `is_valid` disagree on {instance}"));
    }
    match told {
        Ok(()) if valid => Ok(()),
        Err(v) if !valid && !v.violations.is_empty() => Ok(()),
        _ => Err(format!(
            "{instance} should be {}",
            if valid { "valid" } else { "invalid" }
        )),
    }
}
