//! The event stream of a turn, as server-sent events: the number of a frame is the event's id, its
//! JSON the one line of data.

use std::{convert::Infallible, time::Duration};

use axum::{
    http::{HeaderMap, HeaderName, HeaderValue, header},
    response::{
        IntoResponse as _, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use futures_util::stream;
use serde::Deserialize;

use super::{
    history::{Attach, Sent},
    refusal::Refusal,
    turns::Live,
};
use crate::connection::Connection;

/// How often a silent stream says that it is still there.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Where a host wants to go on.
#[derive(Debug, Deserialize)]
pub(super) struct From {
    /// The number of the last frame that the host has. Counts before `Last-Event-ID`.
    pub(super) after: Option<String>,
}

/// The frames of a turn after the one that the host has last.
pub(super) fn stream(
    live: &Live,
    from: &From,
    headers: &HeaderMap,
    connection: &Connection,
) -> Result<Response, Refusal> {
    let after = after(from, headers)?;
    let reader = match live.line.history.attach(after) {
        Attach::Reader(reader) => reader,
        Attach::Taken => {
            let text = "somebody reads this turn already";
            return Err(Refusal::conflict("read_already", text));
        }
        Attach::Ahead(last) => {
            let text = format!(
                "the last frame of this turn has the number {last}; go on from a frame that it sent"
            );
            return Err(Refusal::bad_request("invalid_position", text));
        }
    };
    live.read_by(connection.token());
    let frames = stream::unfold(reader, |mut reader| async {
        let sent = reader.next().await?;
        Some((Ok::<_, Infallible>(event(&sent)), reader))
    });
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE);
    let mut response = Sse::new(frames).keep_alive(keep_alive).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let unbuffered = HeaderName::from_static("x-accel-buffering");
    headers.insert(unbuffered, HeaderValue::from_static("no"));
    Ok(response)
}

fn event(sent: &Sent) -> Event {
    let event = Event::default().data(&sent.text);
    match sent.seq {
        Some(seq) => event.id(seq.to_string()),
        None => event,
    }
}

fn after(from: &From, headers: &HeaderMap) -> Result<u64, Refusal> {
    let told = match &from.after {
        Some(after) => Some(after.as_str()),
        None => match headers.get("last-event-id") {
            Some(id) => Some(id.to_str().map_err(|_| no_number())?),
            None => None,
        },
    };
    match told {
        None | Some("") => Ok(0),
        Some(text) => text.parse().map_err(|_| no_number()),
    }
}

fn no_number() -> Refusal {
    let text = "`after` and `Last-Event-ID` are the number of a frame";
    Refusal::bad_request("invalid_position", text)
}
