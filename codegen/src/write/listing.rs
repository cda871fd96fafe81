//! The list in each surface folder of the files that we own there, so that what is no longer made
//! can be removed. One sorted path a line: two branches that add files merge without a conflict.
//!
//! A list is read with suspicion: conflict markers are skipped, which keeps the lines of both
//! sides, and a line that is no path inside the folder counts for nothing.

use std::collections::BTreeSet;

use super::place;

/// Name of the list inside a surface folder.
pub const LISTING: &str = ".generated";

const HEADER: &str =
    "# The files in this folder that the generator made, one a line. Written by it; do not edit.\n";

/// The paths that a list names.
pub(super) fn parse(bytes: &[u8]) -> BTreeSet<String> {
    String::from_utf8_lossy(bytes)
        .lines()
        .filter(|line| !line.starts_with('#') && !is_marker(line))
        .filter(|line| place::fault(line).is_none())
        .map(str::to_owned)
        .collect()
}

/// The list of `paths`.
pub(super) fn print<'a>(paths: impl IntoIterator<Item = &'a str>) -> String {
    let sorted: BTreeSet<&str> = paths.into_iter().collect();
    let mut text = HEADER.to_owned();
    for path in sorted {
        text.push_str(path);
        text.push('\n');
    }
    text
}

/// Whether a text holds an unresolved merge conflict.
pub(super) fn is_conflicted(bytes: &[u8]) -> bool {
    // A cheap look first: nearly no file has it.
    let opens = |line: &&[u8]| line.starts_with(b"<<<<<<< ");
    let closes = |line: &[u8]| line.starts_with(b">>>>>>> ");
    let mut lines = bytes.split(|byte| *byte == b'\n');
    lines.find(opens).is_some() && lines.any(closes)
}

fn is_marker(line: &str) -> bool {
    ["<<<<<<<", "|||||||", "=======", ">>>>>>>"]
        .iter()
        .any(|marker| line.starts_with(marker))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(text: &str) -> Vec<String> {
        parse(text.as_bytes()).into_iter().collect()
    }

    #[test]
    fn a_list_reads_back_and_is_sorted() {
        let text = print(["src/b.rs", "a.json", "src/a.rs"]);
        assert_eq!(paths(&text), ["a.json", "src/a.rs", "src/b.rs"]);
        assert!(text.ends_with("a.json\nsrc/a.rs\nsrc/b.rs\n"));
    }

    #[test]
    fn conflict_markers_keep_both_sides() {
        let text = "a\n<<<<<<< ours\nb\n||||||| base\n=======\nc\n>>>>>>> theirs\nd\n";
        assert_eq!(paths(text), ["a", "b", "c", "d"]);
    }

    #[test]
    fn a_line_that_leaves_the_folder_counts_for_nothing() {
        let text = "../x\n/etc/passwd\na/../../x\nc:\\x\n\n./y\nok\n";
        assert_eq!(paths(text), ["ok"]);
    }

    #[test]
    fn conflicts_need_an_opening_and_a_closing_marker() {
        assert!(is_conflicted(
            b"a\n<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n"
        ));
        assert!(!is_conflicted(b"Heading\n=======\n"));
        assert!(!is_conflicted(b"text <<<<<<< ours\n>>>>>>> theirs\n"));
    }
}
