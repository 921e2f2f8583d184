import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableToIPC } from 'apache-arrow';
import { demoTable } from 'plumecast/demo';
import { encodeTable } from 'plumecast/files';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folderWith, plumecast } from '../cli/run-command.js';
import { isFullCheck } from '../full-check.js';
import { checksums, type Ended, startBatch } from './batch-process.js';
import { put, rain, writeInputs } from './many-inputs.js';

const OUTPUTS = 30;
const RAIN = ['--variable', 'precipitation', '--threshold', '>2'];
/** Batches by what their outputs are of, or are. */
const BATCHES = {
  files: ['runs', ...RAIN],
  'files of a member each, joined': ['joined', '--join', 'mem{member}.nc', ...RAIN],
  'folders with a file for each year': ['years', '--name', '{input}/year={year}/part', ...RAIN],
} as const;
type Kind = keyof typeof BATCHES;
const { folder, remove } = folderWith({});
afterAll(remove);

/** The files of each batch that nothing disturbs. */
const whole = new Map<Kind, Record<string, string>>();

beforeAll(async () => {
  await writeInputs(folder, OUTPUTS);
  for (let run = 0; run < OUTPUTS; run++) {
    await writeMembers(run);
    put(folder, `years/${run}.arrow`, tableToIPC(rain(run, { first: '2023-11-01', days: 100 }), 'file'));
  }
  for (const [kind, args] of Object.entries(BATCHES) as [Kind, readonly string[]][]) {
    const out = `whole ${kind}`;
    expect(await startBatch([...args, '--out', out], folder).ended).toMatchObject({ code: 0, err: '' });
    whole.set(kind, checksums(join(folder, out)));
    expect(Object.keys(whole.get(kind) ?? {}).length).toBeGreaterThanOrEqual(OUTPUTS + 1);
  }
});

/** A run as a NetCDF file for each of three members. */
async function writeMembers(run: number): Promise<void> {
  const table = demoTable('precipitation', { days: 21, members: 3, seed: run });
  mkdirSync(join(folder, 'joined', `${run}`), { recursive: true });
  for (const name of table.schema.names.slice(3) as string[]) {
    const part = table.select(['date', name]);
    part.schema.metadata.set('variable', 'precipitation').set('units', 'mm');
    writeFileSync(join(folder, 'member.arrow'), await encodeTable(part, 'arrow'));
    const path = join('joined', `${run}`, `${name.replace('member_', 'mem')}.nc`);
    expect(plumecast(['convert', 'member.arrow', path, '-q'], { cwd: folder })).toMatchObject({ code: 0, err: '' });
  }
}

/** When a batch is killed: after so many outputs, and then so many milliseconds. */
interface Moment {
  readonly outputs: number;
  readonly milliseconds: number;
  readonly workers: number;
}

/** Moments that a seed gives, from before the first output to after the last one. */
function moments(seed: number, count: number): Moment[] {
  let state = seed;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return Array.from({ length: count }, (_, index) => ({
    outputs: Math.floor(((index + next(100) / 100) / count) * (OUTPUTS + 1)),
    milliseconds: next(10),
    workers: 1 + next(2),
  }));
}

/** Runs a batch to a folder until it gets a signal. */
function killed(kind: Kind, out: string, moment: Moment, signal: NodeJS.Signals, ...args: string[]): Promise<Ended> {
  let finished = 0;
  const own = ['--out', out, '--workers', String(moment.workers), ...args];
  const batch = startBatch([...BATCHES[kind], ...own], folder, ({ event }) => {
    if (event === 'finished') finished++;
    if (finished === moment.outputs && (event === 'finished' || event === 'planned'))
      setTimeout(() => batch.kill(signal), moment.milliseconds);
  });
  return batch.ended;
}

function expectNothingHalfWritten(kind: Kind, out: string): void {
  for (const [name, checksum] of Object.entries(checksums(join(folder, out))))
    expect([name, checksum]).toEqual([name, whole.get(kind)?.[name]]);
}

/** Resumes a batch, and returns the number of outputs that were whole already. */
function expectToGoOn(kind: Kind, out: string): number {
  const resumed = plumecast(['batch', ...BATCHES[kind], '--out', out, '--resume', '--json'], { cwd: folder });
  expect(resumed).toMatchObject({ code: 0, err: '' });
  expect(checksums(join(folder, out))).toEqual(whole.get(kind));
  expect(existsSync(join(folder, out, '.plumecast-batch'))).toBe(false);
  return JSON.parse(resumed.out.slice(0, resumed.out.indexOf('\n'))).kept;
}

/** A few kills; in a full check many, at other moments each time. */
const kills = isFullCheck ? 100 : 3;
const seed = isFullCheck ? Date.now() >>> 0 : 20_221_002;

describe.each(Object.keys(BATCHES) as Kind[])('a batch of %s that is killed', (kind) => {
  const count = kind === 'files' ? kills : Math.ceil(kills / 3);

  it.each(moments(seed, count))(
    `leaves nothing half-written and ends with the same bytes (seed ${seed}): after $outputs outputs and $milliseconds ms, workers: $workers`,
    async (moment) => {
      const out = `killed ${kind} ${moment.outputs}-${moment.milliseconds}-${moment.workers}`;
      await killed(kind, out, moment, 'SIGKILL');
      expectNothingHalfWritten(kind, out);
      expect(expectToGoOn(kind, out)).toBeGreaterThanOrEqual(moment.outputs);
    },
  );

  it('twice continues from where it was the second time', async () => {
    const moment = { outputs: 9, milliseconds: 0, workers: 2 };
    const out = `twice ${kind}`;
    await killed(kind, out, moment, 'SIGKILL');
    await killed(kind, out, moment, 'SIGKILL', '--resume');
    expectNothingHalfWritten(kind, out);
    expect(expectToGoOn(kind, out)).toBeGreaterThanOrEqual(18);
  });
});

describe('a batch that receives a signal', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'by %s ends by it, reports no failures, and leaves the journal alone',
    async (signal) => {
      const { signal: by, out } = await killed('files', signal, { outputs: 3, milliseconds: 0, workers: 2 }, signal);
      expect(by).toBe(signal);
      const events = out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(events.at(-1)).toMatchObject({ event: 'ended', status: 'interrupted', failed: 0 });
      expect(events.filter(({ event }) => event === 'failed')).toEqual([]);
      expect(readdirSync(join(folder, signal, '.plumecast-batch'))).toEqual(['journal.jsonl']);
      expectNothingHalfWritten('files', signal);
    },
  );
});
