//! `save_state`, `get_state`, `list_state`: text that lives as long as its session does.

mod get;
mod list;
mod save;
mod store;

pub use get::GetState;
pub use list::ListState;
pub use save::SaveState;
pub use store::Store;
