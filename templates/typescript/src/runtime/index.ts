/** What JSON Schema says and zod has no word for, or a different one in each version. */

export { contains, maxItems, minItems, tuple, uniqueItems } from "./arrays.js";
export type { Check, Schema } from "./check.js";
export { format, type Format } from "./formats.js";
export {
  allOf,
  also,
  anyOf,
  equalTo,
  exactlyOne,
  not,
  oneOf,
  refused,
  when,
  whenType,
} from "./logic.js";
export { integerText, multipleOf } from "./numbers.js";
export {
  closed,
  dependentRequired,
  dependentSchema,
  maxProperties,
  minProperties,
  open,
  patternProperties,
  propertyNames,
  required,
} from "./objects.js";
export { pattern } from "./patterns.js";
export { maxLength, minLength } from "./strings.js";
export { given, type Gives, type WithDefaults } from "./types.js";
export {
  type Condition,
  type Evaluated,
  unevaluatedItems,
  unevaluatedProperties,
} from "./unevaluated.js";
