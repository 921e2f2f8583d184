import { describe, expect, it } from 'vitest';
import { parseCondition } from '../../../src/condition/parse-condition.js';
import { createEndpoints } from '../../../src/service/endpoints/all-endpoints.js';
import type { DataQuery, Endpoint } from '../../../src/service/endpoints/endpoint.js';
import { isPreparable, queryShape } from '../../../src/service/endpoints/query-fields.js';
import { findVariable } from '../../../src/variable/index.js';

const endpoint = createEndpoints().find(({ operationId }) => operationId === 'forecastStatistics') as Endpoint;
const variable = findVariable('precipitation');
const conditionOf = (text: string) => ({ condition: parseCondition(text), variables: [variable] });
const thresholds = [conditionOf('precipitation>20')];
const query: DataQuery = { point: { latitude: 1, longitude: 2 }, variables: [variable], granularity: 'weekly' };

describe('whether the bodies of a query can be prepared', () => {
  it('depends on the parameters that are given', () => {
    expect(isPreparable(query)).toBe(true);
    expect(isPreparable({ ...query, horizons: true, startDay: 5, quantiles: [0.1] })).toBe(true);
    expect(isPreparable({ ...query, terciles: false, thresholds: [] })).toBe(true);
    expect(isPreparable({ ...query, terciles: true })).toBe(false);
    expect(isPreparable({ ...query, skill: true })).toBe(true);
    expect(isPreparable({ ...query, members: 'all' })).toBe(false);
    expect(isPreparable({ ...query, thresholds })).toBe(false);
  });

  it('is false for what is not declared', () => {
    expect(isPreparable(Object.assign({ later: true }, query))).toBe(false);
    expect(isPreparable(Object.assign({ later: undefined }, query))).toBe(true);
    expect(isPreparable(Object.assign({ constructor: 1 }, query))).toBe(false);
  });
});

describe('the shape of a query', () => {
  it('is the same for all points, and for a parameter that has its default', () => {
    const shape = queryShape(endpoint, query);
    const others: DataQuery[] = [
      { ...query, point: { latitude: 3, longitude: 4 } },
      { ...query, points: [query.point, query.point] },
      { ...query, downscaling: false, terciles: false, horizons: false },
    ];
    for (const other of others) expect(queryShape(endpoint, other)).toBe(shape);
  });

  it('differs with any other field', () => {
    const others: DataQuery[] = [
      { ...query, variables: undefined },
      { ...query, startDay: 5 },
      { ...query, endDay: 5 },
      { ...query, downscaling: true },
      { ...query, quantiles: [0.5] },
      { ...query, granularity: 'monthly' },
      { ...query, horizon: 'seasonal' },
      { ...query, locationId: 'a' },
      { ...query, terciles: true },
      { ...query, skill: true },
      { ...query, horizons: true },
      { ...query, members: 'all' },
      { ...query, thresholds },
      { ...query, thresholds: [conditionOf('precipitation 5..20')] },
      { ...query, thresholds: [conditionOf('precipitation>q90')] },
      { ...query, thresholds: [conditionOf('precipitation>20 or temp_mean>1')] },
      { ...query, thresholds: [conditionOf('precipitation>20 and temp_mean>1')] },
      query,
    ];
    expect(new Set(others.map((other) => queryShape(endpoint, other))).size).toBe(others.length);
  });
});
