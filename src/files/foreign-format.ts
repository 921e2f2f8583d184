import { pathWord, shellWord } from '../check/shell-word.js';

/** A well-known format that is not read here. */
export interface ForeignFormat {
  readonly name: string;
  /** What to use instead, if that is clear. */
  readonly remedy?: string;
  /** Whether other files are packed in it. */
  readonly isPacked?: true;
}

const EXPORT = 'the table in it, written as CSV, Parquet or Arrow';
/** What to use instead of encrypted files. */
export const DECRYPT = 'the table without encryption, written by someone who has its keys';
const SAVE = 'its sheet, saved as .xlsx, or as CSV (UTF-8)';

const DRAWN = 'the data that it was made of';

/** The bytes that identify formats, one character a byte, and their offset. */
const SIGNATURES: readonly (ForeignFormat & { readonly bytes: string; readonly at?: number })[] = [
  { name: 'gzip', bytes: '\x1f\x8b', isPacked: true },
  { name: 'Zstandard', bytes: '\x28\xb5\x2f\xfd', isPacked: true },
  { name: 'LZ4', bytes: '\x04\x22\x4d\x18', isPacked: true },
  { name: 'bzip2', bytes: 'BZh', isPacked: true },
  { name: 'xz', bytes: '\xfd7zXZ\x00', isPacked: true },
  { name: 'a 7z archive', bytes: '7z\xbc\xaf\x27\x1c', isPacked: true },
  { name: 'a RAR archive', bytes: 'Rar!\x1a\x07', isPacked: true },
  { name: 'a tar archive', bytes: 'ustar', at: 257, isPacked: true },
  {
    name: 'an Excel workbook of before 2007 (.xls), or one with a password',
    bytes: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
    remedy: `${SAVE}, without a password`,
  },
  { name: 'an SQLite database', bytes: 'SQLite format 3\x00', remedy: EXPORT },
  { name: 'a DuckDB database', bytes: 'DUCK', at: 8, remedy: EXPORT },
  { name: 'R data (.rds or .RData)', bytes: 'RDX', remedy: EXPORT },
  { name: 'R data (.rds or .RData)', bytes: 'X\n\x00\x00\x00', remedy: EXPORT },
  { name: 'MATLAB data (.mat)', bytes: 'MATLAB 5.0 MAT-file', remedy: EXPORT },
  { name: "Python's pickle", bytes: '\x80\x02', remedy: EXPORT },
  { name: "Python's pickle", bytes: '\x80\x03', remedy: EXPORT },
  { name: "Python's pickle", bytes: '\x80\x04', remedy: EXPORT },
  { name: "Python's pickle", bytes: '\x80\x05', remedy: EXPORT },
  { name: 'NetCDF4 or HDF5', bytes: '\x89HDF\r\n\x1a\n' },
  { name: 'NetCDF3', bytes: 'CDF\x01' },
  { name: 'NetCDF3', bytes: 'CDF\x02' },
  { name: 'NetCDF3', bytes: 'CDF\x05' },
  { name: 'GRIB of an unknown edition', bytes: 'GRIB', remedy: 'messages of edition 1 or 2' },
  { name: 'BUFR', bytes: 'BUFR' },
  { name: 'NumPy', bytes: '\x93NUMPY', remedy: EXPORT },
  { name: 'Feather version 1', bytes: 'FEA1' },
  { name: 'ORC', bytes: 'ORC', remedy: EXPORT },
  { name: 'Avro', bytes: 'Obj\x01', remedy: EXPORT },
  { name: 'encrypted Parquet', bytes: 'PARE', remedy: DECRYPT },
  { name: 'an image (PNG)', bytes: '\x89PNG', remedy: DRAWN },
  { name: 'an image (JPEG)', bytes: '\xff\xd8\xff', remedy: DRAWN },
  { name: 'an image (TIFF)', bytes: 'II*\x00', remedy: DRAWN },
  { name: 'an image (TIFF)', bytes: 'MM\x00*', remedy: DRAWN },
  { name: 'an image (GIF)', bytes: 'GIF8', remedy: DRAWN },
  { name: 'an image, sound or video (WebP, WAV, AVI)', bytes: 'RIFF', remedy: DRAWN },
  { name: 'a video or an image (MP4, HEIC, AVIF)', bytes: 'ftyp', at: 4, remedy: DRAWN },
  { name: 'a script', bytes: '#!/', remedy: 'the data that it writes' },
  { name: 'a program', bytes: '\x7fELF', remedy: 'the data that it writes' },
  { name: 'a program (WebAssembly)', bytes: '\x00asm', remedy: 'the data that it writes' },
  { name: 'a program (.exe)', bytes: 'MZ\x90\x00', remedy: 'the data that it writes' },
  { name: 'a shapefile', bytes: '\x00\x00\x27\x0a\x00\x00\x00\x00' },
  { name: 'PDF', bytes: '%PDF', remedy: 'the tables that it was made of' },
];

