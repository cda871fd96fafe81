//! Bodies: read up to a limit and in time, by the same checking reader as every other input, and
//! only then given a type. Refuses what is too large, too slow, not JSON, or has a member twice.

use std::sync::Arc;

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, Request, StatusCode, header},
};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::Semaphore;
use toolcontract_schema::bounds::{self, BoundsError, Numbers};

use super::{limits::ServeLimits, refusal::Refusal};
use crate::clock::Clock;

/// A permit stands for so many bytes.
const UNIT: usize = 1 << 10;

/// Reads bodies, and holds all that are being read below one limit.
#[derive(Debug)]
pub(super) struct Bodies {
    room: Arc<Semaphore>,
    limits: ServeLimits,
}

impl Bodies {
    pub(super) fn new(limits: ServeLimits) -> Self {
        let units = (limits.bodies_bytes / UNIT).clamp(1, Semaphore::MAX_PERMITS);
        Self {
            room: Arc::new(Semaphore::new(units)),
            limits,
        }
    }

    /// The body of `request` as a `T`. A body of no bytes counts as `absent`.
    pub(super) async fn read<T: DeserializeOwned>(
        &self,
        request: Request<Body>,
        clock: &dyn Clock,
        absent: &'static [u8],
    ) -> Result<T, Refusal> {
        let until = clock.monotonic() + self.limits.body_time;
        let value = tokio::select! {
            biased;
            value = self.value(request, absent) => value?,
            () = clock.sleep_until(until) => return Err(too_slow(&self.limits)),
        };
        typed(value)
    }

    async fn value(&self, request: Request<Body>, absent: &'static [u8]) -> Result<Value, Refusal> {
        let limit = self.limits.body_bytes;
        let told = told_length(request.headers());
        if told.is_some_and(|bytes| bytes > limit) {
            return Err(too_large(limit));
        }
        let units = told.unwrap_or(limit).div_ceil(UNIT).max(1);
        let all = (self.limits.bodies_bytes / UNIT).max(1);
        let units = u32::try_from(units.min(all)).unwrap_or(u32::MAX);
        // Held until the text has become a value.
        let _room = self.room.acquire_many(units).await;
        let bytes = Limited::new(request.into_body(), limit)
            .collect()
            .await
            .map_err(|error| match error.downcast_ref::<LengthLimitError>() {
                Some(_) => too_large(limit),
                None => Refusal::bad_request("unreadable_body", "the body broke off"),
            })?
            .to_bytes();
        match bytes.is_empty() {
            true => self.parse(&Bytes::from_static(absent)),
            false => self.parse(&bytes),
        }
    }

    fn parse(&self, bytes: &Bytes) -> Result<Value, Refusal> {
        let limits = bounds::Limits {
            bytes: self.limits.body_bytes,
            // What a body is about may be as deep as it may be in process, and lies inside of it.
            depth: bounds::Limits::default().depth + OUTSIDE,
            nodes: self.limits.body_nodes,
            // Which numbers pass is asked with the contract in hand.
            numbers: Numbers::Any,
        };
        bounds::read(bytes, &limits).map_err(|fault| match fault {
            BoundsError::TooManyBytes { limit, .. } => too_large(limit),
            BoundsError::DuplicateKey { .. } => {
                Refusal::bad_request("duplicate_key", format!("the body: {fault}"))
            }
            BoundsError::NotJson { .. } => {
                Refusal::bad_request("malformed_json", format!("the body: {fault}"))
            }
            BoundsError::TooDeep { .. }
            | BoundsError::TooManyNodes { .. }
            | BoundsError::WideInteger { .. } => {
                Refusal::bad_request("out_of_bounds", format!("the body: {fault}"))
            }
        })
    }
}

/// How many levels of a body stand around an input, an output or a schema.
const OUTSIDE: usize = 8;

fn told_length(headers: &HeaderMap) -> Option<usize> {
    headers
        .get(header::CONTENT_LENGTH)?
        .to_str()
        .ok()?
        .parse()
        .ok()
}

/// The value as a `T`, or where it is none.
fn typed<T: DeserializeOwned>(value: Value) -> Result<T, Refusal> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        let place = match path.as_str() {
            "." | "?" => "the body".to_owned(),
            path => format!("`{path}` of the body"),
        };
        Refusal::bad_request("invalid_body", format!("{place}: {}", error.into_inner()))
    })
}

fn too_large(limit: usize) -> Refusal {
    let text = format!("a body has at most {limit} bytes");
    Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", text)
}

fn too_slow(limits: &ServeLimits) -> Refusal {
    let text = format!("a body is sent within {} s", limits.body_time.as_secs());
    Refusal::new(StatusCode::REQUEST_TIMEOUT, "too_slow", text)
}
