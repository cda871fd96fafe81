/** Words for types. */

/** `T`, in which the members `Keys` are present. */
export type WithDefaults<T, Keys extends keyof T> = T & {
  [Key in Keys]-?: Exclude<T[Key], undefined>;
};

/** `Given`, which must be a `Wanted`. */
export type Gives<Given extends Wanted, Wanted> = Given;
