import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { gridEnsemble } from '../../../src/files/cf/open-grid-ensemble.js';
import { casePath } from '../../reference/data-folder.js';
import { openGribBytes } from './grib-bytes.js';

const months = casePath('runs/monthly-means-of-two-runs.grib');

/** The messages of a file. */
function messagesOf(bytes: Uint8Array): Uint8Array[] {
  const messages: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes[at + 4] * 65_536 + bytes[at + 5] * 256 + bytes[at + 6];
    messages.push(bytes.slice(at, at + length));
    at += length;
  }
  return messages;
}

/** A message of a member of a seasonal hindcast, which begins on a day before the nominal start of its run. */
function ofMember(message: Uint8Array, member: number, year: number, begin: readonly [month: number, day: number]) {
  const changed = Uint8Array.from(message);
  const view = new DataView(changed.buffer);
  // Octet N of section 1.
  const octet = (n: number) => 8 + n - 1;
  changed.set([year - 2000, ...begin], octet(13));
  view.setUint16(octet(50), member);
  view.setUint32(octet(56), year * 100 + (view.getUint32(octet(56)) % 100));
  view.setUint32(octet(65), year * 10_000 + 201);
  return changed;
}

it.skipIf(months === undefined)(
  'members that begin on different days belong to the nominal start of their run',
  async () => {
    const [, first, second] = messagesOf(readFileSync(months ?? ''));
    const begins = [
      [1, 25],
      [1, 28],
      [2, 1],
    ] as const;
    const run = (year: number) =>
      begins.flatMap((begin, member) => [first, second].map((message) => ofMember(message, member, year, begin)));
    const open = (messages: readonly Uint8Array[]) => openGribBytes(Buffer.concat(messages), { source: 'c3s.grib' });

    const one = await open(run(2016));
    expect(one.arrays.get('2t')?.shape).toEqual([3, 2, 6, 11]);
    const ensemble = await gridEnsemble(one, { native: true });
    expect([ensemble.members, ensemble.metadata.get('init_time')]).toEqual([['0', '1', '2'], '2016-02-01T00:00:00Z']);
    expect(ensemble.conversions).toEqual(['K to degC', 'monthly values, as stored']);

    const several = await open([...run(2015), ...run(2016)]);
    await expect(gridEnsemble(several, { native: true })).rejects.toMatchObject({
      problem: 'array 2t holds 2 runs',
      allowed: expect.stringContaining('2015-02-01T00:00:00Z, 2016-02-01T00:00:00Z'),
    });
    const named = await gridEnsemble(several, { native: true, init: '2016-02-01' });
    expect([named.members, named.days]).toEqual([['0', '1', '2'], ensemble.days]);
  },
);
