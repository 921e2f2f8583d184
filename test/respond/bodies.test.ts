import { describe, expect, it } from 'vitest';
import type {
  HistoryAnswer,
  LegacyForecastAnswer,
  MembersAnswer,
  StatisticsAnswer,
} from '../../src/respond/answer-data.js';
import { JsonWriter } from '../../src/respond/json-writer.js';
import { holds } from '../property/fuzz.js';
import {
  historyResponse,
  legacyClimatologyResponse,
  legacyForecastResponse,
  legacyHistoryResponse,
  membersResponse,
  statisticsResponse,
} from '../reference/responses.js';
import {
  historyJson,
  legacyClimatologyJson,
  legacyForecastJson,
  legacyHistoryJson,
  membersJson,
  statisticsJson,
} from './json-bodies.js';
import * as random from './random-answers.js';
import * as tiny from './tiny-answers.js';

const parsed = (bytes: Uint8Array) => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
/** As JSON has it: without what is undefined. */
const plain = (object: unknown) => JSON.parse(JSON.stringify(object));
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

const FORECAST =
  '{"init_time":"2025-11-20T00:00:00Z","version":"gefs-v12","generation":"7f3a","location":{"requested":{"latitude":37.27,"longitude":-79.94},' +
  '"closest_location":{"latitude":37.25,"longitude":-80}},';

describe('membersJson', () => {
  it('maps dates to the values of members, in order, null where missing', () => {
    expect(text(membersJson(tiny.members))).toBe(
      `${FORECAST}"period":{"start_date":"2025-11-20","end_date":"2025-11-21"},"variables":{` +
        '"precipitation":{"units":"mm","downscaled":false,"members":{"2025-11-20":[0,1.25,12.3],"2025-11-21":[null,0.13,0]}}}}',
    );
  });
  holds('says what its slow twin says', 60, random.membersAnswers, (answer: MembersAnswer) => {
    expect(parsed(membersJson(answer))).toEqual(plain(membersResponse(answer)));
  });
});

describe('statisticsJson', () => {
  it('maps period keys to mean and quantiles; a downscaled variable has its own place; missing statistics are all null', () => {
    expect(text(statisticsJson(tiny.statistics))).toBe(
      `${FORECAST}"period":{"start_date":"2025-11-24","end_date":"2025-12-07"},"granularity":"weekly","attribution":"NOAA \\"GEFS\\"","variables":{` +
        '"temp_mean":{"units":"°C","downscaled":true,"closest_location":{"latitude":37.275,"longitude":-79.9417},"statistics":{' +
        '"2025-W48":{"mean":8.13,"q05":-4.2,"q025":6.7},"2025-W49":{"mean":null,"q05":null,"q025":null}}}}}',
    );
  });
  it('has no period and empty maps where no days were used', () => {
    const [answered] = tiny.statistics.variables;
    const windows = { ...answered.windows, count: 0, start: new Int32Array(0) };
    const none: StatisticsAnswer = { ...tiny.statistics, period: undefined, variables: [{ ...answered, windows }] };
    expect(parsed(statisticsJson(none))).toMatchObject({ period: null, variables: { temp_mean: { statistics: {} } } });
  });
  holds('says what its slow twin says', 100, random.statisticsAnswers, (answer: StatisticsAnswer) => {
    expect(parsed(statisticsJson(answer))).toEqual(plain(statisticsResponse(answer)));
  });
});

describe('historyJson', () => {
  it('maps period keys to values, null where missing', () => {
    expect(text(historyJson(tiny.history))).toBe(
      '{"meta":{"variables":["solar_radiation"],"granularity":"monthly","location":{"latitude":37.25,"longitude":-80},' +
        '"period":{"start_date":"2025-09-01","end_date":"2025-10-31"}},' +
        '"data":{"solar_radiation":{"units":"MJ/m²/d","downscaled":false,"values":{"2025-09":17.4,"2025-10":null}}}}',
    );
  });
  holds('says what its slow twin says', 60, random.historyAnswers, (answer: HistoryAnswer) => {
    expect(parsed(historyJson(answer))).toEqual(plain(historyResponse(answer)));
  });
});

