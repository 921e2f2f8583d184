import { describe, expect, it } from 'vitest';
import { isFullCheck } from '../full-check.js';
import { declaredFunctions, namesIn, type Types } from './declared-functions.js';
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
  [
    /^(CoreMemory|Held|MemberColumn|EnsembleField|Work|UnreadAttribute|JoinedRuns|LongBody|ArrayFile\.filesWithin)\b/,
    'internals',
  ],
  [
    /^(Answers|ResponseCompression|Handler|Dataset|Snapshot|HistoryData|LocationStore|Mcp|OpenTelemetry|ServiceMetrics|StoredUsage|UsageStore)\./,
    'the handler calls them',
  ],
  [/^(ZarrStore|ZarrFile|StoredArray|ChunkCache|ResultCube)\./, 'readers of files call them'],
  [/^(MemorySource.replace|StoreUpdate.(stored\w+|share))$/, 'without a call here yet'],
  [/^v1Endpoints$/, 'createClient calls it'],
  [/^(PlaceLabels|Windows|YearlyWindows)\./, 'the library makes them, and calls them'],
];

const isUnnamed = (call: Call) => (label: string) => {
  const path = /\((.*)\)/.exec(label)?.[1] ?? '';
  return UNNAMED[declaredName(call)]?.includes(path) === true;
};

describe('every public function names an argument of the wrong kind, and what it takes', () => {
  const tried = CALLS.filter((_, i) => isFullCheck || i % 3 === 0);

  it.each(tried.map((call) => [call.name, call] as const))('%s', async (_, call) => {
    expect(await faultsOf(call, isUnnamed(call))).toEqual([]);
  });
});

/** Asynchronous functions without `signal` and `onProgress`, and why. */
const WITHOUT_WORK: readonly (readonly [names: RegExp, reason: string])[] = [
  [/^(loadCore|loadSkill|openTelemetry|createMcp|createPool|DemoForecast\.load)$/, 'load a module of some kilobytes'],
  [
    /^(openKeys|openLocations|openDatabase|migrateDatabase)$/,
    'read a small file, or connect with a time limit of their own',
  ],
  [/^(beginUpdate|rollbackStore)$/, 'take a signal; there are no steps to count'],
  [
    /^(FolderStore|Snapshot|Dataset|IssuedRun|HistoryData|WeatherSource|MemorySource)\./,
    'the signal of openStore or zarrSource',
  ],
  [/^(ArrayFile|StoredArray|ZarrFile|ChunkCache|JoinedRuns)\./, 'the signal of openArrays'],
  [/^ZarrStore\./, 'the signal of a read; programs bring them'],
  [/^StoreUpdate\./, 'the blocks that the caller gives, and what is written can be abandoned between two of them'],
  [/^(V1)?Client\./, 'take a signal; a response is received at once'],
  [/^(Answers|Handler|Mcp|ResponseCompression)\./, 'a request'],
  [/^(KeyStore|LocationStore|UsageStore|StoredUsage|ServiceDatabase|ServiceMetrics|createMetrics)\b/, 'a row'],
  [/^Pool\.close$/, 'ends threads'],
];

it('every asynchronous function takes a signal and onProgress, or is an exception', () => {
  const takes = ({ parameters }: { parameters: readonly { types: Types }[] }) => {
    const names = namesIn(parameters.flatMap(({ types }) => types));
    return names.includes('signal') && names.includes('onProgress');
  };
  const without = [...declaredFunctions.values()].filter((one) => one.isAsync && !takes(one)).map(({ name }) => name);
  expect(without.filter((name) => !WITHOUT_WORK.some(([names]) => names.test(name)))).toEqual([]);
  expect(WITHOUT_WORK.filter(([names]) => !without.some((name) => names.test(name)))).toEqual([]);
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
