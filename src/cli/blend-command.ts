import type { Table } from 'apache-arrow';
import { Command, Option } from 'commander';
import type { ColumnRoles } from '../arrow/column-roles.js';
import { listedVariables } from '../arrow/table-variable.js';
import type { OutputCompression, OutputFormat } from '../batch/output-format.js';
import { blend, pairMembers, type Timeline } from '../blend/blend.js';
import type { BlendOptions } from '../blend/options.js';
import type { BlendMethod, Pairing } from '../blend/pairing.js';
import { type Core, loadCore } from '../core/load.js';
import { OptionError } from '../errors.js';
import { readTable } from '../formats/read-table.js';
import { readInput, STANDARD, sourceName } from '../input/read-input.js';
import { columnRoleList, dayCounts, lastLeads, textList } from './option-values.js';
import { valuesForm } from './output-form.js';
import { compressionOption, outOption, valuesFormat } from './output-options.js';
import { Progress } from './progress.js';
import { showTimeline } from './show-timeline.js';
import { tellRemark } from './tell-remark.js';
import { assertOutput } from './write-output.js';
import { writeTables } from './write-tables.js';

interface CommandOptions {
  variable?: string;
  pairBy?: string[];
  names?: string[];
  method?: BlendMethod;
  overlaps?: number[];
  lastLeads?: (number | null)[];
  fieldWide?: boolean;
  keepGaps?: boolean;
  columns?: ColumnRoles;
  report?: boolean;
  format?: OutputFormat;
  compression?: OutputCompression;
  out?: string;
}

/** The variable whose ranks join members where files have it beside the one asked for. */
const PAIR_BY = 'temp_mean';

/** `plumecast blend`: ensemble files of several horizons as one timeline. */
export function blendCommand(): Command {
  return new Command('blend')
    .description('One daily timeline for each member from ensembles of several horizons, the shortest first.')
    .argument('<horizons...>', 'Arrow, Parquet or CSV files: SHORT SUB SEASONAL, or any number of them')
    .option('--variable <slug>', "the variable, such as precipitation; default: the files' own")
    .option(
      '--pair-by <files>',
      'files of the variable to pair members by, as a,b,c (default: temp_mean of the same files)',
      textList,
    )
    .option('--names <list>', 'what the horizons are called (default: short-term,subseasonal,seasonal)', textList)
    .addOption(
      new Option('--method <name>', 'how members pass from one horizon to the next (default: rank)').choices([
        'rank',
        'splice',
      ]),
    )
    .option('--overlaps <days>', 'last days of each horizon that hand over to the next (default: 3,7)', dayCounts)
    .option(
      '--last-leads <days>',
      'last lead day used of each horizon, or all (default: 14,41,214 for three)',
      lastLeads,
    )
    .option('--field-wide', 'one pairing for all locations')
    .option('--keep-gaps', 'leave days missing that no horizon has')
    .option('--columns <roles>', 'columns by role: date=day,member=run,value=mm,latitude=y,longitude=x', columnRoleList)
    .option('--report', 'tell how the horizons fit, on standard error, or with --out on standard output')
    .addOption(valuesFormat())
    .addOption(outOption())
    .addOption(compressionOption())
    .addHelpText(
      'after',
      `
Examples:
  $ plumecast blend short.arrow sub.arrow seasonal.arrow --report --out timeline.arrow
  $ plumecast blend s-rain.csv u-rain.csv l-rain.csv --variable precipitation --pair-by s-t.csv,u-t.csv,l-t.csv
  $ plumecast blend gefs.csv seas5.csv --overlaps 5 --out timeline.parquet
  $ plumecast stats timeline.arrow --granularity monthly`,
    )
    .action(writeTimeline);
}

async function writeTimeline(files: string[], options: CommandOptions): Promise<void> {
  const { pairBy, report, format, out = STANDARD, compression, ...asked } = options;
  const form = valuesForm(format, out);
  await assertOutput(out, [...files, ...(pairBy ?? [])]);
  if (pairBy !== undefined && pairBy.length !== files.length) {
    throw new OptionError({
      subject: '--pair-by',
      problem: 'not one file for each horizon',
      received: pairBy.length,
      allowed: `${files.length} files`,
    });
  }
  const timeline = await timelineOf(files, pairBy, asked);
  for (const { source, text } of timeline.notes) tellRemark({ kind: 'note', source, text });
  await writeTables(out, [timeline.table], form, compression);
  if (report) (out === STANDARD ? process.stderr : process.stdout).write(showTimeline(timeline));
}

async function timelineOf(
  files: readonly string[],
  pairFiles: string[] | undefined,
  asked: BlendOptions,
): Promise<Timeline> {
  const progress = new Progress();
  try {
    const core = await loadCore();
    const own: NamedTables = { tables: await readAll(files, progress), sources: files.map(sourceName) };
    const other = pairFiles && { tables: await readAll(pairFiles, progress), sources: pairFiles.map(sourceName) };
    return blend(core, own.tables, { ...asked, sources: own.sources, pairing: pairingOf(core, own, other, asked) });
  } finally {
    progress.end();
  }
}

/** Tables, and what they are called. */
interface NamedTables {
  readonly tables: readonly Table[];
  readonly sources: readonly string[];
}

/** The pairing by another variable, from files of its own or from those that have it beside the one asked for. */
function pairingOf(
  core: Core,
  own: NamedTables,
  other: NamedTables | undefined,
  asked: BlendOptions,
): Pairing | undefined {
  if (other !== undefined) {
    return pairMembers(core, other.tables, { ...asked, variable: undefined, sources: other.sources });
  }
  const isThere = own.tables.every((table) => listedVariables(table, asked.columns).includes(PAIR_BY));
  if (!isThere || asked.variable === PAIR_BY) return undefined;
  return pairMembers(core, own.tables, { ...asked, variable: PAIR_BY, sources: own.sources });
}

async function readAll(files: readonly string[], progress: Progress): Promise<Table[]> {
  const tables: Table[] = [];
  for (const file of files) {
    const source = sourceName(file);
    progress.tell(source);
    tables.push(await readTable(await readInput(file), { source }));
  }
  return tables;
}
