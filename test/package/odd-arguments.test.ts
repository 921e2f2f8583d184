import { describe, expect, it } from 'vitest';
import { declaredFunctions } from './declared-functions.js';
import { DOOR_CALLS } from './door-calls.js';
import { type Call, declaredName, faultsOf } from './odd-values.js';
import { OTHER_CALLS } from './other-calls.js';
import { TABLE_CALLS } from './table-calls.js';
import { UNNAMED } from './unnamed-arguments.js';

const CALLS: readonly Call[] = [...TABLE_CALLS, ...DOOR_CALLS, ...OTHER_CALLS];

/** What is not tried, and why. */
const EXCEPT: readonly (readonly [name: RegExp, reason: string])[] = [
  [/Error$/, 'classes of errors: the library makes them, and a guard answers false for anything else'],
  [/^CoreExports\./, 'kernels do not check'],
  [/^(CoreMemory|Held|MemberColumn|EnsembleField|Work|UnreadAttribute|JoinedRuns|LongBody)\b/, 'internals'],
  [
    /^(Answers|ResponseCompression|Handler|Dataset|Snapshot|HistoryData|LocationStore|ServiceMetrics|StoredUsage|UsageStore)\./,
    'the handler calls them',
  ],
  [/^(ZarrStore|ZarrFile|StoredArray|ChunkCache|ResultCube)\./, 'readers of files call them'],
  [/^(MemorySource.replace|StoreUpdate.(stored\w+|share))$/, 'without a call here yet'],
  [/^(PlaceLabels|Windows|YearlyWindows)\./, 'the library makes them, and calls them'],
];

const isUnnamed = (call: Call) => (label: string) => {
  const path = /\((.*)\)/.exec(label)?.[1] ?? '';
  return UNNAMED[declaredName(call)]?.includes(path) === true;
};

describe('every public function names an argument of the wrong kind, and what it takes', () => {
  it.each(CALLS.map((call) => [call.name, call] as const))('%s', async (_, call) => {
    expect(await faultsOf(call, isUnnamed(call))).toEqual([]);
  });
});

it('every public function is tried, or is an exception', () => {
  const tried = new Set(CALLS.map(declaredName));
  const missing = [...declaredFunctions.values()].filter(
    ({ name, parameters }) =>
      parameters.length > 0 && !tried.has(name) && !EXCEPT.some(([pattern]) => pattern.test(name)),
  );
  expect(missing.map(({ name }) => name)).toEqual([]);
  expect([...tried].filter((name) => !declaredFunctions.has(name))).toEqual([]);
});
