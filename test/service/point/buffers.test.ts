import { beforeAll, describe, expect, it } from 'vitest';
import { type EnsembleField, memberColumns } from '../../../src/core/field.js';
import { type Core, loadCore } from '../../../src/core/load.js';
import { PlaceIndex } from '../../../src/ensemble/place-index.js';
import { forecastStatistics, type StatisticsParameters } from '../../../src/service/endpoints/forecast-statistics.js';
import { AvailableVariables } from '../../../src/service/point/available-variables.js';
import { CoreBuffers, WindowTables } from '../../../src/service/point/core-buffers.js';
import { PointClimatologies } from '../../../src/service/point/point-climatology.js';
import { SeriesBuffers, useSeries, type VariableSeries } from '../../../src/service/point/series.js';
import type { Dataset } from '../../../src/service/source/dataset.js';
import { findVariable } from '../../../src/variable/find-variable.js';
import { isFullCheck } from '../../full-check.js';
import { forecastRun, snapshot } from '../handler/fake-service.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const SLUGS = ['temp_mean', 'temp_min', 'precipitation'];
const AXIS = { firstDay: 20_514, days: 35, members: 5 };
const point = { latitude: 37.25, longitude: -79.75 };
const query: StatisticsParameters = {
  ...{ point, downscaling: false, granularity: 'weekly', quantiles: [0.5] },
  variables: SLUGS.map((slug) => findVariable(slug)),
  startDay: undefined,
  endDay: undefined,
};

/** Buffers that count what is taken and given back. */
class CountedBuffers extends SeriesBuffers {
  readonly out = new Set<unknown>();

  override take(axis: Parameters<SeriesBuffers['take']>[0]) {
    const buffer = super.take(axis);
    this.out.add(buffer.values);
    return buffer;
  }

  override give(axis: Parameters<SeriesBuffers['take']>[0], buffer: ReturnType<SeriesBuffers['take']>) {
    this.out.delete(buffer.values);
    super.give(axis, buffer);
  }
}

/** The buffers, of one each of some shapes, that are still there to be taken. */
function keptOf(buffers: SeriesBuffers, given: ReadonlyMap<number, Float32Array>, members = AXIS.members) {
  return [...given].filter(([days, values]) => buffers.take({ firstDay: 0, days, members }).values === values);
}

/** Asks for the statistics of a timeline that is read by `read`. */
function asking(read: Dataset['read']) {
  const places = new PlaceIndex({ latitude: Float64Array.of(37.25), longitude: Float64Array.of(-79.75) });
  const timeline = { revision: 'r', places, variables: new Map(SLUGS.map((slug) => [slug, AXIS])), read };
  const buffers = new CountedBuffers();
  const available = new AvailableVariables([]);
  const climatologies = new PointClimatologies(core);
  const windows = new WindowTables();
  const tools = { core, available, buffers, coreBuffers: new CoreBuffers(core), climatologies, windows };
  const data = snapshot({ forecast: forecastRun({ timeline: timeline as unknown as Dataset }) });
  return { buffers, ask: async () => forecastStatistics(tools, data, query) };
}

const later = () => new Promise<void>((resolve) => setTimeout(resolve, 2));

