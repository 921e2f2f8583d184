import { createHash, randomUUID } from 'node:crypto';
import { FileError } from '../../errors.js';
import { retry, unreachable } from '../http-requests.js';
import { remoteAddress } from './remote-address.js';
import { learnClock } from './sign-s3.node.js';

/** An object as a bucket lists it. */
export interface BucketObject {
  readonly key: string;
  readonly bytes: number;
  /** The seconds since it was written, by the clock of the server; undefined where it does not say it. */
  readonly ageSeconds: number | undefined;
  /** Its version (ETag), where the server states it. */
  readonly tag: string | undefined;
}

/** What a request is besides its key. */
interface BucketRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer>;
  /** How often it is repeated after a temporary failure. */
  readonly retries?: number;
}

/** What a bucket says of an object. */
export interface ObjectState {
  readonly bytes: number;
  /** The checksum that it was written with, in hexadecimal; undefined where it was written without one. */
  readonly sha256: string | undefined;
}

/** An object as a whole. */
export interface ReadObject {
  readonly text: string;
  /** Its version (ETag), where the server states it. */
  readonly tag: string | undefined;
}

type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Headers by which a write takes place: always without one. */
type Condition = Readonly<Record<string, string>>;
const NONE_OF_KEY: Condition = { 'if-none-match': '*' };

/** The metadata of an object that is written. */
interface Metadata {
  readonly [UPLOAD_ID]: string;
  readonly [DIGEST]?: string;
}

/** A response whose body was read. */
interface Answer {
  readonly response: Response;
  readonly text: string;
  /** Whether it is not the first attempt: an earlier one may have had its effect. */
  readonly isRepeated: boolean;
}

/** Larger objects are uploaded in parts of this size, of which a bucket takes 10,000. */
const PART_BYTES = 16_777_216;
const RETRIES = 4;
/** How long a request may take, in milliseconds. */
const PATIENCE_MS = 120_000;
/** The metadata by which an upload is known to be one's own where its answer was lost. */
const UPLOAD_ID = 'x-amz-meta-plumecast-upload';
/** The metadata that has the checksum of an object. */
const DIGEST = 'x-amz-meta-plumecast-sha256';
const PRECONDITION_FAILED = 412;
const CONFLICT = 409;
/** S3 answers so where two conditional writes of a key meet: the request is repeated. */
const MAX_CONFLICTS = 20;
const NOT_FOUND = 404;

/**
 * Writes, lists and deletes objects of a bucket by the REST API of S3. Writes are conditional: before the first one it is
 * looked at whether the bucket obeys conditions. Methods reject with FileError.
 */
export class S3Bucket {
  readonly #bucket: string;
  /** What all keys begin with: empty, or with a slash at its end. */
  readonly #prefix: string;
  #conditions: Promise<void> | undefined;

  constructor(bucket: string, prefix: string) {
    this.#bucket = bucket;
    this.#prefix = prefix;
  }

  describe(key: string): string {
    return `s3://${this.#bucket}/${this.#prefix}${key}`;
  }

  /** Writes an object, if there is none of its key; returns whether it did. Rejects with what the pieces throw, too. */
  async put(key: string, pieces: Pieces): Promise<boolean> {
    await this.#checkConditions();
    return this.#upload(key, pieces, { [UPLOAD_ID]: randomUUID() }, NONE_OF_KEY);
  }

  /**
   * Writes an object in place of any of its key: all of it is there, or what was before. `sha256` is a checksum of it to
   * keep beside it. Rejects as `put` does.
   */
  async write(key: string, pieces: Pieces, sha256?: string): Promise<void> {
    const own = { [UPLOAD_ID]: randomUUID(), ...(sha256 !== undefined && { [DIGEST]: sha256 }) };
    await this.#upload(key, pieces, own, {});
  }

  async #upload(key: string, pieces: Pieces, own: Metadata, condition: Condition): Promise<boolean> {
    let upload: string | undefined;
    const tags: string[] = [];
    try {
      for await (const { bytes, isLast } of inParts(pieces)) {
        if (isLast && upload === undefined) return await this.#putWhole(key, bytes, own, condition);
        upload ??= await this.#beginUpload(key, own);
        tags.push(await this.#putPart(key, upload, tags.length + 1, bytes));
      }
      return await this.#completeUpload(key, upload as string, tags, own, condition);
    } catch (error) {
      // The provider removes what cannot be removed now, by the rules of the bucket.
      if (upload !== undefined) {
        await this.#send(key, { method: 'DELETE', query: { uploadId: upload } }).catch(() => undefined);
      }
      throw error;
    }
  }

