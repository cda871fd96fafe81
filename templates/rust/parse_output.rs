/// Checks `output` against the contract and reads it.
///
/// # Errors
/// Every place where it is not what the contract says.
pub fn parse_output(output: Value) -> Result<Output, ParseError> {
    OUTPUT.parse(output)
}
