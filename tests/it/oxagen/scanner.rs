//! Oxagen's checks of source text, written down again: what they find in a module is what counts.

/// What the scripts read off one module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Scanned {
    pub(super) name: String,
    pub(super) domain: String,
    pub(super) mode: String,
    pub(super) surfaces: Vec<String>,
    pub(super) layers: Vec<String>,
}

/// Reads a module as the manifest check does: from the first call on, the first line that opens
/// with each key; what is not found gets a default, silently.
pub(super) fn scan(stem: &str, source: &str) -> Scanned {
    let body = source
        .find("registerCapability(")
        .map_or("", |start| &source[start..]);
    let list = |key: &str, default: &[&str]| {
        value(body, key)
            .and_then(|v| Some(v.strip_prefix('[')?.split_once(']')?.0.to_owned()))
            .map(|inner| inner.split(',').filter_map(literal).collect())
            .unwrap_or_else(|| default.iter().map(|d| (*d).to_owned()).collect())
    };
    let text = |key: &str, default: &str| {
        value(body, key)
            .and_then(literal)
            .unwrap_or_else(|| default.to_owned())
    };
    Scanned {
        name: text("name", stem),
        domain: text("domain", "unknown"),
        mode: text("mode", "sync"),
        surfaces: list("surfaces", &["api", "mcp"]),
        layers: list("layers", &[]),
    }
}

/// The looser naming check: the first `name:` anywhere behind the call.
pub(super) fn scan_name(source: &str) -> Option<String> {
    let body = source.split_once("registerCapability(")?.1;
    literal(body.split_once("name:")?.1)
}

fn value<'a>(body: &'a str, key: &str) -> Option<&'a str> {
    body.lines().find_map(|line| {
        let rest = line.trim_start().strip_prefix(key)?.trim_start();
        Some(rest.strip_prefix(':')?.trim_start())
    })
}

/// The string literal that `text` opens with.
fn literal(text: &str) -> Option<String> {
    let text = text.trim_start();
    let quote = text
        .chars()
        .next()
        .filter(|c| ['"', '\'', '`'].contains(c))?;
    Some(text[1..].split_once(quote)?.0.to_owned())
}

#[test]
fn the_scanner_is_as_easily_misled_as_the_original() {
    let good = "export const x = registerCapability({\n  name: \"get_x\",\n  domain: \"d\",\n  mode: \"async\",\n  surfaces: [\"api\"],\n  layers: [\"schema\"] as const,\n});";
    let read = scan("stem", good);
    assert_eq!(read.name, "get_x");
    assert_eq!(read.layers, ["schema"]);
    assert_eq!(scan_name(good).as_deref(), Some("get_x"));

    let held = "const d = {\n  name: \"get_x\",\n};\nregisterCapability(d);";
    assert_eq!(scan("stem", held).name, "stem");
    let quoted = good.replace("name:", "\"name\":");
    assert_eq!(scan("stem", &quoted).name, "stem");
    let decoy = format!("// registerCapability( takes\n// see\nname: \"decoy\"\n{good}");
    assert_eq!(scan("stem", &decoy).name, "decoy");
}
