import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createHandler, memoryKeys } from '../../../../src/service/index.js';
import { beginUpdate, checkStore } from '../../../../src/service/source/folder/index.node.js';
import {
  AXIS,
  commitForecast,
  fileOf,
  filesIn,
  gridOf,
  HEADER,
  HISTORY_AXIS,
  newFolder,
  opened,
  write,
} from './stores.js';

/** A store with objects of every kind. */
async function fullStore(): Promise<string> {
  const dir = newFolder();
  const update = await beginUpdate(dir);
  update.setForecast(HEADER);
  await write(update, { from: 100 });
  await write(update, { part: 'short-term', from: 200 });
  await write(update, { part: 'reanalysis', axis: HISTORY_AXIS, from: 300 });
  await update.setElevation({ ...gridOf(4), metres: Float32Array.of(1, 2, 3, 4) });
  update.addPreloaded(gridOf(2));
  await update.commit();
  return dir;
}

describe('damage in a store', () => {
  it('of any object is found by a check, which names the object, and nothing else', async () => {
    const dir = await fullStore();
    expect(await checkStore(dir)).toMatchObject({ faults: [], unchecked: 0, generations: 1, objects: 6 });
    let seed = 1;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return seed % below;
    };
    for (const file of filesIn(dir).filter((path) => !path.endsWith('store.json'))) {
      const bytes = readFileSync(file);
      for (let i = 0; i < 12; i++) {
        const damaged = Uint8Array.from(bytes);
        damaged[random(bytes.length)] ^= 1 << random(8);
        writeFileSync(file, damaged);
        const { faults } = await checkStore(dir);
        expect(faults.map(({ object }) => object)).toEqual([file]);
      }
      writeFileSync(file, bytes.subarray(1));
      expect((await checkStore(dir)).faults).toHaveLength(1);
      writeFileSync(file, bytes);
    }
    expect((await checkStore(dir)).faults).toEqual([]);
  });

  it.each(['direct', 'threads'] as const)(
    'of any bit of a block is an error of its place alone, which names the object and where it is, read %s',
    async (reads) => {
      const dir = newFolder();
      await commitForecast(dir, { from: 7 });
      const file = await fileOf(dir);
      const bytes = readFileSync(file);
      const stored = AXIS.days * AXIS.members * 4 + 4;
      const { forecast } = await (await opened(dir, { reads })).snapshot();
      const into = new Float32Array(AXIS.days * AXIS.members);
      const read = async (cell: number) => forecast?.timeline.read('temp_mean', cell, into);
      for (let bit = 0; bit < stored * 8; bit += 5) {
        const damaged = Uint8Array.from(bytes);
        damaged[8 + stored + (bit >> 3)] ^= 1 << (bit % 8);
        writeFileSync(file, damaged);
        await expect(read(1)).rejects.toThrow(
          `${file}: is damaged at place 1, in the ${stored} bytes from ${8 + stored} on: their checksum differs`,
        );
        for (const cell of [0, 2, 3]) {
          await read(cell);
          expect(into[0]).toBe(7 + cell * AXIS.days * AXIS.members);
        }
      }
      writeFileSync(file, bytes);
      await read(1);
      expect(into[0]).toBe(7 + AXIS.days * AXIS.members);
    },
  );

  it('of a block is 503 for its place, with a line for the log, while other places are served', async () => {
    const dir = newFolder();
    await commitForecast(dir, { from: 7 });
    const file = await fileOf(dir);
    const bytes = readFileSync(file);
    bytes[8 + 20] ^= 4;
    writeFileSync(file, bytes);
    const faults: string[] = [];
    const handler = createHandler({
      source: await opened(dir),
      keys: memoryKeys([{ id: 'k', owner: 'me', downscaling: false, key: 'key' }]),
      onError: (error) => faults.push(`${error instanceof Error ? (error.cause ?? error) : error}`),
    });
    const ask = async (lon: number) => {
      const url = `http://service.test/v2/forecast?lat=36.5&lon=${lon}&var=temp_mean`;
      return (await handler(new Request(url, { headers: { 'X-Api-Key': 'key' } }))).status;
    };
    expect([await ask(-80.5), await ask(-80.25), await ask(-80), await ask(-80.5)]).toEqual([503, 200, 200, 503]);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(`${file}: is damaged at place 0, in the 64 bytes from 8 on`);
  });

  it.each([
    '/v2/forecast?var=temp_mean',
    '/v2/forecast/statistics?var=temp_mean',
    '/v2/forecast/statistics?var=temp_mean&members=all',
  ])('of a block is a problem in its place among several points of %s, and the others are served', async (path) => {
    const dir = newFolder();
    await commitForecast(dir, { from: 7 });
    const file = await fileOf(dir);
    const bytes = readFileSync(file);
    const faults: string[] = [];
    const handler = createHandler({
      source: await opened(dir),
      keys: memoryKeys([{ id: 'k', owner: 'me', downscaling: false, key: 'key' }]),
      responseCacheBytes: 1e6,
      onError: (error, { id }) => faults.push(`${id} ${error}`),
    });
    const ask = (points: string, headers = {}) =>
      handler(
        new Request(`http://service.test${path}&points=${points}`, { headers: { 'X-Api-Key': 'key', ...headers } }),
      );
    const three = '36.5,-80.5;36.5,-80.25;36.5,-80';
    // The third request has a prepared body.
    for (let time = 0; time < 3; time++) await ask(three);
    const whole = await ask(three);
    const expected = await whole.json();
    const etag = whole.headers.get('etag') as string;

    const damaged = Uint8Array.from(bytes);
    damaged[8 + (AXIS.days * AXIS.members * 4 + 4) + 20] ^= 4;
    writeFileSync(file, damaged);
    const others = '36.5,-80;36.5,-80.25;36.5,-80.5';
    for (let time = 0; time < 3; time++) {
      const response = await ask(others);
      expect([response.status, response.headers.get('etag'), response.headers.get('cache-control')]).toEqual([
        200,
        null,
        'no-store',
      ]);
      const { points } = await response.json();
      expect([points[0], points[2]]).toEqual([expected.points[2], expected.points[0]]);
      expect(points[1]).toMatchObject({ status: 503, code: 'source-unavailable', id: expect.any(String) });
      // One line while the fault lasts, by whose id the operator finds it.
      expect(faults).toHaveLength(1);
      expect(faults[0]).toContain(points[1].id);
      expect(faults[0]).toContain(`${file}: is damaged at place 1, in the 64 bytes from 72 on`);
    }
    // A table has no place for it, and where no point has an answer, it is the problem of the response.
    for (const [points, accept] of [
      [others, 'text/csv'],
      ['36.5,-80.25;36.5,-80.25', 'application/json'],
      ['0,0;36.5,-80.25', 'application/json'],
    ]) {
      const response = await ask(points, { accept });
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '30']);
      expect(await response.json()).toMatchObject({ code: 'source-unavailable', id: expect.any(String) });
    }
    writeFileSync(file, bytes);
    const repaired = await ask(others);
    expect((await repaired.json()).points).toEqual(expected.points.toReversed());
    expect(repaired.headers.get('etag')).toEqual(expect.any(String));
    expect((await ask(three, { 'if-none-match': etag })).status).toBe(304);
  });

  it('that exchanges the blocks of two places is an error of both', async () => {
    const dir = newFolder();
    await commitForecast(dir);
    const file = await fileOf(dir);
    const bytes = readFileSync(file);
    const stored = AXIS.days * AXIS.members * 4 + 4;
    const [first, second] = [0, 1].map((cell) =>
      Uint8Array.from(bytes.subarray(8 + cell * stored, 8 + (cell + 1) * stored)),
    );
    bytes.set(second, 8);
    bytes.set(first, 8 + stored);
    writeFileSync(file, bytes);
    const { forecast } = await (await opened(dir)).snapshot();
    const into = new Float32Array(AXIS.days * AXIS.members);
    for (const cell of [0, 1]) {
      await expect((async () => forecast?.timeline.read('temp_mean', cell, into))()).rejects.toThrow(
        'is damaged at place',
      );
    }
    await forecast?.timeline.read('temp_mean', 2, into);
    expect(into[0]).toBe(30);
  });
});
