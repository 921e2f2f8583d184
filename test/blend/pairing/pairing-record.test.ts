import { describe, expect, it } from 'vitest';
import { blendFields, pairFields } from '../../../src/blend/blend-fields.js';
import type { Horizon } from '../../../src/blend/horizon.js';
import { pairingRecord, readPairing } from '../../../src/blend/pairing/pairing-record.js';
import { loadCore } from '../../../src/core/load.js';
import { seededField } from '../../reference/fields.js';
import { messageOf } from '../../table/tables.js';

const core = await loadCore();

/** Two horizons on a grid of 12 x 12 places that are `step` degrees apart. */
function fieldsOf(step: number) {
  const cells = 144;
  const horizons = [15, 46, 60].map((days, h): Horizon => {
    const shape = { firstDay: 20_500, days, cells, members: [9, 12, 7][h], seed: h + 1 };
    return { name: `horizon ${h + 1}`, field: seededField(shape) };
  });
  const places = {
    latitude: Float64Array.from({ length: cells }, (_, cell) => -30 + step * Math.floor(cell / 12)),
    longitude: Float64Array.from({ length: cells }, (_, cell) => step * (cell % 12)),
  };
  const options = { method: 'field', overlaps: [3, 7], lastLeads: [], keepGaps: false, places } as const;
  return { horizons, places, options };
}

describe('the record of a pairing', () => {
  it.each([
    ['a whole field', 0.5],
    ['regions', 5],
  ])('of %s is read from JSON as it was, in a few hundred bytes for each seam and region', (_, step) => {
    const { horizons, places, options } = fieldsOf(step);
    const { field, pairing } = blendFields(core, horizons, options);
    const text = JSON.stringify(pairingRecord(pairing));
    const read = readPairing(JSON.parse(text));
    expect(read).toEqual(pairing);
    expect(text.length).toBeLessThan(1500 + 400 * (pairing.regions?.count ?? 1));
    const again = blendFields(core, horizons, read, places).field;
    expect(again.members.map(({ chunks }) => chunks[0].values)).toEqual(
      field.members.map(({ chunks }) => chunks[0].values),
    );
  });

  it('of regions needs the places of a field', () => {
    const { horizons, options } = fieldsOf(5);
    const pairing = pairFields(core, horizons, options);
    expect(pairing.regions?.count).toBeGreaterThan(10);
    expect(messageOf(() => blendFields(core, horizons, pairing))).toBe(
      'OptionError places: cannot be used; received undefined; allowed: Float64Arrays latitude and longitude of 144',
    );
  });

  it.each([undefined, null, {}, [], 'x', { seams: [], horizons: [] }])('is not %j', (record) => {
    expect(messageOf(() => readPairing(record as never))).toMatch(/^OptionError pairing: cannot be used/);
  });
});
