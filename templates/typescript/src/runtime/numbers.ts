/** Numbers in decimal: `19.99` is a multiple of `0.01`, and an integer of any size is a text. */

import * as z from "zod/v4";

import { type Check, refine } from "./check.js";

/** The number is a whole multiple of `step`. */
export function multipleOf(step: number): Check {
  const divisor = decimal(step);
  return refine((value) => {
    if (typeof value !== "number") return true;
    if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return value % step === 0;
    const dividend = decimal(value);
    const exponent = Math.min(dividend.exponent, divisor.exponent);
    return scaled(dividend, exponent) % scaled(divisor, exponent) === 0n;
  }, `Invalid: must be a multiple of ${step}`);
}

/** `digits * 10 ** exponent` */
type Decimal = { digits: bigint; exponent: number };

/** The decimal that JavaScript prints for `value`, which is the one that JSON carried. */
function decimal(value: number): Decimal {
  const [mantissa = "0", power = "0"] = value.toString().split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

function scaled(value: Decimal, exponent: number): bigint {
  return value.digits * 10n ** BigInt(value.exponent - exponent);
}

/** An integer as its decimal text, for those that a JavaScript number cannot carry. */
export function integerText(bounds: {
  readonly min?: bigint;
  readonly max?: bigint;
  readonly gt?: bigint;
  readonly lt?: bigint;
  readonly multipleOf?: bigint;
}): z.ZodString {
  const { min, max, gt, lt, multipleOf } = bounds;
  const holds = (value: unknown): boolean => {
    if (typeof value !== "string" || !INTEGER.test(value)) return false;
    const integer = BigInt(value);
    return (
      (min === undefined || integer >= min) &&
      (max === undefined || integer <= max) &&
      (gt === undefined || integer > gt) &&
      (lt === undefined || integer < lt) &&
      (multipleOf === undefined || integer % multipleOf === 0n)
    );
  };
  return z.string().check(refine(holds, "Invalid: expected an integer as text, within its bounds"));
}

const INTEGER = /^(?:0|-?[1-9][0-9]*)$/;
