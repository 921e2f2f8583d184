import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Table } from 'apache-arrow';
import { Command, Option } from 'commander';
import { pathWord, shellWord } from '../check/shell-word.js';
import { loadCore } from '../core/load.js';
import { demoStore } from '../demo/demo-store.js';
import { type DemoTableOptions, demoTables } from '../demo/demo-table.js';
import { reason } from '../disk/file-fault.js';
import { assertLocalPath } from '../disk/local-path.js';
import { FileError } from '../errors.js';
import { encodeTables } from '../files/encode-tables.js';
import type { InputRequest } from '../input/input-request.js';
import { statisticsOfInput } from '../input/statistics-of-input.js';
import { dayNumber, parseDate } from '../period/day.js';
import { allTables, joinTables } from '../table/build/join-tables.js';
import { asInvoked } from './command-words.js';
import { dateText } from './option-values.js';
import { Reporter } from './reporter.js';
import { showStatistics } from './show-statistics.js';
import { colours } from './terminal.js';
import { DEMO_KEYS, writeDemoStore } from './write-demo-store.js';
import { writeOutput } from './write-output.js';

interface CommandOptions {
  date?: string;
  seasonalMembers: '31' | '51';
}

/** Forecasts of other models for the same days as the sample ensemble, with the names of their folders. */
const SHORTER_HORIZONS: readonly (DemoTableOptions & { horizon: string })[] = [
  { horizon: 'short-term', days: 15, seed: 2 },
  { horizon: 'subseasonal', days: 46, seed: 3 },
];

/** The reference period of climatologies. */
const HISTORY = { horizon: 'history', initDate: dayNumber(1993, 1, 1), days: 10_957, members: 1, seed: 4 };

/** `plumecast demo`: writes sample ensembles and a store that can be served, and shows statistics. */
export function demoCommand(): Command {
  return new Command('demo')
    .description(
      'Write sample ensembles and a store to serve, made by a seeded weather generator, and show statistics.',
    )
    .argument('[dir]', 'folder for the sample files and the store', 'plumecast-demo')
    .option('--date <date>', 'first day of the forecasts, YYYY-MM-DD, from 1994 on (default: 2026-03-02)', dateText)
    .addOption(
      new Option('--seasonal-members <number>', "members of the store's seasonal forecast")
        .choices(['31', '51'])
        .default('51'),
    )
    .addHelpText(
      'after',
      `
Examples:
  $ plumecast demo
  $ plumecast demo /tmp/sample --date 2026-07-06
  $ plumecast stats plumecast-demo/temp_mean.arrow --granularity monthly
  $ plumecast serve --store plumecast-demo`,
    )
    .action(demo);
}

async function demo(dir: string, { date, seasonalMembers }: CommandOptions, command: Command): Promise<void> {
  const reporter = new Reporter(command);
  const run = date === undefined ? {} : { initDate: parseDate(date, '--date') };
  const store = demoStore({ ...run, seasonalMembers: Number(seasonalMembers) });
  const progress = reporter.progress();
  await makeFolder(dir);
  await writeDemoStore(dir, store, progress).finally(() => progress.end());
  const tables = demoTables(run);
  await writeTables(dir, tables);
  for (const horizon of SHORTER_HORIZONS)
    await writeTables(join(dir, horizon.horizon), demoTables({ ...run, ...horizon }));
  await writeTables(join(dir, HISTORY.horizon), demoTables(HISTORY));
  const { numRows, schema } = tables.precipitation;
  const members = schema.fields.filter(({ name }) => name.startsWith('member_')).length;
  const say = (text: string) => process.stdout.write(`${text}\n`);
  say(`Wrote ${Object.keys(tables).length} variables of ${members} members and ${numRows} days to ${dir}/`);
  say(
    `and the same for shorter horizons and thirty years of history to its subfolders; it is also a store to serve.\n`,
  );

  // The file is read again, so that the output is that of the command below.
  const file = join(dir, 'precipitation.arrow');
  say(`$ ${asInvoked('plumecast stats')} ${fileWord(file)} --granularity weekly\n`);
  const core = await loadCore();
  const request: InputRequest = { statistics: { granularity: 'weekly' }, values: {} };
  const result = joinTables(await allTables(statisticsOfInput(core, file, request, reporter.notice)));
  const { stdout } = process;
  say(showStatistics(result, { colour: colours(stdout), maxWidth: stdout.columns }));
  const horizons = [...SHORTER_HORIZONS.map(({ horizon }) => join(dir, horizon)), dir];
  say(
    `More: ${asInvoked('plumecast stats')} ${fileWord(join(dir, 'temp_mean.arrow'))} --granularity monthly --threshold ">20"`,
  );
  say(
    `      ${asInvoked('plumecast blend')} ${horizons.map((folder) => fileWord(join(folder, 'temp_mean.arrow'))).join(' ')} --report`,
  );
  say(
    `      ${asInvoked('plumecast climatology')} ${fileWord(join(dir, HISTORY.horizon, 'precipitation.arrow'))} --granularity weekly`,
  );
  say(`\nServe it: ${asInvoked('plumecast serve')} --store ${fileWord(dir)}`);
  say(`and try:  curl -H 'X-Api-Key: ${DEMO_KEYS.coarse}' '${EXAMPLE}'`);
}

/** A path as a word of the commands that are shown. */
function fileWord(path: string): string {
  return shellWord(pathWord(path));
}

/** A request that the server of the store answers, on its default port. */
const EXAMPLE =
  'http://127.0.0.1:8080/v2/forecast/statistics?lat=37.30&lon=-79.84&var=precipitation&granularity=weekly';

/** Writes a file for each variable to a folder. */
async function writeTables(dir: string, tables: Record<string, Table>): Promise<void> {
  await makeFolder(dir);
  for (const [slug, table] of Object.entries(tables)) {
    await writeOutput(join(dir, `${slug}.arrow`), encodeTables([table], 'arrow'));
  }
}

async function makeFolder(dir: string): Promise<void> {
  assertLocalPath(dir);
  await mkdir(dir, { recursive: true }).catch((cause) => {
    throw new FileError({ subject: dir, problem: `cannot be created: ${reason(cause)}`, allowed: 'a folder', cause });
  });
}
