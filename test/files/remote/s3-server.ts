import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The keys of the account of test servers. */
export const ACCOUNT = { AWS_ACCESS_KEY_ID: 'AKIDOFTESTS', AWS_SECRET_ACCESS_KEY: 'secretoftests' };

interface Stored {
  readonly bytes: Buffer;
  readonly tag: string;
  /** By the clock of the server. */
  readonly modified: number;
  readonly upload: string | undefined;
  /** Its other metadata, by header. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** A server of the REST API of S3, with one bucket: signatures are checked, and conditional writes take place one after the other. */
export interface S3Server {
  readonly url: string;
  /** By key. */
  readonly objects: Map<string, Stored>;
  /** Method, key or query, and range of each request. */
  readonly requests: string[];
  /** Bytes of bodies that were sent. */
  sent: number;
  /** Whether the conditions of writes are ignored, as older servers do. */
  ignoresConditions: boolean;
  /** The status and code that writes of these keys are answered with, in place of being done. */
  rejects: ((key: string, query: string) => readonly [status: number, code: string] | undefined) | undefined;
  /** Whether the next write takes place, and its connection ends without an answer. */
  losesAnswer: boolean;
  /** How far its clock is ahead, in milliseconds. */
  aheadMs: number;
  /** Cuts all connections, and accepts no more; what it has stays. */
  stop(): Promise<void>;
  /** Goes on at the same address. */
  start(): Promise<void>;
}

const MAX_SKEW_MS = 900_000;

/** Starts a server of a bucket called `bucket`. */
export async function startS3(): Promise<S3Server> {
  const objects = new Map<string, Stored>();
  const uploads = new Map<string, Pick<Stored, 'upload' | 'metadata'> & { readonly parts: Map<number, Buffer> }>();
  let port = 0;
  const server = createServer((request, response) => {
    respond(request, response).catch((error) => response.destroy(error));
  });

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const body = Buffer.concat(pieces);
    const url = new URL(request.url as string, 'http://server');
    const key = decodeURIComponent(url.pathname).replace(/^\/bucket\/?/, '');
    const { method, headers } = request;
    served.requests.push(`${method} ${key || url.search} ${headers.range ?? ''}`.trim());
    const now = Date.now() + served.aheadMs;
    const send = (status: number, more: Record<string, string | number> = {}, content: Uint8Array | string = '') => {
      const bytes = Buffer.from(content);
      served.sent += method === 'HEAD' ? 0 : bytes.length;
      response.writeHead(status, { date: new Date(now).toUTCString(), 'content-length': bytes.length, ...more });
      response.end(method === 'HEAD' ? undefined : bytes);
    };
    const fail = (status: number, code: string) => send(status, {}, `<Error><Code>${code}</Code></Error>`);
    const time = Date.parse(String(headers['x-amz-date']).replace(/^(....)(..)(..T..)(..)/, '$1-$2-$3:$4:'));
    if (!(Math.abs(time - now) < MAX_SKEW_MS)) return fail(403, 'RequestTimeTooSkewed');
    if (!isSigned(request, url, body)) return fail(403, 'SignatureDoesNotMatch');
    const query = url.searchParams;
    const known = objects.get(key);
    /** Whether the conditions of a write hold. */
    const holds = () =>
      served.ignoresConditions ||
      ((headers['if-none-match'] !== '*' || !objects.has(key)) &&
        (headers['if-match'] === undefined || objects.get(key)?.tag === headers['if-match']));
    const write = (bytes: Buffer, about: Pick<Stored, 'upload' | 'metadata'>) => {
      const tag = `"${createHash('md5').update(bytes).digest('hex')}"`;
      objects.set(key, { bytes, tag, modified: now, ...about });
      if (!served.losesAnswer) return tag;
      served.losesAnswer = false;
      response.destroy();
      return undefined;
    };
    if (!/^\/bucket(\/|$)/.test(url.pathname)) return fail(404, 'NoSuchBucket');
    const rejected = method === 'PUT' || method === 'POST' ? served.rejects?.(key, url.search) : undefined;
    if (rejected !== undefined) return fail(...rejected);
    if (method === 'GET' && query.get('list-type') === '2') return send(200, {}, listing(objects, query));
    if (method === 'POST' && query.has('uploads')) {
      const id = String(uploads.size);
      uploads.set(id, { parts: new Map(), ...metadataOf(request) });
      return send(200, {}, `<R><UploadId>${id}</UploadId></R>`);
    }
    const upload = uploads.get(query.get('uploadId') ?? '');
    if (method === 'PUT' && upload !== undefined) {
      upload.parts.set(Number(query.get('partNumber')), body);
      return send(200, { etag: `"part${query.get('partNumber')}"` });
    }
    if (method === 'POST' && upload !== undefined) {
      if (!holds()) return fail(412, 'PreconditionFailed');
      const numbers = [...body.toString().matchAll(/<PartNumber>(\d+)<.*?"part(\d+)"/g)];
      const parts = numbers.map(([, number]) => upload.parts.get(Number(number)) as Buffer);
      if (write(Buffer.concat(parts), { upload: upload.upload, metadata: upload.metadata }) !== undefined)
        send(200, {}, '<Result/>');
      return;
    }
    if (method === 'DELETE') {
      if (upload === undefined) objects.delete(key);
      else uploads.delete(query.get('uploadId') ?? '');
      return send(204);
    }
    if (method === 'PUT') {
      if (!holds()) return objects.has(key) ? fail(412, 'PreconditionFailed') : fail(404, 'NoSuchKey');
      const tag = write(body, metadataOf(request));
      if (tag !== undefined) send(200, { etag: tag });
      return;
    }
    if (known === undefined) return fail(404, 'NoSuchKey');
    const { bytes, tag, modified, upload: own, metadata } = known;
    const about = {
      ...metadata,
      etag: tag,
      'last-modified': new Date(modified).toUTCString(),
      ...(own !== undefined && { 'x-amz-meta-plumecast-upload': own }),
    };
    if (headers['if-none-match'] === tag) return send(304, about);
    if (method === 'HEAD') return send(200, { ...about, 'content-length': bytes.length });
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    if (from === undefined) return send(200, about, bytes);
    const end = Math.min(bytes.length, Number(to) + 1);
    if (Number(from) >= bytes.length) return send(416, { 'content-range': `bytes */${bytes.length}` });
    const range = { 'content-range': `bytes ${from}-${end - 1}/${bytes.length}` };
    return send(206, { ...about, ...range }, bytes.subarray(Number(from), end));
  }

