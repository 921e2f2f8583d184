import { randomAccess } from '../file-access.js';
import { signatureTest } from '../foreign-format.js';
import type { ArrayFileFormat } from '../format.js';

/** NetCDF3: classic, with 64-bit offsets or with 64-bit data. */
export const netcdf3 = {
  kind: 'arrays',
  name: 'netcdf3',
  words: 'NetCDF3',
  short: 'NetCDF',
  endings: ['nc', 'nc3', 'cdf', 'netcdf'],
  // In the order of the forms above.
  matches: /* @__PURE__ */ signatureTest(['CDF\x01', 'CDF\x02', 'CDF\x05']),
  open: async (file) => (await import('./open-netcdf3.js')).openNetcdf3Access(await randomAccess(file)),
} as const satisfies ArrayFileFormat;
