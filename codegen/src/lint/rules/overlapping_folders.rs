//! Each surface has a folder of its own.

use toolcontract_manifest::{Level, Project};

use crate::lint::{Page, Rule, findings::Located as _};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "overlapping-folders",
        about: "Two surfaces share a folder, or one lies in the manifests.",
        what: "The folder of a surface (`out`) equals that of another one, lies inside it, or \
               overlaps with `manifests`.",
        why: "A folder that is generated belongs to one surface: what this one does not make it \
              would take for left over, and remove.",
        example: r#"
[surfaces.docs]
out = "generated/site"

[surfaces.wire]
out = "generated/site/schemas"
"#,
        instead: r#"
[surfaces.docs]
out = "generated/site"

[surfaces.wire]
out = "generated/schemas"
"#,
    },
    authored: Some(Level::Error),
    declared: None,
    allowable: false,
    check: |catalog, findings| {
        let mut taken = vec![(MANIFESTS, parts(MANIFESTS))];
        for (id, stated, folder) in folders(&catalog.project) {
            let own = parts(&folder);
            let overlaps = |(_, other): &&(&str, Vec<String>)| {
                own.starts_with(other) || other.starts_with(&own)
            };
            if let Some((other, _)) = taken.iter().find(overlaps) {
                let pointer = format!("/surfaces/{id}/out");
                findings.report(
                    catalog.at(if stated { &pointer } else { "/out" }),
                    format!(
                        "the folder of `{id}`, `{}`, overlaps with that of `{other}`",
                        folder.escape_debug()
                    ),
                    "give it a folder of its own",
                );
            }
            taken.push((id, own));
        }
    },
};

const MANIFESTS: &str = "manifests";

/// The surfaces that are on: id, whether its table states the folder, and the folder.
fn folders(project: &Project) -> Vec<(&'static str, bool, String)> {
    let on = &project.surfaces;
    let outs = [
        ("rust", on.rust.as_ref().map(|s| &s.out)),
        ("typescript", on.typescript.as_ref().map(|s| &s.out)),
        ("oxagen", on.oxagen.as_ref().map(|s| &s.out)),
        ("mcp", on.mcp.as_ref().map(|s| &s.out)),
        ("advertised", on.advertised.as_ref().map(|s| &s.out)),
        ("wire", on.wire.as_ref().map(|s| &s.out)),
        ("docs", on.docs.as_ref().map(|s| &s.out)),
    ];
    outs.into_iter()
        .filter_map(|(id, out)| {
            let own = out?.clone();
            let stated = own.is_some();
            let folder = own.unwrap_or_else(|| format!("{}/{id}", project.out));
            Some((id, stated, folder))
        })
        .collect()
}

/// The parts of a path, `.` and `..` worked out.
fn parts(path: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| last != "..") => {
                parts.pop();
            }
            part => parts.push(part.to_owned()),
        }
    }
    parts
}
