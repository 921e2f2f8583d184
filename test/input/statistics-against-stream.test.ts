import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkAgainstOptions, type StatisticsAgainstOptions } from '../../src/climate/against-options.js';
import { ClimateReferences } from '../../src/climate/climate-reference.js';
import type { Climatology } from '../../src/climate/climatology.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { ensemblesOfTables, TableCollector } from '../../src/input/table-ensembles.js';
import { statistics } from '../../src/statistics/statistics.js';
import { StatisticsRun } from '../../src/statistics/statistics-plan.js';
import { plainClimatology, setPeriod } from '../climate/against-climatology.js';
import { collected, cutTable, failureOf, locationTable, locationTables, rowsOf } from './location-tables.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

/**
 * A climatology of the places of `locationTables`; limits coincide at the first one in the first week, and at the third
 * in the second.
 */
function normals(granularity: 'daily' | 'weekly'): Climatology {
  const places = Array.from({ length: 6 }, (_, i) => ({
    ...{ latitude: 37.3 - i / 10, longitude: -80.1 },
    ...{ limits: [10 + i, 20 + i], mean: 15 + i, quantiles: [25] },
  }));
  const made = plainClimatology(places, { granularity, quantiles: [0.9] });
  setPeriod(made, granularity === 'daily' ? '01-02' : 'W01', { limits: [0, 0] }, 0);
  setPeriod(made, granularity === 'daily' ? '01-08' : 'W02', { limits: [3, 3] }, 2);
  return made;
}

async function streamed(
  tables: ReturnType<typeof cutTable>,
  climatology: Climatology,
  requested: StatisticsAgainstOptions,
) {
  const options = checkAgainstOptions(climatology, requested);
  const references = new ClimateReferences(climatology, options);
  async function* inTurn() {
    yield* tables;
  }
  const degenerate = await references.degenerate(async function* () {
    for await (const { ensemble } of ensemblesOfTables(inTurn(), options)) yield ensemble;
  });
  const run = new StatisticsRun(core, options);
  async function* results() {
    for await (const { ensemble, isAll } of ensemblesOfTables(inTurn(), options, {
      collect: () => new TableCollector(undefined, false),
    })) {
      yield* run.add(ensemble, references.of(ensemble, isAll ? undefined : degenerate));
    }
    yield* run.end();
  }
  return collected(results());
}

describe('statistics of a stream of tables against a climatology', () => {
  it('equal those of the complete table, also in metadata, wherever it is divided', async () => {
    const cuts = fc.array(fc.nat(120), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(locationTables, cuts, fc.constantFrom('daily', 'weekly'), async (made, at, granularity) => {
        const whole = locationTable(made);
        const climatology = normals(granularity);
        const options = { exceed: [0.9], anomaly: true, partial: true };
        const expected = statistics(core, whole, { ...options, climatology });
        const found = await streamed(cutTable(whole, at), climatology, options);
        expect(rowsOf(found)).toEqual(rowsOf([expected]));
        expect(
          found.every(({ schema }) => String([...schema.metadata]) === String([...expected.schema.metadata])),
        ).toBe(true);
      }),
      { numRuns: 30, seed: 20_261_121 },
    );
  });

  const two = locationTable({
    ...{ seed: 1, form: 'wide', values: 'float64', coordinates: 'float64', gaps: 0, nulls: 0 },
    spans: [
      [0, 14],
      [0, 14],
    ],
  });

  it('throw for a second place if the climatology has one without coordinates, as for the complete table', async () => {
    const single = plainClimatology([{ limits: [10, 20] }]);
    const expected = await failureOf(() => statistics(core, two, { partial: true, climatology: single }));
    expect(expected).toMatch('has no coordinates by which to find places in the climatology');
    for (const at of [[], [7], [14], [20]]) {
      expect(await failureOf(() => streamed(cutTable(two, at), single, { partial: true }))).toBe(expected);
    }
  });

  it('throw for a place that the climatology does not cover', async () => {
    const elsewhere = plainClimatology([
      { latitude: 37.3, longitude: -80.1, limits: [1, 2] },
      { latitude: 37.29, longitude: -80.1 },
    ]);
    const expected = await failureOf(() => statistics(core, two, { partial: true, climatology: elsewhere }));
    expect(expected).toMatch('point: is not covered');
    expect(await failureOf(() => streamed(cutTable(two, [14]), elsewhere, { partial: true }))).toBe(expected);
  });

  it('read the tables once if no limits coincide', async () => {
    const places = [{ latitude: 37.3, longitude: -80.1, limits: [10, 20] }];
    const references = new ClimateReferences(
      plainClimatology(places),
      checkAgainstOptions(plainClimatology(places), {}),
    );
    expect(await references.degenerate(() => expect.fail('were looked at'))).toEqual(new Map());
  });
});
