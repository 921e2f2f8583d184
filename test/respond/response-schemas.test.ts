import type fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { responseSchemas } from '../../src/respond/response-schemas.js';
import { holds } from '../property/fuzz.js';
import {
  historyJson,
  legacyClimatologyJson,
  legacyForecastJson,
  legacyHistoryJson,
  membersJson,
  statisticsJson,
} from './json-bodies.js';
import * as random from './random-answers.js';
import { schemaFaults } from './schema-faults.js';
import * as tiny from './tiny-answers.js';

type Name = keyof typeof responseSchemas;

const OPTIONAL = ['attribution', 'precision'];

const schemaOf = (name: Name) => responseSchemas[name] as Readonly<Record<string, unknown>>;
const parsed = (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes));

describe('responseSchemas', () => {
  function areMet<Answer>(
    name: Name,
    answers: fc.Arbitrary<Answer>,
    write: (answer: Answer) => Uint8Array,
    some: Answer,
  ) {
    it(`${name} accepts its example`, () => {
      const { examples } = schemaOf(name);
      expect(examples).toHaveLength(1);
      expect(schemaFaults((examples as unknown[])[0], schemaOf(name))).toEqual([]);
    });
    it(`${name} accepts no body without a required field, or with a field of another type`, () => {
      const body = () => parsed(write(some));
      expect(schemaFaults(body(), schemaOf(name))).toEqual([]);
      for (const field of Object.keys(body())) {
        const { [field]: _, ...without } = body();
        if (!OPTIONAL.includes(field)) expect(schemaFaults(without, schemaOf(name))).toEqual([`$: lacks ${field}`]);
        expect(schemaFaults({ ...body(), [field]: 5 }, schemaOf(name))).not.toEqual([]);
      }
      expect(schemaFaults({ ...body(), other: 5 }, schemaOf(name))).toEqual(['$: unknown field other']);
    });
    holds(`${name} is met by any body`, 60, answers, (answer) => {
      expect(schemaFaults(parsed(write(answer)), schemaOf(name))).toEqual([]);
    });
  }
  areMet('ForecastMembersAnswer', random.membersAnswers, (answer) => membersJson(answer), tiny.members);
  areMet('ForecastStatisticsAnswer', random.statisticsAnswers, (answer) => statisticsJson(answer), tiny.statistics);
  areMet('HistoryAnswer', random.historyAnswers, (answer) => historyJson(answer), tiny.history);
  areMet(
    'LegacyForecastAnswer',
    random.legacyForecastAnswers,
    (answer) => legacyForecastJson(answer),
    tiny.legacyForecast,
  );
  areMet('LegacyHistoryAnswer', random.legacyHistoryAnswers, (answer) => legacyHistoryJson(answer), tiny.legacyHistory);
  areMet(
    'LegacyClimatologyAnswer',
    random.legacyClimatologyAnswers,
    (answer) => legacyClimatologyJson(answer),
    tiny.legacyClimatology,
  );

  it('survives a round trip through JSON', () => {
    expect(JSON.parse(JSON.stringify(responseSchemas))).toEqual(responseSchemas);
  });
});
