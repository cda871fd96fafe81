//! Policies that are data: the switches of a settings file, and roles with rules in a file of
//! their own. Each is a gate like any other; none is a default, and none allows by being empty.

pub(crate) mod group;
mod name;
mod path;
pub mod role;
mod settings;
mod tool_set;
pub mod why;

pub(crate) use group::SERVED;
pub(crate) use name::NamePattern;
pub use settings::{Settings, SettingsError, UnknownSwitch};
pub use tool_set::{PolicyToolSet, Switch, SwitchError};
