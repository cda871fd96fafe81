//! Who calls, as a command line says it. Refuses what is no caller: a pattern, which is how a
//! policy names many, and a sub-agent of whom it is not said for whom it acts.

use clap::Args;
use toolcontract_manifest::text::escape;
use toolcontract_protocol::{Principal, principal::PrincipalError};

/// On whose behalf a command calls.
#[derive(Debug, Clone, Args)]
pub(super) struct CallerArgs {
    /// Who calls: `user`, `role:ID`, `host:ID` or `plugin:ID`
    #[arg(long, value_name = "LABEL", default_value = "user", value_parser = caller)]
    pub(super) principal: Principal,
}

/// The label of one caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Label {
    /// One whom nobody started.
    Principal(Principal),
    /// A sub-agent, by its id.
    SubAgent(String),
}

/// Reads the label of one caller.
///
/// # Errors
/// When it is a pattern or names nobody.
pub(super) fn label(text: &str) -> Result<Label, String> {
    // A pattern would be a caller of that very name, of whom the policy says other things.
    if text.contains('*') {
        return Err(format!(
            "`{}` is a pattern and nobody in particular: name one who calls, such as `{}`",
            escape(text),
            escape(&one_of(text))
        ));
    }
    match text.strip_prefix("subagent:") {
        Some("") => Err(PrincipalError::NoId(text.to_owned()).to_string()),
        Some(id) => Ok(Label::SubAgent(id.to_owned())),
        None => text.parse().map(Label::Principal).map_err(|error| match error {
            PrincipalError::UnknownKind(_) => format!(
                "`{}` names no principal: write `user`, `role:ID`, `host:ID` or `plugin:ID`, or to `toolgate why` `subagent:ID` with `--acting-for`",
                escape(text)
            ),
            error => error.to_string(),
        }),
    }
}

/// Somebody whom the pattern `text` means.
fn one_of(text: &str) -> String {
    match text {
        "*" => "user".to_owned(),
        pattern => pattern.replace('*', "example"),
    }
}

/// Reads the label of who calls through a command.
///
/// # Errors
/// Those of [`label`], and for a sub-agent: no command calls as one.
pub(super) fn caller(text: &str) -> Result<Principal, String> {
    match label(text)? {
        Label::Principal(principal) => Ok(principal),
        Label::SubAgent(_) => Err(format!(
            "`{}` acts for somebody: name one whom nobody started, such as `user`; `toolgate why --acting-for` says what a sub-agent may do",
            escape(text)
        )),
    }
}

/// The caller `first`, who acts for the first of `acting_for`, who acts for the next.
///
/// # Errors
/// When a sub-agent acts for nobody, or another acts for somebody.
pub(super) fn acting(first: &Label, acting_for: &[Label]) -> Result<Principal, String> {
    let mut labels: Vec<&Label> = std::iter::once(first).chain(acting_for).collect();
    let mut principal = match labels.pop() {
        Some(Label::Principal(principal)) => principal.clone(),
        Some(Label::SubAgent(_)) | None => {
            return Err(
                "say with `--acting-for` whom the sub-agent acts for, such as `user`".into(),
            );
        }
    };
    while let Some(label) = labels.pop() {
        match label {
            Label::SubAgent(id) => principal = principal.spawn(id),
            Label::Principal(other) => {
                return Err(format!(
                    "only `subagent:ID` acts for somebody, not `{other}`"
                ));
            }
        }
    }
    Ok(principal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_who_calls_is_read_and_a_pattern_is_refused() {
        assert_eq!(caller("user"), Ok(Principal::User));
        assert_eq!(caller("host:acme"), Ok(Principal::Host("acme".to_owned())));
        for (text, told) in [
            ("host:*", "such as `host:example`"),
            ("plugin:a*", "such as `plugin:aexample`"),
            ("*", "such as `user`"),
            ("subagent:*", "is a pattern"),
            ("subagent:a", "acts for somebody"),
            ("subagent:", "no id behind the colon"),
            ("role:", "no id behind the colon"),
            ("users", "names no principal"),
        ] {
            let error = caller(text).expect_err(text);
            assert!(error.contains(told), "{text}: {error}");
        }
    }

    #[test]
    fn a_sub_agent_acts_for_the_next() {
        let agent = |id: &str| Label::SubAgent(id.to_owned());
        let user = Label::Principal(Principal::User);
        let chain = acting(&agent("a"), &[agent("b"), user.clone()]);
        assert_eq!(chain, Ok(Principal::User.spawn("b").spawn("a")));
        assert_eq!(acting(&user, &[]), Ok(Principal::User));
        assert!(acting(&agent("a"), &[]).is_err());
        assert!(acting(&user, std::slice::from_ref(&user)).is_err());
    }
}