/** Formats that are zip archives, by the name of an entry or the content of the first one. */
const IN_ZIP: readonly (ForeignFormat & { readonly entry: string })[] = [
  { name: 'a zipped Zarr store', entry: '.zgroup', isPacked: true },
  { name: 'a zipped Zarr store', entry: '.zattrs', isPacked: true },
  { name: 'a zipped Zarr store', entry: '.zmetadata', isPacked: true },
  { name: 'a zipped Zarr store', entry: 'zarr.json', isPacked: true },
  { name: 'a Word document (.docx)', entry: 'word/', remedy: 'a table' },
  { name: 'a PowerPoint document (.pptx)', entry: 'ppt/', remedy: 'a table' },
  { name: 'a spreadsheet (.ods)', entry: 'mimetypeapplication/vnd.oasis.opendocument.spreadsheet', remedy: SAVE },
  { name: 'an Excel workbook of the binary kind (.xlsb)', entry: 'xl/workbook.bin', remedy: SAVE },
];

/** The well-known format, not read here, that `bytes` begin like; `undefined` if there is none. */
export function foreignFormat(bytes: Uint8Array): ForeignFormat | undefined {
  const found = SIGNATURES.find(({ bytes: signature, at = 0 }) => beginsWith(bytes.subarray(at), signature));
  if (found !== undefined) return found;
  if (isZip(bytes) || beginsWith(bytes, 'PK\x05\x06')) return inZip(bytes);
  const name = textFormat(bytes);
  if (name === undefined) return undefined;
  const isMarkup = name === 'XML or HTML';
  return { name, ...(isMarkup && { remedy: 'the data; a page of the web may have been saved in their place' }) };
}

/** Whether `bytes` begin with the characters of `signature`, one byte each. */
export function beginsWith(bytes: Uint8Array, signature: string): boolean {
  for (let i = 0; i < signature.length; i++) {
    if (bytes[i] !== signature.charCodeAt(i)) return false;
  }
  return true;
}

/** Returns a test for bytes that have one of `signatures` at one of `places`: a format's `matches`. */
export function signatureTest(
  signatures: readonly string[],
  places: readonly number[] = [0],
): (bytes: Uint8Array) => boolean {
  return (bytes) => places.some((at) => signatures.some((signature) => beginsWith(bytes.subarray(at), signature)));
}

/** Whether `bytes` begin like gzip. */
export function isGzip(bytes: Uint8Array): boolean {
  return beginsWith(bytes, '\x1f\x8b');
}

/** Whether `bytes` begin with an entry of a zip archive. */
export function isZip(bytes: Uint8Array): boolean {
  return beginsWith(bytes, 'PK\x03\x04');
}

function inZip(bytes: Uint8Array): ForeignFormat {
  if (isWorkbook(bytes)) return { name: 'an Excel workbook (.xlsx)', remedy: SAVE };
  return IN_ZIP.find(({ entry }) => hasEntry(bytes, entry)) ?? { name: 'a zip archive', isPacked: true };
}

/** Whether a zip archive begins like an Excel workbook (.xlsx); its own entries may lie beyond these bytes. */
export function isWorkbook(bytes: Uint8Array): boolean {
  return (
    isZip(bytes) && !IN_ZIP.some(({ entry }) => hasEntry(bytes, entry)) && hasEntry(bytes, '[Content_Types].xml', 'xl/')
  );
}

/** Whether the beginning of an archive has an entry whose name begins so: 30 bytes after the start of its header. */
function hasEntry(bytes: Uint8Array, ...names: readonly string[]): boolean {
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, 65_536));
  for (let at = text.indexOf('PK\x03\x04'); at >= 0; at = text.indexOf('PK\x03\x04', at + 4)) {
    if (names.some((name) => text.startsWith(name, at + 30))) return true;
  }
  return false;
}

function textFormat(bytes: Uint8Array): string | undefined {
  if (beginsLikeJson(bytes)) return 'JSON';
  return firstCharacter(bytes) === '<' ? 'XML or HTML' : undefined;
}

/** Whether `bytes` are text that begins as an object or a list of JSON does. */
export function beginsLikeJson(bytes: Uint8Array): boolean {
  return ['{', '['].includes(firstCharacter(bytes));
}

/** The first character of text that is not blank. */
function firstCharacter(bytes: Uint8Array): string {
  let at = beginsWith(bytes, '\xef\xbb\xbf') ? 3 : 0;
  while (bytes[at] === 0x20 || (bytes[at] >= 0x09 && bytes[at] <= 0x0d)) at++;
  return String.fromCharCode(bytes[at] ?? 0);
}

/** Programs that unpack a file, and the ends of the names that they need. */
const PROGRAMS: readonly (readonly [ends: RegExp, command: string])[] = [
  [/\.(tar|tgz|tbz2?|txz|tar\.\w+)$/i, 'tar -xf'],
  [/\.gz$/, 'gunzip -k'],
  [/\.bz2$/, 'bunzip2 -k'],
  [/\.xz$/, 'unxz -k'],
  [/\.zst$/, 'unzstd'],
  [/\.lz4$/, 'unlz4'],
  [/\.zip$/i, 'unzip'],
];

/**
 * What to use instead of a packed file that is not read, with the command that unpacks it where the name ends in a way
 * that one knows. Addresses have no command: it would need the file.
 */
export function unpackRemedy(source: string): string {
  const command = /^\w+:\/\//.test(source) ? undefined : PROGRAMS.find(([ends]) => ends.test(source))?.[1];
  const what = 'what is in it, unpacked';
  return command === undefined ? what : `${what} first: ${command} ${shellWord(pathWord(source))}`;
}
