import { FormatError } from '../../errors.js';
import { beginsWith, foreignFormat } from '../foreign-format.js';
import { ARRAY_FORMATS } from '../format-names.js';
import { unpackRemedy } from '../unpack-remedy.js';

/** The formats of files of arrays that are read; `netcdf4` for all HDF5 files. */
export type ArrayFormat = 'netcdf3' | 'netcdf4' | 'grib';

const HDF5 = '\x89HDF\r\n\x1a\n';
/** An HDF5 file may have foreign bytes before its signature, which stands at one of these offsets. */
const HDF5_PLACES = [0, 512, 1024, 2048, 4096, 8192, 16_384, 32_768];

/** The format of a file of arrays by its first bytes; undefined if it is another file. */
export function arrayFormat(bytes: Uint8Array): ArrayFormat | undefined {
  if (['CDF\x01', 'CDF\x02', 'CDF\x05'].some((magic) => beginsWith(bytes, magic))) return 'netcdf3';
  if (beginsLikeGrib(bytes)) return 'grib';
  if (HDF5_PLACES.some((at) => beginsWith(bytes.subarray(at), HDF5))) return 'netcdf4';
  return undefined;
}

/** The headings of bulletins, which may stand before a message, are shorter. */
const MAX_HEADING = 256;

/** Whether a message of edition 1 or 2 begins here, or after the heading of a bulletin. */
function beginsLikeGrib(bytes: Uint8Array): boolean {
  for (let at = 0; at <= MAX_HEADING && at + 8 <= bytes.length; at++) {
    if (beginsWith(bytes.subarray(at, at + 4), 'GRIB') && [1, 2].includes(bytes[at + 7])) return true;
  }
  return false;
}

/**
 * The format of a file of arrays by its first `bytes`. Throws a FormatError that begins with `source` if the format is
 * not read; the message names well-known formats.
 */
export function detectArrayFormat(bytes: Uint8Array, source = 'input'): ArrayFormat {
  const format = arrayFormat(bytes);
  if (format !== undefined) return format;
  const foreign = foreignFormat(bytes);
  if (foreign?.isPacked) {
    const problem = `is ${foreign.name}, from which no arrays are read`;
    throw new FormatError({ subject: source, problem, allowed: unpackRemedy(source) });
  }
  const name = tableFormat(bytes) ?? foreign?.name;
  const problem = bytes.length === 0 ? 'is empty' : name === undefined ? 'is of no known format' : `is ${name}`;
  throw new FormatError({ subject: source, problem, allowed: ARRAY_FORMATS });
}

function tableFormat(bytes: Uint8Array): string | undefined {
  if (beginsWith(bytes, 'PAR1')) return 'Parquet';
  return beginsWith(bytes, 'ARROW1') ? 'an Arrow file' : undefined;
}
