//! Every rule, one file each, in the order of the docs.
//!
//! A new rule is a file here, a line in [`RULES`], and a folder of its id in `tests/data/lint`.

mod accepts_nothing;
mod additive_but_destructive;
mod case_fold_collision;
mod colliding_enum_values;
mod colliding_property_names;
mod default_on_required;
mod duplicate_type_name;
mod empty_output_schema;
mod enum_without_type;
mod foreign_dialect;
mod foreign_progress_payload;
mod heavy_schema;
mod hidden_character;
mod input_not_an_object;
mod invalid_extension;
mod invalid_schema;
mod long_description;
mod long_oxagen_name;
mod malformed_event_name;
mod malformed_meta_key;
mod malformed_name;
mod malformed_oxagen_name;
mod missing_description;
mod name_refused_by_mcp;
mod name_refused_by_provider;
mod neither_open_nor_closed;
mod output_not_an_object;
mod overlapping_folders;
mod oxagen_approval_off;
mod oxagen_missing_sensitivity;
mod oxagen_name_clash;
mod oxagen_open_approval;
mod oxagen_risk_undecided;
mod oxagen_unknown_field;
mod payload_not_an_object;
mod placeholder_text;
mod property_refused_by_provider;
mod read_only_but_dangerous;
mod refused_default;
mod refused_example;
mod repeated_entry;
mod reserved_event_name;
mod reserved_name;
mod retired_name;
mod speculation_safe_but_mutating;
mod undeclared_availability;
mod undeclared_event;
mod undeclared_group;
mod undeclared_required_property;
mod undescribed_property;
mod unknown_allowed_rule;
mod unknown_keyword;
mod unknown_replacement;
mod unlisted_oxagen_verb;
mod unportable_pattern;
mod unreasoned_allow;
mod unsafe_integer;
mod unused_allow;
mod unused_event;
mod unused_type;

use super::Rule;

pub(super) use placeholder_text::{OF_PROPERTY, OF_TOOL};
pub(super) use unused_allow::report as unused_allow;

/// Every rule, in the order of the docs.
pub static RULES: &[&Rule] = &[
    // Facts that contradict each other.
    &speculation_safe_but_mutating::RULE,
    &read_only_but_dangerous::RULE,
    &additive_but_destructive::RULE,
    &input_not_an_object::RULE,
    &output_not_an_object::RULE,
    &undeclared_event::RULE,
    // What every contract says.
    &undeclared_group::RULE,
    &undeclared_availability::RULE,
    &missing_description::RULE,
    &placeholder_text::RULE,
    &long_description::RULE,
    &hidden_character::RULE,
    &undescribed_property::RULE,
    &unknown_replacement::RULE,
    &repeated_entry::RULE,
    // Names.
    &malformed_name::RULE,
    &reserved_name::RULE,
    &case_fold_collision::RULE,
    &retired_name::RULE,
    &duplicate_type_name::RULE,
    &name_refused_by_provider::RULE,
    &property_refused_by_provider::RULE,
    &name_refused_by_mcp::RULE,
    // Schemas.
    &invalid_schema::RULE,
    &foreign_dialect::RULE,
    &unknown_keyword::RULE,
    &invalid_extension::RULE,
    &accepts_nothing::RULE,
    &heavy_schema::RULE,
    &empty_output_schema::RULE,
    &unportable_pattern::RULE,
    &neither_open_nor_closed::RULE,
    &undeclared_required_property::RULE,
    &enum_without_type::RULE,
    &colliding_enum_values::RULE,
    &colliding_property_names::RULE,
    &unsafe_integer::RULE,
    &refused_default::RULE,
    &default_on_required::RULE,
    &refused_example::RULE,
    &unused_type::RULE,
    // Events.
    &malformed_event_name::RULE,
    &reserved_event_name::RULE,
    &payload_not_an_object::RULE,
    &foreign_progress_payload::RULE,
    &unused_event::RULE,
    // Oxagen.
    &malformed_oxagen_name::RULE,
    &unlisted_oxagen_verb::RULE,
    &long_oxagen_name::RULE,
    &oxagen_name_clash::RULE,
    &oxagen_missing_sensitivity::RULE,
    &oxagen_risk_undecided::RULE,
    &oxagen_approval_off::RULE,
    &oxagen_open_approval::RULE,
    &oxagen_unknown_field::RULE,
    // The project.
    &overlapping_folders::RULE,
    &malformed_meta_key::RULE,
    // Exceptions.
    &unknown_allowed_rule::RULE,
    &unreasoned_allow::RULE,
    &unused_allow::RULE,
];
