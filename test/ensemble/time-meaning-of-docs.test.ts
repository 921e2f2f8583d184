import { describe, expect, it } from 'vitest';
import { statedAmounts } from '../../src/ensemble/accumulation.js';
import { decideTimes, type TimesOfValues } from '../../src/ensemble/time-meaning.js';
import { documentedRows } from '../reference/documented-rows.js';

/*
 * The table of evidence in docs/what-a-value-stands-for.md, line by line: each line decides alone as it says, and no
 * weaker line changes that.
 */

const HOUR = 3600;
const DAY = 24 * HOUR;
/** 2026-03-02. */
const INIT = 20_514 * DAY;
const steps = (offset: number, step = 6 * HOUR) => Float64Array.from({ length: 8 }, (_, i) => INIT + offset + i * step);
const boundsOf = (times: Float64Array, from: number) =>
  Float64Array.from({ length: 2 * times.length }, (_, i) => times[i >> 1] + from + (i % 2) * 6 * HOUR);
const texts = (stated: Record<string, unknown>) => ({ texts: new Map(Object.entries(stated)) });
const plain: TimesOfValues = { name: 'amount', times: steps(0), isOverTime: true, texts: new Map() };
const ranges = Array.from({ length: 8 }, (_, i) => `${6 * i}-${6 * i + 6}`);

/** What is known by a line, by the beginning of the line, strongest first; and what a time is then. */
const LINES: readonly [string, Partial<TimesOfValues>, string][] = [
  ['the option `--stamps`', { requested: 'middle' }, 'middle'],
  ['`time: point` in `cell_methods`', { method: 'point' }, 'instant'],
  ['bounds of the axis', { bounds: boundsOf(plain.times, 0) }, 'start'],
  ["GRIB's step ranges", { ...texts({ GRIB_stepRange: ranges }), init: INIT - 6 * HOUR }, 'end'],
  ['words of the array', texts({ long_name: 'rain in the next 6 hours' }), 'start'],
  ['what Open-Meteo documents', { documented: { stamps: 'end', by: 'as Open-Meteo documents' } }, 'end'],
  ['the type of steps', { stepType: 'accum' }, 'end'],
  ['the same of sums, minima and maxima on values a day apart', {}, 'daily'],
  ['"instantaneous" in the long name', texts({ long_name: 'instantaneous rain' }), 'instant'],
  ['values that lie amid their steps', { times: steps(3 * HOUR) }, 'middle'],
  ['the data: no value at the start of the run', { init: INIT, atStart: 'missing' }, 'end'],
  ['the data: values at the start of the run', { init: INIT, atStart: 'values' }, 'start'],
  ['names and `history` of known producers', { name: 'APCP_surface' }, 'end'],
  ['values of a run', { hasLeads: true }, 'end'],
  ['anything else within a day', {}, 'start'],
  ['daily values', {}, 'daily'],
];

const documented = documentedRows('Days');

