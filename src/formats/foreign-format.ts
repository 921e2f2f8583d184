/** The first bytes of well-known formats that are not read here, one character a byte. */
const SIGNATURES: [name: string, signature: string][] = [
  ['gzip', '\x1f\x8b'],
  ['zip', 'PK\x03\x04'],
  ['Zstandard', '\x28\xb5\x2f\xfd'],
  ['LZ4', '\x04\x22\x4d\x18'],
  ['bzip2', 'BZh'],
  ['NetCDF4 or HDF5', '\x89HDF\r\n\x1a\n'],
  ['NetCDF3', 'CDF\x01'],
  ['NetCDF3', 'CDF\x02'],
  ['NetCDF3', 'CDF\x05'],
  ['GRIB', 'GRIB'],
  ['BUFR', 'BUFR'],
  ['NumPy', '\x93NUMPY'],
  ['Feather version 1', 'FEA1'],
  ['encrypted Parquet', 'PARE'],
  ['PNG', '\x89PNG'],
  ['PDF', '%PDF'],
];

/** The name of the well-known format that `bytes` begin like and that is not read here; `undefined` for all others. */
export function foreignFormat(bytes: Uint8Array): string | undefined {
  for (const [name, signature] of SIGNATURES) {
    if (beginsWith(bytes, signature)) return name;
  }
  if (looksUtf16(bytes)) return 'UTF-16 text';
  return textFormat(bytes);
}

/** Whether `bytes` begin with the characters of `signature`, one byte each. */
export function beginsWith(bytes: Uint8Array, signature: string): boolean {
  for (let i = 0; i < signature.length; i++) {
    if (bytes[i] !== signature.charCodeAt(i)) return false;
  }
  return true;
}

function looksUtf16(bytes: Uint8Array): boolean {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return true;
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return true;
  if (bytes.length < 4) return false;
  const [a, b, c, d] = bytes;
  return (isText(a) && b === 0 && isText(c) && d === 0) || (a === 0 && isText(b) && c === 0 && isText(d));
}

function isText(byte: number): boolean {
  return byte >= 0x20 && byte < 0x7f;
}

function textFormat(bytes: Uint8Array): string | undefined {
  if (beginsLikeJson(bytes)) return 'JSON';
  return firstCharacter(bytes) === '<' ? 'XML or HTML' : undefined;
}

/** Whether `bytes` are text that begins as an object or a list of JSON does. */
export function beginsLikeJson(bytes: Uint8Array): boolean {
  return ['{', '['].includes(firstCharacter(bytes));
}

/** The first character of text that is no blank. */
function firstCharacter(bytes: Uint8Array): string {
  let at = beginsWith(bytes, '\xef\xbb\xbf') ? 3 : 0;
  while (bytes[at] === 0x20 || (bytes[at] >= 0x09 && bytes[at] <= 0x0d)) at++;
  return String.fromCharCode(bytes[at] ?? 0);
}
