/**
 * The solar radiation that reaches the top of the atmosphere in a day, in MJ m-2 d-1; 0 in the polar night; NaN gives NaN.
 * `latitude` is in degrees north, `dayOfYear` counts from 1 (1 January) to 365, or 366 in leap years, and may be fractional.
 *
 * Source: Allen et al. 1998, FAO Irrigation and Drainage Paper 56, equations 21 and 23 to 25; the year has 365 days in them,
 * leap years included.
 */
export function extraterrestrialRadiation(latitude: number, dayOfYear: number): number {
  const phi = (latitude * Math.PI) / 180;
  const angle = (2 * Math.PI * dayOfYear) / 365;
  const inverseDistance = 1 + 0.033 * Math.cos(angle);
  const declination = 0.409 * Math.sin(angle - 1.39);
  // Beyond the polar circles the cosine of the sunset hour angle leaves [-1, 1]: polar day or polar night.
  const cosSunset = Math.min(1, Math.max(-1, -Math.tan(phi) * Math.tan(declination)));
  const sunset = Math.acos(cosSunset);
  const geometry =
    sunset * Math.sin(phi) * Math.sin(declination) + Math.cos(phi) * Math.cos(declination) * Math.sin(sunset);
  return ((24 * 60) / Math.PI) * SOLAR_CONSTANT * inverseDistance * Math.max(0, geometry);
}

/** Solar constant (MJ m-2 min-1), as in FAO-56. */
const SOLAR_CONSTANT = 0.082;
