import { createHash, createHmac } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { remoteAddress } from '../../../src/files/remote/remote-address.js';
import { signRequest } from '../../../src/files/remote/sign-s3.node.js';
import { plumecastHere } from '../../cli/run-here.js';
import { type ObjectServer, serveObjects } from './object-server.js';

const KEYS = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** The signature of a request by the steps of "Create a signed AWS API request", for what its header says is signed. */
function signatureOf(path: string, headers: Record<string, string>, secret: string): string {
  const [, credential, signed] = /Credential=([^,]*), ?SignedHeaders=([^,]*)/.exec(headers.authorization) ?? [];
  const [, ...scope] = credential.split('/');
  const lines = signed.split(';').map((name) => `${name}:${headers[name].trim()}\n`);
  const canonical = ['GET', path, '', lines.join(''), signed, headers['x-amz-content-sha256']].join('\n');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope.join('/'), hash(canonical)].join('\n');
  const key = scope.reduce((before: string | Buffer, part) => hmac(before, part), `AWS4${secret}`);
  return hmac(key, text).toString('hex');
}

function isSigned({ url = '', headers }: IncomingMessage, secret: string): boolean {
  const all = headers as Record<string, string>;
  return all.authorization?.endsWith(`Signature=${signatureOf(url.split('?')[0], all, secret)}`) ?? false;
}

describe('addresses of S3', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('are those of AWS, of its region, or of another server', () => {
    vi.stubEnv('AWS_ENDPOINT_URL', '');
    vi.stubEnv('AWS_REGION', undefined);
    vi.stubEnv('AWS_DEFAULT_REGION', undefined);
    const url = (address: string) => remoteAddress(address).url.href;
    expect(url('s3://noaa-gefs-pds/gefs.20260301/a b.nc')).toBe(
      'https://noaa-gefs-pds.s3.amazonaws.com/gefs.20260301/a%20b.nc',
    );
    expect(url('s3://with.dots/x')).toBe('https://s3.amazonaws.com/with.dots/x');
    vi.stubEnv('AWS_REGION', 'eu-central-1');
    expect(url('s3://ecmwf-forecasts/x')).toBe('https://ecmwf-forecasts.s3.eu-central-1.amazonaws.com/x');
    vi.stubEnv('AWS_ENDPOINT_URL', 'http://localhost:9000/');
    expect(url('s3://b/x')).toBe('http://localhost:9000/b/x');
    expect(() => remoteAddress('s3:///x')).toThrow('s3://BUCKET/KEY');
  });
});

