import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openArrays } from '../../dist/files-node.js';

async function besideEcCodes({ folder, python }) {
  const inside = join(folder, 'grib');
  await mkdir(inside);
  const rows = [];
  for (const name of python('scripts/verify/peers/write_grib.py', [inside]).trim().split('\n')) {
    const bytes = await readFile(join(inside, `${name}.f64`));
    const theirs = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);
    const [packing, bits] = name.split('-');
    const what = packing === 'grid_ieee' ? `\`${packing}\`` : `\`${packing}\`, ${bits} bits`;
    rows.push({
      tool: 'eccodes',
      what,
      ours: await valuesOf(join(inside, `${name}.grib2`)),
      theirs: [...theirs],
      bound: 0,
    });
  }
  return rows;
}

async function valuesOf(path) {
  const file = await openArrays(path);
  try {
    const array = [...file.arrays.values()].find(({ shape }) => shape.length > 1);
    const values = new Float64Array(array.shape.reduce((size, length) => size * length, 1));
    await array.read({ start: array.shape.map(() => 0), count: array.shape }, values);
    return [...values];
  } finally {
    await file.close();
  }
}

export const grib = {
  title: 'Values of GRIB',
  about:
    'A field of 2,400 points by each packing that ecCodes writes; what plumecast reads, beside what ecCodes reads, bit for bit.',
  comparisons: [{ needs: ['eccodes', 'numpy'], compare: besideEcCodes }],
};
