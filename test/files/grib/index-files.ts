import type { RandomAccess } from '../../../src/files/array/random-access.js';
import { bytesAccess } from '../../../src/files/array/random-access.js';
import type { GribFiles } from '../../../src/files/grib/cube/grib-files.js';
import { gribFile, gribMessage, type TestField } from './write-grib.js';

/** A GRIB file in memory, and the text of its index file. */
export interface IndexedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly index?: string | undefined;
}

/** GRIB files that count what is read of them. */
export interface CountedFiles extends GribFiles {
  /** Bytes read of each file. */
  readonly counts: number[];
  /** How often index files were read. */
  indexes: number;
}

/** Files in memory, which count the bytes that are read. */
export function countedFiles(files: readonly IndexedFile[]): CountedFiles {
  const counts = files.map(() => 0);
  const access = (file: number): RandomAccess => {
    const own = bytesAccess(files[file].bytes, files[file].name);
    return {
      ...own,
      read: (at, into) => {
        counts[file] += into.length;
        return own.read(at, into);
      },
    };
  };
  return {
    ...{ source: 'run', count: files.length, counts, indexes: 0 },
    use: (file, work) => work(access(file)),
    async readInventory(file) {
      this.indexes++;
      const { name, index } = files[file];
      return index === undefined ? undefined : { source: `${name}.idx`, text: index };
    },
    async close() {},
  };
}

/** The names of parameters in wgrib2's inventories, by category and number. */
const NAMES: Readonly<Record<string, string>> = {
  '0-0': 'TMP',
  '0-4': 'TMAX',
  '0-6': 'DPT',
  '1-8': 'APCP',
  '2-2': 'UGRD',
  '2-3': 'VGRD',
  '3-0': 'PRES',
  '6-1': 'TCDC',
};
const PROCESSES = ['ave', 'acc', 'max', 'min'];

/** What wgrib2 says of a field, without its offset: `d=2026030200:APCP:surface:0-6 hour acc fcst:ENS=+1`. */
function ncepText(field: TestField): string {
  const { discipline = 0, category, number, reference = '2026-03-02T00:00Z', member } = field;
  const { step = 0, end, process, surface = 1, level = 0 } = field;
  const name = discipline === 2 ? 'LAND' : NAMES[`${category}-${number}`];
  const where = surface === 103 ? `${level} m above ground` : surface === 100 ? `${level / 100} mb` : 'surface';
  const instant = step === 0 ? 'anl' : `${step} hour fcst`;
  const when = process === undefined ? instant : `${step}-${end} hour ${PROCESSES[process]} fcst`;
  const date = reference.replace(/\D/g, '').slice(0, 10);
  return [`d=${date}`, name, where, when, ...(member === undefined ? [] : [`ENS=+${member}`])].join(':');
}

/** The inventory that wgrib2 writes for a file of messages of one field each. */
export function ncepIndex(fields: readonly TestField[]): string {
  return ncepIndexOfMessages(fields.map((field) => [field]));
}

/** The inventory that wgrib2 writes for a file of messages of several fields. */
export function ncepIndexOfMessages(messages: readonly (readonly TestField[])[]): string {
  let offset = 0;
  const lines = messages.flatMap((fields, i) => {
    const at = offset;
    offset += gribMessage(fields).length;
    const number = (part: number) => (fields.length === 1 ? `${i + 1}` : `${i + 1}.${part + 1}`);
    return fields.map((field, part) => `${number(part)}:${at}:${ncepText(field)}\n`);
  });
  return lines.join('');
}

/** ECMWF's names of parameters, by category and number. */
const SHORT_NAMES: Readonly<Record<string, string>> = { '0-0': '2t', '0-6': '2d', '1-8': 'tp', '3-0': 'sp' };

/** The lines of JSON that stand beside ECMWF's files. */
export function ecmwfLines(fields: readonly TestField[]): string[] {
  let offset = 0;
  return fields.map((field) => {
    const { category, number, member = 0, step = 0, end } = field;
    const length = gribFile([field]).length;
    const keys = {
      ...{ domain: 'g', date: '20260302', time: '0000', expver: '0001', class: 'od', type: 'pf', stream: 'enfo' },
      ...{
        step: String(end ?? step),
        levtype: 'sfc',
        number: String(member),
        param: SHORT_NAMES[`${category}-${number}`],
      },
      ...{ _offset: offset, _length: length },
    };
    offset += length;
    return JSON.stringify(keys);
  });
}
