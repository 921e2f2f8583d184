import { Command } from 'commander';
import pc from 'picocolors';
import { type Core, loadCore } from '../core/load.js';
import { isPlumecastError } from '../errors.js';
import { FILES } from '../files/formats.js';
import { isArchiveAddress } from '../input/archive-address.js';
import { type InputFile, sourceName } from '../input/input-file.js';
import { VALUE_OPTIONS } from '../input/input-request.js';
import type { ArchiveInspection } from '../input/inspect/inspect-archive.js';
import { inspectInput } from '../input/inspect/inspect-input.js';
import type { Inspection, InspectRequest } from '../input/inspect/inspection.js';
import { joinFiles } from '../input/join-files.js';
import type { ColumnRoles } from '../table/columns/column-role.js';
import { addArchiveOptions, assertArchiveOptions } from './archive-options.js';
import { asInvoked } from './command-words.js';
import { codeOfParts } from './exit-codes.js';
import { inputPaths } from './input-paths.js';
import { addOptions } from './library-options.js';
import { columnRoleList } from './option-values.js';
import { Reporter } from './reporter.js';
import { joinOption, quietOption } from './shared-options.js';
import { archiveText } from './show-archive.js';
import { showInspection } from './show-inspection.js';
import { takeValues } from './take-values.js';
import { colours } from './terminal.js';
import { VALUES } from './value-rows.js';

/** Values of flags, besides those of values. */
interface InspectFlags {
  json?: boolean;
  values: boolean;
  columns?: ColumnRoles;
  join?: string;
}

/** The width of text that is not for a terminal, in characters. */
const WIDTH = 80;

/** `plumecast inspect`: what files hold, and what can be done with them. */
export function inspectCommand(): Command {
  const command = new Command('inspect')
    .description(
      'Show what files hold: variables, members, days, places, gaps, values out of bounds, and what to do with them.',
    )
    .argument('<files...>', `${FILES}, recognized by content; - is standard input`)
    .option('--json', 'print JSON: an array with an object for each file')
    .option('--no-values', 'show only the structure; do not read values')
    .option('--columns <roles>', 'columns of tables by role: date=day,member=run,value=mm', columnRoleList)
    .addOption(joinOption())
    .addOption(quietOption())
    .addHelpText(
      'after',
      `
Content that is not understood is shown with the reason, and is not a failure; a file that cannot be read is one.

Examples:
  $ plumecast inspect gefs.nc
  $ plumecast inspect archive.zarr --no-values
  $ plumecast inspect runs/*.parquet --json`,
    )
    .action(inspect);
  return addArchiveOptions(addOptions(command, VALUE_OPTIONS, VALUES));
}

async function inspect(given: string[], flags: InspectFlags, command: Command): Promise<void> {
  const { json, values, columns } = flags;
  const options = await takeValues(VALUES, flags);
  const reporter = new Reporter(command);
  const paths = await inputPaths(given, command);
  assertArchiveOptions(paths, command);
  // A file that cannot be read is shown as one.
  const inputs = await joinFiles(paths, flags.join, reporter.notice).catch((error: unknown) => {
    if (flags.join === undefined && isPlumecastError(error)) return paths;
    throw error;
  });
  const core = await loadCore();
  const progress = reporter.progress();
  const found: (Inspection | ArchiveInspection)[] = [];
  let failed = 0;
  for (const [index, input] of inputs.entries()) {
    const source = typeof input === 'string' ? sourceName(input) : input.source;
    progress.report(`${index + 1} of ${inputs.length}: ${source}`);
    const inspection = await inspectFile(core, input, { values, columns, options }, reporter);
    progress.end();
    if (inspection === undefined) {
      failed++;
      continue;
    }
    found.push(inspection);
    if (!json) process.stdout.write(`${found.length > 1 ? '\n' : ''}${text(inspection)}`);
  }
  if (json) process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
  process.exitCode = codeOfParts({ done: found.length, failed });
}

/** Inspects a file; reports an error and returns undefined if it cannot be read. */
async function inspectFile(
  core: Core,
  input: string | InputFile,
  request: InspectRequest,
  reporter: Reporter,
): Promise<Inspection | ArchiveInspection | undefined> {
  try {
    const archive = typeof input === 'string' && isArchiveAddress(input) ? await ofArchive(input) : undefined;
    if (archive !== undefined) return archive;
    return translateInspection(await inspectInput(core, input, request), reporter);
  } catch (error) {
    if (!isPlumecastError(error)) throw error;
    reporter.error(error);
    return undefined;
  }
}

/** Translates texts about variables for the command. */
function translateInspection(inspection: Inspection, reporter: Reporter): Inspection {
  const texts = (list: readonly string[]) => list.map((each) => reporter.translate(each));
  const variables = inspection.variables.map((each) => ({
    ...each,
    ...(each.problem !== undefined && { problem: reporter.translate(each.problem) }),
    ...(each.command !== undefined && { command: asInvoked(each.command) }),
    ...(each.needed !== undefined && { needed: reporter.translate(each.needed) }),
    ...(each.conversions && { conversions: texts(each.conversions) }),
    ...(each.warnings && { warnings: texts(each.warnings) }),
  }));
  return { ...inspection, variables };
}

/** Loaded where an archive is named. */
async function ofArchive(address: string): Promise<ArchiveInspection | undefined> {
  return (await import('../input/inspect/inspect-archive.js')).inspectArchive(address);
}

function text(inspection: Inspection | ArchiveInspection): string {
  if ('mirror' in inspection) return archiveText(inspection, WIDTH);
  const { bold } = pc.createColors(colours(process.stdout));
  const width = process.stdout.isTTY ? process.stdout.columns : WIDTH;
  return showInspection(inspection, { width, heading: bold });
}
