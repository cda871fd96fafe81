//~ E0004
//! Nor out of a verdict.
use toolcontract_runtime::protocol::decision::Verdict;

pub fn may_run(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Allow => true,
        Verdict::Deny { .. } | Verdict::RequireApproval { .. } => false,
    }
}
