//! Time, injected. The wall clock dates what is written down; only the monotonic one decides
//! whether something is too late, because the other can be set back.

use std::{
    fmt,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use tokio::sync::watch;

use crate::tool::BoxFuture;

/// Where the runtime reads the time.
pub trait Clock: Send + Sync {
    /// Milliseconds since 1970, UTC. May jump in either direction.
    fn unix_millis(&self) -> i64;

    /// Time since a moment that stays the same for the life of the clock. Never goes back.
    fn monotonic(&self) -> Duration;

    /// Ends when [`Self::monotonic`] has reached `until`.
    fn sleep_until(&self, until: Duration) -> BoxFuture<'static, ()>;
}

/// The clock of the machine. Sleeping needs a tokio runtime with time enabled.
#[derive(Debug, Clone, Copy)]
pub struct SystemClock {
    origin: Instant,
}

impl Default for SystemClock {
    fn default() -> Self {
        Self {
            origin: Instant::now(),
        }
    }
}

impl Clock for SystemClock {
    fn unix_millis(&self) -> i64 {
        match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
            Err(_) => 0,
        }
    }

    fn monotonic(&self) -> Duration {
        self.origin.elapsed()
    }

    fn sleep_until(&self, until: Duration) -> BoxFuture<'static, ()> {
        let left = until.saturating_sub(self.monotonic());
        Box::pin(tokio::time::sleep(left))
    }
}

/// A clock that moves only when it is told to. For tests and for replays.
pub struct ManualClock {
    wall: Mutex<i64>,
    elapsed: watch::Sender<Duration>,
}

impl fmt::Debug for ManualClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ManualClock")
            .field("elapsed", &*self.elapsed.borrow())
            .finish_non_exhaustive()
    }
}

impl ManualClock {
    /// A clock that stands at `unix_millis`.
    #[must_use]
    pub fn at(unix_millis: i64) -> Self {
        Self {
            wall: Mutex::new(unix_millis),
            elapsed: watch::Sender::new(Duration::ZERO),
        }
    }

    /// Time passes: both clocks move on.
    pub fn advance(&self, by: Duration) {
        let millis = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
        let mut wall = self.wall.lock().unwrap_or_else(PoisonError::into_inner);
        *wall = wall.saturating_add(millis);
        self.elapsed
            .send_modify(|elapsed| *elapsed = elapsed.saturating_add(by));
    }

    /// Somebody sets the wall clock; no time passes.
    pub fn set_wall(&self, unix_millis: i64) {
        *self.wall.lock().unwrap_or_else(PoisonError::into_inner) = unix_millis;
    }
}

impl Clock for ManualClock {
    fn unix_millis(&self) -> i64 {
        *self.wall.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn monotonic(&self) -> Duration {
        *self.elapsed.borrow()
    }

    fn sleep_until(&self, until: Duration) -> BoxFuture<'static, ()> {
        let mut elapsed = self.elapsed.subscribe();
        Box::pin(async move {
            // An error means that the clock is gone, and with it all waiting.
            let _ = elapsed.wait_for(|now| *now >= until).await;
        })
    }
}

/// `unix_millis` as RFC 3339 text in UTC with milliseconds. A moment outside the years that have
/// four digits is written as the nearest one inside.
#[must_use]
pub fn timestamp(unix_millis: i64) -> String {
    let inside = unix_millis.clamp(EARLIEST, LATEST);
    let moment = jiff::Timestamp::from_millisecond(inside).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    format!("{moment:.3}")
}

/// `0000-01-01T00:00:00.000Z`.
const EARLIEST: i64 = -62_167_219_200_000;
/// `9999-12-30T00:00:00.000Z`.
const LATEST: i64 = 253_402_128_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_have_milliseconds() {
        assert_eq!(timestamp(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(timestamp(1_786_363_200_012), "2026-08-10T12:00:00.012Z");
        assert_eq!(timestamp(i64::MAX), "9999-12-30T00:00:00.000Z");
        assert_eq!(timestamp(i64::MIN), "0000-01-01T00:00:00.000Z");
    }
}
