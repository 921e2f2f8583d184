import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { nameOfPath } from '../disk/local-path.js';
import { removeWhenStopped, temporaryPath } from '../disk/temporary-file.node.js';
import { FileError } from '../errors.js';
import { S3Bucket } from '../files/remote/s3-bucket.node.js';
import { isTemplate } from './write-partitions.js';

const OF_S3 = /^s3:\/\/([^/]+)\/(.+)$/;
const PROGRAM = 'plumecast';

/**
 * Throws FileError unless an address is one of an object in a bucket of S3, which the keys of the account reach and which
 * is no input.
 */
export async function assertBucketOutput(path: string, inputs: readonly string[], isStore: boolean): Promise<void> {
  const { bucket, key } = objectOf(path);
  const problem = isStore
    ? 'is an address, and a Zarr store is written to a folder'
    : isTemplate(path)
      ? 'is an address, and output that becomes several files is written to a folder'
      : inputs.includes(path)
        ? 'is also an input'
        : undefined;
  if (problem !== undefined) throw new FileError({ subject: path, problem, allowed: 'another path to write to' });
  await bucket.sizeOf(key);
}

/** Whether an object is there. Throws FileError. */
export async function isInBucket(path: string): Promise<boolean> {
  const { bucket, key } = objectOf(path);
  return (await bucket.sizeOf(key)) !== undefined;
}

/** Writes blocks of bytes to an object, which is there as a whole or as it was before. Throws FileError, and what `blocks` throws. */
export async function writeToBucket(
  path: string,
  blocks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  const { bucket, key } = objectOf(path);
  await bucket.write(key, blocks);
}

/** Calls `write` with the name of a temporary file, and writes this to an object. Throws FileError, and what `write` throws. */
export async function writeByFile(path: string, write: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = temporaryPath(tmpdir(), PROGRAM);
  const stop = removeWhenStopped(temporary);
  try {
    await write(temporary);
    await writeToBucket(path, createReadStream(temporary));
  } finally {
    stop();
    await rm(temporary, { force: true });
  }
}

function objectOf(path: string): { readonly bucket: S3Bucket; readonly key: string } {
  const [, bucket, key] = OF_S3.exec(path) ?? [];
  if (key !== undefined && !key.endsWith('/')) return { bucket: new S3Bucket(bucket, ''), key };
  throw new FileError({
    subject: nameOfPath(path),
    problem: 'is an address that outputs are not written to',
    allowed: 'the path of a file or folder, or s3://BUCKET/KEY',
  });
}
