import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ArrayFile } from '../../../src/files/array/array-file.js';
import { casePath } from '../../reference/data-folder.js';
import { openGribBytes } from './grib-bytes.js';

/** The latitudes and longitudes of a GRIB file, one for each point. */
async function placesOf(file: ArrayFile): Promise<{ latitude: Float64Array; longitude: Float64Array }> {
  const read = async (name: string) => {
    const array = file.arrays.get(name);
    if (array === undefined) throw new Error(`no ${name}`);
    const values = new Float64Array(array.shape.reduce((product, length) => product * length, 1));
    await array.read({ start: array.shape.map(() => 0), count: array.shape }, values);
    return values;
  };
  return { latitude: await read('latitude'), longitude: await read('longitude') };
}

const open = (path: string) => openGribBytes(readFileSync(path), { source: 'case.grib' });
const east = (degrees: number) => (degrees + 360) % 360;

describe('grids of GRIB files lie where ecCodes and CDO have them', () => {
  const lambert = casePath('places/lambert-scanning-mode-0.grib');
  it.skipIf(lambert === undefined)('Lambert from the south-western corner, with scanning mode 0', async () => {
    const file = await open(lambert ?? '');
    const { latitude, longitude } = await placesOf(file);
    expect([latitude[0], longitude[0]]).toEqual([expect.closeTo(37.333, 9), expect.closeTo(-8.354, 9)]);
    expect(latitude[latitude.length - 1]).toBeCloseTo(53.03113407302962, 9);
    expect(longitude[latitude.length - 1]).toBeCloseTo(15.763823338141341, 9);
    const ends = [Math.min, Math.max].map((most) => latitude.reduce((a, b) => most(a, b)));
    expect(ends).toEqual([expect.closeTo(37.33176174978272, 9), expect.closeTo(53.741506031948106, 9)]);
    expect(file.notices).toEqual([expect.stringMatching(/^Lambert grid of Météo-France: .*37.3 to 53.7 N/)]);
  });

  const mercator = casePath('places/mercator-puerto-rico.grib');
  it.skipIf(mercator === undefined)('Mercator without a turn, whatever its orientation', async () => {
    const file = await open(mercator ?? '');
    const { latitude, longitude } = await placesOf(file);
    expect([latitude[0], east(longitude[0])]).toEqual([expect.closeTo(16.9775, 9), expect.closeTo(291.9722, 9)]);
    const last = latitude.length - 1;
    expect([latitude[last], east(longitude[last])]).toEqual([
      expect.closeTo(19.522083518564898, 9),
      expect.closeTo(296.01555888743525, 9),
    ]);
    expect(file.notices).toEqual([]);
  });

  const reduced = casePath('places/reduced-gaussian-to-359.9.grib');
  it.skipIf(reduced === undefined)('reduced Gaussian around the earth, to 359.9 degrees', async () => {
    const file = await open(reduced ?? '');
    const { latitude, longitude } = await placesOf(file);
    expect(latitude).toHaveLength(35_718);
    expect([latitude[0], longitude[0], longitude[1]]).toEqual([expect.closeTo(89.14151942646112, 9), 0, 20]);
    expect([latitude[35_717], longitude[35_717]]).toEqual([expect.closeTo(-89.14151942646112, 9), 340]);
    expect(file.notices).toEqual([]);
  });
});
