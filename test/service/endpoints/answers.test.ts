import { describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../../src/core/load.js';
import { createAnswersWith } from '../../../src/service/endpoints/answers.js';
import { memoryDataset } from '../../../src/service/source/memory-source.js';
import type { Snapshot } from '../../../src/service/source/source.js';
import { DEFAULT_QUANTILES } from '../../../src/statistics/options.js';

const axis = { firstDay: 20_514, days: 14, members: 3 };
const timeline = memoryDataset({
  revision: 'run-1',
  latitude: Float64Array.of(37.25),
  longitude: Float64Array.of(-80),
  variables: { precipitation: { ...axis, values: new Float32Array(42).fill(2) } },
});
const initTime = '2026-03-02T00:00:00Z';
const data: Snapshot = { forecast: { initTime, version: '1', generation: '1', timeline, horizons: {} } };
const query = {
  point: { latitude: 37.25, longitude: -80 },
  ...{ variables: undefined, startDay: undefined, endDay: undefined, downscaling: false },
  ...{ quantiles: DEFAULT_QUANTILES, granularity: 'weekly' as const },
};

describe('createAnswersWith', () => {
  it('uses one core until its memory has grown, and then another', async () => {
    const cores: Core[] = [];
    const load = async () => {
      const core = await loadCore();
      cores.push(core);
      return core;
    };
    const answers = createAnswersWith(load, 30_000_000, undefined);
    const rain = async () => (await answers.statistics(data, query)).variables[0].statistics.mean[0];
    expect([await rain(), await rain(), cores.length]).toEqual([14, 14, 1]);
    cores[0].memory.release(cores[0].memory.allocate(40_000_000));
    expect([await rain(), await rain(), cores.length]).toEqual([14, 14, 2]);
  });
});
