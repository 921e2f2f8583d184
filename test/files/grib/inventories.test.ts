import { describe, expect, it } from 'vitest';
import type { ArrayFile, StoredArray } from '../../../src/files/array/array-file.js';
import { gridEnsemble } from '../../../src/files/cf/open-grid-ensemble.js';
import { selectArrays } from '../../../src/files/cf/select-arrays.js';
import { openGribFiles } from '../../../src/files/grib/open-grib.js';
import { isFullCheck } from '../../full-check.js';
import { Dice } from '../../fuzz/dice.js';
import { countedFiles, ecmwfLines, type IndexedFile, ncepIndex, ncepIndexOfMessages } from './index-files.js';
import { gribFile, gribMessage, RAIN, T2M, type TestField } from './write-grib.js';

const DEW_POINT = { category: 0, number: 6, surface: 103, level: 2 };
const U = { category: 2, number: 2, surface: 103, level: 10 };
const V = { category: 2, number: 3, surface: 103, level: 10 };
const MAXIMUM = { category: 0, number: 4, surface: 103, level: 2, process: 2 };
const LAND = { discipline: 2, category: 0, number: 0 };
const UPPER = [1000, 925, 850, 700, 500, 300, 200].map((level) => ({
  ...{ category: 0, number: 0, surface: 100, level: 100 * level },
}));
const [MEMBERS, STEPS] = [4, 5];
const CASES = isFullCheck ? 5000 : 20;
/** 4 bytes for each value: messages are longer than what is read at once for a header. */
const LONG = { rows: 11, columns: 100, bits: 32 };

/** The fields of the file of a member and a step, as those of GEFS: amounts and extremes begin with the second step. */
function fieldsOf(member: number, step: number, size: Partial<TestField>): TestField[] {
  const at = { member, step, ...size };
  const since = { member, step: step - 6, end: step, ...size };
  const value = 280 + member + step / 100;
  return [
    ...UPPER.slice(0, 4).map((level) => ({ ...level, ...at, value: value - 10 })),
    { ...LAND, ...at, value: 1 },
    { ...T2M, ...at, value },
    { ...DEW_POINT, ...at, value: value - 3 },
    ...(step === 0
      ? []
      : [
          { ...RAIN, ...since, value: member + step },
          { ...MAXIMUM, ...since, value: value + 5 },
        ]),
    { ...U, ...at, value: 3 + member },
    { ...V, ...at, value: 4 + step },
    ...UPPER.slice(4).map((level) => ({ ...level, ...at, value: value - 30 })),
  ];
}

/** The fields of each file of a run, and what they are called. */
function runOf(size: Partial<TestField> = {}): { name: string; fields: TestField[] }[] {
  return Array.from({ length: MEMBERS * STEPS }, (_, i) => {
    const [member, step] = [1 + Math.floor(i / STEPS), 6 * (i % STEPS)];
    return { name: `gep0${member}.f00${step}`, fields: fieldsOf(member, step, size) };
  });
}

function withIndexes(run: readonly { name: string; fields: TestField[] }[]): IndexedFile[] {
  return run.map(({ name, fields }) => ({ name, bytes: gribFile(fields), index: ncepIndex(fields) }));
}

function withoutIndexes(files: readonly IndexedFile[]): IndexedFile[] {
  return files.map(({ name, bytes }) => ({ name, bytes }));
}

/** Arrays of a file with their attributes, coordinates and values; names of coordinates depend on other arrays. */
async function content({ arrays }: ArrayFile, names: readonly string[]) {
  const found = names.flatMap((name) => arrays.get(name) ?? []);
  expect(found.map(({ name }) => name)).toEqual(names);
  return Promise.all(
    found.map(async (array) => ({
      attributes: [...array.attributes],
      coordinates: await Promise.all(array.dimensions.map((name) => valuesOf(arrays.get(name)))),
      values: await valuesOf(array),
    })),
  );
}

/** The values of an array as text. */
async function valuesOf(array: StoredArray | undefined) {
  if (array === undefined) return undefined;
  const { shape, type } = array;
  const length = shape.reduce((product, each) => product * each, 1);
  const values = type === 'int32' ? new Int32Array(length) : new Float64Array(length);
  await array.read({ start: shape.map(() => 0), count: shape }, values);
  return values.join();
}

const select = (...variables: string[]) => selectArrays(variables.map((variable) => ({ variable })));

