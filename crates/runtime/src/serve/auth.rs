//! Who may speak to the server: whoever holds the token. Compared in constant time; after a few
//! wrong ones each further one waits before it is refused.

use std::{
    fmt,
    sync::{Mutex, PoisonError},
};

use axum::http::{HeaderMap, StatusCode, header};
use subtle::ConstantTimeEq as _;
use toolcontract_schema::digest::hex;

use super::{limits::ServeLimits, refusal::Refusal};
use crate::{clock::Clock, limits::Bucket};

/// The secret that every request but `healthz` and `readyz` carries as `Authorization: Bearer`.
pub struct Token {
    /// SHA-256, lower-case hex: all tokens are compared over the same length.
    digest: String,
}

/// The shortest token, in bytes.
const MIN_BYTES: usize = 16;

/// A token that is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// Easy to guess.
    #[error("a token has at least {MIN_BYTES} characters")]
    TooShort,
    /// Cannot stand in a header.
    #[error("a token holds visible ASCII characters and no spaces")]
    NotVisible,
}

impl Token {
    /// The token `secret`.
    ///
    /// # Errors
    /// When it is short or cannot stand in a header.
    pub fn new(secret: &str) -> Result<Self, TokenError> {
        if !secret.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(TokenError::NotVisible);
        }
        if secret.len() < MIN_BYTES {
            return Err(TokenError::TooShort);
        }
        Ok(Self {
            digest: hex(secret.as_bytes()),
        })
    }

    fn is(&self, given: &[u8]) -> bool {
        let given = hex(given);
        bool::from(self.digest.as_bytes().ct_eq(given.as_bytes()))
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// Lets requests in.
#[derive(Debug)]
pub(super) struct Doorkeeper {
    token: Token,
    refusals: Mutex<Bucket>,
}

impl Doorkeeper {
    pub(super) fn new(token: Token) -> Self {
        Self {
            token,
            refusals: Mutex::default(),
        }
    }

    /// Whether the request may go on. A refusal may take its time.
    pub(super) async fn admit(
        &self,
        headers: &HeaderMap,
        limits: &ServeLimits,
        clock: &dyn Clock,
    ) -> Result<(), Refusal> {
        if bearer(headers).is_some_and(|given| self.token.is(given)) {
            return Ok(());
        }
        let now = clock.monotonic();
        let in_time = {
            let mut refusals = self.refusals.lock().unwrap_or_else(PoisonError::into_inner);
            refusals.take(limits.refusals, now)
        };
        if !in_time {
            clock.sleep_until(now + limits.refusal_delay).await;
        }
        Err(Refusal::new(
            StatusCode::UNAUTHORIZED,
            "unauthorized",
            "send the server's token as `Authorization: Bearer TOKEN`",
        ))
    }
}

/// The token of exactly one `Authorization` header.
fn bearer(headers: &HeaderMap) -> Option<&[u8]> {
    let mut all = headers.get_all(header::AUTHORIZATION).iter();
    let only = all.next()?.as_bytes();
    if all.next().is_some() {
        return None;
    }
    let (scheme, token) = only.split_at_checked("bearer ".len())?;
    scheme
        .eq_ignore_ascii_case(b"bearer ")
        .then(|| token.trim_ascii())
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn mapped(values: &[&'static str]) -> Option<Vec<u8>> {
        let mut map = HeaderMap::new();
        for value in values {
            map.append(header::AUTHORIZATION, HeaderValue::from_static(value));
        }
        bearer(&map).map(<[u8]>::to_vec)
    }

    #[test]
    fn one_bearer_header_counts() {
        assert_eq!(mapped(&["Bearer abc"]).as_deref(), Some(&b"abc"[..]));
        assert_eq!(mapped(&["bEARER  abc "]).as_deref(), Some(&b"abc"[..]));
        assert_eq!(mapped(&["Bearer abc", "Bearer abc"]), None);
        assert_eq!(mapped(&["Basic abc"]), None);
        assert_eq!(mapped(&["Bearer"]), None);
        assert_eq!(mapped(&[]), None);
    }

    #[test]
    fn tokens_are_long_and_visible() {
        assert_eq!(Token::new("short").err(), Some(TokenError::TooShort));
        let spaced = "with spaces in between";
        assert_eq!(Token::new(spaced).err(), Some(TokenError::NotVisible));
        let token = Token::new("0123456789abcdef").ok();
        assert!(
            token
                .as_ref()
                .is_some_and(|token| token.is(b"0123456789abcdef"))
        );
        assert!(
            !token
                .as_ref()
                .is_some_and(|token| token.is(b"0123456789abcdeF"))
        );
        assert_eq!(format!("{token:?}"), "Some(Token(…))");
    }
}
