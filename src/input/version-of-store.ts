import { createHash } from 'node:crypto';
import { forEachLimited } from '../check/work.js';
import { isPlumecastError } from '../errors.js';
import type { ArrayFile, StoredArray } from '../files/array/array-file.js';
import { arrayReader } from '../files/cf/array-reader.js';
import { S3Bucket } from '../files/remote/s3-bucket.node.js';
import { openArraysAt } from './store-archive.js';

/** The version of the content of a store: a later one has another. */
interface StoreVersion {
  /** The size of its objects; 0 where they are not listed. */
  readonly bytes: number;
  readonly version: string;
}

/** Arrays of one dimension up to this length are read as coordinates. */
const MAX_COORDINATE = 100_000;
const AT_ONCE = 8;

/**
 * The version of the content of a Zarr store at an address: in a bucket of S3 that can be listed, a digest of
 * the names, sizes and versions of its objects; elsewhere one of its metadata and of its arrays of one dimension, so that
 * values which were replaced are not noticed. Throws FileError and FormatError as opening it does.
 */
export async function versionOfStore(address: string): Promise<StoreVersion> {
  const [, bucket, key] = /^s3:\/\/([^/]+)\/(.*?)\/*$/i.exec(address) ?? [];
  const listed = bucket === undefined ? undefined : await versionOfKeys(bucket, `${key}/`);
  return listed ?? { bytes: 0, version: await versionOfArrays(address) };
}

/** Undefined where the bucket cannot be listed. */
async function versionOfKeys(bucket: string, start: string): Promise<StoreVersion | undefined> {
  const objects = await new S3Bucket(bucket, '').list(start).catch((error: unknown) => {
    if (isPlumecastError(error, 'file')) return undefined;
    throw error;
  });
  if (objects === undefined || objects.length === 0 || objects.some(({ tag }) => tag === undefined)) return undefined;
  const hash = createHash('sha256');
  for (const { key, bytes, tag } of objects) hash.update(`${key.slice(start.length)} ${bytes} ${tag}\n`);
  return { bytes: objects.reduce((sum, { bytes }) => sum + bytes, 0), version: hash.digest('hex') };
}

async function versionOfArrays(address: string): Promise<string> {
  const file = await openArraysAt(address);
  try {
    return await digestOf(file);
  } finally {
    await file.close();
  }
}

async function digestOf(file: ArrayFile): Promise<string> {
  const { numbers } = arrayReader(file);
  const arrays = [...file.arrays.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const values = new Map<string, Float64Array>();
  await forEachLimited(arrays.filter(isCoordinate), AT_ONCE, async (array) => {
    values.set(array.name, await numbers(array));
  });
  const hash = createHash('sha256').update(JSON.stringify([...file.attributes]));
  for (const { name, type, dimensions, shape, attributes } of arrays) {
    hash.update(JSON.stringify([name, type, dimensions, shape, [...attributes]]));
    const read = values.get(name);
    if (read !== undefined) hash.update(new Uint8Array(read.buffer, read.byteOffset, read.byteLength));
  }
  return hash.digest('hex');
}

function isCoordinate({ type, shape }: StoredArray): boolean {
  return type !== 'text' && shape.length === 1 && shape[0] <= MAX_COORDINATE;
}
