/** The type of a value whose defaults are filled in. */

/** `T`, in which the members `Keys` are present. */
export type WithDefaults<T, Keys extends keyof T> = T & {
  [Key in Keys]: Exclude<T[Key], undefined>;
};
