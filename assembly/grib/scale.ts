// What a packed number X stands for: (R + X * 2^E) / 10^D, as (X * `binary` + `reference`) * `decimal` in float64, with
// the roundings of ecCodes.

/** The value of one number. */
@inline export function scaled(x: f64, reference: f64, binary: f64, decimal: f64): f64 {
  return (x * binary + reference) * decimal;
}

/** The values of the two lowest lanes, which are numbers without a sign. */
@inline export function scaledPair(numbers: v128, reference: v128, binary: v128, decimal: v128): v128 {
  return f64x2.mul(f64x2.add(f64x2.mul(f64x2.convert_low_i32x4_u(numbers), binary), reference), decimal);
}
