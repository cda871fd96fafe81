//! How a conversation with a server begins.
//!
//! First as the earlier era does, with `initialize`: nearly every server knows it, and of those that
//! know nothing else some end, or say nothing, when something else comes first. A server that
//! refuses it as those of the later era do (2026-07-28) is asked with `server/discover`: over the
//! same connection where it answers there, else over a new one. One start time limits the whole.

use std::{io, sync::Arc, time::Duration};

use rmcp::{
    RoleClient,
    model::{ErrorCode, ProtocolVersion},
    service::{ClientInitializeError, ClientLifecycleMode, ClientServiceExt as _, RunningService},
    transport::{IntoTransport, Transport as _},
};
use tokio::{
    sync::Mutex,
    time::{Instant, timeout_at},
};

#[cfg(feature = "mcp-http")]
use super::{Address, http::Http};
use super::{
    Configured, ConnectError, Program, Upstream,
    child::{Child, Lent, Words},
    state::{Ear, State},
    told,
};

/// A conversation that has begun.
pub(super) type Service = RunningService<RoleClient, Ear>;

/// How long a server that has just refused `initialize` may take to answer over the same
/// connection; some end without saying so.
const PATIENCE: Duration = Duration::from_secs(5);

/// Errors that may say that `initialize` is not known: what servers of the later era answer to it,
/// and what they answer to a message that does not say of which version it is.
const NOT_KNOWN: [ErrorCode; 6] = [
    ErrorCode::UNSUPPORTED_PROTOCOL_VERSION,
    ErrorCode::METHOD_NOT_FOUND,
    ErrorCode::INVALID_REQUEST,
    ErrorCode::INVALID_PARAMS,
    ErrorCode::HEADER_MISMATCH,
    ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY,
];

/// Why a conversation did not begin.
enum Failed {
    /// The program does not start.
    Start(io::Error),
    /// It answered something else, or went away.
    Begin(String),
    /// It did not answer in time; what it had said before.
    Slow(String),
}

/// Why one way to begin came to nothing.
enum Unbegun {
    Error(Box<ClientInitializeError>),
    Slow,
}

/// Starts or reaches `server`, and begins, until `deadline`.
pub(super) async fn begin(
    server: &Configured,
    state: &Arc<State>,
    deadline: Instant,
) -> Result<Service, ConnectError> {
    match &server.upstream {
        Upstream::Program(program) => {
            let heard = Arc::new(Words::default());
            let begun = over_lines(&server.name, program, state, &heard, deadline).await;
            begun.map_err(|failed| match failed {
                Failed::Start(source) => not_started(&server.name, program, source),
                failed => failed.of(server, String::new(), &heard.to_string()),
            })
        }
        #[cfg(feature = "mcp-http")]
        Upstream::Address(address) => {
            let name = || server.name.clone();
            let headers = address.headers();
            let headers = headers.map_err(|source| ConnectError::Address {
                name: name(),
                source,
            })?;
            let http = Http::new(address, headers, Arc::clone(state));
            let http = http.map_err(|source| ConnectError::Http {
                name: name(),
                source,
            })?;
            let place = format!(" at `{}`", crate::text::one_line(&address.shown(), 200));
            let begun = over_http(&http, address, state, deadline).await;
            begun.map_err(|failed| failed.of(server, place, ""))
        }
    }
}

async fn over_lines(
    name: &str,
    program: &Program,
    state: &Arc<State>,
    heard: &Arc<Words>,
    deadline: Instant,
) -> Result<Service, Failed> {
    let start = || Child::start(name, program, Arc::clone(state), Arc::clone(heard));
    let child = Arc::new(Mutex::new(start()?));
    let refused = match speak(state, Lent::of(&child).await, earlier(), deadline).await {
        Ok(service) => return Ok(service),
        Err(unbegun) => unbegun.refusal()?,
    };
    let soon = deadline.min(Instant::now() + PATIENCE);
    match speak(state, Lent::of(&child).await, later(), soon).await {
        Ok(service) => return Ok(service),
        Err(unbegun) if unbegun.is_answer() || soon == deadline => {
            return Err(unbegun.after(&refused));
        }
        Err(_) => {}
    }
    let ended = async { child.lock().await.close().await };
    // What is left of it is killed.
    let _ = timeout_at(deadline, ended).await;
    drop(child);
    heard.clear();
    let begun = speak(state, start()?, later(), deadline).await;
    begun.map_err(|unbegun| unbegun.after(&refused))
}

