//! The word that was probably meant, for `did you mean` in every kind of finding.

/// No key, token, tool or file is longer, in bytes; comparing costs the square of it.
const LONGEST: usize = 256;

/// The candidate nearest to `word`, or none when no candidate is near: at most a third of the
/// letters may differ, two neighbours that changed places counting as one. Case costs nothing.
/// Of two that are as near, the first wins. A word longer than any of ours is near to nothing.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST {
        return None;
    }
    let word = word.to_lowercase();
    let allowed = (word.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| {
            let distance = strsim::osa_distance(&word, &candidate.to_lowercase());
            (distance, candidate)
        })
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_what_was_meant() {
        let keys = ["read_only", "risk", "requires_approval", "description"];
        assert_eq!(nearest("readonly", keys), Some("read_only"));
        assert_eq!(nearest("desciption", keys), Some("description"));
        assert_eq!(nearest("RISK", keys), Some("risk"));
        assert_eq!(nearest("rsik", keys), Some("risk"));
    }

    #[test]
    fn gives_nothing_rather_than_nonsense() {
        assert_eq!(nearest("colour", ["risk", "name"]), None);
        assert_eq!(nearest("", ["risk"]), None);
        assert_eq!(nearest("risk", []), None);
    }
}
