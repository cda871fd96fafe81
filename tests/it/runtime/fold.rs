//! The laws of the fold, against an oracle that was written without looking at it.

use proptest::prelude::*;
use toolcontract_protocol::{AuthzEvalError, Decision, ErrorCode, TraceStep, decision::Verdict};
use toolcontract_runtime::authz::{Answer, Enforcement, Evaluation, Folded, Rank, Source, fold};

const SOURCES: [Source; 5] = [
    Source::Operator,
    Source::Gate,
    Source::Hook,
    Source::ShellHook,
    Source::Contract,
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    Allow,
    Ask,
    Deny,
    Fail,
}

const SAYS: [Says; 4] = [Says::Allow, Says::Ask, Says::Deny, Says::Fail];

fn answer(source: Source, says: Says, name: &str) -> Answer {
    let result = match says {
        Says::Allow => Ok(Decision::Allow),
        Says::Ask => Ok(Decision::require_approval("ask")),
        Says::Deny => Ok(Decision::deny("deny")),
        Says::Fail => Err(AuthzEvalError {
            gate: name.to_owned(),
            detail: "down".to_owned(),
        }),
    };
    Answer {
        source,
        name: name.to_owned(),
        evaluation: Evaluation::of(name, result),
    }
}

/// The truth table of the design, as somebody would tell it.
fn oracle(answers: &[(Source, Says)], warn: bool) -> &'static str {
    let any = |wanted: &dyn Fn(Source, Says) -> bool| answers.iter().any(|(s, a)| wanted(*s, *a));
    if answers.is_empty() {
        return "deny";
    }
    if any(&|source, says| source == Source::Operator && says == Says::Deny) {
        return "operator deny";
    }
    if any(&|_, says| says == Says::Fail) {
        return "error";
    }
    // What denies and is neither the operator nor softened.
    let denies = any(&|source, says| {
        let soft = matches!(source, Source::Gate | Source::Hook | Source::ShellHook);
        source != Source::Operator && says == Says::Deny && !(warn && soft)
    });
    if denies {
        return "deny";
    }
    if any(&|_, says| says == Says::Ask) {
        return "ask";
    }
    "allow"
}

fn named(folded: &Folded) -> &'static str {
    match (&folded.verdict, &folded.code) {
        (Verdict::Allow, None) => "allow",
        (Verdict::RequireApproval { .. }, None) => "ask",
        (Verdict::Error(_), Some(ErrorCode::PolicyError)) => "error",
        (Verdict::Deny { .. }, Some(ErrorCode::ToolDisabled)) => "operator deny",
        (
            Verdict::Deny { .. },
            Some(ErrorCode::DeniedByGate | ErrorCode::DeniedByHook | ErrorCode::DeniedByPolicy),
        ) => "deny",
        other => panic!("a verdict and a code that do not go together: {other:?}"),
    }
}

fn enforcement(warn: bool) -> Enforcement {
    match warn {
        true => Enforcement::Warn,
        false => Enforcement::Enforce,
    }
}

fn folded(answers: &[(Source, Says)], warn: bool) -> Folded {
    let answers = answers
        .iter()
        .enumerate()
        .map(|(index, (source, says))| answer(*source, *says, &format!("a{index}")))
        .collect();
    fold(answers, enforcement(warn))
}

/// Every list of up to `len` of `kinds`.
fn lists<T: Copy>(kinds: &[T], len: usize) -> Vec<Vec<T>> {
    let mut all = vec![Vec::new()];
    let mut last = vec![Vec::new()];
    for _ in 0..len {
        last = last
            .iter()
            .flat_map(|list: &Vec<T>| {
                kinds.iter().map(move |kind| {
                    let mut longer = list.clone();
                    longer.push(*kind);
                    longer
                })
            })
            .collect();
        all.extend(last.clone());
    }
    all
}

fn agrees(answers: &[(Source, Says)]) {
    for warn in [false, true] {
        let folded = folded(answers, warn);
        assert_eq!(
            named(&folded),
            oracle(answers, warn),
            "{answers:?} warn {warn}"
        );
        let decided: Vec<&TraceStep> = folded.trace.steps.iter().filter(|s| s.decided).collect();
        assert_eq!(decided, [&folded.trace.decided_by]);
    }
}