describe('legacyForecastJson', () => {
  it('lists entries by date; shares have 4 decimals; a variable is absent from entries beyond its days', () => {
    expect(text(legacyForecastJson(tiny.legacyForecast))).toBe(
      '{"meta":{"variables":["precipitation","temp_mean"],"dropped_variables":["wind_gust_max"],"granularity":"weekly",' +
        '"units":{"precipitation":"mm","temp_mean":"°C"},"location":{"latitude":37.25,"longitude":-80},"location_id":"demo-field",' +
        '"init_time":"2025-11-20T00:00:00Z","reference_period":"1993-2022","tercile_reference":"observations"},"data":[' +
        '{"date":"2025-12-01","attributes":{"precipitation":{"ensemble_mean":18.3,"quantile":{"quantile_0.05":0.5,"quantile_0.25":1.5,' +
        '"quantile_0.50":2.5,"quantile_0.75":3.5,"quantile_0.95":4.5},"probability":{"clim_prob_0.00-0.33":0.2581,' +
        '"clim_prob_0.33-0.67":0.3548,"clim_prob_0.67-1.00":0.3871}},' +
        '"temp_mean":{"ensemble_mean":5,"quantile":{"quantile_0.05":1,"quantile_0.25":2,"quantile_0.50":3,"quantile_0.75":4,"quantile_0.95":5},' +
        '"probability":{"clim_prob_0.00-0.33":null,"clim_prob_0.33-0.67":null,"clim_prob_0.67-1.00":null}}}},' +
        '{"date":"2025-12-08","attributes":{"precipitation":{"ensemble_mean":null,"quantile":{"quantile_0.05":null,"quantile_0.25":null,' +
        '"quantile_0.50":null,"quantile_0.75":null,"quantile_0.95":null},"probability":{"clim_prob_0.00-0.33":null,' +
        '"clim_prob_0.33-0.67":null,"clim_prob_0.67-1.00":null}}}}]}',
    );
  });
  it('has no probabilities in daily responses', () => {
    const daily: LegacyForecastAnswer = { ...tiny.legacyForecast, granularity: 'daily' };
    expect(parsed(legacyForecastJson(daily)).data[0].attributes.temp_mean).not.toHaveProperty('probability');
  });
  holds('says what its slow twin says', 60, random.legacyForecastAnswers, (answer: LegacyForecastAnswer) => {
    expect(parsed(legacyForecastJson(answer))).toEqual(plain(legacyForecastResponse(answer)));
  });
  holds('has its entries in order of time', 50, random.legacyForecastAnswers, (answer: LegacyForecastAnswer) => {
    const dates = parsed(legacyForecastJson(answer)).data.map(({ date }: { date: string }) => date);
    expect(dates).toEqual([...new Set(dates)].sort());
  });
});

describe('legacyHistoryJson', () => {
  it('lists days, with one number or null for each variable', () => {
    expect(text(legacyHistoryJson(tiny.legacyHistory))).toBe(
      '{"meta":{"variables":["temp_mean","precipitation"],"dropped_variables":[],"granularity":"daily",' +
        '"units":{"temp_mean":"°C","precipitation":"mm"},"location":{"latitude":37.25,"longitude":-80}},"data":[' +
        '{"date":"2025-11-18","attributes":{"temp_mean":{"values":7.31}}},' +
        '{"date":"2025-11-19","attributes":{"temp_mean":{"values":null},"precipitation":{"values":0}}}]}',
    );
  });
  holds('says what its slow twin says', 40, random.legacyHistoryAnswers, (answer) => {
    expect(parsed(legacyHistoryJson(answer))).toEqual(plain(legacyHistoryResponse(answer)));
  });
});

describe('legacyClimatologyJson', () => {
  it('lists the periods of the year with the five quantiles, and nothing else', () => {
    expect(text(legacyClimatologyJson(tiny.legacyClimatology))).toBe(
      '{"meta":{"variables":["temp_mean"],"dropped_variables":[],"granularity":"monthly","units":{"temp_mean":"°C"},' +
        '"location":{"latitude":37.25,"longitude":-80},"reference_period":"1993-2022"},"data":[' +
        '{"date":"01","attributes":{"temp_mean":{"quantile":{"quantile_0.05":-1.5,"quantile_0.25":0,"quantile_0.50":1.5,' +
        '"quantile_0.75":3,"quantile_0.95":4.5}}}},{"date":"02","attributes":{"temp_mean":{"quantile":{"quantile_0.05":null,' +
        '"quantile_0.25":null,"quantile_0.50":null,"quantile_0.75":null,"quantile_0.95":null}}}}]}',
    );
  });
  holds('says what its slow twin says', 20, random.legacyClimatologyAnswers, (answer) => {
    expect(parsed(legacyClimatologyJson(answer))).toEqual(plain(legacyClimatologyResponse(answer)));
  });
});

describe('all bodies', () => {
  const bodies = [
    (writer?: JsonWriter) => membersJson(tiny.members, writer),
    (writer?: JsonWriter) => statisticsJson(tiny.statistics, writer),
    (writer?: JsonWriter) => historyJson(tiny.history, writer),
    (writer?: JsonWriter) => legacyForecastJson(tiny.legacyForecast, writer),
    (writer?: JsonWriter) => legacyHistoryJson(tiny.legacyHistory, writer),
    (writer?: JsonWriter) => legacyClimatologyJson(tiny.legacyClimatology, writer),
  ];
  it('are the same when one writer writes them in turn, and share no memory', () => {
    const writer = new JsonWriter();
    const together = bodies.map((body) => body(writer));
    expect(together.map(text)).toEqual(bodies.map((body) => text(body())));
    expect(new Set(together.map(({ buffer }) => buffer)).size).toBe(bodies.length);
  });
  it('throw DataError for an infinite value', () => {
    const [answered] = tiny.history.variables;
    const infinite = {
      ...tiny.history,
      variables: [{ ...answered, values: Float32Array.of(1, Number.POSITIVE_INFINITY) }],
    };
    expect(() => historyJson(infinite)).toThrow('response: an infinite value; received Infinity');
  });
});