/** The daily values of a variable, read with index files; expects them to be those read without. */
async function compareDays(files: readonly IndexedFile[], variable: string) {
  const opened = countedFiles(files);
  const file = await openGribFiles(opened, select(variable));
  const counts = opened.counts.slice();
  const all = await openGribFiles(countedFiles(withoutIndexes(files)));
  const names = (await gridEnsemble(file, { variable })).array.split(' and ');
  expect((await gridEnsemble(all, { variable })).array.split(' and ')).toEqual(names);
  expect(await content(file, names)).toEqual(await content(all, names));
  return { file, counts, notices: file.notices };
}

describe('an index file beside each file', () => {
  it('leaves out the headers of other parameters', async () => {
    const files = withIndexes(runOf(LONG));
    const { file, counts, notices } = await compareDays(files, 'precipitation');
    expect(notices).toEqual([]);
    expect([...file.arrays.keys()].filter((name) => file.arrays.get(name)?.shape.length === 4)).toEqual(['lsm', 'tp']);
    const all = countedFiles(withoutIndexes(files));
    await openGribFiles(all);
    // The amount, the land mask and the last message of 15: of each what is read for its header, and where it ends.
    const last = counts.length - 1;
    expect(counts[last]).toBeLessThanOrEqual(3 * 2 * 4096);
    expect(all.counts[last]).toBeGreaterThan(14 * 4096);
  });

  it.each(['temp_mean', 'temp_max', 'wind_speed', 'relative_humidity', 'precipitation', 'dew_point'])(
    'gives the same values of %s',
    async (variable) => {
      const { notices } = await compareDays(withIndexes(runOf()), variable);
      expect(notices).toEqual([]);
    },
  );

  it('may list several fields of a message', async () => {
    const run = [0, 6, 12, 18].map((step) => {
      const messages: TestField[][] = [
        [{ ...T2M, ...LONG, step, value: 280 }],
        [
          { ...U, ...LONG, step, value: 3 },
          { ...V, ...LONG, step, value: 4 },
        ],
        [{ ...DEW_POINT, ...LONG, step, value: 270 }],
        [{ ...UPPER[0], ...LONG, step, value: 270 }],
      ];
      const bytes = messages.flatMap((fields) => [...gribMessage(fields)]);
      return { name: `f${step}`, bytes: Uint8Array.from(bytes), index: ncepIndexOfMessages(messages) };
    });
    const { counts, notices } = await compareDays(run, 'wind_speed');
    expect(notices).toEqual([]);
    // The message of the wind and the last one, read with the start of the one that follows.
    expect(counts[3]).toBeLessThanOrEqual(6 * 4096);
    const { file } = await compareDays(run, 'temp_mean');
    expect(file.arrays.has('10u')).toBe(false);
    const isPartWrong = run.map((each) => ({ ...each, index: each.index.replace(/^2\.2:.*\n/m, '') }));
    expect((await compareDays(isPartWrong, 'wind_speed')).notices).toEqual([
      expect.stringContaining('f0.idx: message 2 has 2 fields'),
    ]);
  });

  it('may be one of ECMWF, with lines in any order', async () => {
    const files = [6, 12, 18, 24].map((end) => {
      const fields = [1, 2, 3, 4, 5].flatMap((member): TestField[] => [
        { ...DEW_POINT, ...LONG, member, step: end, value: 270 },
        { ...RAIN, ...LONG, member, step: 0, end, value: end + member },
        { ...T2M, ...LONG, member, step: end, value: 280 },
        { category: 3, number: 0, ...LONG, member, step: end, value: 1e5 },
      ]);
      const bytes = gribFile(fields);
      return { name: `${end}h.grib2`, bytes, index: `${ecmwfLines(fields).reverse().join('\n')}\n` };
    });
    const { counts, notices } = await compareDays(files, 'precipitation');
    expect(notices).toEqual([]);
    // Five amounts and the last message of 20.
    expect(counts[3]).toBeLessThanOrEqual(6 * 2 * 4096);
  });

  it('is used for a single file, too: two messages of each other parameter are read', async () => {
    const fields = runOf(LONG)
      .slice(0, 3 * STEPS)
      .flatMap((file) => file.fields);
    const { counts, notices } = await compareDays(
      [{ name: 'run', bytes: gribFile(fields), index: ncepIndex(fields) }],
      'temp_max',
    );
    expect(notices).toEqual([]);
    const names = new Set(fields.map((field) => ncepIndex([field]).replace(/\d+ hour|ENS.*|^.*?d=/g, '')));
    const needed = fields.filter(({ discipline, process }) => discipline === 2 || process === 2);
    expect(counts[0]).toBeLessThanOrEqual((2 * names.size + needed.length + 1) * 2 * 4096);
    expect(counts[0]).toBeLessThan(0.75 * fields.length * 4096);
  });

  it('is not read where all arrays are needed', async () => {
    const files = countedFiles(withIndexes(runOf()));
    await openGribFiles(files);
    expect(files.indexes).toBe(0);
    expect(selectArrays([{}])).toBe(undefined);
    expect(selectArrays([{ variable: 'temp_mean', coordinates: { latitude: 'a', longitude: 'b' } }])).toBe(undefined);
    expect(selectArrays([{ variable: 'something' }])).toBe(undefined);
  });
});

