import { Command, Option } from 'commander';
import { DAY_SECONDS } from '../period/day.js';
import type { CreatedKey, ListedKey } from '../service/access/key-register.js';
import type { RateQuota } from '../service/access/key-store.js';
import { openRegisters } from './access-place.js';
import { csvLine } from './csv-line.js';
import { readKeyFile } from './key-import.js';
import { countNumber, dateText, quotaNumber, rateQuota, timeSpan, timeText } from './option-values.js';
import { type AccessPlace, accessOptions } from './shared-options.js';
import { textTable } from './text-table.js';

interface CreateOptions extends AccessPlace {
  owner: string;
  downscaling?: boolean;
  count?: number;
  note?: string;
  starts?: Date;
  expires?: Date;
  rate?: RateQuota;
  quota?: number;
}

const DEFAULT_OVERLAP = '7d';

/** `plumecast key`: the API keys of a store. */
export function keyCommand(): Command {
  return new Command('key')
    .description('Manage the API keys of a store, or a database, which requests send in the header X-Api-Key.')
    .helpCommand(false)
    .addCommand(createCommand())
    .addCommand(importCommand())
    .addCommand(listCommand())
    .addCommand(rotateCommand())
    .addCommand(revokeCommand())
    .addCommand(usageCommand())
    .addHelpText(
      'after',
      `
Examples:
  $ plumecast key create --store data --owner "Example Farms" --downscaling
  $ plumecast key import --store data keys.csv
  $ plumecast key list --store data
  $ plumecast key rotate --store data ID --overlap 7d
  $ plumecast key revoke --store data ID
  $ plumecast key usage --store data --from 2026-11-01 --to 2026-11-30 > november.csv`,
    );
}

function placed(command: Command): Command {
  for (const option of accessOptions()) command.addOption(option);
  return command;
}

function createCommand(): Command {
  return placed(
    new Command('create').description(
      'Create a key, or several. A key is shown once, on standard output; the store keeps only a hash of it.',
    ),
  )
    .requiredOption('--owner <name>', 'owner of the key')
    .option('--downscaling', 'give access to 1 km data')
    .option('--count <number>', 'how many keys; of several, CSV with id, owner and key is written', countNumber, 1)
    .option('--note <text>', 'what the list of keys shows beside it')
    .option('--starts <time>', 'when it becomes valid, in UTC (default: now)', timeText)
    .option('--expires <time>', 'when it becomes invalid, in UTC (default: never)', timeText)
    .option('--rate <number/time>', 'requests that it may make, in place of serve --rate-limit', rateQuota)
    .option('--quota <cost>', 'what its answers may cost on a day in UTC', quotaNumber)
    .addHelpText(
      'after',
      `
Examples:
  $ plumecast key create --store data --owner "Example Farms"
  $ KEY=$(plumecast key create --store data --owner "Example Farms" --downscaling)
  $ plumecast key create --store data --owner trial --expires 2027-01-01 --rate 60/min --note "asked by mail"
  $ plumecast key create --store data --owner "Example Farms" --count 1000 > keys.csv`,
    )
    .action(async ({ count = 1, downscaling = false, ...options }: CreateOptions) => {
      const { owner, note, starts, expires, rate, quota: dailyQuota } = options;
      const one = { owner, downscaling, note, starts, expires, rate, dailyQuota };
      const created = await (await openRegisters(options)).keys.create(Array.from({ length: count }, () => one));
      showKeys(created);
      const resolution = downscaling ? 'with 1 km data' : 'without 1 km data';
      const [{ record }] = created;
      const subject = count === 1 ? `Key ${record.id}` : `${count} keys`;
      process.stderr.write(`${subject} of ${owner}, ${resolution}. ${NOT_SHOWN_AGAIN}\n`);
      if (expires !== undefined && expires <= new Date())
        process.stderr.write(`warning: it is not valid: it expired on ${instant(expires)}\n`);
    });
}

const NOT_SHOWN_AGAIN = 'It is not shown again; requests send it in the header X-Api-Key.';

