import { Command, InvalidArgumentError } from 'commander';
import { loadCore } from '../core/load.js';
import { GRANULARITIES } from '../period/period.js';
import { refreshClimatologies } from '../service/ingest/refresh-climatologies.js';
import {
  checkStore,
  copyStore,
  listGenerations,
  migrateStore,
  pruneStore,
  rollbackStore,
} from '../service/source/folder/index.node.js';
import { Reporter } from './reporter.js';
import { quietOption, storeOption } from './shared-options.js';
import { storeSummary } from './store-summary.js';
import { textTable } from './text-table.js';
import { updateStore } from './update-store.js';

/** `plumecast store`: the generations of a store, and what keeps it sound. */
export function storeCommand(): Command {
  return new Command('store')
    .description('Manage a store: its generations, its checksums, copies of it.')
    .helpCommand(false)
    .addCommand(listCommand())
    .addCommand(rollbackCommand())
    .addCommand(pruneCommand())
    .addCommand(checkCommand())
    .addCommand(copyCommand())
    .addCommand(migrateCommand())
    .addCommand(climatologiesCommand())
    .addHelpText(
      'after',
      `
Examples:
  $ plumecast store list --store data
  $ plumecast store rollback --store data
  $ plumecast store check --store data
  $ plumecast store copy --store data backups/data`,
    );
}

function listCommand(): Command {
  return new Command('list')
    .description('List the generations that a store keeps, from the oldest; * is the one that is served.')
    .addOption(storeOption())
    .addHelpText('after', '\nExample:\n  $ plumecast store list --store data')
    .action(async ({ store }: { store: string }) => {
      const listed = await listGenerations(store);
      const runs = ({ horizonInitTimes }: (typeof listed)[number]) =>
        Object.entries(horizonInitTimes)
          .map(([horizon, time]) => `${horizon} ${time}`)
          .join(', ');
      const table = textTable([
        { name: '', align: 'left', cells: listed.map(({ isCurrent }) => (isCurrent ? '*' : '')) },
        { name: 'generation', align: 'left', cells: listed.map(({ generation }) => generation) },
        { name: 'published', align: 'left', cells: listed.map(({ published }) => published.slice(0, 19)) },
        { name: 'bytes', align: 'right', cells: listed.map(({ bytes }) => String(bytes)) },
        { name: 'own bytes', align: 'right', cells: listed.map(({ ownBytes }) => String(ownBytes)) },
        { name: 'runs', align: 'left', cells: listed.map(runs) },
      ]);
      process.stdout.write(`${table}\n`);
    });
}

function rollbackCommand(): Command {
  return new Command('rollback')
    .description(
      'Serve another generation of a store: the one before, or the one of a name. Servers follow in a second.',
    )
    .argument('[generation]', 'its name, as plumecast store list shows it (default: the one before)')
    .addOption(storeOption())
    .addHelpText('after', '\nExample:\n  $ plumecast store rollback --store data')
    .action(async (generation: string | undefined, { store }: { store: string }) => {
      const name = await rollbackStore(store, generation);
      process.stdout.write(`The store serves generation ${name} now.\n\n${await storeSummary(store)}`);
    });
}

function pruneCommand(): Command {
  return new Command('prune')
    .description('Set how many generations a store keeps, now and after each update, and remove the others.')
    .addOption(storeOption())
    .option('--keep <number>', 'the last so many stay (a new store: 3)', wholeNumber)
    .option('--keep-days <days>', 'and all of the last so many days', wholeNumber)
    .addHelpText('after', '\nExample:\n  $ plumecast store prune --store data --keep 5 --keep-days 2')
    .action(async ({ store, keep, keepDays }: { store: string; keep?: number; keepDays?: number }) => {
      const bytes = await pruneStore(store, { count: keep, days: keepDays });
      process.stdout.write(`${bytes} bytes were removed.\n`);
    });
}

function checkCommand(): Command {
  return new Command('check')
    .description('Read every byte of a store, and compare it with its checksum. Exit code 1: something is damaged.')
    .addOption(storeOption())
    .addOption(quietOption())
    .addHelpText('after', '\nExample:\n  $ plumecast store check --store data')
    .action(async ({ store }: { store: string }, command: Command) => {
      const progress = new Reporter(command).progress();
      const { generations, objects, bytes, unchecked, faults } = await checkStore(store, {
        onObject: (name) => progress.report(name),
      });
      progress.end();
      for (const { object, problem } of faults) process.stdout.write(`${object}: ${problem}\n`);
      const old = unchecked > 0 ? `; ${unchecked} have no checksum: plumecast store migrate writes them anew` : '';
      const outcome = faults.length === 0 ? 'nothing is damaged' : `${faults.length} damaged`;
      const held = generations === 1 ? '1 generation' : `${generations} generations`;
      process.stdout.write(`${objects} objects of ${held}, ${bytes} bytes: ${outcome}${old}.\n`);
      if (faults.length > 0) process.exitCode = 1;
    });
}

function copyCommand(): Command {
  return new Command('copy')
    .description('Copy what a store serves to another folder, with its keys and locations, also while it is updated.')
    .argument('<dir>', 'the folder of the copy; what it has already is not copied again')
    .addOption(storeOption())
    .addHelpText('after', '\nExample:\n  $ plumecast store copy --store data backups/data')
    .action(async (dir: string, { store }: { store: string }) => {
      const bytes = await copyStore(store, dir);
      process.stdout.write(`${bytes} bytes were copied.\n\n${await storeSummary(dir)}`);
    });
}

function migrateCommand(): Command {
  return new Command('migrate')
    .description('Write the values of a store of an earlier version anew, with checksums.')
    .addOption(storeOption())
    .addOption(quietOption())
    .addHelpText('after', '\nExample:\n  $ plumecast store migrate --store data')
    .action(async ({ store }: { store: string }, command: Command) => {
      const progress = new Reporter(command).progress();
      await storeSummary(store);
      await updateStore(store, async (update) => {
        await migrateStore(update, { onVariable: (part, slug) => progress.report(`${part} ${slug}`) });
      });
      progress.end();
      process.stdout.write(await storeSummary(store));
    });
}

function climatologiesCommand(): Command {
  return new Command('climatologies')
    .description("Compute the climatologies of observations anew from the store's history.")
    .addOption(storeOption())
    .option('--granularity <names>', `of ${GRANULARITIES.join(', ')} (default: those of the store)`, listOf)
    .option('--variable <slugs>', 'of these variables (default: those of the store)', listOf)
    .addOption(quietOption())
    .addHelpText(
      'after',
      '\nExample:\n  $ plumecast store climatologies --store data --granularity weekly,monthly --variable temp_mean',
    )
    .action(async (options: { store: string; granularity?: string[]; variable?: string[] }, command: Command) => {
      const { store, granularity, variable } = options;
      const reporter = new Reporter(command);
      const progress = reporter.progress();
      const core = await loadCore();
      await storeSummary(store);
      await updateStore(store, async (update) => {
        await refreshClimatologies(core, update, {
          granularities: granularity,
          variables: variable,
          onVariable: (slug, each) => progress.report(`${slug} ${each}`),
        });
      });
      progress.end();
      process.stdout.write(await storeSummary(store));
    });
}

function listOf(text: string): string[] {
  return text.split(',');
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1) return number;
  throw new InvalidArgumentError('Expected a whole number from 1 on.');
}
