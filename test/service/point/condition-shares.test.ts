import { type Table, tableFromIPC } from 'apache-arrow';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { climatology } from '../../../src/climate/index.js';
import { conditionShares } from '../../../src/condition/condition-shares.js';
import { type Core, loadCore } from '../../../src/core/load.js';
import { createHandler, type Handler } from '../../../src/service/handler/index.js';
import { memoryKeys, memorySource } from '../../../src/service/source/index.js';
import { statistics } from '../../../src/statistics/statistics.js';
import { type ServiceData, serviceData } from '../endpoints/service-data.js';

let core: Core;
let service: ServiceData;
let handler: Handler;
beforeAll(async () => {
  core = await loadCore();
  service = await serviceData();
  const keys = memoryKeys([{ id: 'a', owner: 'a', key: 'key-of-a', downscaling: false }]);
  handler = createHandler({ source: memorySource(service.data), keys });
});

const POINT = 'lat=37.25&lon=-80';
const SLUGS = ['precipitation', 'temp_mean', 'temp_min'] as const;

async function tableOf(path: string): Promise<Table> {
  const headers = { 'X-Api-Key': 'key-of-a', Accept: 'application/vnd.apache.arrow.stream' };
  const response = await handler(new Request(`http://service.test${path}`, { headers }));
  if (response.status !== 200) throw new Error(await response.text());
  return tableFromIPC(new Uint8Array(await response.arrayBuffer()));
}

/** The rows of one variable, by column. */
function rowsOf(table: Table, slug: string) {
  return table.toArray().filter((row) => row.variable === slug);
}

const comparison = fc
  .tuple(fc.constantFrom(...SLUGS), fc.constantFrom('>', '>=', '<', '<='), fc.integer({ min: -4, max: 16 }))
  .map(([slug, operator, limit]) => `${slug}${operator}${limit / 2}`);
const range = fc
  .tuple(fc.constantFrom(...SLUGS), fc.integer({ min: -4, max: 8 }), fc.integer({ min: 0, max: 9 }))
  .map(([slug, from, width]) => `${slug} ${from}..${from + width}`);
const part = fc.oneof(comparison, range);
const condition = fc
  .tuple(part, fc.constantFrom(' and ', ' or ', ' given '), part, fc.boolean(), part)
  .map(([a, word, b, isLong, c]) => (isLong ? `(${a} or ${c})${word}${b}` : a + word + b));

describe('shares of conditions of the service', () => {
  it('on several variables are those of the library, of the raw members that it serves', async () => {
    const members = await Promise.all(SLUGS.map((slug) => tableOf(`/v2/forecast?${POINT}&var=${slug}`)));
    const data = Object.fromEntries(SLUGS.map((slug, v) => [slug, members[v]]));
    const cases = fc.tuple(
      fc.constantFrom('daily' as const, 'weekly' as const, 'monthly' as const),
      fc.uniqueArray(condition, { minLength: 1, maxLength: 4 }),
    );
    let between = 0;
    await fc.assert(
      fc.asyncProperty(cases, async ([granularity, conditions]) => {
        const named = conditions.filter((text) => new Set(text.match(/precipitation|temp_m\w+/g)).size > 1);
        if (named.length === 0) return;
        const own = conditionShares(core, data, named, { granularity });
        const query = `threshold=${encodeURIComponent(named.join())}&granularity=${granularity}&var=${SLUGS.join()}`;
        const served = await tableOf(`/v2/forecast/statistics?${POINT}&${query}`);
        const columns = own.schema.names.slice(own.schema.names.indexOf('n_members') + 1) as string[];
        const expected = own.toArray();
        for (const column of columns) {
          const slugs = SLUGS.filter((slug) => column.includes(slug));
          for (const slug of slugs) {
            const rows = rowsOf(served, slug);
            expect(rows.map((row) => row.period)).toEqual(expected.map((row) => row.period));
            expect(rows.map((row) => row[column])).toEqual(expected.map((row) => row[column]));
            between += rows.filter((row) => row[column] > 0 && row[column] < 1).length;
          }
        }
      }),
      { numRuns: 25 },
    );
    expect(between).toBeGreaterThan(100);
  });

  it('above a quantile of the climatology are those of the library', async () => {
    for (const granularity of ['daily', 'weekly', 'monthly'] as const) {
      const normal = climatology(core, service.history.precipitation, { granularity, quantiles: [0.5, 0.9] });
      const query = `var=precipitation&granularity=${granularity}&threshold=${encodeURIComponent('precipitation>q90,precipitation>q50')}`;
      const served = await tableOf(`/v2/forecast/statistics?${POINT}&${query}`);
      const raw = await tableOf(`/v2/forecast?${POINT}&var=precipitation`);
      const own = statistics(core, raw, { granularity, climatology: normal, exceed: [0.9, 0.5] });
      for (const column of ['p_gt_clim_q90', 'p_gt_clim_q50']) {
        const shares = rowsOf(served, 'precipitation').map((row) => row[column]);
        expect(shares).toEqual(own.toArray().map((row) => row[column]));
        if (granularity === 'daily') expect(new Set(shares).size).toBeGreaterThan(5);
      }
    }
  });
});
