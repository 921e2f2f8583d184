import { bytesAccess } from '../array/random-access.js';
import { signatureTest } from '../foreign-format.js';
import type { ArrayFileFormat } from '../format.js';

/** An HDF5 file may have foreign bytes before its signature, which is at one of these offsets. */
const PLACES = [0, 512, 1024, 2048, 4096, 8192, 16_384, 32_768];

/** NetCDF4 and all other HDF5. */
export const netcdf4 = {
  kind: 'arrays',
  name: 'netcdf4',
  words: 'NetCDF4 or HDF5',
  listed: 'NetCDF4 or other HDF5',
  short: 'NetCDF',
  endings: ['nc4', 'h5', 'hdf5'],
  matches: /* @__PURE__ */ signatureTest(['\x89HDF\r\n\x1a\n'], PLACES),
  open: async ({ source, bytes, work }) =>
    (await import('./open-hdf5.js')).openHdf5(bytesAccess(await bytes(), source, work), () => import('h5wasm')),
} as const satisfies ArrayFileFormat;
