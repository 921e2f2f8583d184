import { join } from 'node:path';
import { assertShape } from '../../check/option-checks.js';
import { isAddress, nameOfPath } from '../../disk/local-path.js';
import { mentionOption, OptionError } from '../../errors.js';

/** One of the parts of a batch, each of which is computed by a process of its own. */
export interface Shard {
  /** From 1 on. */
  readonly number: number;
  /** The number of all shards. */
  readonly of: number;
}

/** The name of the folder of all shards, within the folder of the outputs. */
export const SHARDS = '.plumecast-shards';
const MAX_SHARDS = 10_000;

function assertShard(shard: Shard): void {
  assertShape('shard', shard, { number: 'number', of: 'number' });
  const { number, of } = shard;
  const isWhole = Number.isInteger(number) && Number.isInteger(of);
  if (isWhole && number >= 1 && number <= of && of <= MAX_SHARDS) return;
  throw new OptionError({
    subject: 'shard',
    problem: 'is not the number of a shard and of all shards',
    received: `${number}/${of}`,
    allowed: `I/N with I from 1 to N, and N at most ${MAX_SHARDS}, such as 2/8`,
  });
}

/** Throws OptionError for anything but a shard, and for options that cannot be used together with one. */
export function assertShardOptions(
  shard: Shard,
  { changedOnly = false, prune = false }: { readonly changedOnly?: boolean; readonly prune?: boolean },
  out: string,
): void {
  assertShard(shard);
  assertSharedFolder(out);
  if (!changedOnly && !prune) return;
  throw new OptionError({
    subject: changedOnly ? 'changedOnly' : 'prune',
    problem: `cannot be used together with ${mentionOption('shard')}`,
    allowed: changedOnly
      ? `${mentionOption('resume', true)} to keep what the same shard has made already`
      : `a batch without shards, after the merge, with ${mentionOption('changedOnly', true)}`,
  });
}

/** Throws OptionError for outputs in a bucket: shards and their merge move files of a file system. */
export function assertSharedFolder(out: string): void {
  if (!isAddress(out)) return;
  throw new OptionError({
    ...{ subject: 'out', problem: 'is an address, and shards share a folder', received: nameOfPath(out) },
    allowed: 'a folder that all machines reach; or a batch for each machine, of inputs and a prefix of its own',
  });
}

/** The folder that a shard works in. */
export function shardFolder(out: string, { number, of }: Shard): string {
  return join(out, SHARDS, `${number}-of-${of}`);
}

/** The shard whose folder has a name; undefined for other names. */
export function shardOfFolder(name: string): Shard | undefined {
  const [, number, of] = /^([1-9]\d{0,4})-of-([1-9]\d{0,4})$/.exec(name) ?? [];
  return number === undefined ? undefined : { number: Number(number), of: Number(of) };
}

/** `shard 2 of 8` */
export function describeShard({ number, of }: Shard): string {
  return `shard ${number} of ${of}`;
}
