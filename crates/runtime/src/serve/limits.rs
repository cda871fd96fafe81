//! How much a served session may cost the server. Every limit is finite; what does not fit is
//! refused with a status, waits, or is dropped and counted, and is never kept in memory instead.

use std::time::Duration;

use crate::limits::Rate;

/// What the serve wire allows. Each is for the whole server unless it says otherwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ServeLimits {
    /// How many connections may be open; further ones wait to be accepted. 1,024.
    pub connections: usize,
    /// How many bytes the head of a request may have. 64 KiB.
    pub head_bytes: usize,
    /// How long a head may take. 30 s.
    pub head_time: Duration,
    /// How many bytes one body may have. 8 MiB.
    pub body_bytes: usize,
    /// How many bytes of bodies are read at the same time; further bodies wait. 64 MiB.
    pub bodies_bytes: usize,
    /// How long a body may take. 30 s.
    pub body_time: Duration,
    /// How many values one body may hold. 1,000,000.
    pub body_nodes: usize,
    /// How many requests may come with a wrong token before each further one waits.
    pub refusals: Rate,
    /// How long such a request waits. 500 ms.
    pub refusal_delay: Duration,
    /// How many turns may run. 32.
    pub turns: usize,
    /// How many turns that are over are kept for a host that comes back. 32.
    pub ended_turns: usize,
    /// How many sessions there may be. 64.
    pub sessions: usize,
    /// How long a session may be idle before it ends. 1 h.
    pub session_idle: Duration,
    /// How many tools one body may bring. 512.
    pub tools: usize,
    /// How many bytes the principal of a body may have. 256.
    pub principal_bytes: usize,
    /// Of one turn: how many frames that were read are kept for a host that resumes. 4,096.
    pub history: usize,
    /// Of one turn: how many bytes of them. 8 MiB.
    pub history_bytes: usize,
    /// Of one turn: how many frames may wait to be read before events are dropped. 4,096.
    pub queue: usize,
    /// Of one turn: how many bytes of them. 8 MiB.
    pub queue_bytes: usize,
    /// Of one turn: how many requests may wait for the host; further calls wait for a place. 1,024.
    pub outstanding: usize,
    /// Of one turn: how many bytes of them. 16 MiB.
    pub outstanding_bytes: usize,
    /// How long a host may take for one answer, where it did not say. 5 min.
    pub answer: Duration,
    /// How long a person may take for one answer, where the host did not say. 2 min.
    pub approval: Duration,
    /// How long a turn waits for a host that is not connected, and how long one that is over is
    /// kept. 30 s.
    pub parked: Duration,
    /// How long a connected host may read nothing although there is something to read, before its
    /// connection is closed. 60 s.
    pub stalled: Duration,
    /// How long an engine that was told to stop may take to stop. 2 s.
    pub grace: Duration,
}

impl Default for ServeLimits {
    fn default() -> Self {
        Self {
            connections: 1_024,
            head_bytes: 64 << 10,
            head_time: Duration::from_secs(30),
            body_bytes: 8 << 20,
            bodies_bytes: 64 << 20,
            body_time: Duration::from_secs(30),
            body_nodes: 1_000_000,
            refusals: Rate {
                burst: 8,
                per_second: 2.0,
            },
            refusal_delay: Duration::from_millis(500),
            turns: 32,
            ended_turns: 32,
            sessions: 64,
            session_idle: Duration::from_secs(3_600),
            tools: 512,
            principal_bytes: 256,
            history: 4_096,
            history_bytes: 8 << 20,
            queue: 4_096,
            queue_bytes: 8 << 20,
            outstanding: 1_024,
            outstanding_bytes: 16 << 20,
            answer: Duration::from_secs(300),
            approval: Duration::from_secs(120),
            parked: Duration::from_secs(30),
            stalled: Duration::from_secs(60),
            grace: Duration::from_secs(2),
        }
    }
}
