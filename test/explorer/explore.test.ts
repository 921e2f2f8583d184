import { spawn } from 'node:child_process';
import { symlink, truncate, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { demoTable } from '../../src/demo/index.js';
import { encodeTable } from '../../src/files/index.js';
import { CLI, folderWith } from '../cli/run-command.js';
import { plumecastHere } from '../cli/run-here.js';

const table = demoTable('temp_mean', { days: 10, members: 3 });
const bytes = await encodeTable(table, 'arrow');
const { folder, remove } = folderWith({ 'a "b".arrow': bytes });
afterAll(remove);

/** Starts the command; resolves with its address, and a function that ends it as Ctrl-C does. */
function explore(...args: string[]): Promise<{ address: string; end: () => Promise<number | null> }> {
  const child = spawn(process.execPath, [CLI, 'explore', '--no-open', ...args], { cwd: folder });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  return new Promise((started, failed) => {
    let out = '';
    child.stdout.on('data', (text) => {
      out += text;
      const [, address] = /at (http:\S+)\n\nCtrl-C/.exec(out) ?? [];
      const end = () => {
        child.kill('SIGINT');
        return ended;
      };
      if (address !== undefined) started({ address, end });
    });
    ended.then((code) => failed(new Error(`ended with exit code ${code}`)));
  });
}

/** A request with headers that fetch would not send. */
function status(address: string, { path, ...options }: { path?: string; method?: string; host?: string }) {
  const { hostname, port, pathname } = new URL(address);
  return new Promise<number | undefined>((done, failed) => {
    const headers = options.host === undefined ? {} : { host: options.host };
    request({ hostname, port, path: path ?? pathname, method: options.method, headers }, (response) => {
      response.resume();
      done(response.statusCode);
    })
      .once('error', failed)
      .end();
  });
}

describe('plumecast explore', () => {
  it('serves the page and its files at an address with a random part, to this machine only, until Ctrl-C', async () => {
    const { address, end } = await explore('a "b".arrow');
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{24}\/$/);
    const page = await fetch(address);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self' 'wasm-unsafe-eval';");
    expect(await page.text()).toContain('<title>plumecast explorer</title>');
    const config = await (await fetch(`${address}explorer.json`)).json();
    const file0 = 'files/0/a%20%22b%22.arrow';
    expect(config).toEqual({ server: null, key: null, file: [file0], paths: ['a "b".arrow'], arrays: [null] });
    const file = await fetch(address + config.file[0]);
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(new Uint8Array(bytes));
    expect((await fetch(`${address}explorer.js`)).status).toBe(200);
    const { origin, host, pathname } = new URL(address);
    expect(await status(address, { path: '/' })).toBe(404);
    expect(await status(address, { path: '/explorer.json' })).toBe(404);
    expect(await status(address, { path: `${pathname}../package.json` })).toBe(404);
    expect(await status(address, { path: `${pathname}files/1/x` })).toBe(404);
    expect(await status(address, { host: `example.org:${new URL(origin).port}` })).toBe(403);
    expect(await status(address, { host: host.replace('127.0.0.1', 'localhost') })).toBe(200);
    expect(await status(address, { method: 'POST' })).toBe(405);
    expect(await end()).toBe(0);
    await expect(fetch(address)).rejects.toThrow();
  });

  it('serves the files of a Zarr store, and ranges of them, but nothing outside of it', async () => {
    const stores = folderWith({
      'a.zarr/.zgroup': '{"zarr_format":2}',
      'a.zarr/x/0': '0123456789',
      'secret.txt': 'no',
    });
    onTestFinished(stores.remove);
    const { address, end } = await explore(`${stores.folder}/a.zarr`);
    const config = await (await fetch(`${address}explorer.json`)).json();
    expect(config).toMatchObject({ file: ['files/0/a.zarr/'], paths: [`${stores.folder}/a.zarr`], arrays: [[]] });
    const store = address + config.file[0];
    expect(await (await fetch(`${store}x/0`)).text()).toBe('0123456789');
    const part = async (range: string) => {
      const response = await fetch(`${store}x/0`, { headers: { range } });
      return [response.status, response.headers.get('content-range'), await response.text()];
    };
    expect(await part('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234']);
    expect(await part('bytes=-3')).toEqual([206, 'bytes 7-9/10', '789']);
    expect(await part('bytes=8-99')).toEqual([206, 'bytes 8-9/10', '89']);
    const { pathname } = new URL(store);
    for (const path of ['../secret.txt', '%2e%2e/secret.txt', '..%2fsecret.txt', '', 'x//0', '%', '%00']) {
      expect([path, await status(address, { path: pathname + path })]).toEqual([path, 404]);
    }
    await symlink('../../secret.txt', `${stores.folder}/a.zarr/x/1`);
    await symlink('0', `${stores.folder}/a.zarr/x/2`);
    await symlink('..', `${stores.folder}/a.zarr/y`);
    // A folder is no chunk that was never written; links may lead to files of the store only.
    for (const [path, code] of [
      ['x', 403],
      ['x/1', 403],
      ['x/2', 200],
      ['x/3', 404],
      ['y/secret.txt', 403],
    ] as const) {
      expect([path, await status(address, { path: pathname + path })]).toEqual([path, code]);
    }
    await end();
  });

  it('says which file cannot be opened', async () => {
    const { code, out, err } = await plumecastHere('explore', '--no-open', `${folder}/none.arrow`);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('none.arrow');
    const ofFolder = await plumecastHere('explore', '--no-open', folder);
    expect(ofFolder.err).toContain('there is no Zarr store');
    const long = `${folder}/long.csv`;
    await writeFile(long, 'date,member,value\n');
    await truncate(long, 2 ** 31);
    const ofLong = await plumecastHere('explore', '--no-open', long);
    expect([ofLong.code, ofLong.out]).toEqual([1, '']);
    expect(ofLong.err).toContain(
      `${long}: is too long for the page of the explorer; received "2.00 GiB"; allowed: tables and NetCDF4 up to 1 GiB, and GRIB, NetCDF3 and Zarr of any length: "plumecast stats FILE" and "plumecast plot FILE" read longer ones`,
    );
  });

  it('offers GRIB of any length, which the page reads where it is needed', async () => {
    const long = `${folder}/long.grib2`;
    await writeFile(long, 'GRIB\0\0\0\x02');
    await truncate(long, 2 ** 31);
    const { address, end } = await explore(long);
    const { headers } = await fetch(`${address}files/0/long.grib2`, { method: 'HEAD' });
    expect(headers.get('content-length')).toBe(String(2 ** 31));
    await end();
  });
});
