import { posix } from 'node:path';
import picomatch from 'picomatch';
import { isAddress } from '../disk/local-path.js';
import { FileError, OptionError } from '../errors.js';
import {
  type IcechunkAddress,
  icechunkAddress,
  isIcechunkPath,
  REPOSITORY_FILES,
} from '../files/icechunk/icechunk-address.js';
import { snapshotOfAddress } from '../files/icechunk/open-icechunk.node.js';
import { remoteAddress } from '../files/remote/remote-address.js';
import { S3Bucket } from '../files/remote/s3-bucket.node.js';
import { isStoreFile } from '../files/zarr/zarr-format.js';
import { openAddress } from '../input/remote-input.js';
import { type BatchInput, DATA_ENDING, isGlob, isStoreAddress, splitEnding } from './batch-input.js';
import { BucketOutputs } from './bucket-outputs.js';
import { namesOfResults } from './known-results.js';

/** The address of a bucket of S3, or of keys in it. */
const OF_S3 = /^s3:\/\/([^/]+)\/(.*)$/;

/**
 * The inputs that an address names: a file, a Zarr store, or a version of a repository of Icechunk, which is the snapshot
 * that it means now; in a bucket of S3, also all that a glob matches, and the data files and stores below a prefix with a
 * slash at its end. Throws OptionError for what cannot be listed or holds no data, and for an address with a password or a
 * query, which would stand in the manifest; FileError for what is no address, and where the bucket cannot be listed.
 */
export async function addressInputs(given: string): Promise<BatchInput[]> {
  const repository = icechunkAddress(given);
  if (repository !== undefined) {
    if (isAddress(repository.address)) assertPlain(repository.address, false);
    return [await repositoryInput(repository, given)];
  }
  const [, bucket, key] = OF_S3.exec(given) ?? [];
  const isPattern = isGlob(given.replace(/\?.*$/, ''));
  if (bucket !== undefined && (isPattern || key === '' || key.endsWith('/')))
    return keysOf(given, bucket, key, isPattern);
  // Throws for what is no address that is read.
  remoteAddress(given);
  assertPlain(given, isPattern);
  return [(await isStoreAt(given)) ? await storeInput(given) : { path: given, ...namesOf(given) }];
}

/** Whether a store is at an address: by the end of its path, or else, where it has no ending of a file, by what is there. */
async function isStoreAt(given: string): Promise<boolean> {
  if (isStoreAddress(given)) return true;
  return namesOf(given).ending === 'none' && (await openAddress(given)).kind === 'store';
}

/** A Zarr store, or the snapshot that a repository of Icechunk has now. */
async function storeInput(given: string, names = namesOf(given)): Promise<BatchInput> {
  const snapshot = await snapshotOfAddress({ address: given, version: undefined });
  if (snapshot !== undefined) return { path: `icechunk:${given}@${snapshot}`, ...names };
  return { path: isStoreAddress(given) ? given : `${given}/`, ...names };
}

async function repositoryInput(repository: IcechunkAddress, given: string): Promise<BatchInput> {
  const { address, version } = repository;
  const snapshot = await snapshotOfAddress(repository);
  if (snapshot === undefined) {
    const allowed = 'icechunk:ADDRESS, or icechunk:ADDRESS@VERSION';
    throw new FileError({ subject: given, problem: 'there is no repository of Icechunk', allowed });
  }
  const { name, ending } = namesOf(address);
  const named = version === undefined ? name : `${name}_${version}`;
  return { path: `icechunk:${address}@${snapshot}`, name: named, ending };
}

function namesOf(address: string): Pick<BatchInput, 'name' | 'ending'> {
  const path = isAddress(address) ? decodeURIComponent(new URL(address).pathname) : address;
  const own = posix.basename(path);
  return isIcechunkPath(own) ? { name: own.replace(/\.[^.]*$/, ''), ending: 'icechunk' } : splitEnding(own);
}

async function keysOf(given: string, bucket: string, key: string, isPattern: boolean): Promise<BatchInput[]> {
  const { base } = picomatch.scan(key);
  const start = isPattern ? (base === '' ? '' : `${base}/`) : key;
  const isMeant = isPattern ? picomatch(key) : () => true;
  const listed = (await new S3Bucket(bucket, '').list(start)).map((each) => each.key);
  const keys = await withoutResults(bucket, start, listed);
  const stores = storesAmong(keys);
  const isWithin = (each: string) => stores.some((store) => each.startsWith(store));
  const names = (each: string) => splitEnding(each.slice(start.length) || posix.basename(each));
  const files = keys
    .filter((each) => !each.endsWith('/') && !isWithin(each) && isMeant(each) && (isPattern || DATA_ENDING.test(each)))
    .map((each): BatchInput => ({ path: `s3://${bucket}/${each}`, ...names(each) }));
  const inputs = [...files];
  for (const store of stores) {
    const path = store.slice(0, -1);
    if (isMeant(path)) inputs.push(await storeInput(`s3://${bucket}/${path}`, names(path)));
  }
  if (inputs.length > 0) return inputs.sort((a, b) => (a.path < b.path ? -1 : 1));
  const problem = isPattern ? 'no object matches this pattern' : 'holds no object with the ending of a data file';
  throw new OptionError({
    subject: given,
    problem,
    allowed: 's3://BUCKET/PREFIX/, or a pattern such as "s3://BUCKET/runs/*.nc"',
  });
}

/** Keys without a step that begins with a dot, and without what batches made. */
async function withoutResults(bucket: string, start: string, keys: readonly string[]): Promise<string[]> {
  const roots = new Set(keys.flatMap((key) => OF_BATCH.exec(key)?.[1] ?? []));
  const results = new Set<string>();
  for (const root of roots) {
    const outputs = new BucketOutputs(bucket, root.replace(/\/$/, ''));
    for (const name of await namesOfResults(outputs)) results.add(root + name);
  }
  return keys.filter((key) => !results.has(key) && !/(^|\/)\./.test(key.slice(start.length)));
}

/** What a batch has below its prefix, which is the first part. */
const OF_BATCH = /^(|.*?\/)(?:manifest\.json$|\.plumecast-batch\/)/;

/** What the keys of Zarr stores and repositories begin with, each with a slash at its end; none within another one. */
function storesAmong(keys: readonly string[]): string[] {
  const roots = new Set<string>();
  for (const key of keys) {
    if (isStoreFile(key)) roots.add(key.slice(0, key.lastIndexOf('/') + 1));
    for (const file of REPOSITORY_FILES) {
      const root = key.endsWith(`/${file}`) ? key.slice(0, -file.length) : undefined;
      if (root !== undefined && keys.some((each) => each.startsWith(`${root}snapshots/`))) roots.add(root);
    }
  }
  const found: string[] = [];
  for (const root of [...roots].sort()) if (!found.some((outer) => root.startsWith(outer))) found.push(root);
  return found.filter((root) => root !== '');
}

function assertPlain(given: string, isPattern: boolean): void {
  const { search, username, password } = new URL(given);
  if (isPattern) {
    const allowed = 'the addresses of files; or a pattern in a bucket of S3, such as "s3://BUCKET/runs/*.nc"';
    throw new OptionError({ subject: given, problem: 'what is at this address cannot be listed', allowed });
  }
  if (search === '' && username === '' && password === '') return;
  const problem = `has a ${search === '' ? 'password' : 'query'}, which would stand in the manifest of the batch`;
  const allowed = 'an address without; keys of S3 come from the environment';
  throw new OptionError({ subject: given.replace(/\/\/[^/@]*@/, '//').replace(/\?.*$/, ''), problem, allowed });
}
