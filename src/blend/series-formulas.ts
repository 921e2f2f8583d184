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
  relativeShortwaveRadiation,
  windSpeedAt2m,
} from '../variable/fao56.js';
import {
  actualVaporPressure,
  dewPoint,
  dewPointOf,
  meanSaturationVaporPressure,
  saturationVaporPressure,
  vaporPressureOfExtremes,
} from '../variable/humidity.js';
import { type Elevation, readElevations } from './elevation.js';

/** Consecutive days. */
export interface DaySpan {
  /** Day number of the first day. */
  readonly firstDay: number;
  readonly days: number;
}

/** The series of each input of `derivedInputs`, by slug; NaN is missing. */
export type InputSeries = Readonly<Record<string, Float64Array>>;

/**
 * Computes the days of one member at one place from inputs that are all as long as `result`, which is overwritten; NaN
 * is missing.
 */
export type SeriesFormula = (inputs: InputSeries, result: Float64Array) => void;

/** Where and when values are derived. */
export interface PlacesAndDays extends DaySpan {
  /** One for each cell; NaN where the input does not state it. */
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
}

/** Dew points of mean temperatures and relative humidities, or of the extremes of both. */
export function dewPoints(inputs: InputSeries, result: Float64Array): void {
  const { temp_mean: temperature, relative_humidity: humidity } = inputs;
  const vaporPressure = vaporPressures(inputs);
  for (let day = 0; day < result.length; day++) {
    result[day] = humidity === undefined ? dewPointOf(vaporPressure(day)) : dewPoint(temperature[day], humidity[day]);
  }
}

/** Vapour pressure deficits of lowest and highest temperatures and a humidity. */
export function vaporPressureDeficits(inputs: InputSeries, result: Float64Array): void {
  const { temp_min: tempMin, temp_max: tempMax } = inputs;
  const vaporPressure = vaporPressures(inputs);
  for (let day = 0; day < result.length; day++) {
    result[day] = deficit(meanSaturationVaporPressure(tempMin[day], tempMax[day]), vaporPressure(day));
  }
}

/** Air is saturated where its dew point lies above its temperatures. */
function deficit(saturation: number, vaporPressure: number): number {
  return Math.max(0, saturation - vaporPressure);
}

/**
 * The actual vapour pressure of a day in kPa: the same for all derived variables. Sources: FAO-56 (Allen et al. 1998),
 * equation 14 of a dew point, 17 of extremes of humidity, 10 of a mean humidity at the mean temperature.
 */
function vaporPressures(inputs: InputSeries): (day: number) => number {
  const { dew_point: dew, relative_humidity: humidity, temp_min: tempMin, temp_max: tempMax, temp_mean: mean } = inputs;
  const { relative_humidity_min: lowest, relative_humidity_max: highest } = inputs;
  if (dew !== undefined) return (day) => saturationVaporPressure(dew[day]);
  if (humidity === undefined) {
    return (day) =>
      vaporPressureOfExtremes({
        ...{ tempMin: tempMin[day], tempMax: tempMax[day], humidityMin: lowest[day], humidityMax: highest[day] },
      });
  }
  return (day) => {
    const temperature = mean === undefined ? (tempMin[day] + tempMax[day]) / 2 : mean[day];
    return actualVaporPressure(saturationVaporPressure(temperature), humidity[day]);
  };
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
  inputs: InputSeries,
  clearSky: Float64Array,
  psychrometric: number,
  result: Float64Array,
): void {
  const { temp_min: tempMin, temp_max: tempMax, wind_speed: windSpeed, solar_radiation: solarRadiation } = inputs;
  const vaporPressureOf = vaporPressures(inputs);
  let relativeShortwaveBefore: number | undefined;
  for (let day = 0; day < result.length; day++) {
    const vaporPressure = vaporPressureOf(day);
    const radiation = { solarRadiation: solarRadiation[day], clearSkyRadiation: clearSky[day] };
    const longwave = netLongwaveRadiation({
      ...{ tempMin: tempMin[day], tempMax: tempMax[day], vaporPressure, ...radiation, relativeShortwaveBefore },
    });
    result[day] = referenceEvapotranspiration({
      netRadiation: netRadiation(netShortwaveRadiation(solarRadiation[day]), longwave),
      temperature: (tempMin[day] + tempMax[day]) / 2,
      windSpeed: windSpeedAt2m(windSpeed[day]),
      vaporPressureDeficit: deficit(meanSaturationVaporPressure(tempMin[day], tempMax[day]), vaporPressure),
      psychrometricConstant: psychrometric,
    });
    const relative = relativeShortwaveRadiation(solarRadiation[day], clearSky[day], relativeShortwaveBefore);
    // A day without radiation shows no clouds.
    if (!Number.isNaN(relative)) relativeShortwaveBefore = relative;
  }
}

function dayOfYearOf(day: number): number {
  return day - dayNumber(civilDate(day).year, 1, 1) + 1;
}