/** Writes one key by itself, several as CSV. */
function showKeys(created: readonly CreatedKey[]): void {
  if (created.length === 1) {
    process.stdout.write(`${created[0].key}\n`);
    return;
  }
  const lines = created.map(({ key = '', record }) => csvLine([record.id, record.owner, key]));
  process.stdout.write([csvLine(['id', 'owner', 'key']), ...lines].join(''));
}

function importCommand(): Command {
  return placed(
    new Command('import')
      .description(
        'Take keys that exist already, from CSV or the keys.json of another store. All are taken, or none. Keys of fewer than 128 bits are rejected.',
      )
      .argument(
        '<file>',
        'CSV with the columns key or key_hash (SHA-256, hexadecimal), owner, and id, downscaling, note, starts, expires, rate, quota; - is standard input',
      ),
  )
    .option('--owner <name>', 'owner of keys without one')
    .option('--downscaling', 'give access to 1 km data, where there is no such column')
    .addHelpText(
      'after',
      `
Examples:
  $ plumecast key import --store data keys.csv
  $ plumecast key import --store data other-store/keys.json`,
    )
    .action(async (file: string, { owner, downscaling = false, ...place }: AccessPlace & Partial<CreateOptions>) => {
      const given = await readKeyFile(file, { owner, downscaling });
      await (await openRegisters(place)).keys.create(given);
      const hashes = given.filter(({ key }) => key === undefined).length;
      process.stdout.write(`Imported ${given.length} ${given.length === 1 ? 'key' : 'keys'}.\n`);
      if (hashes > 0)
        process.stderr.write(
          `note: ${hashes} of them by their hashes, which do not show whether they can be guessed\n`,
        );
    });
}

function listCommand(): Command {
  return placed(
    new Command('list').description('List the keys by their ids; the store does not know the keys themselves.'),
  )
    .option('--csv', 'as CSV, with all fields')
    .addHelpText(
      'after',
      '\nExamples:\n  $ plumecast key list --store data\n  $ plumecast key list --store data --csv > keys.csv',
    )
    .action(async ({ csv = false, ...place }: AccessPlace & { csv?: boolean }) => {
      const { keys: register, usage } = await openRegisters(place);
      const lastUses = new Map<string, Date>();
      for (const { keyId, lastUsed } of await usage.read(FIRST_DAY, LAST_DAY)) lastUses.set(keyId, lastUsed);
      const keys = (await register.list()).map((key) => ({ ...key, lastUsed: lastUses.get(key.id) }));
      const columns = csv ? FIELDS : shownFields(keys);
      if (csv) {
        const lines = keys.map((key) => csvLine(columns.map(([, read]) => read(key))));
        process.stdout.write([csvLine(columns.map(([name]) => name)), ...lines].join(''));
        return;
      }
      const table = textTable(
        columns.map(([name, read]) => ({ name, align: 'left' as const, cells: keys.map((key) => read(key)) })),
      );
      process.stdout.write(`${table}\n`);
    });
}

/** A key, and when it was last used, where usage is counted. */
type ShownKey = ListedKey & { readonly lastUsed?: Date };

type Field = readonly [name: string, read: (key: ShownKey) => string];

const FIELDS: readonly Field[] = [
  ['id', ({ id }) => id],
  ['owner', ({ owner }) => owner],
  ['1 km', ({ downscaling }) => (downscaling ? 'yes' : 'no')],
  ['demo', ({ demo }) => (demo ? 'yes' : 'no')],
  ['state', stateOf],
  ['rate', ({ rate }) => (rate === undefined ? '' : rateText(rate))],
  ['quota', ({ dailyQuota }) => (dailyQuota === undefined ? '' : `${dailyQuota}`)],
  ['created', ({ created }) => instant(created)],
  ['starts', ({ starts }) => instant(starts)],
  ['expires', ({ expires }) => instant(expires)],
  ['revoked', ({ revoked }) => instant(revoked)],
  ['last used', ({ lastUsed }) => instant(lastUsed)],
  ['replaced by', ({ replacedBy = '' }) => replacedBy],
  ['note', ({ note = '' }) => note],
];

/** Fields that are shown even where no key has them. */
const ALWAYS = ['id', 'owner', '1 km', 'demo', 'state'];

function shownFields(keys: readonly ShownKey[]): readonly Field[] {
  return FIELDS.filter(([name, read]) => ALWAYS.includes(name) || keys.some((key) => read(key) !== ''));
}

