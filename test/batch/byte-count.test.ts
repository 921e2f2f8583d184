import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { formatBytes, parseBytes } from '../../src/batch/byte-count.js';
import { threadBudget } from '../../src/batch/thread-budget.js';

describe('parseBytes and formatBytes', () => {
  it.each([
    ['512MB', 512e6],
    ['1.5 GiB', 1.5 * 2 ** 30],
    ['800000000', 8e8],
    [2e9, 2e9],
    ['2g', 2e9],
    ['1ki', 1024],
    ['0.0000015 MB', 1],
  ])('%j is %d', (text, bytes) => {
    expect(parseBytes('memory', text)).toBe(bytes);
  });

  it.each(['', 'MB', '-1MB', '1 XB', '1e9', 'Infinity'])('%j is not a number of bytes', (text) => {
    expect(() => parseBytes('memory', text)).toThrow('memory: is not a number of bytes');
  });

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [999.6, '1.00 kB'],
    [1_048_576, '1.05 MB'],
    [99_949_999, '99.9 MB'],
    [99_950_000, '100 MB'],
    [999_499_999, '999 MB'],
    [999_500_000, '1.00 GB'],
    [12e15, '12000 TB'],
  ])('%d is formatted as %j', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});

describe('threadBudget', () => {
  it('divides the memory among the requested number of threads; one alone has that of all', () => {
    expect(threadBudget(1e9, 2)).toEqual({ workers: 2, bytes: 370e6, bytesAlone: 740e6 });
    expect(threadBudget(1e9, 1)).toEqual({ workers: 1, bytes: 820e6, bytesAlone: 820e6 });
  });

  it('gives a thread to each processor, as far as the memory is enough', () => {
    expect(threadBudget(1e12).workers).toBe(availableParallelism());
    expect(threadBudget(230e6).workers).toBe(1);
  });

  it('throws for too little memory, and says how much is enough', () => {
    expect(() => threadBudget(100e6)).toThrow(
      'memory: is not enough for 1 worker; received "100 MB"; allowed: 228 MB or more',
    );
    expect(() => threadBudget(1e9, 8)).toThrow(
      'is not enough for 8 workers; received "1.00 GB"; allowed: 1.12 GB or more, or fewer workers',
    );
  });
});
