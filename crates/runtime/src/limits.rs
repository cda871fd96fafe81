//! How much, how long, how often. Every limit is finite; there is no value that means "none".

use std::time::Duration;

use toolcontract_schema::bounds;

/// What one call may cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// What an input may weigh. Which numbers pass follows from the contract.
    pub input: bounds::Limits,
    /// How many faults of one value are told. 32.
    pub violations: usize,
    /// How long a gate may take that does not answer in microseconds. 1 s.
    pub gate: Duration,
    /// How long a hook that is a command may take. 60 s.
    pub shell_hook: Duration,
    /// How long a tool may run. 10 min.
    pub tool: Duration,
    /// How long a tool that was told to stop may take to stop, before it is dropped. 2 s.
    pub grace: Duration,
    /// How long a person may take to answer. 2 min.
    pub approval: Duration,
    /// How many questions may wait for an answer at once. 64.
    pub pending: usize,
    /// How often a session may ask.
    pub asks: Rate,
    /// How many bytes of text a model is shown. 100,000.
    pub content_bytes: usize,
    /// What `data` of an output may weigh; over it, the output is invalid.
    pub data: bounds::Limits,
    /// How many bytes of other things than text a call may give back. 8 MiB.
    pub attached_bytes: usize,
    /// How many bytes the payload of an event may have. 16 KiB.
    pub event_bytes: usize,
    /// How many events one call may emit. 10,000.
    pub events: u64,
    /// How often one call may say that it is still running.
    pub progress: Rate,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            input: bounds::Limits::default(),
            violations: 32,
            gate: Duration::from_secs(1),
            shell_hook: Duration::from_secs(60),
            tool: Duration::from_secs(600),
            grace: Duration::from_secs(2),
            approval: Duration::from_secs(120),
            pending: 64,
            asks: Rate {
                burst: 20,
                per_second: 0.2,
            },
            content_bytes: 100_000,
            data: bounds::Limits::default(),
            attached_bytes: 8 << 20,
            event_bytes: 16 << 10,
            events: 10_000,
            progress: Rate {
                burst: 20,
                per_second: 10.0,
            },
        }
    }
}

/// So many at once, so many a second after that.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// How many at once.
    pub burst: u32,
    /// How many come back each second.
    pub per_second: f64,
}

/// What is left of a [`Rate`].
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Bucket {
    /// Tokens, and when they were counted. None: full.
    level: Option<(f64, Duration)>,
}

impl Bucket {
    /// Takes one token at the monotonic time `now`; false when there is none.
    pub(crate) fn take(&mut self, rate: Rate, now: Duration) -> bool {
        let full = f64::from(rate.burst);
        let left = match self.level {
            None => full,
            Some((left, counted)) => {
                let passed = now.saturating_sub(counted).as_secs_f64();
                (left + passed * rate.per_second).min(full)
            }
        };
        let taken = left >= 1.0;
        self.level = Some((if taken { left - 1.0 } else { left }, now));
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_empties_and_fills() {
        let rate = Rate {
            burst: 2,
            per_second: 1.0,
        };
        let mut bucket = Bucket::default();
        let mut at = |millis| bucket.take(rate, Duration::from_millis(millis));
        assert!(at(0) && at(0) && !at(0));
        assert!(!at(900));
        assert!(at(1_000) && !at(1_000));
        // Two at most come back, however long it takes.
        assert!(at(60_000) && at(60_000) && !at(60_000));
    }
}