describe('buffers of a request', () => {
  it('are given back when it is answered, whether reads are at once or later', async () => {
    for (const wait of [() => undefined, later]) {
      const seen: unknown[] = [];
      const { buffers, ask } = asking((_, __, into) => {
        seen.push(into.fill(3));
        return wait();
      });
      const [first] = (await ask()).variables;
      expect([...first.statistics.mean]).toEqual([3, 3, 3, 3, 3]);
      expect(buffers.out.size).toBe(0);
      const used = new Set(seen);
      await ask();
      expect([used.size, new Set(seen)]).toEqual([3, used]);
    }
  });

  it('are given back where a value cannot be computed', async () => {
    const { buffers, ask } = asking((slug, _, into) => {
      into.fill(slug === 'temp_min' ? Number.POSITIVE_INFINITY : 1);
    });
    const mark = core.memory.mark();
    await expect(ask()).rejects.toThrow('infinite value');
    expect(buffers.out.size).toBe(0);
    const taken = core.memory.mark() - mark;
    for (let i = 0; i < 20; i++) await expect(ask()).rejects.toThrow('infinite value');
    expect(core.memory.mark() - mark).toBe(taken);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no disk');
      },
    ],
    ['rejects at once', () => Promise.reject(new Error('no disk'))],
    ['rejects later', () => later().then(() => Promise.reject(new Error('no disk')))],
  ])('are given back where one of several reads %s, except the buffer of that read', async (_, fail) => {
    const failed: unknown[] = [];
    const { buffers, ask } = asking((slug, __, into) => {
      if (slug !== 'temp_min') return later();
      failed.push(into);
      return fail();
    });
    await expect(ask()).rejects.toThrow('no disk');
    expect([...buffers.out]).toEqual(failed);
  });

  it('are not given back before all reads to them are done', async () => {
    let writing = 0;
    const { buffers, ask } = asking(async (slug, _, into) => {
      if (slug === 'temp_mean') throw new Error('no disk');
      writing++;
      await later();
      expect(buffers.out.has(into)).toBe(true);
      writing--;
    });
    await expect(ask()).rejects.toThrow('no disk');
    expect(writing).toBe(0);
  });

  it('are given back when an asynchronous use ends or fails', async () => {
    let released = 0;
    const series = () => ({ release: () => released++ }) as unknown as VariableSeries;
    const made = useSeries([series(), series()], async (all) => later().then(() => [all.length, released]));
    expect([await made, released]).toEqual([[2, 0], 2]);
    await expect(useSeries([series()], () => later().then(() => Promise.reject(new Error('no'))))).rejects.toThrow();
    expect(released).toBe(3);
  });

  it('that are kept are limited, the least recently used are dropped first', () => {
    const buffers = new SeriesBuffers();
    const given = new Map<number, Float32Array>();
    const [first, end] = [isFullCheck ? 1 : 1600, isFullCheck ? 3000 : 2400];
    for (let days = first; days < end; days++) {
      const axis = { firstDay: 0, days, members: 50 };
      const buffer = buffers.take(axis);
      given.set(days, buffer.values);
      buffers.give(axis, buffer);
    }
    const kept = keptOf(buffers, given, 50);
    const bytes = kept.reduce((sum, [, { byteLength }]) => sum + byteLength, 0);
    expect(bytes).toBeGreaterThan(15 * 2 ** 20);
    expect(bytes).toBeLessThanOrEqual(16 * 2 ** 20);
    expect(kept.map(([days]) => days)).toEqual(kept.map((_, k) => end - kept.length + k));
  });
});

describe("the buffer in the core's memory", () => {
  const fieldOf = (days: number, members: number, value: number) => {
    const values = new Float32Array(days * members).fill(value);
    const field: EnsembleField = {
      ...{ type: 'float32', order: 'day-fastest', firstDay: 0, days, cells: 1 },
      members: memberColumns(values, days),
    };
    return { field, values };
  };

  it('is one for all shapes, however many there are', () => {
    const coreBuffers = new CoreBuffers(core);
    coreBuffers.hold(...(Object.values(fieldOf(3, 2, 1)) as [EnsembleField, Float32Array]));
    const mark = core.memory.mark();
    for (let days = 1; days <= 500; days++) {
      const { field, values } = fieldOf(days, 31, days);
      const held = coreBuffers.hold(field, values);
      expect(held.members).toHaveLength(31);
      expect(held.members[0].addressIn(core)).toBeDefined();
      expect([held.members[30].length, held.members[30].value(days - 1)]).toEqual([days, days]);
    }
    expect(core.memory.mark()).toBe(mark);
  });

  it('holds the right values after its memory has grown, and leaves fields that are too long in place', () => {
    const coreBuffers = new CoreBuffers(core);
    const { field, values } = fieldOf(10, 4, 7);
    const address = coreBuffers.hold(field, values).members[0].addressIn(core);
    core.memory.wasm.grow(10);
    const again = coreBuffers.hold(field, values.fill(9));
    expect(again.members[0].addressIn(core)).toBe(address);
    expect([...core.memory.float32(address as number, 40)]).toEqual(Array(40).fill(9));
    const long = fieldOf(100_000, 3, 1);
    expect(coreBuffers.hold(long.field, long.values)).toBe(long.field);
  });
});
