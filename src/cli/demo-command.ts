import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { joinTables } from '../arrow/join-tables.js';
import { loadCore } from '../core/load.js';
import { demoTables } from '../demo/demo-table.js';
import { FileError } from '../errors.js';
import { encodeTables } from '../formats/encode-tables.js';
import { readTable } from '../formats/read-table.js';
import { parseDate } from '../period/day.js';
import { dateText } from './option-values.js';
import { readInput, reason } from './read-input.js';
import { showStatistics } from './show-statistics.js';
import { statisticsOfFile } from './statistics-of-file.js';
import { colours } from './terminal.js';
import { writeOutput } from './write-output.js';

/** `plumecast demo`: writes a sample ensemble and shows its statistics. */
export function demoCommand(): Command {
  return new Command('demo')
    .description('Write a sample ensemble, made by a seeded weather generator, and show its weekly statistics.')
    .argument('[dir]', 'folder for the sample files', 'plumecast-demo')
    .option('--date <date>', 'first day of the ensemble, YYYY-MM-DD (default: 2026-03-02)', dateText)
    .addHelpText(
      'after',
      `
Examples:
  $ plumecast demo
  $ plumecast demo /tmp/sample --date 2026-07-06
  $ plumecast stats plumecast-demo/temp_mean.arrow --granularity monthly`,
    )
    .action(demo);
}

async function demo(dir: string, { date }: { date?: string }): Promise<void> {
  const tables = demoTables(date === undefined ? {} : { initDate: parseDate(date, '--date') });
  await mkdir(dir, { recursive: true }).catch((cause) => {
    throw new FileError({ subject: dir, problem: `cannot be made: ${reason(cause)}`, allowed: 'a folder', cause });
  });
  for (const [slug, table] of Object.entries(tables)) {
    await writeOutput(join(dir, `${slug}.arrow`), encodeTables([table], 'arrow'));
  }
  const { numRows, schema } = tables.precipitation;
  const members = schema.fields.filter(({ name }) => name.startsWith('member_')).length;
  const say = (text: string) => process.stdout.write(`${text}\n`);
  say(`Wrote ${Object.keys(tables).length} variables of ${members} members and ${numRows} days to ${dir}/\n`);

  // What is shown is what the command below gives: the file is read again.
  const file = join(dir, 'precipitation.arrow');
  say(`$ plumecast stats ${file} --granularity weekly\n`);
  const core = await loadCore();
  const table = await readTable(await readInput(file), { source: file });
  const result = joinTables([...statisticsOfFile(core, table, { granularity: 'weekly', source: file })]);
  const { stdout } = process;
  say(showStatistics(result, { colour: colours(stdout), maxWidth: stdout.columns }));
  say(`More: plumecast stats ${join(dir, 'temp_mean.arrow')} --granularity monthly --threshold ">20"`);
}
