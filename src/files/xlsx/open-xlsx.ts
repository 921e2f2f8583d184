import type { Table } from 'apache-arrow';
import { zipSync } from 'fflate';
import { FormatError, OptionError } from '../../errors.js';
import { withMetadata } from '../../table/arrow/with-metadata.js';
import { variableByName } from '../../variable/find-variable.js';
import { readEntries } from '../codecs/zip-directory.js';
import { openCsv } from '../csv/csv-read.js';
import { type FileAccess, fileOfBytes } from '../file-access.js';
import type { OpenedTable, TableOptions } from '../format.js';
import { loadPackage } from '../load-package.js';
import { sheetFault } from './sheet-checks.js';
import { type Cell, sheetText } from './sheet-text.js';
import { archiveOf, unzip } from './unzip.js';
import { ABOUT } from './workbook-parts.js';

/** The most bytes of XML that are read: beyond it the engine has no texts. */
const MAX_BYTES = 400_000_000;

/**
 * Opens the table in a sheet of a workbook: the one named by `sheet`, or by the wanted variable, or the first one in sight that has a table. Of several
 * sheets, one that is named by a variable is of it. What its cells are is decided as in CSV (see `readCsv`). Throws FormatError where the workbook is damaged, too large, or has no table in the sheet, and
 * OptionError for a sheet that it does not have.
 */
export async function openXlsx(file: FileAccess, options: TableOptions): Promise<OpenedTable> {
  const { source, work } = file;
  const fault = (problem: string, allowed: string, cause?: unknown) =>
    new FormatError({ subject: source, problem, allowed, cause });
  const workbook = await unpackWorkbook(await file.bytes(), source);
  const { names, inSight } = chooseSheets(workbook, options, source);
  const { default: read } = await loadPackage('read-excel-file', source, () => import('read-excel-file/universal'));
  // What is stored is unpacked at once; what is packed by threads, which not every page may start.
  const stored = zipSync(workbook, { level: 0 }).buffer as ArrayBuffer;
  const textOf = async (name: string) => {
    const [{ data }] = await read(stored, { sheets: [name] } as object).catch((cause: Error) => {
      throw fault(`is an Excel workbook that cannot be read: ${cause.message}`, 'one that Excel opens', cause);
    });
    return sheetText(data as unknown as Cell[][]);
  };
  let [name] = names;
  const first = await textOf(name);
  let found = first;
  // A sheet with remarks is often the first one.
  for (const next of names.slice(1)) {
    if (!('problem' in found)) break;
    found = await textOf((name = next));
  }
  if ('problem' in found) {
    const { problem, allowed } = 'problem' in first ? first : found;
    throw fault(`is a workbook whose sheet ${names[0]} ${problem}`, allowed);
  }
  if (inSight.length > 1 && options.sheet === undefined)
    options.report?.(`the sheet ${name} is read, of ${inSight.join(', ')}`);
  if (found.header > 1) options.report?.(`the names of columns are in row ${found.header} of the sheet ${name}`);
  const opened = openCsv(fileOfBytes(new TextEncoder().encode(found.text), `${source}, sheet ${name}`, work), options);
  const variable = inSight.length > 1 ? variableByName(name)?.slug : undefined;
  return variable === undefined ? opened : ofVariable(opened, variable);
}

/** A table that is of the variable that its sheet is named by, unless it says itself of which. */
function ofVariable({ read, tables }: OpenedTable, variable: string): OpenedTable {
  const named = (table: Table) => {
    const saysItself = table.schema.fields.some(
      ({ name }) => name === 'variable' || variableByName(name) !== undefined,
    );
    return saysItself ? table : withMetadata(table, new Map([['variable', variable]]));
  };
  return {
    read: async () => named(await read()),
    ...(tables !== undefined && {
      async *tables(core) {
        for await (const table of tables(core)) yield named(table);
      },
    }),
  };
}

/** The XML of a workbook by path. Throws FormatError where it is too large or refers to what it does not have. */
async function unpackWorkbook(bytes: Uint8Array, source: string): Promise<Record<string, Uint8Array>> {
  const archive = archiveOf(bytes);
  const entries = (await readEntries(archive, source)).filter(({ name }) => /\.(xml|rels)$/.test(name));
  const unpackedBytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  if (unpackedBytes > MAX_BYTES) {
    const problem = `is an Excel workbook of ${unpackedBytes} bytes of XML`;
    throw new FormatError({ subject: source, problem, allowed: `at most ${MAX_BYTES}; or the sheet saved as CSV` });
  }
  const workbook: Record<string, Uint8Array> = {};
  const decoder = new TextDecoder();
  for (const entry of entries) {
    const content = await unzip(archive, source, entry);
    workbook[entry.name] = content;
    if (!entry.name.startsWith('xl/worksheets/')) continue;
    const fault = sheetFault(decoder.decode(content));
    if (fault === undefined) continue;
    throw new FormatError({
      subject: source,
      problem: `is a workbook with a sheet that ${fault.problem}`,
      allowed: fault.allowed,
    });
  }
  return workbook;
}

/** The sheets of which the first with a table is read, and the names of all that are in sight. Throws OptionError for one that is not there. */
function chooseSheets(
  workbook: Record<string, Uint8Array>,
  { sheet, variable }: TableOptions,
  source: string,
): { names: readonly string[]; inSight: readonly string[] } {
  const xml = new TextDecoder().decode(workbook['xl/workbook.xml'] ?? new Uint8Array());
  const tags = [...xml.matchAll(/<(?:\w+:)?sheet\b[^>]*>/g)].map(([tag]) => tag);
  const sheets = tags.map((tag) => ({
    name: plainText(/\sname\s*=\s*"([^"]*)"/.exec(tag)?.[1] ?? ''),
    isHidden: /\sstate\s*=\s*"(very)?[hH]idden"/.test(tag),
  }));
  if (sheets.length === 0) {
    throw new FormatError({
      subject: source,
      problem: 'is an Excel workbook without sheets',
      allowed: 'a sheet with a table',
    });
  }
  const inSight = sheets.filter(({ name, isHidden }) => !isHidden && name !== ABOUT).map(({ name }) => name);
  const all = sheets.map(({ name }) => name);
  if (sheet === undefined) {
    const wanted = variable === undefined ? undefined : inSight.find((each) => slugOf(each) === slugOf(variable));
    return { names: wanted !== undefined ? [wanted] : inSight.length > 0 ? inSight : all.slice(0, 1), inSight };
  }
  if (all.includes(sheet)) return { names: [sheet], inSight };
  throw new OptionError({
    subject: `${source}, sheet`,
    problem: 'not in the workbook',
    received: sheet,
    allowed: all.join(', '),
  });
}

/** The slug that a name stands for, or the name. */
function slugOf(name: string): string {
  return variableByName(name)?.slug ?? name;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A text as XML writes it. */
function plainText(xml: string): string {
  return xml.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (all, hex, digits, name) => {
    if (name !== undefined) return ENTITIES[name] ?? all;
    return String.fromCodePoint(hex === undefined ? Number(digits) : Number.parseInt(hex, 16));
  });
}
