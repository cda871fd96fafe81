//! Where a server is that is reached over HTTP, and what each request carries.
//!
//! Refuses what others on the network could read (`http` to another machine), and secrets that are
//! written down: of those only the name of a variable is known until a connection is opened.

use std::{env, net::IpAddr};

use reqwest::{
    Url,
    header::{self, HeaderMap, HeaderName, HeaderValue},
};

use crate::text::one_line;

/// Headers that the protocol and the connection write themselves.
const RESERVED: [HeaderName; 7] = [
    header::ACCEPT,
    header::CONNECTION,
    header::CONTENT_LENGTH,
    header::CONTENT_TYPE,
    header::HOST,
    header::TRANSFER_ENCODING,
    HeaderName::from_static("last-event-id"),
];
/// Headers that are there to hold secrets.
const SECRET: [HeaderName; 3] = [
    header::AUTHORIZATION,
    header::COOKIE,
    header::PROXY_AUTHORIZATION,
];

/// The address of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    url: Url,
    headers: Vec<(HeaderName, Source)>,
}

/// Where the value of a header comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Source {
    Text(HeaderValue),
    /// A variable of this process, behind a word of the protocol.
    Variable(&'static str, String),
}

/// Why an address cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AddressError {
    /// It is no URL of HTTP.
    #[error("`{}` is no address of a server; write `https://HOST/PATH`", one_line(.0, 200))]
    NoUrl(String),
    /// Everybody on the way could read and change what is said.
    #[error("`http` is for this machine only (`localhost`, `127.0.0.1`, `[::1]`); write `https`")]
    Readable,
    /// A user or a password in the address.
    #[error("an address holds no user and no password; name a variable that holds them")]
    Credentials,
    /// A header that is none, or not for others to set.
    #[error("`{}` is no header that can be set", one_line(.0, 80))]
    Header(String),
    /// A value that no header can have.
    #[error("the value of header `{0}` holds what no header can")]
    Value(HeaderName),
    /// A secret that is written down.
    #[error("header `{0}` holds a secret; name the variable that it is in")]
    WrittenDown(HeaderName),
    /// A variable that is not there.
    #[error("the variable `{}` is not set, or holds what no header can", one_line(.0, 80))]
    Variable(String),
}

impl Address {
    /// Reads an address.
    ///
    /// # Errors
    /// When it is none, or what is said to it could be read on the way.
    pub fn new(url: &str) -> Result<Self, AddressError> {
        let read = Url::parse(url).map_err(|_| AddressError::NoUrl(url.to_owned()))?;
        match read.scheme() {
            "https" => {}
            "http" if is_here(&read) => {}
            "http" => return Err(AddressError::Readable),
            _ => return Err(AddressError::NoUrl(url.to_owned())),
        }
        if !read.username().is_empty() || read.password().is_some() {
            return Err(AddressError::Credentials);
        }
        Ok(Self {
            url: read,
            headers: Vec::new(),
        })
    }

    /// The same, with the bearer token that the variable `name` of this process holds.
    #[must_use]
    pub fn with_bearer(mut self, name: impl Into<String>) -> Self {
        let source = Source::Variable("Bearer ", name.into());
        self.headers.push((header::AUTHORIZATION, source));
        self
    }

    /// The same, with a header that is no secret.
    ///
    /// # Errors
    /// When the header is none, is not for others to set, or is there to hold a secret.
    pub fn with_header(mut self, name: &str, value: &str) -> Result<Self, AddressError> {
        let name = settable(name)?;
        if SECRET.contains(&name) {
            return Err(AddressError::WrittenDown(name));
        }
        let value = HeaderValue::from_str(value).map_err(|_| AddressError::Value(name.clone()))?;
        self.headers.push((name, Source::Text(value)));
        Ok(self)
    }

    /// The same, with a header whose value the variable `variable` of this process holds.
    ///
    /// # Errors
    /// When the header is none, or is not for others to set.
    pub fn with_secret_header(
        mut self,
        name: &str,
        variable: impl Into<String>,
    ) -> Result<Self, AddressError> {
        let source = Source::Variable("", variable.into());
        self.headers.push((settable(name)?, source));
        Ok(self)
    }

