//! One contract, one gate, one decision: `data/parity/calls.json` runs in process, over the serve
//! wire and over MCP, and everything but who, where, when and under which name must be the same.
//! `data/parity/capabilities.json` says what each surface can, and which test shows it.

mod calls;
mod capabilities;
mod over_mcp;
mod surfaces;
