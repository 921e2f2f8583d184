import { isAddress, nameOfPath } from '../disk/local-path.js';
import { FileError } from '../errors.js';
import { LocalOutputs } from './local-outputs.js';
import type { OutputFolder } from './output-folder.js';

const OF_S3 = /^s3:\/\/([^/?#]+)(?:\/(.*))?$/;

/** The folder of outputs that a path or an address of S3 names. Throws FileError for other addresses. */
export async function outputFolder(out: string): Promise<OutputFolder> {
  if (!isAddress(out)) return new LocalOutputs(out);
  const { BucketOutputs } = await import('./bucket-outputs.js');
  return new BucketOutputs(...bucketOfOutputs(out));
}

/** The bucket that an address of outputs names, and what keys below it begin with, without a slash at its end. Throws FileError. */
export function bucketOfOutputs(out: string): readonly [bucket: string, prefix: string] {
  const [, bucket, prefix = ''] = OF_S3.exec(out) ?? [];
  if (bucket !== undefined) return [bucket, prefix.replace(/\/+$/, '')];
  const allowed = 'the path of a folder, or s3://BUCKET/PREFIX';
  throw new FileError({ subject: nameOfPath(out), problem: 'is an address that outputs are not written to', allowed });
}
