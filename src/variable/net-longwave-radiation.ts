/** Stefan-Boltzmann constant (MJ K-4 m-2 d-1), as in FAO-56. */
const STEFAN_BOLTZMANN = 4.903e-9;

/** Temperature of 0 degC (K), as in FAO-56 equation 39. */
const FREEZING = 273.16;

/** The share of clear-sky radiation that comes through dense clouds, as in ASCE-EWRI 2005; FAO-56 says about 0.33. */
const DENSE_CLOUDS = 0.3;

/** The share taken where no sun tells of clouds: the middle of what FAO-56 (chapter 4) gives for nights in humid climates. */
const WITHOUT_SUN = 0.5;

/** What net long-wave radiation depends on. */
export interface LongwaveConditions {
  /** The lowest and highest temperature of the day (degC). */
  readonly tempMin: number;
  readonly tempMax: number;
  /** Actual vapour pressure (kPa). */
  readonly vaporPressure: number;
  /** Solar radiation, and that of a cloudless day (MJ m-2 d-1). */
  readonly solarRadiation: number;
  readonly clearSkyRadiation: number;
}

/**
 * The long-wave radiation that the surface loses in a day, net, in MJ m-2 d-1; NaN gives NaN.
 *
 * Solar as a share of clear-sky radiation tells of clouds. It is kept between 0.3 and 1 (below 0.26 the formula would have
 * clouds warm the ground), and is 0.5 in the polar night. Sources: FAO-56 (Allen et al. 1998), equation 39; the lower limit of the
 * ASCE standardized equation (ASCE-EWRI 2005).
 */
export function netLongwaveRadiation(conditions: LongwaveConditions): number {
  const { tempMin, tempMax, vaporPressure, solarRadiation, clearSkyRadiation } = conditions;
  const emitted = (STEFAN_BOLTZMANN * (fourthPower(tempMax + FREEZING) + fourthPower(tempMin + FREEZING))) / 2;
  const humidity = 0.34 - 0.14 * Math.sqrt(vaporPressure);
  const clouds = 1.35 * relativeShortwave(solarRadiation, clearSkyRadiation) - 0.35;
  return emitted * humidity * clouds;
}

function relativeShortwave(solarRadiation: number, clearSkyRadiation: number): number {
  if (clearSkyRadiation === 0 && !Number.isNaN(solarRadiation)) return WITHOUT_SUN;
  return Math.min(1, Math.max(DENSE_CLOUDS, solarRadiation / clearSkyRadiation));
}

/** The operator ** takes many times as long. */
function fourthPower(x: number): number {
  const square = x * x;
  return square * square;
}
