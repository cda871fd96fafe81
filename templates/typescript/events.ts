/** The name of an event. */
export type EventName = keyof EventPayloads;

/** An event as it is emitted, told apart by its name. */
export type ToolEvent = {
  [Name in EventName]: { name: Name; payload: EventPayloads[Name] };
}[EventName];

/** What is known of an event. */
export interface EventDefinition<Payload> {
  /** A fact that a journal may replay, as opposed to a sign of life. */
  readonly replayable: boolean;
  /** Checks a payload. */
  readonly payload: Payload;
}