function stateOf({ starts, expires, revoked }: ListedKey): string {
  const now = new Date();
  if (revoked !== undefined) return 'revoked';
  if (expires !== undefined && expires <= now) return 'expired';
  return starts !== undefined && starts > now ? 'not yet valid' : 'valid';
}

/** `600/min` */
function rateText({ requests, windowSeconds }: RateQuota): string {
  const units = [
    ['s', 1],
    ['min', 60],
    ['h', 3600],
    ['day', DAY_SECONDS],
  ] as const;
  const unit = units.find(([, seconds]) => seconds === windowSeconds)?.[0] ?? `${windowSeconds} s`;
  return `${requests}/${unit}`;
}

/** `2026-11-29T14:35:00Z` */
function instant(time: Date | undefined): string {
  return time === undefined ? '' : `${time.toISOString().slice(0, 19)}Z`;
}

function rotateCommand(): Command {
  return placed(
    new Command('rotate')
      .description(
        'Create a key in place of another one, for the same owner and with the same permissions. The old one stays valid for a while, so that clients can change.',
      )
      .argument('<id...>', 'the ids of the keys, as plumecast key list shows them'),
  )
    .addOption(
      new Option('--overlap <time>', 'how long the old key stays valid, such as 7d, 12h or 0')
        .argParser(timeSpan)
        .default(timeSpan(DEFAULT_OVERLAP), DEFAULT_OVERLAP),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ plumecast key rotate --store data ID\n  $ plumecast key rotate --store data ID --overlap 0',
    )
    .action(async (ids: string[], { overlap, ...place }: AccessPlace & { overlap: number }) => {
      const created = await (await openRegisters(place)).keys.rotate(ids, overlap);
      showKeys(created);
      const until = instant(new Date(Date.now() + 1000 * overlap));
      const last =
        overlap === 0 ? 'The old ones are not valid any more.' : `The old ones are valid until ${until} at most.`;
      process.stderr.write(`${created.length} of ${new Set(ids).size} rotated. ${last} ${NOT_SHOWN_AGAIN}\n`);
    });
}

function revokeCommand(): Command {
  return placed(
    new Command('revoke')
      .description('Revoke keys: requests with them are rejected from then on.')
      .argument('<id...>', 'the ids of the keys, as plumecast key list shows them'),
  )
    .addHelpText('after', '\nExample:\n  $ plumecast key revoke --store data ID')
    .action(async (ids: string[], place: AccessPlace) => {
      const revoked = await (await openRegisters(place)).keys.revoke(ids);
      for (const { id } of revoked) process.stdout.write(`Revoked key ${id}.\n`);
    });
}

/** All days that have usage. */
const [FIRST_DAY, LAST_DAY] = ['0001-01-01', '9999-12-31'];

interface UsageOptions extends AccessPlace {
  from?: string;
  to?: string;
}

function usageCommand(): Command {
  return placed(
    new Command('usage').description(
      'Print what each key has used on each day in UTC, as CSV: requests, their cost, bytes, and the last use.',
    ),
  )
    .option('--from <date>', 'first day (default: the first one there is)', dateText)
    .option('--to <date>', 'last day (default: today)', dateText)
    .addHelpText(
      'after',
      `
Example:
  $ plumecast key usage --store data --from 2026-11-01 --to 2026-11-30 > november.csv

A server counts with --usage, or where the keys are in a database; docs/serving.md says what an answer costs.`,
    )
    .action(async ({ from = FIRST_DAY, to = LAST_DAY, ...place }: UsageOptions) => {
      const { keys, usage } = await openRegisters(place);
      const owners = new Map((await keys.list()).map(({ id, owner }) => [id, owner]));
      const lines = (await usage.read(from, to)).map(({ day, keyId, requests, cost, bytes, lastUsed }) =>
        csvLine([day, keyId, owners.get(keyId) ?? '', `${requests}`, `${cost}`, `${bytes}`, instant(lastUsed)]),
      );
      const head = csvLine(['day', 'key_id', 'owner', 'requests', 'cost', 'bytes', 'last_used']);
      process.stdout.write([head, ...lines].join(''));
    });
}