describe('signatures', () => {
  const url = new URL('https://b.s3.amazonaws.com/2026/a%20b%2Bc(1).nc');
  const base = { bucket: 'b', isElsewhere: true };
  const folder = mkdtempSync(join(tmpdir(), 'plumecast-s3-keys-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const none = { AWS_SHARED_CREDENTIALS_FILE: join(folder, 'nothing'), AWS_CONFIG_FILE: join(folder, 'nothing') };
  const sign = (
    environment: Record<string, string>,
    headers = new Headers({ range: 'bytes=0-9', 'if-match': '"v1"' }),
  ) => signRequest(url, headers, { ...base, environment: { ...none, ...environment } });

  it('are right, with keys of the environment, a token and a region', async () => {
    const environment = { ...KEYS, AWS_SESSION_TOKEN: 'session', AWS_REGION: 'eu-central-1' };
    const headers = Object.fromEntries(await sign(environment));
    expect(headers.authorization).toContain('/eu-central-1/s3/aws4_request');
    expect([headers.range, headers['x-amz-security-token']]).toEqual(['bytes=0-9', 'session']);
    const expected = signatureOf(
      '/2026/a%20b%2Bc%281%29.nc',
      { host: url.host, ...headers },
      KEYS.AWS_SECRET_ACCESS_KEY,
    );
    expect(headers.authorization).toContain(`Signature=${expected}`);
  });

  it('are made with the keys of a profile', async () => {
    const path = join(folder, 'credentials');
    writeFileSync(
      path,
      '[default]\naws_access_key_id=ONE\naws_secret_access_key=one\n\n[ Weather ]\naws_access_key_id = TWO\naws_secret_access_key = two\n',
    );
    const file = { AWS_SHARED_CREDENTIALS_FILE: path };
    expect((await sign(file)).get('authorization')).toContain('Credential=ONE/');
    expect((await sign({ ...file, AWS_PROFILE: 'Weather' })).get('authorization')).toContain('Credential=TWO/');
    await expect(sign({ ...file, AWS_PROFILE: 'other' })).rejects.toThrow('has no profile other');
  });

  it('are not made without keys, or where none are wanted', async () => {
    expect((await sign({})).has('authorization')).toBe(false);
    expect((await sign({ ...KEYS, AWS_NO_SIGN_REQUEST: 'YES' })).has('authorization')).toBe(false);
  });

  it('need both keys', async () => {
    await expect(sign({ AWS_ACCESS_KEY_ID: 'HALF' })).rejects.toThrow('has no secret access key');
    await expect(sign({ AWS_SECRET_ACCESS_KEY: 'x' })).rejects.toThrow('has no access key id');
  });
});

describe('files and stores in a bucket', () => {
  const objects = new Map<string, Uint8Array>();
  let server: ObjectServer;
  const folder = mkdtempSync(join(tmpdir(), 'plumecast-s3-'));
  const csv = join(folder, 'rain.csv');

  beforeAll(async () => {
    server = await serveObjects(objects);
    const days = Array.from({ length: 28 }, (_, day) => `2026-02-${String(day + 1).padStart(2, '0')}`);
    const rows = days.flatMap((date, day) =>
      [0, 1, 2].map((member) => `${date},${member},52.5,13.5,${(day * 7 + member) % 11}`),
    );
    writeFileSync(csv, ['date,member,latitude,longitude,precipitation', ...rows, ''].join('\n'));
    await plumecastHere('convert', csv, join(folder, 'rain.zarr'));
    for (const path of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const full = join(path.parentPath, path.name);
      if (path.isFile()) objects.set(`bucket/${relative(folder, full)}`, readFileSync(full));
    }
    mkdirSync(join(folder, 'home'));
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });
  afterEach(() => vi.unstubAllEnvs());

  const OPTIONS = ['-v', 'precipitation', '--granularity', 'weekly', '--format', 'csv', '--units', 'mm'];

  function keys(environment: Record<string, string>) {
    for (const [name, value] of Object.entries({ AWS_ENDPOINT_URL: server.url, ...environment }))
      vi.stubEnv(name, value);
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(folder, 'home', 'none'));
    server.fault = (request, response) => {
      if (isSigned(request, KEYS.AWS_SECRET_ACCESS_KEY)) return false;
      response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>');
      return true;
    };
  }

  it.each(['rain.csv', 'rain.zarr'])('are read with signed requests: %s', async (name) => {
    keys(KEYS);
    const { out, err, code } = await plumecastHere('stats', `s3://bucket/${name}`, ...OPTIONS);
    expect([err, code]).toEqual(['', 0]);
    expect(out).toBe((await plumecastHere('stats', join(folder, name), ...OPTIONS)).out);
    expect(server.requests.length).toBeGreaterThan(0);
  });

  it.each(['rain.csv', 'rain.zarr'])('are not given for wrong keys, which messages do not show: %s', async (name) => {
    keys({ AWS_ACCESS_KEY_ID: 'WRONGKEYID', AWS_SECRET_ACCESS_KEY: 'not the secret' });
    const { err, code } = await plumecastHere('stats', `s3://bucket/${name}`, ...OPTIONS);
    expect(code).toBe(1);
    expect(err).toContain(`/bucket/${name}`);
    expect(err).toContain('403');
    expect(err).not.toMatch(/WRONGKEYID|not the secret/);
  });

  it('send nothing signed to another server', async () => {
    keys({ ...KEYS, AWS_SESSION_TOKEN: 'session' });
    const received: IncomingMessage['headers'][] = [];
    const other = await serveObjects(objects);
    other.fault = (request) => {
      received.push(request.headers);
      return false;
    };
    server.fault = (_, response) => {
      response.writeHead(307, { location: `${other.url}/bucket/rain.csv` }).end();
      return true;
    };
    const { err, code } = await plumecastHere('stats', 's3://bucket/rain.csv', ...OPTIONS);
    expect(code).toBe(1);
    expect(err).toContain('redirect');
    expect(received).toEqual([]);
    await other[Symbol.asyncDispose]();
  });
});
