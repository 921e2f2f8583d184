import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as fao56 from '../../src/fao56.js';
import { DERIVED_INPUTS } from '../../src/variable/derived-inputs.js';
import {
  netLongwaveRadiation,
  netShortwaveRadiation,
  referenceEvapotranspiration,
  relativeShortwaveRadiation,
  windSpeedAt2m,
} from '../../src/variable/fao56.js';
import {
  actualVaporPressure,
  dewPoint,
  dewPointOf,
  meanSaturationVaporPressure,
  saturationVaporPressure,
  saturationVaporPressureSlope,
  vaporPressureDeficit,
  vaporPressureOfExtremes,
} from '../../src/variable/humidity.js';
import { findVariable, variables } from '../../src/variable/index.js';
import { holds } from '../property/fuzz.js';

const temperatures = fc.double({ min: -95, max: 60, noNaN: true });
const humidities = fc.double({ min: 0.001, max: 100, noNaN: true });
const weather = fc.record({ temperature: temperatures, humidity: humidities });

describe('dewPoint', () => {
  it('is 9.27 degC at 20 degC and 50 %', () => {
    // By hand: x = ln 0.5 + 17.27 * 20 / 257.3 = 0.649255, and 237.3 x / (17.27 - x).
    expect(dewPoint(20, 50)).toBeCloseTo(9.2697, 3);
  });

  it('is the temperature in saturated air', () => {
    for (const temperature of [-60.3, -5, 0, 17.1, 41]) expect(dewPoint(temperature, 100)).toBeCloseTo(temperature, 10);
  });

  holds(
    'has the actual vapour pressure as its saturation vapour pressure',
    200,
    weather,
    ({ temperature, humidity }) => {
      const pressure = actualVaporPressure(saturationVaporPressure(temperature), humidity);
      expect(saturationVaporPressure(dewPoint(temperature, humidity)) / pressure).toBeCloseTo(1, 10);
    },
  );

  holds(
    'is finite and never above the temperature, up to and beyond saturation',
    500,
    fc.record({ temperature: temperatures, humidity: fc.oneof(humidities, fc.constantFrom(100, 100.4, 130)) }),
    ({ temperature, humidity }) => {
      const found = dewPoint(temperature, humidity);
      expect(Number.isFinite(found)).toBe(true);
      expect(found).toBeLessThanOrEqual(temperature);
    },
  );

  it('is missing in air without vapour', () => {
    expect(dewPoint(20, 0)).toBeNaN();
    expect(dewPoint(20, -0.01)).toBeNaN();
  });
});

describe('actualVaporPressure', () => {
  it('takes humidity below 0 % as 0 %, and above 100 % as 100 %', () => {
    expect(actualVaporPressure(2, 104)).toBe(2);
    expect(actualVaporPressure(2, -1)).toBe(0);
  });
});

describe('saturationVaporPressureSlope', () => {
  holds('is the derivative of the saturation vapour pressure', 100, temperatures, (temperature) => {
    const h = 1e-3;
    const rise = saturationVaporPressure(temperature + h) - saturationVaporPressure(temperature - h);
    // 17.27 * 237.3 is 4098.17, which FAO-56 rounds.
    expect(saturationVaporPressureSlope(temperature) / (rise / (2 * h))).toBeCloseTo(1, 4);
  });
});

describe('vaporPressureDeficit', () => {
  it('is the mean saturation at both extremes less the actual pressure', () => {
    // 2.390 of FAO-56 example 3 less the share at 19.75 degC.
    expect(vaporPressureDeficit(15, 24.5, 0)).toBeCloseTo(2.39, 2);
    expect(vaporPressureDeficit(15, 24.5, 60)).toBeCloseTo(2.39 - 0.6 * saturationVaporPressure(19.75), 3);
    expect(vaporPressureDeficit(15, 24.5, 60, 18)).toBeCloseTo(2.39 - 0.6 * saturationVaporPressure(18), 3);
  });

  it('is never negative', () => {
    expect(vaporPressureDeficit(20, 20, 103)).toBe(0);
    expect(vaporPressureDeficit(15, 24.5, 103)).toBe(vaporPressureDeficit(15, 24.5, 100));
    expect(vaporPressureDeficit(15, 24.5, 100, 24)).toBe(0);
  });

  holds('and the dew point have one actual vapour pressure', 200, weather, ({ temperature, humidity }) => {
    const actual = saturationVaporPressure(dewPoint(temperature, humidity));
    const [tempMin, tempMax] = [temperature - 4, temperature + 4];
    const expected = Math.max(0, meanSaturationVaporPressure(tempMin, tempMax) - actual);
    expect(vaporPressureDeficit(tempMin, tempMax, humidity)).toBeCloseTo(expected, 10);
  });
});