  /**
   * Replaces an object that has a tag, or writes it where there is none and `tag` is undefined. Returns whether it did.
   */
  async replace(key: string, bytes: Uint8Array<ArrayBuffer>, tag: string | undefined): Promise<boolean> {
    await this.#checkConditions();
    return this.#putWhole(
      key,
      bytes,
      { [UPLOAD_ID]: randomUUID() },
      tag === undefined ? NONE_OF_KEY : { 'if-match': tag },
    );
  }

  /** Lists the objects whose keys begin with a text, in their order. */
  async list(start: string): Promise<readonly BucketObject[]> {
    const listed: BucketObject[] = [];
    let token: string | undefined;
    do {
      const query = { 'list-type': '2', prefix: this.#prefix + start, ...(token && { 'continuation-token': token }) };
      const { response, text } = await this.#send('', { method: 'GET', query }, true);
      if (!response.ok) throw this.#fault(start, 'cannot be listed', { response, text });
      const now = Date.parse(response.headers.get('date') ?? '');
      for (const [, content] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
        const age = (now - Date.parse(elementOf(content, 'LastModified') ?? '')) / 1000;
        listed.push({
          key: (elementOf(content, 'Key') ?? '').slice(this.#prefix.length),
          bytes: Number(elementOf(content, 'Size')),
          ageSeconds: Number.isFinite(age) ? Math.max(0, age) : undefined,
          tag: elementOf(content, 'ETag'),
        });
      }
      token = elementOf(text, 'IsTruncated') === 'true' ? elementOf(text, 'NextContinuationToken') : undefined;
    } while (token !== undefined);
    return listed;
  }

  /** The size of an object; undefined where there is none. */
  async sizeOf(key: string): Promise<number | undefined> {
    return (await this.stateOf(key))?.bytes;
  }

  /** What the bucket says of an object; undefined where there is none. */
  async stateOf(key: string): Promise<ObjectState | undefined> {
    const answer = await this.#send(key, { method: 'HEAD' });
    const { status, ok, headers } = answer.response;
    if (status === NOT_FOUND) return undefined;
    if (!ok) throw this.#fault(key, 'cannot be read', answer);
    return { bytes: Number(headers.get('content-length')), sha256: headers.get(DIGEST) ?? undefined };
  }

  /** Reads a text; undefined where there is no such object. */
  async read(key: string): Promise<ReadObject | undefined> {
    const answer = await this.#send(key, { method: 'GET' });
    const { status, ok, headers } = answer.response;
    if (status === NOT_FOUND && elementOf(answer.text, 'Code') !== 'NoSuchBucket') return undefined;
    if (!ok) throw this.#fault(key, 'cannot be read', answer);
    return { text: answer.text, tag: headers.get('etag') ?? undefined };
  }

  /** Deletes an object; does nothing where there is none. */
  async delete(key: string): Promise<void> {
    const answer = await this.#send(key, { method: 'DELETE' });
    const { ok, status } = answer.response;
    if (!ok && status !== NOT_FOUND) throw this.#fault(key, 'cannot be deleted', answer);
  }

  /** Writes an object of one part where its condition holds; returns whether it did. */
  async #putWhole(key: string, bytes: Uint8Array<ArrayBuffer>, own: Metadata, condition: Condition): Promise<boolean> {
    const headers = { ...condition, ...own };
    return this.#unlessThere(key, own, condition, () => this.#send(key, { method: 'PUT', headers, body: bytes }));
  }

  /** Whether a conditional write took place; its answer may have been lost, and then it is looked up. */
  async #unlessThere(key: string, own: Metadata, condition: Condition, write: () => Promise<Answer>): Promise<boolean> {
    for (let conflicts = 0; ; conflicts++) {
      const answer = await write();
      const { status, ok } = answer.response;
      // Some servers answer 200, and say in the body that it failed.
      if (ok && !answer.text.includes('<Error>')) return true;
      if (status === CONFLICT && conflicts < MAX_CONFLICTS) continue;
      const isOver = status === PRECONDITION_FAILED || status === NOT_FOUND;
      if (isOver && (answer.isRepeated || conflicts > 0) && (await this.#isOwn(key, own))) return true;
      if (status === PRECONDITION_FAILED || (status === NOT_FOUND && 'if-match' in condition)) return false;
      throw this.#fault(key, 'cannot be written', answer);
    }
  }

  async #isOwn(key: string, own: Metadata): Promise<boolean> {
    const { response } = await this.#send(key, { method: 'HEAD' });
    return response.ok && response.headers.get(UPLOAD_ID) === own[UPLOAD_ID];
  }

  async #beginUpload(key: string, own: Metadata): Promise<string> {
    const answer = await this.#send(key, { method: 'POST', query: { uploads: '' }, headers: { ...own } });
    const id = elementOf(answer.text, 'UploadId');
    if (answer.response.ok && id !== undefined) return id;
    throw this.#fault(key, 'cannot be written', answer);
  }

  async #putPart(key: string, uploadId: string, number: number, body: Uint8Array<ArrayBuffer>): Promise<string> {
    const query = { partNumber: String(number), uploadId };
    const answer = await this.#send(key, { method: 'PUT', query, body });
    const tag = answer.response.headers.get('etag');
    if (answer.response.ok && tag !== null) return tag;
    throw this.#fault(key, 'cannot be written', answer);
  }

  #completeUpload(
    key: string,
    uploadId: string,
    tags: readonly string[],
    own: Metadata,
    condition: Condition,
  ): Promise<boolean> {
    const parts = tags.map((tag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
    const xml = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
    const body = new TextEncoder().encode(xml);
    const headers = { ...condition, 'content-type': 'application/xml' };
    return this.#unlessThere(key, own, condition, () =>
      this.#send(key, { method: 'POST', query: { uploadId }, headers, body }),
    );
  }

  /**
   * Makes sure that conditional writes are obeyed: without them, one of two updates would be lost. Writes a small object
   * for it, and deletes it.
   */
  #checkConditions(): Promise<void> {
    this.#conditions ??= this.#tryConditions();
    this.#conditions.catch(() => {
      this.#conditions = undefined;
    });
    return this.#conditions;
  }

  async #tryConditions(): Promise<void> {
    const key = `condition-${randomUUID()}`;
    const put = (headers: Readonly<Record<string, string>>) =>
      this.#send(key, { method: 'PUT', headers, body: new TextEncoder().encode('?') });
    const first = await put({});
    if (!first.response.ok) throw this.#fault('', 'cannot be written to', first);
    try {
      for (const [name, value] of Object.entries({ 'if-none-match': '*', 'if-match': `"${'0'.repeat(32)}"` })) {
        const { response } = await put({ [name]: value });
        if (response.status === PRECONDITION_FAILED || response.status === CONFLICT) continue;
        throw new FileError({
          subject: this.describe(''),
          problem: `is in a bucket that does not obey conditions of writes (${name})`,
          received: `${response.status} ${response.statusText}`.trim(),
          allowed: 'a bucket that does: without it, one of two updates at the same time would be lost',
        });
      }
    } finally {
      await this.delete(key).catch(() => undefined);
    }
  }

  /** Sends a request, of a key or of the bucket itself. Rejects with FileError where the server cannot be reached. */
  async #send(key: string, request: BucketRequest, isOfBucket = false): Promise<Answer> {
    const { method, query = {}, headers = {}, body, retries = RETRIES } = request;
    const path = isOfBucket ? '' : this.#prefix + key;
    const { url, sign } = remoteAddress(`s3://${this.#bucket}/${path}`);
    if (isOfBucket) url.pathname = url.pathname.replace(/(.)\/$/, '$1');
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    let attempts = 0;
    const attempt = async () => {
      attempts++;
      const digest = createHash('sha256').update(body ?? '');
      const all = new Headers({ ...headers, 'x-amz-content-sha256': digest.digest('hex') });
      const signed = sign === undefined ? all : await sign(url, all, method);
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const response = await fetch(url, { method, headers: signed, body, redirect: 'manual', signal });
      const text = await response.text();
      return { response, text };
    };
    try {
      let answer = await retry(attempt, retries);
      // The clock of this machine may be wrong.
      if (answer.response.status === 403 && learnClock(url, answer.response)) answer = await retry(attempt, retries);
      return { ...answer, isRepeated: attempts > 1 };
    } catch (cause) {
      throw unreachable(this.describe(key), cause);
    }
  }

  #fault(key: string, problem: string, { response, text }: Pick<Answer, 'response' | 'text'>): FileError {
    const { status, statusText } = response;
    const code = elementOf(text, 'Code') ?? statusText;
    return new FileError({
      subject: this.describe(key),
      problem: `${problem}: the server answers ${`${status} ${code}`.trim()}`,
      allowed: ALLOWED[status] ?? 'a bucket that the keys of the account may read, list and write to',
    });
  }
}

