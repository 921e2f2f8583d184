import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { demoTable } from '../../src/demo/index.js';
import { answerTable } from '../../src/respond/v2/answer-tables.js';
import { STATISTICS } from '../../src/respond/v2/statistics-answer.js';
import { statisticsJson } from '../../src/respond/v2/statistics-json.js';
import { statistics } from '../../src/statistics/statistics.js';
import { defineVariable } from '../../src/variable/define-variable.js';
import { rounded } from '../reference/responses.js';
import { statisticsJson as bodyOf } from './json-bodies.js';
import * as tiny from './tiny-answers.js';

const stated = { version: 'v', generation: 'g' };

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

describe('statisticsJson', () => {
  it('gives the body that the table was made from, also for several variables', () => {
    const [answered] = tiny.statistics.variables;
    const other = { ...answered, variable: defineVariable({ slug: 'snow', units: 'cm', window: 'sum' }) };
    const answer = { ...tiny.statistics, variables: [answered, other], closest: answered.location };
    const { requested } = answer;
    const options = { requested, downscaled: true, variables: [other.variable] };
    expect(statisticsJson(answerTable(STATISTICS, answer), options)).toEqual(bodyOf(answer));
  });

  it('takes tables of statistics(), and prefers options to their metadata', () => {
    const table = statistics(core, demoTable('precipitation', { days: 20, members: 5 }), {
      granularity: 'weekly',
      quantiles: [0.1, 1],
      spread: true,
      thresholds: ['>5'],
    });
    const body = JSON.parse(new TextDecoder().decode(statisticsJson(table, stated)));
    const entries = Object.fromEntries(
      table
        .toArray()
        .map((row) => [
          row.period,
          { mean: rounded(row.mean, 2), q10: rounded(row.q10, 2), q100: rounded(row.q100, 2) },
        ]),
    );
    expect(Object.keys(entries).length).toBeGreaterThan(1);
    expect(body.variables).toEqual({ precipitation: { units: 'mm', downscaled: false, statistics: entries } });
    expect(body).toMatchObject({ ...stated, granularity: 'weekly', init_time: table.schema.metadata.get('init_time') });
    expect(body.location.requested).toEqual(body.location.closest_location);
  });

  it('rejects a table that is not one answer, with the reason', () => {
    const table = answerTable(STATISTICS, tiny.statistics);
    const [answered] = tiny.statistics.variables;
    const moved = { ...answered, location: { latitude: 1, longitude: -79.9417 } };
    const two = answerTable(STATISTICS, { ...tiny.statistics, variables: [answered, moved] });
    expect(() => statisticsJson(two)).toThrow('row 3, column latitude: several; received 1; allowed: 37.275');
    expect(() => statisticsJson(table.slice(0, 0))).toThrow('table: has no rows');
    expect(() => statisticsJson(table.select(['latitude', 'longitude']))).toThrow('table: no column period');
    expect(() => statisticsJson(undefined as never)).toThrow('table: cannot be used');
    expect(() => statisticsJson(table, { init: 'x' } as never)).toThrow('unknown option');
    const unknown = { ...answered, variable: defineVariable({ slug: 'snow', units: 'cm', window: 'sum' }) };
    expect(() => statisticsJson(answerTable(STATISTICS, { ...tiny.statistics, variables: [unknown] }))).toThrow(
      'column variable: not known; received "snow"',
    );
    const bare = answerTable(STATISTICS, { ...tiny.statistics, version: undefined as never });
    expect(() => statisticsJson(bare)).toThrow('version: not known; allowed: a text, unless');
  });
});
