import { setTimeout as sleep } from 'node:timers/promises';
import { type FileLock, lockText, parseLock } from '../disk/file-lock.node.js';
import { processState, systemProcesses } from '../disk/process-table.node.js';
import { FileError } from '../errors.js';
import type { S3Bucket } from '../files/remote/s3-bucket.node.js';

/*
 * A claim is an object with the line of a lock file and a count. Its process replaces it every ten seconds by one with the next
 * count, if it is still there as it was; after 45 seconds without that, by the clock of the bucket, another process may take it.
 * The claim of a process of this machine that has ended is taken over at once.
 */

/** What the error says if another process has a claim. */
interface ClaimWords {
  readonly subject: string;
  readonly problem: string;
}

/** A claim that this process has until it releases it. */
export interface BucketClaim extends FileLock {
  /** Renews the claim now. Rejects with FileError where it cannot, or another process has taken it over. */
  renew(): Promise<void>;
}

const BEAT_MS = 10_000;
const SILENCE_SECONDS = 45;
/** A claim that was not renewed for longer is renewed before it is relied on. */
const DOUBT_MS = 20_000;
const PAUSE_MS = 1000;

/** Takes a claim; waits for one that may have been left. Rejects with a FileError that names the other process. */
export async function claimPrefix(bucket: S3Bucket, key: string, words: ClaimWords): Promise<BucketClaim> {
  const own = lockText(systemProcesses.self);
  let first: string | undefined;
  for (;;) {
    const found = (await bucket.list(key)).find((each) => each.key === key);
    if (found === undefined) {
      if (await bucket.replace(key, contentOf(own, 0), undefined)) return new HeldClaim(bucket, key, own);
      continue;
    }
    const text = (await bucket.read(key))?.text;
    if (text === undefined) continue;
    first ??= text;
    const { ageSeconds = 0, tag } = found;
    const holder = parseLock(text.replace(/ \d+$/, ''));
    const state = holder === undefined ? 'gone' : processState(holder, Date.now() - ageSeconds * 1000, systemProcesses);
    if (state === 'running' || text !== first) throw heldError(bucket, key, words, text);
    if (state === 'gone' || ageSeconds > SILENCE_SECONDS) {
      if (await bucket.replace(key, contentOf(own, 0), tag)) return new HeldClaim(bucket, key, own);
    } else await sleep(PAUSE_MS);
  }
}

class HeldClaim implements BucketClaim {
  readonly #bucket: S3Bucket;
  readonly #key: string;
  readonly #own: string;
  readonly #beat: NodeJS.Timeout;
  #count = 0;
  #renewedAt = performance.now();
  #renewing: Promise<void> | undefined;

  constructor(bucket: S3Bucket, key: string, own: string) {
    this.#bucket = bucket;
    this.#key = key;
    this.#own = own;
    // Where it cannot be renewed, it is noticed when an output is complete.
    this.#beat = setInterval(() => void this.renew().catch(() => undefined), BEAT_MS).unref();
  }

  renew(): Promise<void> {
    this.#renewing ??= this.#replace().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #replace(): Promise<void> {
    const found = await this.#bucket.read(this.#key);
    const isOwn = found?.text.startsWith(this.#own) ?? false;
    const next = contentOf(this.#own, ++this.#count);
    if (isOwn && (await this.#bucket.replace(this.#key, next, found?.tag))) {
      this.#renewedAt = performance.now();
      return;
    }
    const problem = 'was taken over by another process, as this one did not renew it for too long';
    const received = found?.text ?? 'nothing';
    throw new FileError({
      subject: this.#bucket.describe(this.#key),
      problem,
      received,
      allowed: 'one batch at a time',
    });
  }

  async assertHeld(): Promise<void> {
    if (performance.now() - this.#renewedAt > DOUBT_MS) await this.renew();
  }

  async release(): Promise<void> {
    clearInterval(this.#beat);
    await this.#renewing?.catch(() => undefined);
    const isOwn = async () => (await this.#bucket.read(this.#key))?.text.startsWith(this.#own);
    // What cannot be deleted now is taken over later.
    if (await isOwn().catch(() => false)) await this.#bucket.delete(this.#key).catch(() => undefined);
  }
}

function contentOf(own: string, count: number): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${own} ${count}`);
}

function heldError(bucket: S3Bucket, key: string, { subject, problem }: ClaimWords, text: string): FileError {
  const [pid, host] = text.split(' ');
  const allowed = `one at a time; if that process has ended, remove ${bucket.describe(key)}`;
  return new FileError({ subject, problem: `${problem} process ${pid} on ${host}`, allowed });
}
