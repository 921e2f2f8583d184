/**
 * The psychrometric constant in kPa per degC, at an atmospheric pressure in kPa; NaN gives NaN.
 *
 * Source: FAO-56 (Allen et al. 1998), equation 8.
 */
export function psychrometricConstant(pressure: number): number {
  return 0.665e-3 * pressure;
}
