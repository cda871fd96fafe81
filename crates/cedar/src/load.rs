//! From the text of policies to policies that fit the contracts, or to everything that is wrong.

use std::{
    collections::{BTreeMap, HashMap},
    str::FromStr as _,
};

use cedar_policy::{Effect, PolicyId, PolicySet, Schema, ValidationMode, Validator};
use toolcontract_protocol::ToolContract;
use toolcontract_schema::digest::digest;

use crate::{schema::schema, shape::Shape};

/// Why there is no gate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CedarError {
    /// The text is no Cedar.
    #[error("the policies cannot be read: {0}")]
    Parse(String),
    /// There is nothing in it.
    #[error("there are no policies; a program without authorization says so in code")]
    Empty,
    /// There are templates, which nothing links.
    #[error("policies with slots are not linked to anything here")]
    Template,
    /// Two policies have one name.
    #[error("two policies are annotated with the id `{0}`")]
    DuplicateId(String),
    /// The policies do not fit the contracts.
    #[error("the policies do not fit the contracts: {}", .0.join("; "))]
    Invalid(Vec<String>),
    /// The contracts make no Cedar schema.
    #[error("the contracts make no Cedar schema: {0}")]
    Schema(String),
}

/// Policies that fit.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) policies: PolicySet,
    pub(crate) schema: Schema,
    pub(crate) tools: HashMap<String, Tool>,
    /// What a trace calls each policy, in the order of names.
    pub(crate) names: BTreeMap<String, (PolicyId, Effect)>,
    pub(crate) revision: String,
}

/// A tool that the policies were validated against.
#[derive(Debug)]
pub(crate) struct Tool {
    pub(crate) version: u32,
    pub(crate) input: Shape,
}

pub(crate) fn load(text: &str, contracts: &[&ToolContract]) -> Result<Loaded, CedarError> {
    let policies =
        PolicySet::from_str(text).map_err(|error| CedarError::Parse(error.to_string()))?;
    if policies.num_of_templates() > 0 {
        return Err(CedarError::Template);
    }
    if policies.num_of_policies() == 0 {
        return Err(CedarError::Empty);
    }
    let json = schema(contracts.iter().copied());
    let revision = digest(&(text, &json)).unwrap_or_default();
    let schema =
        Schema::from_json_value(json).map_err(|error| CedarError::Schema(error.to_string()))?;
    let validated = Validator::new(schema.clone()).validate(&policies, ValidationMode::Strict);
    // What can never hold is only a warning of Cedar's.
    let errors = validated.validation_errors().map(ToString::to_string);
    let warnings = validated.validation_warnings().map(ToString::to_string);
    let mut faults: Vec<String> = errors.chain(warnings).collect();
    if !faults.is_empty() {
        faults.sort();
        return Err(CedarError::Invalid(faults));
    }
    let mut names = BTreeMap::new();
    for policy in policies.policies() {
        let id = policy.id().clone();
        let name = policy
            .annotation("id")
            .map_or_else(|| id.to_string(), str::to_owned);
        if names.insert(name.clone(), (id, policy.effect())).is_some() {
            return Err(CedarError::DuplicateId(name));
        }
    }
    let tool = |contract: &&ToolContract| {
        let tool = Tool {
            version: contract.version,
            input: Shape::of_input(&contract.input_schema),
        };
        (contract.name.clone(), tool)
    };
    Ok(Loaded {
        policies,
        schema,
        tools: contracts.iter().map(tool).collect(),
        names,
        revision,
    })
}
