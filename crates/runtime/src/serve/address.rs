//! What the address of a request says: the id of a turn or a session, and the query. What cannot be
//! read is refused like everything else, with a code.

use axum::{
    extract::{FromRequestParts, Path, Query},
    http::request::Parts,
};
use serde::de::DeserializeOwned;

use super::refusal::Refusal;

/// The id in a path.
pub(super) struct Id(pub(super) String);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        match Path::from_request_parts(parts, state).await {
            Ok(Path(id)) => Ok(Self(id)),
            Err(_) => {
                let text = "the id in the path is no text";
                Err(Refusal::bad_request("invalid_path", text))
            }
        }
    }
}

/// What the query says.
pub(super) struct Asked<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        match Query::from_request_parts(parts, state).await {
            Ok(Query(asked)) => Ok(Self(asked)),
            Err(_) => {
                let text = "the query cannot be read: each of its keys stands once";
                Err(Refusal::bad_request("invalid_query", text))
            }
        }
    }
}
