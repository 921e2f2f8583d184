import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type BatchLog, createBatchLog } from '../../src/cli/batch-log.js';

let out = '';
let err = '';
const { isTTY, columns } = process.stderr;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  vi.stubEnv('NO_COLOR', '1');
  [out, err] = ['', ''];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += text;
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    err += text;
    return true;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.useRealTimers();
  Object.assign(process.stderr, { isTTY, columns });
});

/** Reports to a log 100 outputs, one each `pause` milliseconds, of 10 MB each, and bytes at most once a second. */
function progress(log: BatchLog, pause: number): void {
  log.report({ event: 'planned', inputs: 1, outputs: 104, kept: 4, bytes: 1e9, workers: 2 });
  for (let done = 1; done <= 100; done++) {
    vi.setSystemTime(done * pause);
    if (done % 7 === 0) log.report({ event: 'failed', output: `o${done}`, message: 'is empty' });
    else log.report({ event: 'finished', output: `o${done}`, rows: 1, bytes: 1 });
    if ((done * pause) % 1000 === 0) log.progress({ done: done * 10e6, total: 1e9, unit: 'bytes' });
  }
}

const isProgress = (line: string) => !line.startsWith('error:') && !line.endsWith('stay');

const reporter = { translate: (text: string) => text };

/** The log of a batch on a terminal, or elsewhere. */
function logOn(terminal: boolean): BatchLog {
  process.stderr.isTTY = terminal;
  return createBatchLog({ reporter });
}

describe('the log of a batch without a terminal', () => {
  it('prints a line per minute: the share, outputs, bytes, rate and time left', () => {
    progress(logOn(false), 3_000);
    expect(err.split('\n').filter(isProgress)).toEqual([
      '20 %, 20 of 100 outputs, 200 MB of 1.00 GB, 3.33 MB/s, 4:00 left',
      '40 %, 40 of 100 outputs, 400 MB of 1.00 GB, 3.33 MB/s, 3:00 left',
      '60 %, 60 of 100 outputs, 600 MB of 1.00 GB, 3.33 MB/s, 2:00 left',
      '80 %, 80 of 100 outputs, 800 MB of 1.00 GB, 3.33 MB/s, 1:00 left',
      '100 %, 100 of 100 outputs, 1.00 GB of 1.00 GB, 3.33 MB/s',
      '',
    ]);
    expect(out).toBe('');
  });

  it('prints failures as they come, of outputs and of missing inputs', () => {
    const log = logOn(false);
    log.report({ event: 'failed', message: 'x.csv: cannot be read' });
    log.report({ event: 'failed', output: 'a.arrow', message: 'a.csv: is empty' });
    expect(err).toBe('error: x.csv: cannot be read\nerror: a.arrow: a.csv: is empty\n');
  });

  it('prints a notice that many files share twice at most', () => {
    const log = logOn(false);
    for (const input of ['a.nc', 'b.nc', 'c.nc']) log.report({ event: 'note', input, message: 'K to degC' });
    log.report({ event: 'warning', input: 'c.nc', message: 'has gaps' });
    expect(err).toBe('note: a.nc: K to degC\nnote: and others: K to degC\nwarning: c.nc: has gaps\n');
  });

  it('ends with counts of the outputs, each counted once, and how to continue', () => {
    const log = logOn(false);
    log.report({ event: 'planned', inputs: 9, outputs: 9, kept: 2, bytes: 0, workers: 1 });
    vi.setSystemTime(3_726_000);
    const failed = [{ error: 'x.csv: cannot be read' }, { output: 'a', error: 'a.csv: is empty' }];
    log.end({ status: 'stopped', finished: 3, kept: 2, failed, left: 4 }, 'results');
    log.end({ status: 'done', finished: 9, kept: 0, failed: [], left: 0 }, 'results');
    expect(err.split('\n')).toEqual([
      '2 of 9 outputs are complete and stay',
      'results: 3 made, 2 kept, 2 failed, 3 not made in 1:02:06; continue with --resume',
      'results: 9 made in 1:02:06',
      '',
    ]);
  });
});

describe('the log of a batch on a terminal', () => {
  it('draws a bar of what is done, within the width of the terminal', () => {
    process.stderr.columns = 40;
    progress(logOn(true), 100);
    const drawn = err.split('\r\u001b[K').filter((text) => text.includes('%'));
    expect(drawn).toHaveLength(10);
    expect(drawn[4].split('\n')[0]).toBe('████████████░░░░░░░░░░░░ 50 %, 50 of 10');
  });

  it('clears the bar before it prints a line, and at the end', () => {
    const log = logOn(true);
    log.report({ event: 'planned', inputs: 2, outputs: 2, kept: 0, bytes: 0, workers: 1 });
    log.report({ event: 'finished', output: 'b', rows: 1, bytes: 1 });
    log.progress({ done: 0, total: 0, unit: 'bytes' });
    const bar = err;
    log.report({ event: 'failed', output: 'a', message: 'is empty' });
    const line = err.slice(bar.length);
    expect(line.startsWith('\r\u001b[K')).toBe(true);
    expect(stripVTControlCharacters(line)).toBe('\rerror: a: is empty\n');
    expect(bar).toMatch('50 %, 1 of 2 outputs');
    log.clear();
    expect(err.endsWith('is empty\n')).toBe(true);
  });
});

describe('the log of a batch in JSON', () => {
  it('prints one event per line on standard output, and progress with the outputs that are done', () => {
    const log = createBatchLog({ json: true, reporter });
    progress(log, 100);
    log.report({ event: 'failed', message: 'two\nlines' });
    const events = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const shown = events.filter(({ event }) => event === 'progress');
    expect(shown).toHaveLength(10);
    expect(shown[4]).toEqual({ event: 'progress', done: 50, outputs: 100, bytes: 500e6, totalBytes: 1e9 });
    expect(events.at(-1)).toEqual({ event: 'failed', message: 'two\nlines' });
    expect(err).toBe('');
  });
});
