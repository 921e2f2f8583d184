import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathWord, shellWord } from '../../check/shell-word.js';
import type { Core } from '../../core/load.js';
import { READABLE_FORMATS } from '../../files/formats.js';
import { openTable } from '../../files/open-source.js';
import { withTable } from '../../files/open-source.node.js';
import { openInput } from '../input.js';
import { type InputFile, openInputFile } from '../input-file.js';
import { sourceOfFiles } from '../input-of-files.js';
import { columnsOfTable } from '../input-request.js';
import { inspectGrid } from './inspect-grid.js';
import { inspectTable } from './inspect-table.js';
import type { InspectedVariable, Inspection, InspectRequest } from './inspection.js';

/**
 * Inspects an input of any supported format: its structure and, if requested, its values, in bounded memory. The result
 * says what could not be understood. Throws FileError, FormatError and PackageError if the input cannot be read at all.
 */
export async function inspectInput(
  core: Core,
  given: string | InputFile,
  request: InspectRequest,
): Promise<Inspection> {
  const file = typeof given === 'string' ? await openInputFile(given) : given;
  const decisions: string[] = [];
  const input = await openInput(file, request.options, ({ text }) => decisions.push(text));
  try {
    const sizes = file.remote === undefined ? (file.files ?? [file.path]).map(readSize) : [file.remote.size];
    const bytes = sizes.reduce((sum, each) => (sum === undefined || each === undefined ? undefined : sum + each), 0);
    const size = bytes === undefined ? {} : { bytes };
    if (input.kind === 'arrays') {
      const found = await inspectGrid(core, input.arrays, request);
      return { ...found, variables: found.variables.map(withFiles(file)), source: input.source, ...size };
    }
    const found = await inspectTable(core, input, tableRequest(request), decisions);
    return {
      format: input.format ?? (await readFormat(file)),
      ...found,
      variables: found.variables.map(withFiles(file)),
      ...size,
    };
  } finally {
    await input.close();
  }
}

/** Names the files of an input of several in the commands of its variables, by what their names have in common. */
function withFiles({ files = [], source }: InputFile): (variable: InspectedVariable) => InspectedVariable {
  return (variable) => {
    // The name of an archive, or a glob, is a word of the command already.
    const isNamed = source !== sourceOfFiles(files);
    if (files.length < 2 || isNamed || variable.command === undefined) return variable;
    const command = variable.command.replace(shellWord(pathWord(source)), () => shellWord(pathWord(commonGlob(files))));
    return { ...variable, command };
  };
}

/** A glob of files: what all begin and end with. */
function commonGlob(files: readonly string[]): string {
  const shortest = Math.min(...files.map(({ length }) => length));
  const [first] = files;
  let begin = 0;
  while (begin < shortest && files.every((path) => path[begin] === first[begin])) begin++;
  let end = 0;
  while (begin + end < shortest && files.every((path) => path.at(-1 - end) === first.at(-1 - end))) end++;
  return `${first.slice(0, begin)}*${end === 0 ? '' : first.slice(-end)}`;
}

/** The common name of a table's format. */
async function readFormat({ path, source, remote }: InputFile): Promise<string> {
  if (remote !== undefined) return (await openTable(remote.access())).format;
  const formats = withTable(path, { source, readable: READABLE_FORMATS }, async function* ({ format }) {
    yield format;
  });
  for await (const format of formats) return format;
  throw new RangeError('a table without a format');
}

function tableRequest(request: InspectRequest): InspectRequest {
  const { coordinates: _, ...options } = request.options;
  return { ...request, options, columns: columnsOfTable(request.columns, request.options) };
}

/**
 * The bytes of a file, or of all files in a folder; undefined for anything else. Calls that wait for each file would take
 * longer for the chunks of an archive than reading its sample.
 */
function readSize(path: string): number | undefined {
  try {
    const found = statSync(path);
    if (!found.isDirectory()) return found.size;
    return readdirSync(path).reduce((sum, name) => sum + (readSize(join(path, name)) ?? 0), 0);
  } catch {
    return undefined;
  }
}
