import { Command } from 'commander';
import { createKey, listKeys, revokeKey } from '../service/access/key-file.node.js';
import { storeOption } from './shared-options.js';
import { textTable } from './text-table.js';

interface CreateOptions {
  store: string;
  owner: string;
  downscaling?: boolean;
}

/** `plumecast key`: the API keys of a store. */
export function keyCommand(): Command {
  return new Command('key')
    .description('API keys of a store, which requests carry in the header X-Api-Key.')
    .helpCommand(false)
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand())
    .addHelpText(
      'after',
      `
Examples:
  $ plumecast key create --store data --owner "Example Farms" --downscaling
  $ plumecast key list --store data
  $ plumecast key revoke --store data ID`,
    );
}

function createCommand(): Command {
  return new Command('create')
    .description('Make a key. It is shown once, on standard output; the store keeps only a hash of it.')
    .addOption(storeOption())
    .requiredOption('--owner <name>', 'whose it is')
    .option('--downscaling', 'provision 1 km data')
    .addHelpText(
      'after',
      `
Examples:
  $ plumecast key create --store data --owner "Example Farms"
  $ KEY=$(plumecast key create --store data --owner "Example Farms" --downscaling)`,
    )
    .action(async ({ store, owner, downscaling = false }: CreateOptions) => {
      const { key, record } = await createKey(store, { owner, downscaling });
      process.stdout.write(`${key}\n`);
      const resolution = downscaling ? 'with 1 km data' : 'without 1 km data';
      process.stderr.write(
        `Key ${record.id} of ${owner}, ${resolution}. It is not shown again; requests carry it in the header X-Api-Key.\n`,
      );
    });
}

function listCommand(): Command {
  return new Command('list')
    .description('List the keys by their ids; what they are is not known to the store.')
    .addOption(storeOption())
    .addHelpText('after', '\nExample:\n  $ plumecast key list --store data')
    .action(async ({ store }: { store: string }) => {
      const keys = await listKeys(store);
      const table = textTable([
        { name: 'id', align: 'left', cells: keys.map(({ id }) => id) },
        { name: 'owner', align: 'left', cells: keys.map(({ owner }) => owner) },
        { name: '1 km', align: 'left', cells: keys.map(({ downscaling }) => (downscaling ? 'yes' : 'no')) },
        { name: 'demo', align: 'left', cells: keys.map(({ demo }) => (demo ? 'yes' : 'no')) },
      ]);
      process.stdout.write(`${table}\n`);
    });
}

function revokeCommand(): Command {
  return new Command('revoke')
    .description('Revoke a key: requests that carry it are refused from then on.')
    .argument('<id>', 'its id, as plumecast key list shows it')
    .addOption(storeOption())
    .addHelpText('after', '\nExample:\n  $ plumecast key revoke --store data ID')
    .action(async (id: string, { store }: { store: string }) => {
      await revokeKey(store, id);
      process.stdout.write(`Revoked key ${id}.\n`);
    });
}
