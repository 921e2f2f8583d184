import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forEachLimited } from '../check/work.js';
import { unwritable } from '../disk/file-fault.js';
import { type FileLock, lockFolder } from '../disk/file-lock.node.js';
import { environmentVariables } from '../files/remote/environment.js';
import { type ObjectState, S3Bucket } from '../files/remote/s3-bucket.node.js';
import { type BucketClaim, claimPrefix } from './bucket-claim.js';
import { type FinishedOutput, type Journal, journalOf } from './journal.js';
import type { OutputFolder } from './output-folder.js';

/*
 * Outputs below a prefix of a bucket. They are written on a disk first, and then uploaded; what a batch has to know to be resumed,
 * also on another machine, is in the bucket:
 *
 *   <prefix>/<output>                             with its checksum as metadata
 *   <prefix>/.plumecast-batch/journal/<digest>    an entry of the journal, put before its output
 *   <prefix>/.plumecast-batch/claim               which process works there
 *   <prefix>/manifest.json
 */

const JOURNAL = '.plumecast-batch/journal/';
const CLAIM = '.plumecast-batch/claim';
/** How many requests are under way at the same time. */
const AT_ONCE = 16;
/** The size of a file that is written to see whether the disk is full. */
const PROBE_BYTES = 4096;

/** Outputs below a prefix of a bucket of S3. */
export class BucketOutputs implements OutputFolder {
  readonly out: string;
  readonly workPath: string;
  readonly #bucket: S3Bucket;
  /** What the bucket said of objects that this process did not write since. */
  readonly #known = new Map<string, ObjectState | undefined>();
  #claim: BucketClaim | undefined;

  /** `prefix` has no slash at its end. */
  constructor(bucket: string, prefix: string) {
    this.out = `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`;
    this.#bucket = new S3Bucket(bucket, prefix === '' ? '' : `${prefix}/`);
    const { AWS_ENDPOINT_URL_S3: own, AWS_ENDPOINT_URL: any } = environmentVariables();
    this.workPath = join(tmpdir(), `plumecast-batch-${digestOf(`${own ?? any ?? ''} ${this.out}`)}`);
  }

  get journalPath(): string {
    return this.pathOf(JOURNAL);
  }

  pathOf(name: string): string {
    return `${this.out}/${name}`;
  }

  async look(names: readonly string[]): Promise<void> {
    await forEachLimited(names, AT_ONCE, async (name) => {
      if (!this.#known.has(name)) this.#known.set(name, await this.#bucket.stateOf(name));
    });
  }

  async sizeOf(name: string): Promise<number | undefined> {
    await this.look([name]);
    return this.#known.get(name)?.bytes;
  }

  /** As it was noted when it was uploaded: an object that others wrote has none. */
  async hashOf(name: string): Promise<string | undefined> {
    await this.look([name]);
    return this.#known.get(name)?.sha256;
  }

  async isLink(): Promise<boolean> {
    return false;
  }

  async realPathOf(name: string): Promise<string | undefined> {
    return (await this.sizeOf(name)) === undefined ? undefined : this.pathOf(name);
  }

  /** The files on the disk are of one batch, too. */
  async lock(problem: string): Promise<FileLock> {
    const local = await lockFolder(this.workPath, problem);
    try {
      const claim = await claimPrefix(this.#bucket, CLAIM, { subject: this.out, problem });
      this.#claim = claim;
      return {
        assertHeld: () => claim.assertHeld(),
        async release() {
          await claim.release();
          await local.release();
        },
      };
    } catch (error) {
      await local.release();
      throw error;
    }
  }

  async readJournal(): Promise<Journal> {
    const listed = await this.#bucket.list(JOURNAL);
    const texts: string[] = [];
    await forEachLimited(listed.entries(), AT_ONCE, async ([index, { key }]) => {
      texts[index] = (await this.#bucket.read(key))?.text ?? '';
    });
    const lines = texts.map((text, index) => ({ number: index + 1, bytes: new TextEncoder().encode(text) }));
    return journalOf(lines, this.journalPath);
  }

  async addToJournal(finished: FinishedOutput): Promise<void> {
    await this.#bucket.write(entryOf(finished.output), [Buffer.from(JSON.stringify(finished))]);
  }

  async removeJournal(): Promise<void> {
    const listed = await this.#bucket.list(JOURNAL);
    await forEachLimited(listed, AT_ONCE, ({ key }) => this.#bucket.delete(key));
  }

  async put(from: string, { output, sha256 }: FinishedOutput): Promise<void> {
    this.#known.delete(output);
    await this.#bucket.write(output, createReadStream(from), sha256).catch((cause) => {
      throw unwritable(this.pathOf(output), cause);
    });
    await rm(from, { force: true });
  }

  async remove(name: string): Promise<void> {
    this.#known.delete(name);
    await this.#bucket.delete(name);
  }

  async assertWritable(probe: string): Promise<void> {
    await this.#claim?.renew();
    try {
      await writeFile(probe, new Uint8Array(PROBE_BYTES), { flush: true });
    } catch (cause) {
      throw unwritable(this.workPath, cause);
    } finally {
      await rm(probe, { force: true }).catch(() => {});
    }
  }

  async readText(name: string): Promise<string | undefined> {
    return (await this.#bucket.read(name))?.text;
  }

  async writeText(name: string, text: string): Promise<void> {
    this.#known.delete(name);
    await this.#bucket.write(name, [Buffer.from(text)]);
  }
}

function entryOf(output: string): string {
  return `${JOURNAL}${digestOf(output)}`;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
