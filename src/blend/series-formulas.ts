import { DataError } from '../errors.js';
import { civilDate, dayNumber } from '../period/day.js';
import {
  atmosphericPressure,
  clearSkyRadiation,
  extraterrestrialRadiation,
  netLongwaveRadiation,
  netRadiation,
  netShortwaveRadiation,
  psychrometricConstant,
  referenceEvapotranspiration,
  windSpeedAt2m,
} from '../variable/fao56.js';
import {
  actualVaporPressure,
  dewPoint,
  meanSaturationVaporPressure,
  vaporPressureDeficit,
} from '../variable/humidity.js';
import { type Elevation, readElevations } from './elevation.js';

/** Consecutive days. */
export interface DaySpan {
  /** Day number of the first day. */
  readonly firstDay: number;
  readonly days: number;
}

/**
 * Computes the days of one member at one place: `inputs` has the series of each input in the order of `DERIVED_INPUTS`,
 * all as long as `result`, which is overwritten; NaN is missing.
 */
export type SeriesFormula = (inputs: readonly Float64Array[], result: Float64Array) => void;

/** Where and when values are derived. */
export interface PlacesAndDays extends DaySpan {
  /** One for each cell; NaN where the input does not state it. */
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
}

/** Dew points of mean temperatures and relative humidities. */
export function dewPoints([temperature, humidity]: readonly Float64Array[], result: Float64Array): void {
  for (let day = 0; day < result.length; day++) result[day] = dewPoint(temperature[day], humidity[day]);
}

/** Vapour pressure deficits of lowest and highest temperatures and relative humidities. */
export function vaporPressureDeficits(
  [tempMin, tempMax, humidity]: readonly Float64Array[],
  result: Float64Array,
): void {
  for (let day = 0; day < result.length; day++) {
    result[day] = vaporPressureDeficit(tempMin[day], tempMax[day], humidity[day]);
  }
}

/**
 * Creates the formula of reference evapotranspiration of each cell; what depends only on place and day is computed once
 * for all members. Throws OptionError for the elevation, and DataError where a latitude is not known.
 */
export function evapotranspirationFormulas(
  { latitude, longitude, firstDay, days }: PlacesAndDays,
  elevation: Elevation | undefined,
): (cell: number) => SeriesFormula {
  if (latitude.some(Number.isNaN)) {
    throw new DataError({
      problem: 'no latitude, and evapotranspiration depends on it',
      allowed: 'columns latitude and longitude, or both in the metadata',
    });
  }
  const elevations = readElevations(elevation, latitude, longitude);
  const dayOfYear = Float64Array.from({ length: days }, (_, day) => dayOfYearOf(firstDay + day));
  return (cell) => {
    const pressure = atmosphericPressure(elevations[cell]);
    const clearSky = dayOfYear.map((day) =>
      clearSkyRadiation(extraterrestrialRadiation(latitude[cell], day), elevations[cell]),
    );
    return (inputs, result) => evapotranspiration(inputs, clearSky, psychrometricConstant(pressure), result);
  };
}

function evapotranspiration(
  [tempMin, tempMax, humidity, windSpeed, solarRadiation]: readonly Float64Array[],
  clearSky: Float64Array,
  psychrometric: number,
  result: Float64Array,
): void {
  for (let day = 0; day < result.length; day++) {
    const saturation = meanSaturationVaporPressure(tempMin[day], tempMax[day]);
    const vaporPressure = actualVaporPressure(saturation, humidity[day]);
    const longwave = netLongwaveRadiation({
      tempMin: tempMin[day],
      tempMax: tempMax[day],
      vaporPressure,
      solarRadiation: solarRadiation[day],
      clearSkyRadiation: clearSky[day],
    });
    result[day] = referenceEvapotranspiration({
      netRadiation: netRadiation(netShortwaveRadiation(solarRadiation[day]), longwave),
      temperature: (tempMin[day] + tempMax[day]) / 2,
      windSpeed: windSpeedAt2m(windSpeed[day]),
      vaporPressureDeficit: saturation - vaporPressure,
      psychrometricConstant: psychrometric,
    });
  }
}

function dayOfYearOf(day: number): number {
  return day - dayNumber(civilDate(day).year, 1, 1) + 1;
}
