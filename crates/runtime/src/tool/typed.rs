//! A tool that is written against a generated contract.

use serde_json::Value;
use toolcontract_protocol::{Contract, ErrorClass, ToolOutput};
use toolcontract_schema::integral;

use super::{BoxFuture, Ran, Runner, ToolError};
use crate::ctx::{AnyEvent, ToolCtx};

/// What a call of `T` takes.
pub type InputOf<T> = <<T as Tool>::Contract as Contract>::Input;
/// What a success of `T` gives.
pub type OutputOf<T> = <<T as Tool>::Contract as Contract>::Output;
/// What `T` may emit.
pub type EventOf<T> = <<T as Tool>::Contract as Contract>::Event;

/// A tool that is written against a generated contract. Implement `call` as an `async fn`.
///
/// It runs on the caller's task, so it must not block the thread; what blocks belongs into
/// `tokio::task::spawn_blocking`.
pub trait Tool: Send + Sync + 'static {
    /// The generated marker type of the contract.
    type Contract: Contract;

    /// Runs one call: valid, authorized, written down. A panic is caught and told as a defect.
    ///
    /// # Errors
    /// What went wrong, for a model.
    fn call(
        &self,
        input: InputOf<Self>,
        ctx: &ToolCtx<EventOf<Self>>,
    ) -> impl Future<Output = Result<OutputOf<Self>, ToolError>> + Send
    where
        Self: Sized;

    /// The same, with a text that cannot be made from the result alone, such as what a command
    /// wrote. Dispatch calls this; by default it is [`Self::call`] with [`Self::render`].
    ///
    /// # Errors
    /// What went wrong, for a model.
    fn answer(
        &self,
        input: InputOf<Self>,
        ctx: &ToolCtx<EventOf<Self>>,
    ) -> impl Future<Output = Result<Answer<OutputOf<Self>>, ToolError>> + Send
    where
        Self: Sized,
    {
        async {
            let output = self.call(input, ctx).await?;
            let text = self.render(&output);
            Ok(Answer { output, text })
        }
    }

    /// What a model reads of a structured result. By default, and on `None`, compact JSON.
    fn render(&self, output: &OutputOf<Self>) -> Option<String>
    where
        Self: Sized,
    {
        let _ = output;
        None
    }
}

/// A result, and what a model reads of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer<O> {
    /// The result.
    pub output: O,
    /// What a model reads; none means compact JSON, and of a text the text itself.
    pub text: Option<String>,
}

/// Takes a typed tool for a dynamic one.
pub(crate) struct Typed<T>(pub(crate) T);

impl<T: Tool> Runner for Typed<T>
where
    EventOf<T>: 'static,
{
    fn run<'a>(&'a self, mut input: Value, ctx: &'a ToolCtx<AnyEvent>) -> BoxFuture<'a, Ran> {
        Box::pin(async move {
            integral::normalize(&mut input);
            let input = match serde_json::from_value(input) {
                Ok(input) => input,
                Err(_) => return Ran::NotTaken,
            };
            let ctx = ctx.retyped::<EventOf<T>>();
            Ran::Returned(match self.0.answer(input, &ctx).await {
                Ok(answer) => write::<T>(answer),
                Err(error) => error.into(),
            })
        })
    }

    fn current_digest(&self) -> Option<String> {
        None
    }
}

fn write<T: Tool>(answer: Answer<OutputOf<T>>) -> ToolOutput {
    let Ok(value) = serde_json::to_value(&answer.output) else {
        return ToolOutput::error(ErrorClass::Internal, "the result has no form as JSON");
    };
    if T::Contract::contract().output_schema.is_some() {
        let content = answer.text.unwrap_or_else(|| value.to_string());
        return ToolOutput::with_data(content, value);
    }
    ToolOutput::text(match (answer.text, value) {
        (Some(text), _) | (None, Value::String(text)) => text,
        (None, value) => value.to_string(),
    })
}
