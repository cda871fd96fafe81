//! How many lines a change added and removed.

use similar::{ChangeTag, TextDiff};

/// So many different lines are compared one by one; a change beyond it counts as the replacement
/// of everything between what both texts begin and end with.
const MAX_COMPARED: usize = 4_000;

/// Lines of a text.
pub(super) fn lines(text: &str) -> u64 {
    text.lines().count() as u64
}

/// How many lines `new` has that `old` has not, and the other way round.
pub(super) fn changed(old: &str, new: &str) -> (u64, u64) {
    let (old, new): (Vec<&str>, Vec<&str>) = (
        old.split_inclusive('\n').collect(),
        new.split_inclusive('\n').collect(),
    );
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old, new) = (old.split_at(head).1, new.split_at(head).1);
    let tail = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let old = old.split_at(old.len() - tail).0;
    let new = new.split_at(new.len() - tail).0;
    if old.len().max(new.len()) > MAX_COMPARED {
        return (new.len() as u64, old.len() as u64);
    }
    let diff = TextDiff::from_slices(old, new);
    let count = |tag| {
        diff.iter_all_changes()
            .filter(|change| change.tag() == tag)
            .count() as u64
    };
    (count(ChangeTag::Insert), count(ChangeTag::Delete))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_as_a_diff_does() {
        assert_eq!(changed("", "a\nb\n"), (2, 0));
        assert_eq!(changed("a\nb\n", ""), (0, 2));
        assert_eq!(changed("a\nb\nc\n", "a\nB\nc\n"), (1, 1));
        assert_eq!(changed("a\nb", "a\nb\n"), (1, 1));
        assert_eq!(changed("a\nb\n", "b\na\n"), (1, 1));
        assert_eq!(changed("same\n", "same\n"), (0, 0));
        assert_eq!(lines("a\nb"), 2);
    }

    #[test]
    fn a_large_change_is_a_replacement() {
        let text = |from: usize| {
            (from..from + 10_000)
                .map(|n| format!("{n}\n"))
                .collect::<String>()
        };
        let new = format!("head\n{}tail\n", text(5_000));
        assert_eq!(
            changed(&format!("head\n{}tail\n", text(0)), &new),
            (10_000, 10_000)
        );
    }
}
