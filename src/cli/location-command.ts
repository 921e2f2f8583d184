import { Command } from 'commander';
import { addLocation, listLocations, removeLocation } from '../service/access/location-file.node.js';
import { plainNumber } from './option-values.js';
import { storeOption } from './shared-options.js';
import { textTable } from './text-table.js';

interface AddOptions {
  store: string;
  id: string;
  latitude: number;
  longitude: number;
  owner?: string;
}

/** `plumecast location`: the stored locations of a store. */
export function locationCommand(): Command {
  return new Command('location')
    .description('Manage stored locations, which the legacy endpoints find by their ids.')
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

function addCommand(): Command {
  return new Command('add')
    .description('Store a location.')
    .addOption(storeOption())
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
    .action(async ({ store, ...location }: AddOptions) => {
      await addLocation(store, location);
      process.stdout.write(`Stored location ${location.id}.\n`);
    });
}

function listCommand(): Command {
  return new Command('list')
    .description('List the stored locations.')
    .addOption(storeOption())
    .addHelpText('after', '\nExample:\n  $ plumecast location list --store data')
    .action(async ({ store }: { store: string }) => {
      const locations = await listLocations(store);
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
  return new Command('remove')
    .description('Remove a stored location.')
    .argument('<id>', 'the id of the location')
    .addOption(storeOption())
    .addHelpText('after', '\nExample:\n  $ plumecast location remove --store data north-field')
    .action(async (id: string, { store }: { store: string }) => {
      await removeLocation(store, id);
      process.stdout.write(`Removed location ${id}.\n`);
    });
}
