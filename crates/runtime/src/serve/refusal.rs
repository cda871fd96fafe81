//! A request that was not taken: a status, a code to act on, words for people.
//!
//! The words name fields and limits. They never hold a value that came in.

use axum::{
    Json,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use toolcontract_protocol::session::RequestError;

use crate::text::one_line;

/// The longest text of a refusal, in characters.
const MAX_TEXT: usize = 2_000;

/// A request that was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    pub(super) code: &'static str,
    pub(super) text: String,
    /// Seconds after which to try again.
    pub(super) retry_after: Option<u32>,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, code: &'static str, text: impl AsRef<str>) -> Self {
        Self {
            status,
            code,
            text: one_line(text.as_ref(), MAX_TEXT),
            retry_after: None,
        }
    }

    pub(super) fn bad_request(code: &'static str, text: impl AsRef<str>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, text)
    }

    pub(super) fn not_found(code: &'static str, text: impl AsRef<str>) -> Self {
        Self::new(StatusCode::NOT_FOUND, code, text)
    }

    pub(super) fn conflict(code: &'static str, text: impl AsRef<str>) -> Self {
        Self::new(StatusCode::CONFLICT, code, text)
    }

    pub(super) fn too_many(code: &'static str, text: impl AsRef<str>) -> Self {
        Self {
            retry_after: Some(5),
            ..Self::new(StatusCode::TOO_MANY_REQUESTS, code, text)
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = RequestError {
            error: self.text,
            code: Some(self.code.to_owned()),
        };
        let mut response = (self.status, Json(body)).into_response();
        let headers = response.headers_mut();
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}