describe('the evidence for what a time stands for', () => {
  it('is documented line by line, in its order', () => {
    expect(documented).toHaveLength(LINES.length);
    for (const [i, [begin]] of LINES.entries()) expect(documented[i].slice(0, begin.length)).toBe(begin);
  });

  const ofSteps = LINES.filter(([, , stamps]) => stamps !== 'daily');
  it.each(ofSteps)('decides alone: %s', (_, known, stamps) => {
    expect(decideTimes({ ...plain, ...known }).stamps).toBe(stamps);
  });

  it.each(ofSteps.map((line, i) => [line[0], i] as const))('is stronger than all lines below: %s', (_, i) => {
    const [, known, stamps] = ofSteps[i];
    for (const [weaker, others] of ofSteps.slice(i + 1)) {
      // Lines that need other times, or starts of runs, do not come together with these.
      if ((known.times ?? others.times) !== undefined || (known.init !== undefined && others.init !== undefined))
        continue;
      const both = { ...plain, ...others, ...known, texts: new Map([...(others.texts ?? []), ...(known.texts ?? [])]) };
      expect([weaker, decideTimes(both).stamps]).toEqual([weaker, stamps]);
    }
  });

  it('is of steps that no longer exist on values a day apart at 00 UTC: ends with leads from 24 hours, else an error', () => {
    const lost = { ...plain, times: steps(0, DAY), stepType: 'accum' };
    expect(decideTimes({ ...lost, init: INIT - DAY }).stamps).toBe('end');
    expect(() => decideTimes(lost)).toThrow('nothing shows which end of its day a time stands for');
    // A day that is missing changes nothing; values of weeks or months are no daily ones.
    const [first, , ...others] = lost.times;
    expect(() => decideTimes({ ...lost, times: Float64Array.of(first, ...others) })).toThrow('a day apart');
    expect(decideTimes({ ...lost, times: steps(0, 7 * DAY) }).evidence).toBe('step-type');
    const worded = (comment: string) => decideTimes({ ...plain, times: steps(0, DAY), ...texts({ comment }) });
    expect(() => worded('values at the end of the hour')).toThrow('a day apart');
    expect(worded('values at the beginning of the hour').evidence).toBe('date');
    expect(worded('in the last 24 hours')).toMatchObject({ stamps: 'end', evidence: 'words' });
  });

  it('is the date that is written for daily values', () => {
    for (const isOverTime of [true, false])
      expect(decideTimes({ ...plain, times: steps(0, DAY), isOverTime })).toMatchObject({
        stamps: 'start',
        warnings: [],
      });
  });

  it.each([
    ['no value at the start of the run', { init: INIT, atStart: 'missing' as const }],
    ['values that begin one step after it', { init: INIT - 6 * HOUR }],
    ['values at the start of the run', { init: INIT, atStart: 'values' as const }],
    ['the name of a producer', { name: 'tp' }],
    ['a run', { hasLeads: true }],
    ['nothing', {}],
  ])('is said where it is no statement, and another end would give other days: %s', (_, known) => {
    const { warnings } = decideTimes({ ...plain, ...known });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(
      /times of \w+ are taken for the (starts|ends) of steps, .*; the option stamps decides otherwise$/,
    );
  });

  it.each([
    ['end', '6-hourly accumulation ending at valid time'],
    ['end', 'Total precipitation, 24 hour accumulation ending at the time stamp'],
    ['end', 'accumulated over the 6 hours ending at the valid time'],
    ['end', 'accumulated over the 6 h before the time of the value'],
    ['end', 'mean over the 3 hours preceding 06 UTC'],
    ['end', '3-hr average prior to verification time'],
    ['end', 'in the 12 hour period ending 00 UTC'],
    ['end', 'average rate since the previous forecast step'],
    ['end', 'rain in the last 6 hours'],
    ['end', 'sum of the preceding hour'],
    ['end', 'at the end of the hour'],
    ['start', 'times are those of the beginning of the hour'],
    ['middle', 'in the middle of the hour'],
    ['start', '6-hourly accumulation starting at valid time'],
    ['start', 'accumulated over the 6 hours beginning at the time stamp'],
    ['start', 'mean over the 3-hour period following'],
  ] as const)('is words that say an %s: %s', (stamps, description) => {
    expect(decideTimes({ ...plain, ...texts({ description }) })).toMatchObject({
      ...{ stamps, evidence: 'words', by: 'by description', warnings: [] },
    });
  });

  it.each([
    '6-hourly data before 1990 are of another model',
    'rain until the end of the record',
    'forecasts 6 hours after the analysis',
    'hourly values from the start of the run up to 240 hours',
    'daily mean of the 30 years ending in 2020',
    'sums from the beginning of the hour to the end of the hour',
  ])('is not in words of something else: %s', (description) => {
    expect(decideTimes({ ...plain, ...texts({ description }) }).evidence).toBe('default');
  });

  it.each([
    '6-hourly accumulation ending at valid time',
    'accumulated over the 6 hours before the time stamp',
    '6h_accumulation',
  ])('says that amounts are of single steps, too: %s', (description) => {
    const edgesOf = (hours: number) => ({ starts: steps(0, hours * HOUR), ends: steps(hours * HOUR, hours * HOUR) });
    const stated = new Map([['description', description]]);
    expect(statedAmounts(stated, edgesOf(6))).toEqual({ kind: 'per-step', by: 'by description' });
    expect(statedAmounts(stated, edgesOf(3))).toBeUndefined();
  });

  it.each([
    ...['tp', 'ssrd', 'mx2t6', 'total_precipitation', 'mean_surface_downward_short_wave_radiation_flux'],
    ...['APCP_surface', 'DSWRF_surface', 'TMAX_2maboveground'],
  ])('is the end by the name of a known producer: %s', (name) => {
    expect(decideTimes({ ...plain, name })).toMatchObject({ stamps: 'end', evidence: 'producer' });
  });

  it.each([
    '2026-03-20 GRIB to CDM+CF via cfgrib-0.9.14.1/ecCodes-2.36.0',
    'grib_to_netcdf.bin -S param -o out.nc in.grib',
    'created by wgrib2',
  ])('is the end by the history of a known producer: %s', (history) => {
    expect(decideTimes({ ...plain, history })).toMatchObject({ stamps: 'end', evidence: 'producer' });
    expect(decideTimes({ ...plain, history: 'cdo -copy a.nc b.nc' }).evidence).toBe('default');
  });

  it('contradicts in a warning', () => {
    const words = texts({ long_name: 'rain in the last 6 hours' });
    expect(decideTimes({ ...plain, ...words, bounds: boundsOf(plain.times, 0) }).warnings).toEqual([
      expect.stringContaining('are the starts of their steps by the bounds of time, but their ends by long_name'),
    ]);
  });
});