/** A run of messages of one length each, so that indexes of other files have the right offsets. */
const run = runOf();
const right = withIndexes(run);
/** The files with another index beside one of them. */
const lying = (file: number, change: (index: string) => string) =>
  right.map((each, i) => (i === file ? { ...each, index: change(each.index as string) } : each));
const lines = (change: (all: string[]) => string[]) => (index: string) =>
  change(index.split('\n').filter((line) => line !== ''))
    .map((line) => `${line}\n`)
    .join('');
const indexOf = (fields: readonly TestField[]) => () => ncepIndex(fields);
const shift = (bytes: number) => (index: string) =>
  index.replace(/^(\d+):(\d+)/gm, (_, n, at) => `${n}:${Number(at) + bytes}`);
/** Exchanges what is said of amounts and of maxima. */
const swapWords = lines((all) => {
  const [rain, maximum] = ['APCP', 'TMAX'].map((name) => all.findIndex((line) => line.includes(name)));
  return rain < 0 ? all : exchangeWords(all, rain, maximum);
});
const FILE = 13;
const doesNotFit = (why: string) => [
  `1 index file does not fit, and all headers of its file are read: ${run[FILE].name}.idx: ${why}`,
];

describe('an index file that is wrong is not used, with a notice that says why:', () => {
  const [, ...earlier] = fieldsOf(3, 18, { reference: '2026-03-01T00:00Z' });
  it.each<[string, (index: string) => string, string]>([
    ['offsets that are shifted', shift(1), 'it lists no message before byte 1'],
    [
      'an offset that is shifted',
      (index) => index.replace(/^8:(\d+)/m, (_, at) => `8:${Number(at) + 1}`),
      'message 7 ends at byte 1274, and not where the next one',
    ],
    ['that of another file', indexOf(fieldsOf(3, 0, {})), 'message 8 ends at byte 1480'],
    ['that of an older run', indexOf([fieldsOf(3, 18, {})[0], ...earlier]), 'message 2 has another reference time'],
    ['one that is cut in a line', (index) => index.slice(0, 270), 'line 6 is not one of an inventory'],
    ['one that is cut between lines', lines((all) => all.slice(0, 9)), 'message 9 ends at byte'],
    [
      'a line that is missing',
      lines((all) => all.toSpliced(3, 1)),
      'line 4 does not follow the one before by its number',
    ],
    ['a line that is damaged', (index) => index.replace('d=2026', '##2026'), 'line 1 is not one of an inventory'],
    ['lines in another order', lines((all) => all.toReversed()), 'line 1 does not follow the one before'],
    [
      'parameters that are swapped',
      swapWords,
      'a message that is listed as TMAX:2 m above ground:#-# hour max fcst:ENS=+# has another parameter',
    ],
    [
      'the needed parameter under another name',
      (index) => index.replace('APCP:surface:12-18 hour acc', 'TMP:850 mb:18 hour'),
      'a message that is listed as TMP:850 mb:# hour fcst:ENS=+# has another',
    ],
    ['an empty file', () => '', 'it is empty'],
    ['other bytes', () => '\0\u00ff\ud800{}', 'line 1 is not one of an inventory'],
    ['JSON of something else', () => '{"a":1}\n[]\n', 'line 1 is not JSON with _offset, _length and param'],
  ])('%s', async (_, change, why) => {
    const { notices } = await compareDays(lying(FILE, change), 'precipitation');
    expect(notices).toHaveLength(1);
    expect(notices?.[0]).toContain(doesNotFit(why)[0]);
  });

  it.each<[string, (index: string) => string, string]>([
    ['a message that is missing at the end', lines((all) => all.slice(0, -1)), 'message 13 ends at byte'],
    [
      'a message that is listed as another one',
      (index) => index.replace('APCP:surface:12-18 hour acc', 'TMP:850 mb:18 hour'),
      'a message that is listed as TMP:850 mb:# hour fcst:ENS=+# has another parameter',
    ],
  ])('%s, in a file of which only few messages are read', async (_, change, why) => {
    const { file, notices } = await compareDays(lying(18, change), 'precipitation');
    expect(file.arrays.has('t_850hPa')).toBe(false);
    expect(notices).toEqual([expect.stringContaining(`${run[18].name}.idx: ${why}`)]);
  });

  it('one that is too long or cannot be read', async () => {
    const files = countedFiles(right);
    const opened = await openGribFiles(
      { ...files, readInventory: async () => ({ source: 'a.idx', text: undefined }) },
      select('precipitation'),
    );
    const all = await openGribFiles(countedFiles(withoutIndexes(right)));
    expect([...opened.arrays.keys()]).toEqual([...all.arrays.keys()]);
    const why = 'a.idx: it cannot be read, or has more than 64 MiB';
    expect(opened.notices).toEqual([
      `20 index files do not fit, and all headers of their files are read: ${[why, why, why].join('; ')}; and 17 more`,
    ]);
  });

  it('lines of ECMWF that leave a message out', async () => {
    const files = [6, 12, 18, 24].map((end) => {
      const fields = [1, 2, 3].map((member): TestField => ({ ...RAIN, member, step: 0, end, value: end + member }));
      return { name: `${end}h`, bytes: gribFile(fields), index: ecmwfLines(fields).toSpliced(1, 1).join('\n') };
    });
    const { notices } = await compareDays(files, 'precipitation');
    expect(notices?.[0]).toContain('6h.idx: it lists no message from byte 206 on; 12h.idx: it lists no message');
  });
});

