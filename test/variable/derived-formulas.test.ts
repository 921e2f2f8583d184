import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as fao56 from '../../src/fao56.js';
import { DERIVED_INPUTS } from '../../src/variable/derived-inputs.js';
import { netLongwaveRadiation, referenceEvapotranspiration } from '../../src/variable/fao56.js';
import {
  actualVaporPressure,
  dewPoint,
  saturationVaporPressure,
  saturationVaporPressureSlope,
  vaporPressureDeficit,
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
    expect(vaporPressureDeficit(15, 24.5, 100)).toBe(0);
    expect(vaporPressureDeficit(15, 24.5, 0)).toBeCloseTo(2.39, 2);
    expect(vaporPressureDeficit(15, 24.5, 60)).toBeCloseTo(0.956, 3);
  });

  it('is 0, not negative, above saturation', () => {
    expect(vaporPressureDeficit(15, 24.5, 103)).toBe(0);
  });
});

describe('netLongwaveRadiation', () => {
  const night = { tempMin: -30, tempMax: -20, vaporPressure: 0.05, solarRadiation: 0, clearSkyRadiation: 0 };
  const share = (ratio: number) =>
    netLongwaveRadiation({ ...night, solarRadiation: 10 * ratio, clearSkyRadiation: 10 });

  it('takes solar radiation for 0.5 of clear-sky radiation in the polar night', () => {
    expect(netLongwaveRadiation(night)).toBe(share(0.5));
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
