import { describe, expect, it } from 'vitest';
import { climateOn, RAIN_SHAPE } from '../../src/demo/climate.js';
import { generateEnsemble } from '../../src/demo/generate-ensemble.js';
import { sharedVariance } from '../../src/demo/residuals.js';
import { correlation, mean, variance } from './sample-statistics.js';

// On the equator the climate has no seasons, so that a long series is a sample of one distribution. Tolerances are
// four standard errors; samples are seeded.
const START = 30;
const equator = generateEnsemble({ seed: 3, latitude: 0, longitude: 10, initDate: 20454, days: 330, members: 60 });
const climate = climateOn(0, 20454);
const late = (values: Float32Array) => values.subarray(START);
const rain = equator.precipitation.map(late);
const pairs = rain.flatMap((values) => Array.from(values.subarray(1), (after, i) => [values[i] > 0, after > 0]));
const days = rain.length * rain[0].length;

describe('the climate of the generated weather', () => {
  it('has the share of wet days of the Markov chain', () => {
    const wet = rain.flatMap((values) => Array.from(values, (amount) => (amount > 0 ? 1 : 0)));
    const p = climate.wetShare;
    const memory = 1.25 / 0.75; // (1 + r) / (1 - r) for lag-1 correlation r = 0.25
    expect(p).toBeCloseTo(0.46, 10);
    expect(Math.abs(mean(wet) - p)).toBeLessThan(4 * Math.sqrt((p * (1 - p) * memory) / days));
  });

  it.each([
    ['dry', false, 0.345],
    ['wet', true, 0.595],
  ])('has the transition probability from a %s day to a wet one', (_, before, p) => {
    const after = pairs.filter(([first]) => first === before).map(([, second]) => (second ? 1 : 0));
    expect(Math.abs(mean(after) - p)).toBeLessThan(4 * Math.sqrt((p * (1 - p)) / after.length));
  });

  it('has gamma amounts on wet days: mean 12 mm above the least amount, variance by the shape', () => {
    const amounts = rain.flatMap((values) => [...values]).filter((amount) => amount > 0);
    const n = amounts.length;
    const expectedVariance = 12 ** 2 / RAIN_SHAPE;
    expect(Math.abs(mean(amounts) - 12.1)).toBeLessThan(4 * Math.sqrt(expectedVariance / n));
    const relativeError = Math.sqrt((2 + 6 / RAIN_SHAPE) / n);
    expect(Math.abs(variance(amounts) / expectedVariance - 1)).toBeLessThan(4 * relativeError);
  });

  it('has temperatures with mean 27.5, standard deviation 1 and lag-1 autocorrelation 0.7', () => {
    const series = equator.temp_mean.map(late);
    const all = series.flatMap((values) => [...values]);
    const memory = 1.7 / 0.3;
    expect(Math.abs(mean(all) - 27.5)).toBeLessThan(4 * Math.sqrt(memory / days));
    expect(Math.abs(Math.sqrt(variance(all)) - 1)).toBeLessThan(4 * Math.sqrt((1 + 0.49) / (1 - 0.49) / (2 * days)));
    const before = series.flatMap((values) => [...values.subarray(0, -1)]);
    const after = series.flatMap((values) => [...values.subarray(1)]);
    expect(Math.abs(correlation(before, after) - 0.7)).toBeLessThan(4 * Math.sqrt((1 - 0.49) / days));
  });

  it('has less sun, moister air and a smaller diurnal range on wet days than on dry ones', () => {
    const contrast = (of: (member: number, day: number) => number) => {
      const sums = { wet: [] as number[], dry: [] as number[] };
      rain.forEach((values, member) => {
        values.forEach((amount, i) => {
          sums[amount > 0 ? 'wet' : 'dry'].push(of(member, START + i));
        });
      });
      return mean(sums.wet) / mean(sums.dry);
    };
    expect(contrast((m, day) => equator.solar_radiation[m][day])).toBeLessThan(0.8);
    expect(contrast((m, day) => equator.relative_humidity[m][day])).toBeGreaterThan(1.2);
    expect(contrast((m, day) => equator.temp_max[m][day] - equator.temp_min[m][day])).toBeCloseTo(0.6, 1);
  });

  it('has correlated residuals: sunshine goes with a large diurnal range and dry air', () => {
    const dry = rain.flatMap((values, m) =>
      [...values.keys()].filter((i) => values[i] === 0).map((i) => [m, START + i]),
    );
    const sun = dry.map(([m, day]) => equator.solar_radiation[m][day]);
    const range = dry.map(([m, day]) => equator.temp_max[m][day] - equator.temp_min[m][day]);
    const humidity = dry.map(([m, day]) => equator.relative_humidity[m][day]);
    expect(correlation(sun, range)).toBeGreaterThan(0.4);
    expect(correlation(sun, humidity)).toBeLessThan(-0.3);
  });

  it('has its summer in January south of the equator and in July north of it', () => {
    const monthMean = (latitude: number, initDate: number) => {
      const options = { seed: 5, latitude, longitude: 0, initDate, days: 60, members: 30 };
      return mean(generateEnsemble(options).temp_mean.flatMap((values) => [...values.subarray(START)]));
    };
    const january = 20454 - START;
    const july = january + 181;
    expect(monthMean(45, july) - monthMean(45, january)).toBeGreaterThan(15);
    expect(monthMean(-45, january) - monthMean(-45, july)).toBeGreaterThan(15);
  });
});

describe('the spread of the members', () => {
  // The variance over members of the standardised temperature, averaged over many ensembles.
  const ensembles = Array.from({ length: 60 }, (_, seed) =>
    generateEnsemble({ seed, latitude: 0, longitude: 20, initDate: 20454, days: 31, members: 20 }),
  );
  const spread = (lead: number) =>
    mean(ensembles.map(({ temp_mean }) => variance(temp_mean.map((values) => values[lead]))));
  const standardError = Math.sqrt(2 / 19 / ensembles.length);

  it('grows with lead time as the recursion of the members says, up to the climate', () => {
    let expected = 0;
    for (let lead = 0; lead < 31; lead++) {
      expected = 0.49 * expected + 0.51 * (1 - sharedVariance(lead));
      expect(Math.abs(spread(lead) - expected)).toBeLessThan(4 * standardError * expected + 1e-4);
    }
    expect(expected).toBeCloseTo(1, 2);
  });

  it('is at lead 1 less than a fifth of what it is at lead 30', () => {
    expect(Math.sqrt(spread(1))).toBeLessThan(0.2 * Math.sqrt(spread(30)));
  });

  it('is small at lead 0 for rain too: members agree on wet or dry nine times in ten, and at lead 30 by chance', () => {
    const agreement = (lead: number) =>
      mean(
        ensembles.flatMap(({ precipitation: [first, ...others] }) =>
          others.map((values) => (values[lead] > 0 === first[lead] > 0 ? 1 : 0)),
        ),
      );
    expect(agreement(0)).toBeGreaterThan(0.9);
    expect(agreement(30)).toBeLessThan(0.6);
  });
});