  const served: S3Server = {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    ...{ objects, requests: [], sent: 0, ignoresConditions: false, losesAnswer: false, aheadMs: 0 },
    rejects: undefined,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    async start() {
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
      port = (server.address() as AddressInfo).port;
    },
  };
  await served.start();
  return served;
}

function metadataOf({ headers }: IncomingMessage): Pick<Stored, 'upload' | 'metadata'> {
  const { 'x-amz-meta-plumecast-upload': upload, ...others } = headers as Record<string, string>;
  const own = Object.entries(others).filter(([name]) => name.startsWith('x-amz-meta-'));
  return { upload, metadata: Object.fromEntries(own) };
}

/** A page of a listing: two keys, so that there are several. */
function listing(objects: ReadonlyMap<string, Stored>, query: URLSearchParams): string {
  const after = query.get('continuation-token') ?? '';
  const keys = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '')).sort();
  const page = keys.filter((key) => key > after).slice(0, 20);
  const hasMore = keys.some((key) => key > (page.at(-1) ?? after));
  const contents = page.map((key) => {
    const { bytes, modified, tag } = objects.get(key) as Stored;
    const name = key.replaceAll('&', '&amp;');
    const time = new Date(modified).toISOString();
    const etag = `<ETag>${tag.replaceAll('"', '&quot;')}</ETag>`;
    return `<Contents><Key>${name}</Key><LastModified>${time}</LastModified>${etag}<Size>${bytes.length}</Size></Contents>`;
  });
  const next = hasMore ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  return `<ListBucketResult><IsTruncated>${hasMore}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`;
}

const hash = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);

/** Whether a request is signed by the account, by the steps of "Create a signed AWS API request", and has the body of its digest. */
function isSigned({ method, headers }: IncomingMessage, url: URL, body: Buffer): boolean {
  const all = headers as Record<string, string>;
  const [, credential = '', signed = '', signature] =
    /Credential=([^,]*), ?SignedHeaders=([^,]*), ?Signature=(\w+)/.exec(all.authorization ?? '') ?? [];
  const [id, ...scope] = credential.split('/');
  const digest = all['x-amz-content-sha256'];
  const unsigned = Object.keys(all).filter((name) => name.startsWith('x-amz-') && !signed.split(';').includes(name));
  if (id !== ACCOUNT.AWS_ACCESS_KEY_ID || unsigned.length > 0) return false;
  if (digest !== 'UNSIGNED-PAYLOAD' && digest !== hash(body)) return false;
  const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort();
  const lines = signed.split(';').map((name) => `${name}:${(all[name] ?? '').trim()}\n`);
  const path = decodeURIComponent(url.pathname).split('/').map(encode).join('/');
  const canonical = [method, path, query.join('&'), lines.join(''), signed, digest].join('\n');
  const text = ['AWS4-HMAC-SHA256', all['x-amz-date'], scope.join('/'), hash(canonical)].join('\n');
  const key = scope.reduce(
    (before: string | Buffer, part) => hmac(before, part),
    `AWS4${ACCOUNT.AWS_SECRET_ACCESS_KEY}`,
  );
  return hmac(key, text).toString('hex') === signature;
}
