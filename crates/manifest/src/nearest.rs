//! The word that was probably meant, for `did you mean` in every kind of finding.

/// No key, token, tool or file is longer, in bytes; comparing costs the square of it.
const LONGEST: usize = 256;

/// The letters that an abbreviation has at least.
const SHORTEST: usize = 3;

/// The candidate nearest to `word`, or none when no candidate is near: at most a third of the
/// letters may differ, two neighbours that changed places counting as one. Case costs nothing.
/// Of two that are as near, the first wins. A word longer than any of ours is near to nothing; one
/// that is near to none may abbreviate one, in three letters or more.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST {
        return None;
    }
    let word = word.to_lowercase();
    let letters = word.chars().count();
    let allowed = (letters / 3).max(1);
    let mut abbreviated = None;
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let lower = candidate.to_lowercase();
        let distance = strsim::osa_distance(&word, &lower);
        if distance <= allowed && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
        if letters >= SHORTEST && lower.starts_with(&word) {
            abbreviated = abbreviated.or(Some(candidate));
        }
    }
    best.map(|(_, candidate)| candidate).or(abbreviated)
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
        assert_eq!(nearest("desc", keys), Some("description"));
    }

    #[test]
    fn gives_nothing_rather_than_nonsense() {
        assert_eq!(nearest("colour", ["risk", "name"]), None);
        assert_eq!(nearest("", ["risk"]), None);
        assert_eq!(nearest("re", ["read_only"]), None);
        assert_eq!(nearest("risk", []), None);
    }
}
