import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEMO_VARIABLES } from '../../src/demo/demo-variables.js';
import { generateEnsemble, generateMember } from '../../src/demo/generate-ensemble.js';
import { murmurHash3 } from '../../src/demo/random.js';
import { isPlumecastError } from '../../src/errors.js';
import { extraterrestrialRadiation } from '../../src/variable/fao56.js';
import { variables } from '../../src/variable/index.js';

const origin = { seed: 7, latitude: 37.3, longitude: -79.84, initDate: 20514, days: 180 };

const anyOrigin = fc.record({
  seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  latitude: fc.oneof(fc.constantFrom(-90, 0, 90), fc.double({ min: -90, max: 90, noNaN: true })),
  longitude: fc.double({ min: -180, max: 360, noNaN: true }),
  initDate: fc.integer({ min: -700_000, max: 2_000_000 }),
  days: fc.integer({ min: 1, max: 60 }),
});

describe('generateEnsemble', () => {
  it('gives the pinned values', () => {
    const ensemble = generateEnsemble({ ...origin, members: 5 });
    const checksums = DEMO_VARIABLES.map((slug) => {
      const hundredths = ensemble[slug].flatMap((values) => Array.from(values, (value) => Math.round(100 * value)));
      return [slug, murmurHash3(hundredths, 0)];
    });
    expect(Object.fromEntries(checksums)).toEqual({
      temp_mean: 2124131511,
      temp_min: 1338016901,
      temp_max: 1960258049,
      precipitation: 3265875281,
      relative_humidity: 3706126828,
      wind_speed: 4228188104,
      wind_speed_max: 565816779,
      wind_gust_max: 1150042277,
      solar_radiation: 3077586632,
    });
  });

  it('makes every variable of the registry that is not derived', () => {
    expect(DEMO_VARIABLES).toEqual(variables.filter(({ derived }) => !derived).map(({ slug }) => slug));
  });

  it('keeps every value within the bounds of its variable, everywhere and always', () => {
    fc.assert(
      fc.property(anyOrigin, fc.integer({ min: 1, max: 3 }), (somewhere, members) => {
        const ensemble = generateEnsemble({ ...somewhere, members });
        for (const { slug, bounds } of variables.filter(({ derived }) => !derived)) {
          const columns = ensemble[slug as keyof typeof ensemble];
          expect(columns.map((values) => values.length)).toEqual(Array(members).fill(somewhere.days));
          for (const values of columns) {
            expect(values.every((value) => value >= bounds[0] && value <= bounds[1] && !Object.is(value, -0))).toBe(
              true,
            );
          }
        }
      }),
      { seed: 1, numRuns: 60 },
    );
  });

  it('orders minimum, mean and maximum temperature, mean and maximum wind and gust, everywhere and always', () => {
    fc.assert(
      fc.property(anyOrigin, (somewhere) => {
        const one = generateMember(somewhere, 0);
        for (let lead = 0; lead < somewhere.days; lead++) {
          expect(one.temp_min[lead]).toBeLessThanOrEqual(one.temp_mean[lead]);
          expect(one.temp_mean[lead]).toBeLessThanOrEqual(one.temp_max[lead]);
          expect(one.wind_speed[lead]).toBeLessThanOrEqual(one.wind_speed_max[lead]);
          expect(one.wind_speed_max[lead]).toBeLessThanOrEqual(one.wind_gust_max[lead]);
        }
      }),
      { seed: 1, numRuns: 60 },
    );
  });

  it('has radiation between a quarter and three quarters of the extraterrestrial, to rounding', () => {
    for (const latitude of [-90, -66, -20, 0, 37.3, 60, 90]) {
      for (const initDate of [20454, 20545, 20636]) {
        const { solar_radiation } = generateMember({ ...origin, latitude, initDate, days: 30 }, 0);
        for (let lead = 0; lead < 30; lead++) {
          // Day 20454 is 1 January 2026; the generator's years have no leap days, so it may be a day off.
          const around = [-0.5, 0.5, 1.5].map((off) =>
            extraterrestrialRadiation(latitude, initDate - 20454 + lead + off),
          );
          expect(solar_radiation[lead]).toBeLessThanOrEqual(0.75 * Math.max(...around) + 0.006);
          expect(solar_radiation[lead]).toBeGreaterThanOrEqual(0.25 * Math.min(...around) - 0.006);
        }
      }
    }
  });

  it('rains at least 0.1 mm on a wet day and nothing on a dry one', () => {
    const amounts = generateEnsemble({ ...origin, members: 10 }).precipitation.flatMap((values) => [...values]);
    expect(amounts.filter((amount) => amount === 0).length).toBeGreaterThan(900);
    expect(amounts.filter((amount) => amount > 0 && amount < Math.fround(0.1))).toEqual([]);
  });

  it('gives a single member the values that it has in the ensemble', () => {
    const ensemble = generateEnsemble({ ...origin, days: 40, members: 12 });
    const alone = generateMember({ ...origin, days: 40 }, 11);
    for (const slug of DEMO_VARIABLES) expect(alone[slug]).toEqual(ensemble[slug][11]);
  });

  it('gives fewer days and members the beginning of the longer and larger ensemble', () => {
    const long = generateEnsemble({ ...origin, days: 40, members: 6 });
    const short = generateEnsemble({ ...origin, days: 15, members: 4 });
    for (const slug of DEMO_VARIABLES) {
      expect(short[slug]).toEqual(long[slug].slice(0, 4).map((values) => values.slice(0, 15)));
    }
  });

  it('treats longitudes that are equal modulo 360 as the same place', () => {
    const west = generateMember({ ...origin, longitude: -79.84 }, 0);
    expect(generateMember({ ...origin, longitude: 280.16 }, 0)).toEqual(west);
  });

  it.each([{ seed: 8 }, { latitude: 37.31 }, { longitude: -79.85 }, { initDate: 20515 }])(
    'makes other weather for %j',
    (change) => {
      const one = generateMember(origin, 0);
      const other = generateMember({ ...origin, ...change }, 0);
      const equal = one.wind_speed.filter((value, lead) => value === other.wind_speed[lead]);
      expect(equal.length).toBeLessThan(10);
    },
  );

  it('uses seed 1 where none is given', () => {
    const { seed: _, ...unseeded } = origin;
    expect(generateMember(unseeded, 0)).toEqual(generateMember({ ...origin, seed: 1 }, 0));
  });

  it.each([
    ['latitude: is out of range; received 90.1; allowed: -90 to 90', { latitude: 90.1 }],
    ['latitude: is out of range; received NaN; allowed: -90 to 90', { latitude: Number.NaN }],
    ['longitude: is out of range; received 361; allowed: -180 to 360', { longitude: 361 }],
    ['seed: is not an integer in range; received -1; allowed: an integer from 0 to 4294967295', { seed: -1 }],
    ['members: is not an integer in range; received 0; allowed: an integer from 1 to 10000', { members: 0 }],
    [
      'days: is not a number of days in range; received 3; allowed: an integer from 1 to 2, counted from 9999-12-30',
      { initDate: 2932895, days: 3 },
    ],
  ])('throws an OptionError: %s', (message, change) => {
    let thrown: unknown;
    try {
      generateEnsemble({ ...origin, members: 2, ...change });
    } catch (error) {
      thrown = error;
    }
    expect(isPlumecastError(thrown, 'option') && thrown.message).toBe(message);
  });

  it('throws an OptionError where the first day is not a day number', () => {
    expect(() => generateEnsemble({ ...origin, members: 2, initDate: 0.5 })).toThrow(
      'day: cannot be used; received 0.5',
    );
  });
});
