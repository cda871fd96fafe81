//! Which `rename_all` of serde says most names of a type, so that few need a `rename` of their own.

/// A rule of serde's `rename_all`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    Lower,
    Upper,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
    Pascal,
}

/// What kind of name a rule is applied to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    /// `snake_case` identifiers of fields.
    Field,
    /// `PascalCase` identifiers of variants.
    Variant,
}

const RULES: [Rule; 8] = [
    Rule::Snake,
    Rule::Camel,
    Rule::Kebab,
    Rule::Lower,
    Rule::Upper,
    Rule::ScreamingSnake,
    Rule::ScreamingKebab,
    Rule::Pascal,
];

impl Rule {
    /// As serde spells it.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Lower => "lowercase",
            Self::Upper => "UPPERCASE",
            Self::Camel => "camelCase",
            Self::Snake => "snake_case",
            Self::ScreamingSnake => "SCREAMING_SNAKE_CASE",
            Self::Kebab => "kebab-case",
            Self::ScreamingKebab => "SCREAMING-KEBAB-CASE",
            Self::Pascal => "PascalCase",
        }
    }

    /// What serde makes of an ASCII identifier.
    fn apply(self, case: Case, ident: &str) -> String {
        let snake = match case {
            Case::Field => ident.to_owned(),
            Case::Variant => snake(ident),
        };
        let pascal = || match case {
            Case::Field => pascal(ident),
            Case::Variant => ident.to_owned(),
        };
        match self {
            Self::Lower => match case {
                Case::Field => snake,
                Case::Variant => ident.to_ascii_lowercase(),
            },
            Self::Upper => ident.to_ascii_uppercase(),
            Self::Camel => {
                let mut name = pascal();
                if let Some(first) = name.get_mut(..1) {
                    first.make_ascii_lowercase();
                }
                name
            }
            Self::Snake => snake,
            Self::ScreamingSnake => snake.to_ascii_uppercase(),
            Self::Kebab => snake.replace('_', "-"),
            Self::ScreamingKebab => snake.to_ascii_uppercase().replace('_', "-"),
            Self::Pascal => pascal(),
        }
    }
}

fn snake(ident: &str) -> String {
    let mut snake = String::new();
    for (at, c) in ident.char_indices() {
        if at > 0 && c.is_uppercase() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

fn pascal(ident: &str) -> String {
    let mut pascal = String::new();
    let mut capital = true;
    for c in ident.chars() {
        if c == '_' {
            capital = true;
        } else {
            pascal.push(if capital { c.to_ascii_uppercase() } else { c });
            capital = false;
        }
    }
    pascal
}

/// The names of a type as serde is told them: one rule for all, and a name of its own where the
/// rule is wrong.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Renames {
    /// The rule, when one says more than it costs.
    pub(super) rule: Option<Rule>,
    /// For each identifier in turn: its name, where the rule does not give it.
    pub(super) own: Vec<Option<String>>,
}

/// The fewest words that give each identifier (left, without `r#`) its wire name (right).
///
/// serde's rules are for ASCII; with any other identifier there is no rule. An identifier that had
/// to dodge a keyword (`self_`) always says its name.
pub(super) fn renames(case: Case, names: &[(&str, &str)]) -> Renames {
    let with = |rule: Option<Rule>| {
        let own = names
            .iter()
            .map(|(ident, wire)| {
                let given = match rule {
                    Some(rule) => rule.apply(case, ident),
                    None => (*ident).to_owned(),
                };
                (given != *wire || ident.ends_with('_')).then(|| (*wire).to_owned())
            })
            .collect();
        Renames { rule, own }
    };
    let cost = |renames: &Renames| {
        let own = renames.own.iter().flatten().count();
        own + usize::from(renames.rule.is_some())
    };
    let mut best = with(None);
    if cost(&best) > 1 && names.iter().all(|(ident, _)| ident.is_ascii()) {
        for rule in RULES {
            let renames = with(Some(rule));
            if cost(&renames) < cost(&best) {
                best = renames;
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(case: Case, names: &[(&str, &str)], rule: Option<Rule>, own: &[Option<&str>]) {
        let own = own.iter().map(|name| name.map(str::to_owned)).collect();
        assert_eq!(renames(case, names), Renames { rule, own });
    }

    #[test]
    fn one_rule_where_it_is_shorter() {
        check(
            Case::Variant,
            &[
                ("FilesWithMatches", "files_with_matches"),
                ("Count", "count"),
            ],
            Some(Rule::Snake),
            &[None, None],
        );
        check(
            Case::Field,
            &[("per_page", "perPage"), ("sort_by", "sortBy"), ("r", "R")],
            Some(Rule::Camel),
            &[None, None, Some("R")],
        );
        check(
            Case::Field,
            &[("per_page", "perPage"), ("sort", "sort")],
            None,
            &[Some("perPage"), None],
        );
        check(
            Case::Field,
            &[("имя", "Имя"), ("a_b", "aB")],
            None,
            &[Some("Имя"), Some("aB")],
        );
    }
}
