/// Checks `input` against the contract and reads it.
///
/// # Errors
/// Every place where it is not what the contract says.
pub fn parse(input: Value) -> Result<Input, ParseError> {
    INPUT.parse(input)
}
