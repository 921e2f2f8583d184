import { Command } from 'commander';
import { openRegisters } from './access-place.js';
import { plainNumber } from './option-values.js';
import { type AccessPlace, accessOptions } from './shared-options.js';
import { textTable } from './text-table.js';

interface AddOptions extends AccessPlace {
  id: string;
  latitude: number;
  longitude: number;
  owner?: string;
}

/** `plumecast location`: the stored locations of a store. */
export function locationCommand(): Command {
  return new Command('location')
    .description('Manage stored locations of a store, or a database, which the legacy endpoints find by their ids.')
    .helpCommand(false)
    .addCommand(addCommand())
    .addCommand(listCommand())
    .addCommand(removeCommand())
    .addHelpText(
      'after',
      `
Examples:
  $ plumecast location add --store data --id north-field --latitude 37.30 --longitude -79.84
  $ plumecast location list --store data
  $ plumecast location remove --store data north-field`,
    );
}

function placed(command: Command): Command {
  for (const option of accessOptions()) command.addOption(option);
  return command;
}

function addCommand(): Command {
  return placed(new Command('add').description('Store a location.'))
    .requiredOption('--id <id>', '1 to 64 of A-Z a-z 0-9 _ -')
    .requiredOption('--latitude <degrees>', 'degrees north, -90 to 90', plainNumber)
    .requiredOption('--longitude <degrees>', 'degrees east, -180 to 180', plainNumber)
    .option('--owner <name>', 'owner, whose keys alone find it (default: everybody)')
    .addHelpText(
      'after',
      `
Examples:
  $ plumecast location add --store data --id north-field --latitude 37.30 --longitude -79.84
  $ plumecast location add --store data --id plot_7 --latitude -33.9 --longitude 151.2 --owner "Example Farms"`,
    )
    .action(async ({ store, database, databaseFile, ...location }: AddOptions) => {
      await (await openRegisters({ store, database, databaseFile })).locations.add(location);
      process.stdout.write(`Stored location ${location.id}.\n`);
    });
}

function listCommand(): Command {
  return placed(new Command('list').description('List the stored locations.'))
    .addHelpText('after', '\nExample:\n  $ plumecast location list --store data')
    .action(async (place: AccessPlace) => {
      const locations = await (await openRegisters(place)).locations.list();
      const table = textTable([
        { name: 'id', align: 'left', cells: locations.map(({ id }) => id) },
        { name: 'latitude', align: 'decimal', cells: locations.map(({ latitude }) => String(latitude)) },
        { name: 'longitude', align: 'decimal', cells: locations.map(({ longitude }) => String(longitude)) },
        { name: 'owner', align: 'left', cells: locations.map(({ owner }) => owner ?? '(everybody)') },
      ]);
      process.stdout.write(`${table}\n`);
    });
}

function removeCommand(): Command {
  return placed(new Command('remove').description('Remove a stored location.'))
    .argument('<id>', 'the id of the location')
    .addHelpText('after', '\nExample:\n  $ plumecast location remove --store data north-field')
    .action(async (id: string, place: AccessPlace) => {
      await (await openRegisters(place)).locations.remove(id);
      process.stdout.write(`Removed location ${id}.\n`);
    });
}
