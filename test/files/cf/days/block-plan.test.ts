import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { type Core, loadCore } from '../../../../src/core/load.js';
import { gridEnsemble } from '../../../../src/files/cf/index.js';
import { type Daily, dailyTwin } from '../../../reference/grid-days.js';
import { valuesOfBlocks } from '../daily-values.js';
import { memoryFile } from '../memory-file.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const VARIABLES: Record<Daily, string> = {
  mean: 'temp_mean',
  sum: 'precipitation',
  minimum: 'temp_min',
  maximum: 'temp_max',
};

const DIMENSIONS = ['number', 'time', 'lat', 'lon'] as const;

/** An order of the dimensions, their lengths, the pieces that they are stored in, and how hours and numbers are. */
const examples = fc
  .record({
    order: fc.shuffledSubarray([...DIMENSIONS], { minLength: 4 }),
    members: fc.integer({ min: 1, max: 3 }),
    rows: fc.integer({ min: 1, max: 4 }),
    columns: fc.integer({ min: 1, max: 5 }),
    step: fc.constantFrom(24, 12, 6),
    start: fc.integer({ min: 0, max: 3 }),
    steps: fc.integer({ min: 20, max: 34 }),
    lost: fc.uniqueArray(fc.integer({ min: 4, max: 8 }), { maxLength: 3 }),
    type: fc.constantFrom('float32' as const, 'float64' as const, 'int16' as const, 'int64' as const),
    packing: fc.constantFrom({ scale: 1, offset: 0 }, { scale: 0.5, offset: 10 }),
    missing: fc.integer({ min: 5, max: 40 }),
    isChunked: fc.boolean(),
    chunks: fc.tuple(...DIMENSIONS.map(() => fc.integer({ min: 1, max: 6 }))),
    rule: fc.constantFrom<Daily>('mean', 'sum', 'minimum', 'maximum'),
    bytes: fc.integer({ min: 200, max: 20_000 }),
    windowDays: fc.integer({ min: 1, max: 9 }),
  })
  .filter(({ step, rule }) => step < 24 || rule === 'mean' || rule === 'sum');

it('every plan of blocks has each cell and day once, with the values of the twin, for any order of dimensions', async () => {
  await fc.assert(
    fc.asyncProperty(examples, async (example) => {
      const { order, members, rows, columns, step, start, type, packing, missing, rule } = example;
      const hours = Array.from({ length: example.steps }, (_, i) => (start + i) * step).filter(
        (_, i) => !example.lost.includes(i),
      );
      const lengths = { number: members, time: hours.length, lat: rows, lon: columns };
      const stored = (m: number, t: number, cell: number) => {
        const number = ((m * 31 + t * 7 + cell * 13) % 97) + 1;
        return number % missing === 0 ? -999 : number;
      };
      const size = members * hours.length * rows * columns;
      const values = Array.from({ length: size }, (_, flat) => {
        const at: Record<string, number> = {};
        for (const name of [...order].reverse()) {
          at[name] = flat % lengths[name];
          flat = Math.floor(flat / lengths[name]);
        }
        return stored(at.number, at.time, at.lat * columns + at.lon);
      });
      const chunk = order.map((name) => example.chunks[DIMENSIONS.indexOf(name)]);
      const file = memoryFile({
        time: { dimensions: { time: hours.length }, values: hours, attributes: { units: 'hours since 2001-03-05' } },
        lat: { dimensions: { lat: rows }, values: range(rows), attributes: { units: 'degrees_north' } },
        lon: { dimensions: { lon: columns }, values: range(columns), attributes: { units: 'degrees_east' } },
        data: {
          type,
          dimensions: Object.fromEntries(order.map((name) => [name, lengths[name]])),
          values: type === 'int64' ? values.map(BigInt) : values,
          attributes: {
            units: rule === 'sum' ? 'mm' : 'degC',
            _FillValue: -999,
            ...(packing.scale === 1 ? {} : { scale_factor: packing.scale, add_offset: packing.offset }),
          },
          chunk: example.isChunked ? chunk : undefined,
        },
      });
      const ensemble = await gridEnsemble(file, { variable: VARIABLES[rule], array: 'data', accumulation: 'per-step' });
      const cuts = Array.from({ length: 100 }, (_, i) => i * example.windowDays + 1);
      const first = Math.round(ensemble.firstDay - 11386);
      const value = (m: number, t: number, cell: number) => {
        const number = stored(m, t, cell);
        return number === -999 ? Number.NaN : number * packing.scale + packing.offset;
      };
      const expected = range(members).map((m) =>
        range(rows * columns).map((cell) =>
          range(ensemble.days).map((day) => {
            const twin = dailyTwin({ hours, step, value }, rule, m, cell, first + day);
            return ensemble.type === 'float32' ? Math.fround(twin) : twin;
          }),
        ),
      );
      for (const used of [[], cuts]) {
        for (const bytes of [example.bytes, 1e9]) {
          const blocks = plan(() => ensemble.blocks(bytes, used));
          if (blocks === undefined) continue;
          expect(await valuesOfBlocks(ensemble, core, blocks)).toEqual(expected);
          const edges = new Set([0, ensemble.days, ...used]);
          for (const { day, days } of blocks) expect([edges.has(day), edges.has(day + days)]).toEqual([true, true]);
        }
      }
    }),
    { numRuns: 60, seed: 20_221_002 },
  );
});

/** The blocks, or undefined where the memory is too small for one. */
function plan<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    expect(String(error)).toMatch(/bytes of memory/);
    return undefined;
  }
}

function range(length: number): number[] {
  return Array.from({ length }, (_, i) => i);
}