describe('netLongwaveRadiation', () => {
  const night = { tempMin: -30, tempMax: -20, vaporPressure: 0.05, solarRadiation: 0, clearSkyRadiation: 0 };
  const share = (ratio: number) =>
    netLongwaveRadiation({ ...night, solarRadiation: 10 * ratio, clearSkyRadiation: 10 });

  it('takes solar radiation for 0.5 of clear-sky radiation where the sun is low and no day before is known', () => {
    for (const clearSkyRadiation of [0, 1e-9, 0.5, 1]) {
      expect(netLongwaveRadiation({ ...night, solarRadiation: clearSkyRadiation, clearSkyRadiation })).toBe(share(0.5));
    }
    const above = { ...night, solarRadiation: 1.001, clearSkyRadiation: 1.001 };
    expect(netLongwaveRadiation({ ...above, relativeShortwaveBefore: 0.7 })).toBe(share(1));
  });

  it('takes the ratio of the day before where the sun is low', () => {
    expect(netLongwaveRadiation({ ...night, relativeShortwaveBefore: 0.75 })).toBe(share(0.75));
    expect(relativeShortwaveRadiation(12, 20)).toBe(0.6);
    expect(relativeShortwaveRadiation(0.2, 0.9, 0.6)).toBe(0.6);
    expect(relativeShortwaveRadiation(Number.NaN, 0.9, 0.6)).toBeNaN();
    expect(relativeShortwaveRadiation(0.2, Number.NaN, 0.6)).toBeNaN();
  });

  it('keeps the share of clear-sky radiation between 0.3 and 1, so that it is a loss under any cloud', () => {
    expect(share(1.2)).toBe(share(1));
    expect(share(0.1)).toBe(share(0.3));
    expect(share(0.31)).toBeGreaterThan(share(0.3));
    expect(share(0)).toBeGreaterThan(0);
  });

  it('is missing if solar radiation is missing, also in the polar night', () => {
    expect(netLongwaveRadiation({ ...night, solarRadiation: Number.NaN })).toBeNaN();
  });
});

it('negative radiation and wind count as 0', () => {
  expect(netShortwaveRadiation(-0.3)).toBe(0);
  expect(windSpeedAt2m(-2)).toBe(0);
});

describe('vaporPressureOfExtremes', () => {
  it('is 1.70 kPa in example 5 of FAO-56', () => {
    const conditions = { tempMin: 18, tempMax: 25, humidityMin: 54, humidityMax: 82 };
    expect(vaporPressureOfExtremes(conditions)).toBeCloseTo(1.7, 2);
    expect(dewPointOf(1.705)).toBeCloseTo(15, 1);
  });
});

describe('referenceEvapotranspiration', () => {
  const day = {
    netRadiation: 13,
    temperature: 17,
    windSpeed: 2,
    vaporPressureDeficit: 0.6,
    psychrometricConstant: 0.067,
  };

  it('is 0 if the formula is negative', () => {
    expect(
      referenceEvapotranspiration({ ...day, netRadiation: -3, temperature: -10, vaporPressureDeficit: 0.01 }),
    ).toBe(0);
  });

  it('is missing if any of its conditions is missing', () => {
    for (const name of Object.keys(day)) {
      expect(referenceEvapotranspiration({ ...day, [name]: Number.NaN })).toBeNaN();
    }
  });
});

it('a formula with a missing number gives a missing value', () => {
  const formulas: [(...numbers: number[]) => number, number[]][] = [
    [fao56.saturationVaporPressure, [20]],
    [fao56.meanSaturationVaporPressure, [15, 25]],
    [fao56.saturationVaporPressureSlope, [20]],
    [fao56.actualVaporPressure, [2, 60]],
    [fao56.vaporPressureDeficit, [15, 25, 60]],
    [fao56.dewPoint, [20, 60]],
    [fao56.atmosphericPressure, [100]],
    [fao56.psychrometricConstant, [101]],
    [fao56.windSpeedAt2m, [3, 10]],
    [fao56.extraterrestrialRadiation, [50, 187]],
    [fao56.clearSkyRadiation, [41, 100]],
    [fao56.netShortwaveRadiation, [22]],
    [fao56.netRadiation, [17, 4]],
  ];
  for (const [formula, numbers] of formulas) {
    expect(formula(...numbers)).not.toBeNaN();
    for (const i of numbers.keys()) expect(formula(...numbers.with(i, Number.NaN))).toBeNaN();
  }
});

it('DERIVED_INPUTS lists every derived variable, each of its inputs a variable that is not derived', () => {
  const derived = variables.filter((one) => one.derived).map(({ slug }) => slug);
  expect(Object.keys(DERIVED_INPUTS).sort()).toEqual(derived.sort());
  for (const slug of Object.values(DERIVED_INPUTS).flat()) expect(findVariable(slug).derived).toBe(false);
});
