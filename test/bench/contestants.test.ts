import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkContestant, createCheck } from '../../bench/check.js';
import { type Absent, fullName, type Rival } from '../../bench/contestant.js';
import { d3Contestant } from '../../bench/contestants/libraries.js';
import { plainContestants } from '../../bench/contestants/networks.js';
import { plumecastContestants } from '../../bench/contestants/plumecast.js';
import { createMembers, fillMembers, writeMembers } from '../../bench/members.js';
import { cRivals } from '../../bench/rivals/c.js';
import { WORKLOADS } from '../../bench/workloads.js';
import { loadCore } from '../../src/core/load.js';

/** Not a multiple of any number of lanes. */
const CELLS = 7;

const job = { cells: CELLS, turns: 1 };

let folder: string;
let inC: (Rival | Absent)[];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumecast-test-'));
  inC = cRivals(folder);
  for (const rival of inC) if ('reason' in rival) console.log(`skipped: ${rival.name} (${rival.reason})`);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(WORKLOADS)('$title', (workload) => {
  const members = createMembers(CELLS);
  fillMembers(members, workload.data);
  const check = createCheck(workload, members);

  it.each([...plainContestants, d3Contestant].map((each) => [fullName(each), each] as const))(
    '%s agrees with the reference',
    (_, contestant) => {
      if (contestant.suits?.(workload) === false) return;
      const { share } = checkContestant(check, contestant, workload, members);
      if (!contestant.name.includes('float32 sums')) expect(share).toBe(0);
    },
  );

  it('plumecast is correctly rounded', async () => {
    for (const contestant of plumecastContestants(await loadCore())) {
      expect(checkContestant(check, contestant, workload, members)).toEqual({ worst: 0, share: 0 });
    }
  });

  it('a result that is wrong in one place is an error', () => {
    const results = plainContestants[0].prepare(workload, [members])(0);
    results[3][results[3].length - 1] += 1;
    expect(() => check('someone', 'cell-first', CELLS, results)).toThrow(/someone: wrong results/);
  });

  it('C agrees with the reference, with every set of instructions that this processor has', async (context) => {
    const rivals = inC.filter((rival): rival is Rival => 'measure' in rival);
    if (rivals.length === 0) {
      console.log('skipped: C agrees with the reference (no usable C compiler)');
      context.skip('no usable C compiler');
    }
    const input = join(folder, 'input.f32');
    writeMembers(input, members);
    for (const rival of rivals) {
      for (const { name, order, results } of await rival.measure({ ...job, workload, members, input, folder })) {
        if (results !== undefined) check(name, order, CELLS, results);
      }
    }
  });
});