#[cfg(feature = "mcp-http")]
async fn over_http(
    http: &Http,
    address: &Address,
    state: &Arc<State>,
    deadline: Instant,
) -> Result<Service, Failed> {
    let refused = match speak(state, http.transport(address), earlier(), deadline).await {
        Ok(service) => return Ok(service),
        Err(unbegun) => unbegun.refusal()?,
    };
    let begun = speak(state, http.transport(address), later(), deadline).await;
    begun.map_err(|unbegun| unbegun.after(&refused))
}

const fn earlier() -> ClientLifecycleMode {
    ClientLifecycleMode::Initialize
}

fn later() -> ClientLifecycleMode {
    ClientLifecycleMode::Discover {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
    }
}

async fn speak<T, E, A>(
    state: &Arc<State>,
    transport: T,
    manner: ClientLifecycleMode,
    until: Instant,
) -> Result<Service, Unbegun>
where
    T: IntoTransport<RoleClient, E, A>,
    E: std::error::Error + Send + Sync + 'static,
{
    let serving = Ear(Arc::clone(state)).serve_with_lifecycle(transport, manner);
    match timeout_at(until, serving).await {
        Ok(begun) => begun.map_err(|error| Unbegun::Error(Box::new(error))),
        Err(_) => Err(Unbegun::Slow),
    }
}

impl Unbegun {
    /// What the server said, where that may be because it is of the later era.
    fn refusal(self) -> Result<String, Failed> {
        match self {
            Self::Error(error) if is_refusal(&error) => Ok(told::of_start(&error)),
            Self::Error(error) => Err(Failed::Begin(told::of_start(&error))),
            Self::Slow => Err(Failed::Slow(String::new())),
        }
    }

    /// Whether it is an answer, which a new connection would not change.
    fn is_answer(&self) -> bool {
        matches!(self, Self::Error(error) if matches!(
            **error,
            ClientInitializeError::JsonRpcError(_)
                | ClientInitializeError::NoCompatibleProtocolVersion { .. }
                | ClientInitializeError::ExpectedInitResult(_)
        ))
    }

    /// What is told when `initialize` had been `refused` before.
    fn after(self, refused: &str) -> Failed {
        match self {
            Self::Error(error) => {
                let why = told::of_start(&error);
                Failed::Begin(format!("{refused}; asked with `server/discover`, {why}"))
            }
            Self::Slow => Failed::Slow(format!("; {refused}, and not to `server/discover`")),
        }
    }
}

fn is_refusal(error: &ClientInitializeError) -> bool {
    match error {
        ClientInitializeError::JsonRpcError(error) => NOT_KNOWN.contains(&error.code),
        #[cfg(feature = "mcp-http")]
        ClientInitializeError::TransportError { error, .. } => {
            super::http::is_bad_request(&*error.error)
        }
        _ => false,
    }
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Self::Start(error)
    }
}

impl Failed {
    /// What is told of it: of `server` at `place`, which `heard` is known of.
    fn of(self, server: &Configured, place: String, heard: &str) -> ConnectError {
        let name = server.name.clone();
        match self {
            Self::Slow(before) => ConnectError::Slow {
                name,
                place,
                why: format!("{before}{heard}"),
                time: server.start_time,
            },
            Self::Begin(why) => ConnectError::Begin {
                name,
                place,
                why: format!("{why}{heard}"),
            },
            Self::Start(error) => ConnectError::Begin {
                name,
                place,
                why: error.to_string(),
            },
        }
    }
}

fn not_started(name: &str, program: &Program, source: io::Error) -> ConnectError {
    let program = program.argv.first();
    ConnectError::Start {
        name: name.to_owned(),
        program: program
            .map(|word| word.to_string_lossy().into())
            .unwrap_or_default(),
        source,
    }
}
