import { openArrays } from 'plumecast/files';
import { gribSeeds } from '../fuzz/grib-seeds.js';
import type { Check } from './core-suite.js';
import { GRIB_DIGESTS } from './grib-digests.js';

const seeds = gribSeeds();

export const gribChecks: readonly Check[] = Object.entries(GRIB_DIGESTS).map(([name, expected]) => ({
  name: `a message of GRIB has the values of ecCodes, to the bit: ${name}`,
  async run({ compiles }) {
    const file = await openArrays(seeds.get(name) as Uint8Array, { source: name });
    const field = [...file.arrays.values()].find(({ attributes }) => attributes.has('GRIB_shortName'));
    if (field === undefined) throw new Error(`no field among ${[...file.arrays.keys()]}`);
    const box = { start: field.shape.map(() => 0), count: field.shape };
    const values = new Float64Array(field.shape.reduce((product, length) => product * length, 1));
    if (name === 'jpeg-2000' && !compiles) {
      const message = await field.read(box, values).then(String, String);
      if (!message.includes('@cornerstonejs/codec-openjpeg')) throw new Error(`another error: ${message}`);
      return;
    }
    await field.read(box, values);
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', values));
    const found = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
    if (found !== expected) throw new Error(`other values: ${values.slice(0, 5)}, ...`);
  },
}));