#[test]
fn every_answer_of_every_source_up_to_three() {
    let kinds: Vec<(Source, Says)> = SOURCES
        .into_iter()
        .flat_map(|source| SAYS.map(|says| (source, says)))
        .collect();
    let lists = lists(&kinds, 3);
    assert_eq!(lists.len(), 1 + 20 + 400 + 8000);
    for answers in lists {
        agrees(&answers);
    }
}

#[test]
fn every_rank_up_to_four() {
    let ranks = [
        (Source::Gate, Says::Allow),
        (Source::Gate, Says::Ask),
        (Source::Gate, Says::Deny),
        (Source::Gate, Says::Fail),
        (Source::Operator, Says::Deny),
    ];
    let lists = lists(&ranks, 4);
    assert_eq!(lists.len(), 1 + 5 + 25 + 125 + 625);
    for answers in lists {
        agrees(&answers);
    }
}

/// Both controls in one table: what softening softens, and that it softens nothing else.
#[test]
fn softening_softens_a_denial_and_nothing_else() {
    let table = [
        (Source::Gate, Says::Deny, "deny", "allow"),
        (Source::Hook, Says::Deny, "deny", "allow"),
        (Source::ShellHook, Says::Deny, "deny", "allow"),
        (Source::Gate, Says::Fail, "error", "error"),
        (Source::Hook, Says::Fail, "error", "error"),
        (Source::ShellHook, Says::Fail, "error", "error"),
        (Source::Gate, Says::Ask, "ask", "ask"),
        (Source::Hook, Says::Ask, "ask", "ask"),
        (Source::Contract, Says::Ask, "ask", "ask"),
        (
            Source::Operator,
            Says::Deny,
            "operator deny",
            "operator deny",
        ),
        (Source::Operator, Says::Ask, "ask", "ask"),
        (Source::Operator, Says::Fail, "error", "error"),
        (Source::Gate, Says::Allow, "allow", "allow"),
    ];
    for (source, says, enforced, warned) in table {
        let strict = folded(&[(source, says)], false);
        let soft = folded(&[(source, says)], true);
        assert_eq!(
            (named(&strict), named(&soft)),
            (enforced, warned),
            "{source:?} {says:?}"
        );
        assert!(strict.softened.is_empty());
        assert_eq!(soft.softened.len(), usize::from(enforced != warned));
    }
    let soft = folded(&[(Source::Gate, Says::Deny)], true);
    assert_eq!(soft.softened, [("a0".to_owned(), "deny".to_owned())]);
}

#[test]
fn whoever_asks_is_named_and_nobody_else() {
    let gate = |says, name| answer(Source::Gate, says, name);
    let asked = |answers| fold(answers, Enforcement::Enforce).asked_by;
    let two = vec![
        gate(Says::Ask, "b"),
        gate(Says::Allow, "c"),
        gate(Says::Ask, "a"),
    ];
    assert_eq!(asked(two), ["gate:a", "gate:b"]);
    let denied = vec![gate(Says::Ask, "a"), gate(Says::Deny, "b")];
    assert_eq!(asked(denied), [""; 0]);
}

#[test]
fn without_an_answer_nobody_allowed_it() {
    for warn in [false, true] {
        assert_eq!(named(&folded(&[], warn)), "deny");
    }
}

#[test]
fn a_code_tells_a_rule_from_a_gate() {
    let denied = |source: Source, rule: &str| {
        let mut answer = answer(source, Says::Deny, "roles");
        answer.evaluation = Evaluation::of_rule(rule, Ok(Decision::deny("no")));
        fold(vec![answer], Enforcement::Enforce).code
    };
    let denies = |rule: &str| denied(Source::Gate, rule);
    assert_eq!(denies("rule:no-secrets"), Some(ErrorCode::DeniedByPolicy));
    assert_eq!(denies("gate:roles"), Some(ErrorCode::DeniedByGate));
    for hook in [Source::Hook, Source::ShellHook] {
        assert_eq!(denied(hook, "hook:h"), Some(ErrorCode::DeniedByHook));
    }
}

