/** Words for types. */

/** A value that the schema accepts, also where it has members that the type does not name. */
export const given = <T>(value: unknown): T => value as T;

/** `T`, in which the members `Keys` are present. */
export type WithDefaults<T, Keys extends keyof T> = T & {
  [Key in Keys]-?: Exclude<T[Key], undefined>;
};

/** `Given`, which must be a `Wanted`. */
export type Gives<Given extends Wanted, Wanted> = Given;
