import { execFileSync } from 'node:child_process';
import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { decompress } from 'fzstd';
import { afterAll, describe, expect, it } from 'vitest';
import { createKey } from '../../src/service/access/key-file.node.js';
import { folderWithStore } from '../cli/small-store.js';
import { serversOf } from '../cli/start-server.js';
import { httpRequest } from '../mounting/http-request.js';
import { nodes } from './nodes.js';

const { store, remove } = await folderWithStore();
const { key } = await createKey(store, { owner: 'Example Farms', downscaling: false });
afterAll(remove);

const POINTS = Array.from({ length: 100 }, () => '37.2,-79.8').join(';');
const [SHORT, MEDIUM, LONG] = [
  '/v2/forecast/statistics?lat=37.2&lon=-79.8&var=precipitation&granularity=weekly',
  '/v2/history?lat=37.2&lon=-79.8&start_date=2024-01-01',
  `/v2/history?points=${POINTS}&start_date=2024-01-01`,
];

for (const { major, binary, absent } of nodes) {
  const skip = absent !== undefined && !process.env.PLUMECAST_REQUIRE_RUNTIMES;
  if (skip) console.log(`skipped: the service in Node ${major} (${absent})`);
  describe.skipIf(skip)(`plumecast serve in Node ${major}`, () => {
    const serve = serversOf(store, binary);
    const hasZstd = () =>
      execFileSync(binary, ['-p', '"zstdCompressSync" in require("node:zlib")'], { encoding: 'utf8' }).trim();

    it('sends long answers in zstd where this Node has it, else in gzip: the same, with a tag of their own', async () => {
      const coding = hasZstd() === 'true' ? 'zstd' : 'gzip';
      expect(coding).toBe(major < 22 ? 'gzip' : 'zstd');
      const { address } = await serve();
      for (const path of [SHORT, MEDIUM, LONG]) {
        const [plain, coded] = await Promise.all(
          ['identity', 'br, gzip, zstd'].map((accepted) =>
            httpRequest(address, path, { headers: { 'X-Api-Key': key, 'Accept-Encoding': accepted } }),
          ),
        );
        expect([plain.status, coded.status]).toEqual([200, 200]);
        const { etag, vary } = plain.headers;
        expect(coded.headers.vary).toBe(vary);
        expect(vary).toContain('Accept-Encoding');
        if (path === SHORT) {
          expect(coded.headers['content-encoding']).toBeUndefined();
          expect(coded.headers.etag).toBe(etag);
          continue;
        }
        expect(coded.headers['content-encoding']).toBe(coding);
        expect(coded.headers.etag).toBe(`${etag?.slice(0, -1)}-${coding}"`);
        const bytes = Buffer.from(coding === 'zstd' ? decompress(coded.body) : gunzipSync(coded.body));
        expect(bytes.equals(plain.body)).toBe(true);
        expect(coded.body.length).toBeLessThan(plain.body.length / 2);
      }
    });

    it('answers pipelined requests in order, also where more follows the last one', async () => {
      const { address } = await serve();
      const one = (path: string, more: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${key}\r\n${more}\r\n`;
      const text = `${one(SHORT, '')}${one('/v2/nowhere', '')}${one(MEDIUM, 'Connection: close\r\n')}${one(SHORT, '')}`;
      let answer = '';
      const socket = connect(Number(new URL(address).port), '127.0.0.1', () => socket.write(text));
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      await new Promise((end) => socket.once('close', end));
      expect(answer.match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(['200', '404', '200']);
      expect(JSON.parse(answer.slice(answer.lastIndexOf('\r\n\r\n')))).toHaveProperty('data.temp_mean');
    });
  });
}