const ALLOWED: Readonly<Record<number, string>> = {
  301: 'the region of the bucket, in AWS_REGION',
  404: 'a bucket that exists, at the server that AWS_ENDPOINT_URL names',
};

/** The content of the first element of a name, decoded. */
function elementOf(xml: string, name: string): string | undefined {
  const [, content] = new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(xml) ?? [];
  return content?.replaceAll(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (all, hex, decimal, entity) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return decimal === undefined ? (ENTITIES[entity] ?? all) : String.fromCodePoint(Number(decimal));
  });
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Joins pieces to parts of one size, and says which is the last one; at least one, which may be empty. */
async function* inParts(
  pieces: Pieces,
): AsyncGenerator<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly isLast: boolean }> {
  let held: Uint8Array<ArrayBuffer> = new Uint8Array(65_536);
  let length = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      if (length === PART_BYTES) {
        yield { bytes: held, isLast: false };
        held = new Uint8Array(PART_BYTES);
        length = 0;
      }
      const some = piece.subarray(at, at + PART_BYTES - length);
      if (length + some.length > held.length) {
        const larger = new Uint8Array(Math.min(PART_BYTES, Math.max(2 * held.length, length + some.length)));
        larger.set(held.subarray(0, length));
        held = larger;
      }
      held.set(some, length);
      length += some.length;
      at += some.length;
    }
  }
  yield { bytes: held.subarray(0, length), isLast: true };
}
