//~ E0451
//! Nor with what it could find elsewhere.
use toolcontract_runtime::call::AuthorizedCall;

pub fn forge(other: AuthorizedCall) -> AuthorizedCall {
    AuthorizedCall { approval: None, ..other }
}
