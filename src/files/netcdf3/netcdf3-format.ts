import { randomAccess } from '../file-access.js';
import { beginsWith } from '../foreign-format.js';
import type { ArrayFileFormat } from '../format.js';

/** Classic, with 64-bit offsets, with 64-bit data. */
const SIGNATURES = ['CDF\x01', 'CDF\x02', 'CDF\x05'];

/** NetCDF3: classic, with 64-bit offsets or with 64-bit data. */
export const netcdf3 = {
  kind: 'arrays',
  name: 'netcdf3',
  words: 'NetCDF3',
  short: 'NetCDF',
  endings: ['nc', 'nc3', 'cdf', 'netcdf'],
  matches: (head) => SIGNATURES.some((signature) => beginsWith(head, signature)),
  open: async (file) => (await import('./open-netcdf3.js')).openNetcdf3Access(await randomAccess(file)),
} as const satisfies ArrayFileFormat;
