/** Steps of numbers, exact in decimal: `19.99` is a multiple of `0.01`. */

import { type Check, refine } from "./check.js";

/** The number is a whole multiple of `step`. */
export function multipleOf(step: number): Check {
  const divisor = decimal(step);
  return refine((value) => {
    if (typeof value !== "number") return true;
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
