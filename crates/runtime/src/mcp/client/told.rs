//! What a person is told of a failure of the library that speaks the protocol: what happened, and
//! nothing of how the library is built.

use rmcp::{
    model::ErrorData,
    service::{ClientInitializeError, ServiceError},
};

use crate::text::{chain, one_line};

/// Characters of what a server, or a library, said.
const SAID: usize = 300;

/// Why a server did not begin.
pub(super) fn of_start(error: &ClientInitializeError) -> String {
    match error {
        ClientInitializeError::TransportError { error, .. } => of_transport(&*error.error),
        ClientInitializeError::ConnectionClosed(_) => "it closed the connection".to_owned(),
        ClientInitializeError::JsonRpcError(error) => of_error(error),
        ClientInitializeError::NoCompatibleProtocolVersion { .. } => {
            "it speaks no version of the protocol that is known here".to_owned()
        }
        _ => "it answered with something else".to_owned(),
    }
}

/// Why a request came to nothing.
pub(super) fn of_request(error: &ServiceError) -> String {
    match error {
        ServiceError::McpError(error) => of_error(error),
        ServiceError::TransportSend(error) => of_transport(&*error.error),
        ServiceError::TransportClosed => "the connection is closed".to_owned(),
        _ => "it answered with something else".to_owned(),
    }
}

/// Whether an answer came that is larger than what is read.
pub(super) fn is_too_large(error: &ServiceError) -> bool {
    #[cfg(feature = "mcp-http")]
    if let ServiceError::TransportSend(error) = error {
        return super::http::is_too_large(&*error.error);
    }
    let _ = error;
    false
}

fn of_transport(error: &(dyn std::error::Error + 'static)) -> String {
    #[cfg(feature = "mcp-http")]
    if let Some(told) = super::http::told(error) {
        return one_line(&told, SAID);
    }
    one_line(&chain(error), SAID)
}

fn of_error(error: &ErrorData) -> String {
    let said = one_line(&error.message, SAID);
    format!("it answered with error {}: {said}", error.code.0)
}