    /// The address as it is pinned and shown. It holds no secret that we put there.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.url.as_str()
    }

    /// The address without its query, as messages show it.
    #[must_use]
    pub fn shown(&self) -> String {
        let mut url = self.url.clone();
        url.set_query(None);
        url.set_fragment(None);
        url.into()
    }

    /// Whether it is on this machine.
    pub(super) fn is_here(&self) -> bool {
        is_here(&self.url)
    }

    /// What each request carries, as the variables are now.
    pub(super) fn headers(&self) -> Result<HeaderMap, AddressError> {
        let mut map = HeaderMap::new();
        for (name, source) in &self.headers {
            let value = match source {
                Source::Text(value) => value.clone(),
                Source::Variable(word, variable) => {
                    let unset = || AddressError::Variable(variable.clone());
                    let text = env::var(variable).map_err(|_| unset())?;
                    let text = text.trim();
                    if text.is_empty() {
                        return Err(unset());
                    }
                    let value = HeaderValue::from_str(&format!("{word}{text}"));
                    let mut value = value.map_err(|_| unset())?;
                    value.set_sensitive(true);
                    value
                }
            };
            map.insert(name.clone(), value);
        }
        Ok(map)
    }
}

/// A header that whoever configures a server may set.
fn settable(name: &str) -> Result<HeaderName, AddressError> {
    let refused = || AddressError::Header(name.to_owned());
    let read = HeaderName::from_bytes(name.as_bytes()).map_err(|_| refused())?;
    match RESERVED.contains(&read) || read.as_str().starts_with("mcp-") {
        true => Err(refused()),
        false => Ok(read),
    }
}

/// Whether the host is this machine.
fn is_here(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let ip = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || ip.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_travels_readable_is_refused() {
        for url in [
            "https://example.com/mcp",
            "http://localhost:8080/mcp",
            "http://127.0.0.1/mcp",
            "http://127.8.9.1/mcp",
            "http://[::1]:1/mcp",
        ] {
            assert!(Address::new(url).is_ok(), "{url}");
        }
        for (url, error) in [
            ("http://example.com/mcp", AddressError::Readable),
            ("http://localhost.example.com/", AddressError::Readable),
            ("http://127.0.0.1.example.com/", AddressError::Readable),
            ("http://10.0.0.1/mcp", AddressError::Readable),
            // Every address of this machine, and so what others reach.
            ("http://0.0.0.0/mcp", AddressError::Readable),
            ("https://me:secret@example.com/", AddressError::Credentials),
            ("https://me@example.com/", AddressError::Credentials),
            ("ftp://example.com/", AddressError::NoUrl(String::new())),
            ("example.com/mcp", AddressError::NoUrl(String::new())),
            ("", AddressError::NoUrl(String::new())),
        ] {
            let found = Address::new(url).map_err(|found| match found {
                AddressError::NoUrl(_) => AddressError::NoUrl(String::new()),
                other => other,
            });
            assert_eq!(found, Err(error), "{url}");
        }
    }

    #[test]
    fn secrets_are_named_and_not_written() {
        let address = Address::new("https://example.com/mcp").unwrap();
        for name in ["Authorization", "cookie", "PROXY-AUTHORIZATION"] {
            let written = address.clone().with_header(name, "x");
            assert!(matches!(written, Err(AddressError::WrittenDown(_))));
        }
        for name in ["host", "Mcp-Session-Id", "accept", "two words", ""] {
            let set = address.clone().with_secret_header(name, "PATH");
            assert!(matches!(set, Err(AddressError::Header(_))), "{name}");
        }
        let value = address.clone().with_header("x-a", "a\nb");
        assert!(matches!(value, Err(AddressError::Value(_))));
        // Cargo sets these for a test.
        let whole = address
            .clone()
            .with_bearer("CARGO_PKG_NAME")
            .with_header("X-Team", "a")
            .unwrap()
            .with_secret_header("X-Key", "CARGO_PKG_VERSION")
            .unwrap();
        let headers = whole.headers().unwrap();
        assert_eq!(headers["authorization"], "Bearer toolcontract-runtime");
        assert!(headers["authorization"].is_sensitive() && headers["x-key"].is_sensitive());
        assert_eq!(headers["x-team"], "a");
        let shown = format!("{whole:?} {}", whole.as_str());
        assert!(!shown.contains("toolcontract-runtime"), "{shown}");
        let unset = address.with_bearer("TOOLCONTRACT_NO_SUCH_VARIABLE");
        let error = unset.headers().unwrap_err().to_string();
        assert!(error.contains("`TOOLCONTRACT_NO_SUCH_VARIABLE` is not set"));
    }
}
