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
  ['JPEG', '\xff\xd8\xff'],
  ['TIFF', 'II*\x00'],
  ['TIFF', 'MM\x00*'],
  ['a shapefile', '\x00\x00\x27\x0a\x00\x00\x00\x00'],
  ['SQLite', 'SQLite format 3\x00'],
  ['an Excel workbook (.xls) or another Office file', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
  ['MATLAB', 'MATLAB 5.0'],
  ['7-Zip', '7z\xbc\xaf\x27\x1c'],
  ['xz', '\xfd7zXZ\x00'],
  ['RAR', 'Rar!\x1a'],
  ['PDF', '%PDF'],
];

/** What to do about a format that is not read. */
const REMEDIES: Readonly<Record<string, string>> = {
  GRIB: 'cdo -f nc4 copy makes NetCDF of it',
  'XML or HTML': 'a page of the web may have been saved in place of the data',
  'an Excel workbook (.xls) or another Office file': 'a sheet can be saved as CSV',
  NumPy: 'write a table, such as CSV or Parquet, or NetCDF',
  MATLAB: 'version 7.3 files are HDF5, others are not read',
  PDF: 'the tables that it was made of are needed',
};

/** What to do about a format that `foreignFormat` names, behind a colon; nothing where there is no advice. */
export function remedyOf(format: string): string {
  const remedy = REMEDIES[format];
  return remedy === undefined ? '' : `: ${remedy}`;
}

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
