//! Opening sessions and turns: from a body to a registry. A principal is read from the body that
//! opens a session or a turn of its own, never from a later one; whoever asks people is said there
//! too.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use toolcontract_protocol::{
    SessionSpec,
    session::{Clamped, SessionCreated, TurnCreated},
};

use super::{
    limits::ServeLimits,
    line::Line,
    refusal::Refusal,
    server::Shared,
    sessions::Opened,
    turn::{Turn, registry},
    turns,
};
use crate::{caller::Session, nonce::nonce};

/// Opens a session.
pub(super) fn session(
    shared: &Arc<Shared>,
    mut spec: SessionSpec,
) -> Result<SessionCreated, Refusal> {
    let clamped = admit(shared, &mut spec)?;
    let id = fresh()?;
    // Every fault of a contract is told here, and not at the first turn.
    let line = Line::new(id.clone(), shared.limits, &shared.clock, &shared.counters);
    let begun = (shared.govern)(&spec.caller());
    registry(begun, &spec, &line, &shared.limits)?;
    let opened = Opened {
        session: Session::new(id.clone()),
        spec,
    };
    let now = shared.clock.monotonic();
    shared.sessions.open(opened, &shared.limits, now)?;
    Ok(SessionCreated {
        session_id: id,
        clamped,
    })
}

/// Opens a turn that is a session of its own.
pub(super) fn turn(shared: &Arc<Shared>, mut spec: SessionSpec) -> Result<TurnCreated, Refusal> {
    let clamped = admit(shared, &mut spec)?;
    shared.driver.check(&spec).map_err(engine)?;
    let id = fresh()?;
    let opened = Opened {
        session: Session::new(id.clone()),
        spec,
    };
    let turn_id = begin(shared, id, opened, || {})?;
    Ok(TurnCreated { turn_id, clamped })
}

/// Opens a turn of the session `session_id`.
pub(super) fn session_turn(
    shared: &Arc<Shared>,
    session_id: &str,
    mut spec: SessionSpec,
) -> Result<TurnCreated, Refusal> {
    let now = shared.clock.monotonic();
    let mut opened = shared.sessions.get(session_id, &shared.limits, now)?;
    if spec.principal.is_some() {
        let text = "`principal` is said when a session is opened; leave it out of its turns";
        return Err(Refusal::bad_request("principal_is_fixed", text));
    }
    if spec.approvals != Default::default() && spec.approvals != opened.spec.approvals {
        let text = "`approvals` is said when a session is opened; leave it out of its turns";
        return Err(Refusal::bad_request("approvals_are_fixed", text));
    }
    let clamped = admit(shared, &mut spec)?;
    shared.driver.check(&spec).map_err(engine)?;
    let of_session = opened.spec;
    opened.spec = SessionSpec {
        provider_id: spec.provider_id.or(of_session.provider_id),
        principal: of_session.principal,
        approvals: of_session.approvals,
        tools: if spec.tools.is_empty() {
            of_session.tools
        } else {
            spec.tools
        },
        max_steps: spec.max_steps.or(of_session.max_steps),
        reverse_request_timeout_ms: spec
            .reverse_request_timeout_ms
            .or(of_session.reverse_request_timeout_ms),
        approval_timeout_ms: spec.approval_timeout_ms.or(of_session.approval_timeout_ms),
        engine: spec.engine,
    };
    let id = fresh()?;
    shared.sessions.begin(session_id, &id)?;
    let end = {
        let (shared, session_id, id) = (Arc::clone(shared), session_id.to_owned(), id.clone());
        move || {
            let now = shared.clock.monotonic();
            shared.sessions.end(&session_id, &id, now);
        }
    };
    let begun = begin(shared, id, opened, end.clone());
    if begun.is_err() {
        end();
    }
    let turn_id = begun?;
    Ok(TurnCreated { turn_id, clamped })
}

fn begin(
    shared: &Arc<Shared>,
    id: String,
    opened: Opened,
    then: impl FnOnce() + Send + 'static,
) -> Result<String, Refusal> {
    let Opened { spec, session } = opened;
    let principal = spec.caller();
    let line = Line::new(id, shared.limits, &shared.clock, &shared.counters);
    let begun = (shared.govern)(&principal);
    let registry = registry(begun, &spec, &line, &shared.limits)?;
    let turn = Turn {
        spec,
        principal,
        session,
        registry,
        line,
        stop: CancellationToken::new(),
        cancel: CancellationToken::new(),
    };
    turns::begin(shared, turn, then)
}

/// What a body may say at all.
fn admit(shared: &Shared, spec: &mut SessionSpec) -> Result<Vec<Clamped>, Refusal> {
    if shared.closing.is_cancelled() {
        return Err(Refusal::new(
            axum::http::StatusCode::SERVICE_UNAVAILABLE,
            "closing",
            "the server is about to end",
        ));
    }
    within(spec, &shared.limits)?;
    Ok(spec.clamp())
}

fn within(spec: &SessionSpec, limits: &ServeLimits) -> Result<(), Refusal> {
    if spec.tools.len() > limits.tools {
        let text = format!("`tools` holds at most {} contracts", limits.tools);
        return Err(Refusal::bad_request("too_many_tools", text));
    }
    let principal = spec.principal.as_deref().unwrap_or_default();
    if principal.len() > limits.principal_bytes {
        let text = format!("`principal` has at most {} bytes", limits.principal_bytes);
        return Err(Refusal::bad_request("invalid_body", text));
    }
    Ok(())
}

fn engine(reason: String) -> Refusal {
    Refusal::bad_request("refused_by_engine", reason)
}

fn fresh() -> Result<String, Refusal> {
    nonce().ok_or_else(|| {
        Refusal::new(
            axum::http::StatusCode::INTERNAL_SERVER_ERROR,
            "no_randomness",
            "the system gives no random numbers, so nothing can be named safely",
        )
    })
}