describe('whatever index files say, values are those of the messages:', () => {
  it('parameters are swapped in all index files', async () => {
    const files = right.map((each) => ({ ...each, index: swapWords(each.index as string) }));
    const { notices } = await compareDays(files, 'precipitation');
    expect(notices).toEqual([]);
  });

  it('parameters are swapped in one of the first files: all messages of these names are read', async () => {
    const { notices } = await compareDays(lying(1, swapWords), 'precipitation');
    const names = 'TMAX:2 m above ground:#-# hour max fcst:ENS=+#; APCP:surface:#-# hour acc fcst:ENS=+#';
    const notice = `index files list different parameters by the same name, of which all are read: ${names}`;
    expect(notices).toEqual([notice]);
    const twice = lying(1, swapWords).map((each, i) =>
      i === 3 ? { ...each, index: swapWords(each.index ?? '') } : each,
    );
    const again = await compareDays(twice, 'precipitation');
    expect(again.notices).toEqual([notice]);
    expect(again.file.arrays.has('t_850hPa')).toBe(false);
  });

  it('the last amount of a single file is listed as a temperature', async () => {
    const steps = [6, 12, 18, 24].flatMap((end): TestField[] => [
      { ...T2M, member: 1, step: end, value: 280 },
      { ...RAIN, member: 1, step: end - 6, end, value: end },
    ]);
    const fields = [...steps, { ...DEW_POINT, member: 1, step: 24, value: 270 }];
    const index = ncepIndex(fields).replace('APCP:surface:18-24 hour acc', 'TMP:2 m above ground:30 hour');
    const { notices } = await compareDays([{ name: 'run', bytes: gribFile(fields), index }], 'precipitation');
    expect(notices).toEqual([
      expect.stringContaining('run.idx: a message that is listed as TMP:2 m above ground:# hour'),
    ]);
  });

  it('the first files call another parameter what the others call the needed one', async () => {
    const first = right.filter(({ name }) => name.endsWith('f000'));
    const others = right.filter(({ name }) => !name.endsWith('f000'));
    const wrong = (index: string | undefined) => index?.replace('TMP:1000 mb:anl', 'APCP:surface:0-0 hour acc fcst');
    const files = [...first.map((each) => ({ ...each, index: wrong(each.index) })), ...others];
    await compareDays(files, 'precipitation');
    const noMask = files.map(({ name, bytes }, i) => {
      const fields = [...first, ...others].map((each) => run[right.indexOf(each)].fields)[i];
      const kept = fields.filter(({ discipline }) => discipline !== 2);
      return bytes.length > 0 ? { name, bytes: gribFile(kept), index: ncepIndex(kept) } : { name, bytes };
    });
    const lyingFirst = noMask.map((each, i) => (i < first.length ? { ...each, index: wrong(each.index) } : each));
    const { notices } = await compareDays(lyingFirst, 'precipitation');
    expect(notices?.[0]).toContain('16 index files do not fit');
  });

  it('a message of the needed parameter is listed as another, and its field would be missing', async () => {
    const other = (index: string) =>
      index.replace('APCP:surface:12-18 hour acc fcst:ENS=+4', 'TMP:850 mb:18 hour fcst:ENS=+9');
    const { file, notices } = await compareDays(lying(18, other), 'precipitation');
    expect(notices).toEqual([]);
    expect(file.arrays.has('t_850hPa')).toBe(true);
  });

  it(`${CASES} random changes of them`, { timeout: 3_600_000 }, async () => {
    const some = right.slice(0, 2 * STEPS);
    const all = await openGribFiles(countedFiles(withoutIndexes(some)));
    const expected = await content(all, ['tp']);
    for (let i = 0; i < CASES; i++) {
      const dice = new Dice([18, i]);
      const other = dice.pick(right).index as string;
      const files = some.map((each) => {
        let index = each.index as string;
        for (let left = dice.below(3); left > 0; left--) index = mutate(index, dice, other);
        return { ...each, index };
      });
      const found = await openGribFiles(countedFiles(files), select('precipitation'));
      expect(await content(found, ['tp']), `case ${i}`).toEqual(expected);
    }
  });
});

