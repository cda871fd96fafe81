//! One registered tool: its contract, its schemas compiled once, and what runs it.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, OnceLock},
};

use serde_json::Value;
use toolcontract_protocol::{ErrorCode, Provenance, ToolContract, Violations};
use toolcontract_schema::{
    Formats, Validator,
    bounds::{self, BoundsError, Limits, Numbers},
    dialect::Lowered,
    strip,
    validator::CompileError,
    violation::hit_pattern_limit,
    weight,
    wide::Wide,
};

use crate::{ctx::Allowed, tool::Runner};

/// One registered tool.
pub(crate) struct Entry {
    pub(crate) contract: Arc<ToolContract>,
    pub(crate) definition_digest: String,
    pub(crate) input: Checker,
    pub(crate) output: Option<Checker>,
    pub(crate) events: Arc<Allowed>,
    pub(crate) runner: Box<dyn Runner>,
    /// The input schema as each provider is shown it, in the order of `Dialect::ALL`.
    pub(crate) lowered: [OnceLock<Lowered>; 4],
}

impl Entry {
    /// Whether what would run now is what was registered.
    pub(crate) fn is_unchanged(&self) -> bool {
        // A tool that cannot tell what would run is not what was registered.
        catch_unwind(AssertUnwindSafe(|| self.runner.current_digest()))
            .is_ok_and(|digest| digest.is_none_or(|digest| digest == self.definition_digest))
    }
}

/// A compiled schema and the numbers that it lets through.
#[derive(Debug)]
pub(crate) struct Checker {
    validator: Validator,
    /// Where integers may be wide. None: everywhere.
    wide: Option<Wide>,
}

/// Why a value is not what a schema says.
#[derive(Debug)]
pub(crate) struct Mismatch {
    pub(crate) code: Option<ErrorCode>,
    pub(crate) violations: Violations,
}

impl Checker {
    /// Compiles `schema` in the posture that goes with `provenance`.
    pub(crate) fn compile(schema: &Value, provenance: &Provenance) -> Result<Self, CompileError> {
        let refuse = |pointer, message| CompileError { pointer, message };
        bounds::check(schema, &SCHEMA_LIMITS)
            .map_err(|fault| refuse(String::new(), fault.to_string()))?;
        weight::check(schema).map_err(|heavy| refuse(String::new(), heavy.reason().to_owned()))?;
        let wide = match provenance {
            Provenance::Builtin => Some(Wide::new(schema).map_err(|faults| {
                let first = faults.into_iter().next();
                first.map_or_else(
                    || refuse(String::new(), "the schema has no normal form".to_owned()),
                    |fault| refuse(fault.pointer, fault.reason),
                )
            })?),
            Provenance::Adopted { .. } | Provenance::Declared => None,
        };
        // In a contract of others, `x-` keywords are theirs and formats are remarks.
        let validator = match wide {
            Some(_) => Validator::compile(&strip(schema), Formats::Assert)?,
            None => Validator::compile(schema, Formats::Annotate)?,
        };
        Ok(Self { validator, wide })
    }

    /// What `value` may weigh; which numbers pass is asked place by place in [`Self::check`].
    pub(crate) fn limits(limits: &Limits) -> Limits {
        Limits {
            numbers: Numbers::Any,
            ..*limits
        }
    }

    /// Bounds, then numbers, then the schema.
    pub(crate) fn check(
        &self,
        value: &Value,
        limits: &Limits,
        cap: usize,
    ) -> Result<(), Box<Mismatch>> {
        bounds::check(value, &Self::limits(limits)).map_err(|fault| out_of_bounds(&fault))?;
        if let Some(wide) = &self.wide {
            let found = wide.violations(value);
            if !found.is_empty() {
                return Err(Box::new(Mismatch {
                    code: Some(ErrorCode::UnsafeInteger),
                    violations: Violations::new(found, cap),
                }));
            }
        }
        self.validator.validate(value, cap).map_err(|violations| {
            Box::new(Mismatch {
                code: hit_pattern_limit(&violations).then_some(ErrorCode::PatternLimit),
                violations,
            })
        })
    }
}

/// Nothing deeper or larger is a schema that anybody wrote.
const SCHEMA_LIMITS: Limits = Limits {
    bytes: usize::MAX,
    depth: 100,
    nodes: 100_000,
    numbers: Numbers::Any,
};

/// A value that is too heavy, as a mismatch.
pub(crate) fn out_of_bounds(fault: &BoundsError) -> Box<Mismatch> {
    let code = match fault {
        BoundsError::TooManyBytes { .. } => ErrorCode::TooLarge,
        BoundsError::NotJson { .. } => ErrorCode::MalformedJson,
        BoundsError::TooDeep { .. } => ErrorCode::TooDeep,
        BoundsError::TooManyNodes { .. } => ErrorCode::TooManyNodes,
        BoundsError::DuplicateKey { .. } => ErrorCode::DuplicateKey,
        BoundsError::WideInteger { .. } => ErrorCode::UnsafeInteger,
    };
    Box::new(Mismatch {
        code: Some(code),
        violations: Violations::new(vec![fault.violation()], 1),
    })
}