#[test]
fn an_answer_that_its_trace_does_not_bear_out_is_an_error() {
    let mut out_of_range = answer(Source::Gate, Says::Allow, "a");
    out_of_range.evaluation.decided_by = 7;
    let mut no_steps = answer(Source::Gate, Says::Allow, "a");
    no_steps.evaluation.steps.clear();
    let mut contradicts = answer(Source::Gate, Says::Deny, "a");
    contradicts.evaluation.result = Ok(Decision::Allow);
    for lie in [out_of_range, no_steps, contradicts] {
        for warn in [false, true] {
            assert_eq!(named(&fold(vec![lie.clone()], enforcement(warn))), "error");
        }
    }
}

#[test]
fn a_trace_has_an_end_and_keeps_what_decided() {
    let mut long = answer(Source::Gate, Says::Deny, "a");
    let decider = long.evaluation.steps.remove(0);
    let miss = |index| TraceStep::miss(format!("rule:{index}"), "x".repeat(5_000));
    long.evaluation.steps = (0..5_000).map(miss).chain([decider]).collect();
    long.evaluation.decided_by = 5_000;
    let folded = fold(vec![long], Enforcement::Enforce);
    assert_eq!(named(&folded), "deny");
    assert_eq!(folded.trace.steps.len(), 1_002);
    assert_eq!(
        folded.trace.steps[1_000].description,
        "4001 more steps are not kept"
    );
    assert!(folded.trace.steps[1_001].decided);
    assert!(folded.trace.steps[0].description.len() < 1_010);
}

fn any_answers() -> impl Strategy<Value = Vec<Answer>> {
    let one = (
        prop::sample::select(SOURCES.to_vec()),
        prop::sample::select(SAYS.to_vec()),
        "[a-c]",
    );
    prop::collection::vec(
        one.prop_map(|(source, says, name)| answer(source, says, &name)),
        0..6,
    )
}

fn rank(folded: &Folded) -> Rank {
    match named(folded) {
        "allow" => Rank::Allow,
        "ask" => Rank::Ask,
        "deny" => Rank::Deny,
        "error" => Rank::Error,
        _ => Rank::OperatorDeny,
    }
}

proptest! {
    #[test]
    fn order_does_not_matter(
        (answers, shuffled) in any_answers()
            .prop_flat_map(|answers| (Just(answers.clone()), Just(answers).prop_shuffle())),
        warn: bool,
    ) {
        prop_assert_eq!(fold(answers, enforcement(warn)), fold(shuffled, enforcement(warn)));
    }

    #[test]
    fn an_answer_given_twice_counts_once(answers in any_answers(), warn: bool) {
        let twice = answers.iter().chain(&answers).cloned().collect();
        prop_assert_eq!(fold(answers, enforcement(warn)), fold(twice, enforcement(warn)));
    }

    #[test]
    fn another_answer_never_loosens(
        answers in any_answers().prop_filter("somebody answers", |a| !a.is_empty()),
        more in any_answers(),
        warn: bool,
    ) {
        let before = rank(&fold(answers.clone(), enforcement(warn)));
        let all = answers.into_iter().chain(more).collect();
        prop_assert!(rank(&fold(all, enforcement(warn))) >= before);
    }

    #[test]
    fn softening_never_tightens(answers in any_answers()) {
        let strict = rank(&fold(answers.clone(), Enforcement::Enforce));
        prop_assert!(rank(&fold(answers, Enforcement::Warn)) <= strict);
    }

    #[test]
    fn joining_ranks_is_a_lattice(a in 0..5_usize, b in 0..5_usize, c in 0..5_usize) {
        let [a, b, c] = [a, b, c].map(|at| Rank::ALL[at]);
        prop_assert_eq!(a.join(b), b.join(a));
        prop_assert_eq!(a.join(b).join(c), a.join(b.join(c)));
        prop_assert_eq!(a.join(a), a);
        prop_assert_eq!(a.join(Rank::Allow), a);
        prop_assert_eq!(a.join(Rank::OperatorDeny), Rank::OperatorDeny);
    }
}
