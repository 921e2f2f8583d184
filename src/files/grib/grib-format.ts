import { randomAccess } from '../file-access.js';
import { beginsWith, isZip } from '../foreign-format.js';
import type { ArrayFileFormat } from '../format.js';

/** The headings of bulletins, which may stand before a message, are shorter. */
const MAX_HEADING = 256;

/** GRIB of edition 1 or 2; on the disk also folders of files that belong together. */
export const grib = {
  kind: 'arrays',
  name: 'grib',
  words: 'GRIB',
  endings: ['grib', 'grib1', 'grib2', 'grb', 'grb1', 'grb2'],
  matches: beginsLikeMessage,
  open: async (file, { selection }) => {
    const [{ openGribFiles }, { singleFile }] = await Promise.all([
      import('./open-grib.js'),
      import('./cube/grib-files.js'),
    ]);
    return openGribFiles(singleFile(await randomAccess(file)), selection);
  },
} as const satisfies ArrayFileFormat;

/** Whether a message of edition 1 or 2 begins here, or after the heading of a bulletin. */
function beginsLikeMessage(bytes: Uint8Array): boolean {
  if (isZip(bytes)) return false;
  for (let at = 0; at <= MAX_HEADING && at + 8 <= bytes.length; at++) {
    if (beginsWith(bytes.subarray(at, at + 4), 'GRIB') && [1, 2].includes(bytes[at + 7])) return true;
  }
  return false;
}
