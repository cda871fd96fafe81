//! What clients over HTTP may cost. Every limit is finite; what does not fit waits, or is refused with
//! a status.

use std::time::Duration;

/// What clients over HTTP may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HttpLimits {
    /// How many connections may be open; further ones wait to be accepted. 256.
    pub connections: usize,
    /// How many bytes the head of a request may have. 64 KiB.
    pub head_bytes: usize,
    /// How long a head may take. 30 s.
    pub head_time: Duration,
    /// How many bytes of bodies are read at the same time; further bodies wait. 64 MiB.
    pub bodies_bytes: usize,
    /// How long a body may take. 30 s.
    pub body_time: Duration,
    /// How many sessions of clients before 2026-07-28 there may be; a further one is refused with
    /// status 429. 64.
    pub sessions: usize,
    /// How long a session may be idle before it ends. 5 min.
    pub session_idle: Duration,
    /// How long what is left may take to end when the server does. 2 s.
    pub grace: Duration,
}

impl Default for HttpLimits {
    fn default() -> Self {
        Self {
            connections: 256,
            head_bytes: 64 << 10,
            head_time: Duration::from_secs(30),
            bodies_bytes: 64 << 20,
            body_time: Duration::from_secs(30),
            sessions: 64,
            session_idle: Duration::from_secs(300),
            grace: Duration::from_secs(2),
        }
    }
}