/** Changes bytes, numbers or lines of an index file. */
function mutate(index: string, dice: Dice, other: string): string {
  const at = dice.below(index.length + 1);
  const to = dice.between(at, index.length);
  const change = dice.pick([
    () => index.slice(0, at) + dice.pick([...'0123456789:.\n{}"=dAPC']) + index.slice(at + 1),
    () => index.slice(0, at),
    () => index.slice(0, at) + index.slice(to),
    () => index.slice(0, at) + other.slice(at),
    () => index.replaceAll(/\d+/g, (digits) => (dice.chance(0.01) ? String(dice.below(5000)) : digits)),
    lines((all) => all.with(dice.below(all.length), dice.pick(all))),
    lines((all) => [...all, dice.pick(all)]),
    lines((all) => exchangeWords(all, dice.below(all.length), dice.below(all.length))),
  ]);
  return index === '' ? other : change(index);
}

/** Two lines with the words of each other. */
function exchangeWords(all: readonly string[], one: number, other: number): string[] {
  const replaced = (line: number, by: number) =>
    [...all[line].split(':').slice(0, 2), ...all[by].split(':').slice(2)].join(':');
  return all.map((line, i) => (i === one ? replaced(one, other) : i === other ? replaced(other, one) : line));
}

describe('all headers are read after all', () => {
  it('where the files do not have the variable', async () => {
    const file = await openGribFiles(countedFiles(right), select('wind_gust_max'));
    const all = await openGribFiles(countedFiles(withoutIndexes(right)));
    expect([...file.arrays.keys()]).toEqual([...all.arrays.keys()]);
    await expect(gridEnsemble(file, { variable: 'wind_gust_max' })).rejects.toThrow(
      'received "t_1000hPa, t_925hPa, t_850hPa, t_700hPa, lsm',
    );
  });

  it('where only one of two components is there', async () => {
    const files = withIndexes(
      run.map(({ name, fields }) => ({
        name,
        fields: fields.filter((field) => field.category !== 2 || field.number !== 3),
      })),
    );
    const file = await openGribFiles(countedFiles(files), select('wind_speed'));
    await expect(gridEnsemble(file, { variable: 'wind_speed' })).rejects.toThrow(
      'received "t_1000hPa, t_925hPa, t_850hPa, t_700hPa, lsm',
    );
  });

  it('where a field is missing', async () => {
    const files = withIndexes(
      run.map(({ name, fields }, i) => ({ name, fields: i === 7 ? fields.slice(0, 6) : fields })),
    );
    const { file } = await compareDays(files, 'precipitation');
    expect(file.arrays.has('t_850hPa')).toBe(true);
  });
});

describe('the names of arrays are those of all messages', () => {
  it('where several arrays have one short name', async () => {
    const files = withIndexes(
      run.map(({ name, fields }) => ({
        name,
        fields: fields.flatMap(({ member, ...field }) => [
          { ...field, member },
          ...(member === 1 && field.discipline === undefined && field.surface === 103 && field.number === 0
            ? [{ ...field, columns: 3 }]
            : []),
        ]),
      })),
    );
    const selection = selectArrays([{ array: '2t_single_1x3' }]);
    const names = [...(await openGribFiles(countedFiles(files), selection)).arrays.keys()];
    expect(names).toContain('2t_single_1x3');
    expect(names).not.toContain('2d');
  });
});
