import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { FileError } from '../../errors.js';
import { loadPackage } from '../load-package.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** What requests for a bucket are signed by. */
interface Signing {
  readonly bucket: string;
  /** Default GET. */
  readonly method?: string;
  /** Whether the server is another one than Amazon's. */
  readonly isElsewhere: boolean;
  readonly environment: Environment;
}

/** Keys of an account. */
interface Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Profiles and regions by what they are of; read once, as a batch asks thousands of times. */
const known = new Map<string, Promise<unknown>>();

/** Keys of days, by their secrets, as aws4fetch makes them: they take longer than a signature. */
const dayKeys = new Map<string, ArrayBuffer>();

/** A server takes signatures of a quarter of an hour. */
const MAX_SKEW_MS = 300_000;

/** How far the clocks of servers are ahead of this one, in milliseconds, by their hosts: where it is too far for signatures. */
const ahead = new Map<string, number>();

/** Learns from a response how far the clock of its server is ahead; returns whether signatures have another time now. */
export function learnClock({ host }: URL, { headers }: Response): boolean {
  const difference = Date.parse(headers.get('date') ?? '') - Date.now();
  const known = ahead.get(host) ?? 0;
  if (!(Math.abs(difference - known) > MAX_SKEW_MS)) return false;
  ahead.set(host, difference);
  return true;
}

/**
 * The headers of a request with a signature (AWS Signature Version 4), as they are where there are no keys: of the environment
 * (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN), or else of the profile AWS_PROFILE in the shared credentials
 * file. AWS_NO_SIGN_REQUEST=YES asks without any. Throws FileError for half of a pair of keys and a profile that is not there.
 */
export async function signRequest(url: URL, headers: Headers, signing: Signing): Promise<Headers> {
  const { environment } = signing;
  if (/^(yes|true|1)$/i.test(environment.AWS_NO_SIGN_REQUEST ?? '')) return headers;
  const keys = await findKeys(environment);
  if (keys === undefined) return headers;
  const region = await once(`region of ${signing.bucket}`, () => findRegion(signing));
  const { AwsV4Signer } = await loadPackage('aws4fetch', 's3://', () => import('aws4fetch'));
  // Headers besides those of AWS are not signed: what sends them may add to them.
  const own = [...headers].filter(([name]) => name.startsWith('x-amz-'));
  const { method = 'GET' } = signing;
  const time = new Date(Date.now() + (ahead.get(url.host) ?? 0));
  const datetime = time.toISOString().replaceAll(/[:-]|\.\d{3}/g, '');
  const signer = new AwsV4Signer({
    ...{ url: url.href, method, headers: own, service: 's3', region, datetime, cache: dayKeys },
    ...keys,
  });
  const signed = new Headers(headers);
  (await signer.sign()).headers.forEach((value, name) => {
    signed.set(name, value);
  });
  return signed;
}

function once<T>(what: string, find: () => Promise<T>): Promise<T> {
  const found = known.get(what) ?? find();
  known.set(what, found);
  // What failed is asked for again.
  found.catch(() => known.delete(what));
  return found as Promise<T>;
}

async function findKeys(environment: Environment): Promise<Keys | undefined> {
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token } = environment;
  if (id || secret) return keysOf(id, secret, token, 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  const path = environment.AWS_SHARED_CREDENTIALS_FILE ?? join(homedir(), '.aws', 'credentials');
  const name = environment.AWS_PROFILE ?? 'default';
  const profile = await once(`profile ${name} of ${path}`, () => readProfile(path, name));
  if (profile !== undefined) {
    const { aws_access_key_id, aws_secret_access_key, aws_session_token } = profile;
    return keysOf(aws_access_key_id, aws_secret_access_key, aws_session_token, `${path}, [${name}]`);
  }
  if (environment.AWS_PROFILE === undefined) return undefined;
  const allowed = 'a profile of that file; AWS_NO_SIGN_REQUEST=YES for buckets that need no keys';
  throw new FileError({ subject: path, problem: `has no profile ${name}, which AWS_PROFILE names`, allowed });
}

function keysOf(id: string | undefined, secret: string | undefined, token: string | undefined, subject: string): Keys {
  if (id && secret) return { accessKeyId: id, secretAccessKey: secret, ...(token && { sessionToken: token }) };
  const problem = id ? 'has no secret access key' : 'has no access key id';
  throw new FileError({ subject, problem, allowed: 'both, or neither for buckets that need no keys' });
}

/** The region that signatures name: of the environment, of the profile, or what the bucket says. */
async function findRegion({ bucket, isElsewhere, environment }: Signing): Promise<string> {
  const stated = environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION;
  if (stated) return stated;
  const path = environment.AWS_CONFIG_FILE ?? join(homedir(), '.aws', 'config');
  const name = environment.AWS_PROFILE ?? 'default';
  const profile = (await readProfile(path, name)) ?? (await readProfile(path, `profile ${name}`));
  if (profile?.region) return profile.region;
  if (isElsewhere) return 'us-east-1';
  const answer = await fetch(`https://s3.amazonaws.com/${bucket}`, { method: 'HEAD', redirect: 'manual' }).catch(
    () => undefined,
  );
  return answer?.headers.get('x-amz-bucket-region') ?? 'us-east-1';
}

/** A section of a file of profiles; undefined where file or section are not there. */
async function readProfile(path: string, name: string): Promise<Readonly<Record<string, string>> | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '');
  let found: Record<string, string> | undefined;
  let isIn = false;
  for (const line of text.split(/\r?\n/)) {
    const [, section] = /^\s*\[\s*([^\]]*?)\s*\]/.exec(line) ?? [];
    if (section !== undefined) {
      isIn = section === name;
      if (isIn) found ??= {};
      continue;
    }
    const [, key, value] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (isIn && found !== undefined && key !== undefined) found[key.toLowerCase()] = value;
  }
  return found;
}
