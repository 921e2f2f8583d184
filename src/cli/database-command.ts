import { Command } from 'commander';
import { mentionOption, OptionError } from '../errors.js';
import { migrateDatabase } from '../service/database/open-database.node.js';
import { databaseUrl } from './access-place.js';
import { type AccessPlace, databaseOptions } from './shared-options.js';

/** `plumecast database`: the tables of plumecast in PostgreSQL. */
export function databaseCommand(): Command {
  return new Command('database')
    .description('Manage the tables in which PostgreSQL keeps keys and locations.')
    .helpCommand(false)
    .addCommand(migrateCommand())
    .addHelpText('after', '\nExample:\n  $ plumecast database migrate --database-file /run/secrets/database');
}

function migrateCommand(): Command {
  const command = new Command('migrate').description(
    'Make the tables, in the schema plumecast, or bring them up to date: all at once, or not at all.',
  );
  for (const option of databaseOptions()) command.addOption(option);
  return command
    .addHelpText('after', '\nExample:\n  $ plumecast database migrate --database-file /run/secrets/database')
    .action(async (place: AccessPlace) => {
      const url = await databaseUrl(place);
      if (url === undefined) {
        const allowed = `${mentionOption('database')}, or ${mentionOption('databaseFile')}`;
        throw new OptionError({ subject: 'database', problem: 'missing', allowed });
      }
      const { from, to } = await migrateDatabase(url);
      const text =
        from === to ? `The schema has version ${to} already.` : `The schema has version ${to} now; before ${from}.`;
      process.stdout.write(`${text}\n`);
    });
}
