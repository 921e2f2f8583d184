import { describe, expect, it } from 'vitest';
import type { FileContent, Labels } from '../../../../src/files/cf/join/file-content.js';
import { findGap } from '../../../../src/files/cf/join/run-gaps.js';

const DAY = 86_400;
const START = Date.UTC(2004, 2, 1) / 1000;

/** A file of some days, of a number of members. */
function content(first: number, days: number, { members = 3, init = false, step = 1 } = {}): FileContent {
  const values = Array.from({ length: days / step }, (_, i) => START + (first + i * step) * DAY);
  const time: Labels = { kind: 'time', name: 'time', values, length: values.length };
  const member: Labels = { kind: 'member', name: 'member', values: [0, 1, 2].slice(0, members), length: members };
  const single = new Map(
    init ? [['init' as const, { ...time, kind: 'init' as const, values: [START], length: 1 }]] : [],
  );
  return {
    axes: new Map([
      ['time', time],
      ['member', member],
    ]),
    single,
  } as unknown as FileContent;
}

const runsOf = (contents: readonly FileContent[], areForecasts = false) => findGap(contents, areForecasts)?.runs;

describe('files of an ensemble that state no run', () => {
  it('are runs where their times have a gap longer than a week, and than any file', () => {
    expect(findGap([content(365, 21), content(0, 21)], false)).toEqual({
      runs: [[1], [0]],
      why: 'the files have no times from 2004-03-22T00:00:00Z to 2005-03-01T00:00:00Z, and state no run: taken for 2 runs, each an input of its own',
    });
    expect(runsOf([content(0, 5), content(13, 5)])).toEqual([[0], [1]]);
  });

  it('are one where slices follow each other, or some did not come', () => {
    expect(runsOf([content(0, 5), content(5, 5)])).toBeUndefined();
    expect(runsOf([content(0, 1, { step: 0.25 }), content(7, 1, { step: 0.25 })])).toBeUndefined();
    expect(runsOf([content(0, 31), content(62, 30), content(31, 31)])).toBeUndefined();
    expect(runsOf([content(0, 31), content(62, 30)])).toBeUndefined();
    expect(runsOf([content(0, 30), content(0, 30)])).toBeUndefined();
  });

  it('are several runs of several slices each', () => {
    expect(runsOf([content(365, 5), content(0, 5), content(370, 5), content(5, 5)])).toEqual([
      [1, 3],
      [0, 2],
    ]);
  });
});

it('a history may lack seasons, but not forecasts; files that state a run are told apart by it', () => {
  const winters = [content(0, 90, { members: 1 }), content(365, 90, { members: 1 })];
  expect(runsOf(winters)).toBeUndefined();
  expect(runsOf(winters, true)).toEqual([[0], [1]]);
  expect(runsOf([content(0, 21, { init: true }), content(365, 21, { init: true })])).toBeUndefined();
});
