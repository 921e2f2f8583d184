import { posix } from 'node:path';
import picomatch from 'picomatch';
import { OptionError } from '../errors.js';
import { remoteAddress } from '../files/remote/remote-address.js';
import { S3Bucket } from '../files/remote/s3-bucket.node.js';
import { type BatchInput, DATA_ENDING, isGlob, splitEnding } from './batch-input.js';

/** The address of a bucket of S3, or of keys in it. */
const OF_S3 = /^s3:\/\/([^/]+)\/(.*)$/;

/**
 * The inputs that an address names: a file; in a bucket of S3, also all that a glob matches, and the data files below a
 * prefix with a slash at its end. Throws OptionError for what cannot be listed or holds no data, and for an address with a
 * password or a query, which would stand in the manifest; FileError for what is no address, and where the bucket cannot be
 * listed.
 */
export async function addressInputs(given: string): Promise<BatchInput[]> {
  const [, bucket, key] = OF_S3.exec(given) ?? [];
  const isPattern = isGlob(given.replace(/\?.*$/, ''));
  if (bucket !== undefined && (isPattern || key === '' || key.endsWith('/')))
    return keysOf(given, bucket, key, isPattern);
  // Throws for what is no address that is read.
  remoteAddress(given);
  assertPlain(given, isPattern);
  return [{ path: given, ...splitEnding(posix.basename(new URL(given).pathname)) }];
}

async function keysOf(given: string, bucket: string, key: string, isPattern: boolean): Promise<BatchInput[]> {
  const { base } = picomatch.scan(key);
  const start = isPattern ? (base === '' ? '' : `${base}/`) : key;
  const isMeant = isPattern ? picomatch(key) : (each: string) => DATA_ENDING.test(each);
  const keys = (await new S3Bucket(bucket, '').list(start)).map((each) => each.key);
  const inputs = keys
    .filter((each) => !each.endsWith('/') && isMeant(each))
    .map((each): BatchInput => ({ path: `s3://${bucket}/${each}`, ...splitEnding(each.slice(start.length)) }));
  if (inputs.length > 0) return inputs;
  const problem = isPattern ? 'no object matches this pattern' : 'holds no object with the ending of a data file';
  throw new OptionError({
    subject: given,
    problem,
    allowed: 's3://BUCKET/PREFIX/, or a pattern such as "s3://BUCKET/runs/*.nc"',
  });
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
