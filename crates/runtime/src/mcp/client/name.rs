//! The name of a tool of a server: `mcp__SERVER__TOOL`, and back. Nothing is shortened and nothing
//! is replaced, so two tools never meet in one name; what does not fit is refused.

use toolcontract_manifest::{import::is_server, names::is_mcp};

use crate::policy::group::SERVED;

/// What stands between server and tool.
const BETWEEN: &str = "__";

/// The name of the tool that `server` serves as `tool`. None where that is no name that a call
/// could use: the server's is not what [`is_name`] says, or the whole has more than 128 characters
/// or others than `A-Z a-z 0-9 _ - .`.
///
/// ```
/// use toolcontract_runtime::mcp::client::{qualified, split};
///
/// assert_eq!(qualified("fs", "read_file").as_deref(), Some("mcp__fs__read_file"));
/// assert_eq!(split("mcp__fs__read_file"), Some(("fs", "read_file")));
/// // `a_` with `b` would be `a` with `_b`.
/// assert_eq!(qualified("a_", "b"), None);
/// ```
#[must_use]
pub fn qualified(server: &str, tool: &str) -> Option<String> {
    let name = format!("{SERVED}{server}{BETWEEN}{tool}");
    (is_name(server) && !tool.is_empty() && is_mcp(&name)).then_some(name)
}

/// Server and tool of a name.
#[must_use]
pub fn split(name: &str) -> Option<(&str, &str)> {
    let (server, tool) = name.strip_prefix(SERVED)?.split_once(BETWEEN)?;
    (is_name(server) && !tool.is_empty()).then_some((server, tool))
}

/// Whether a server may be called `name`: 1 to 64 of `A-Z a-z 0-9 _ - .`, starting and ending with
/// a letter or a digit, and without `__`.
#[must_use]
pub fn is_name(name: &str) -> bool {
    is_server(name) && !name.contains(BETWEEN)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn names_are_told_apart() {
        let parts = ["a", "_", "b", "__", "-", "a_", "_a", "a__b", "b_"];
        let mut seen = HashMap::new();
        for server in parts {
            for tool in parts.iter().chain(&["mcp__x__y"]) {
                let Some(name) = qualified(server, tool) else {
                    assert!(!is_name(server));
                    continue;
                };
                assert_eq!(split(&name), Some((server, *tool)), "{name}");
                assert_eq!(seen.insert(name.clone(), (server, *tool)), None, "{name}");
            }
        }
        assert!(seen.len() >= 20);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert_eq!(qualified("s", &"t".repeat(121)), None);
        assert!(qualified("s", &"t".repeat(120)).is_some());
        assert_eq!(qualified("s", "two words"), None);
        assert_eq!(qualified("s", "rеad"), None);
        assert_eq!(split("mcp__s"), None);
        assert_eq!(split("read_file"), None);
    }
}
