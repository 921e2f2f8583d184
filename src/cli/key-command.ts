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
    .description('Manage the API keys of a store, which requests send in the header X-Api-Key.')
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
    .description('Create a key. It is shown once, on standard output; the store keeps only a hash of it.')
    .addOption(storeOption())
    .requiredOption('--owner <name>', 'owner of the key')
    .option('--downscaling', 'give access to 1 km data')
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
        `Key ${record.id} of ${owner}, ${resolution}. It is not shown again; requests send it in the header X-Api-Key.\n`,
      );
    });
}

function listCommand(): Command {
  return new Command('list')
    .description('List the keys by their ids; the store does not know the keys themselves.')
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
    .description('Revoke a key: requests with it are rejected from then on.')
    .argument('<id>', 'the id of the key, as plumecast key list shows it')
    .addOption(storeOption())
    .addHelpText('after', '\nExample:\n  $ plumecast key revoke --store data ID')
    .action(async (id: string, { store }: { store: string }) => {
      await revokeKey(store, id);
      process.stdout.write(`Revoked key ${id}.\n`);
    });
}
