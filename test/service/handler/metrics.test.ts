import { describe, expect, it } from 'vitest';
import {
  createMetrics,
  joinCounts,
  joinMetrics,
  type MetricsSnapshot,
} from '../../../src/service/handler/metrics.node.js';
import { dataset, fakeService, snapshot } from './fake-service.js';

const FORECAST = '/v2/forecast?lat=37.3&lon=-79.84';

async function measuredService(options: Parameters<typeof fakeService>[0] = {}) {
  const metrics = await createMetrics();
  const service = fakeService({ onMetric: metrics.onMetric, responseCacheBytes: 100_000, ...options });
  metrics.watch(service.handler);
  return { ...service, metrics };
}

/** As it comes through the channel between processes. */
const sent = (metrics: MetricsSnapshot): MetricsSnapshot => JSON.parse(JSON.stringify(metrics));

/** The values of a text by their names and labels. */
function valuesOf(text: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

describe('createMetrics', () => {
  it('counts requests and their durations by endpoint and status, bytes, and kept bodies', async () => {
    const { ask, metrics } = await measuredService();
    const { byteLength } = await (await ask(FORECAST)).arrayBuffer();
    for (let time = 0; time < 2; time++) await ask(FORECAST);
    await ask('/v2/forecast');
    await ask('/nowhere');
    const values = valuesOf(await metrics.text());
    const count = (endpoint: string, status: number) =>
      values[`plumecast_request_duration_seconds_count{endpoint="${endpoint}",status="${status}"}`];
    expect([count('forecast', 200), count('forecast', 400), count('none', 404)]).toEqual([3, 1, 1]);
    expect(values['plumecast_request_duration_seconds_bucket{le="10",endpoint="forecast",status="200"}']).toBe(3);
    expect(values['plumecast_response_bytes_total{endpoint="forecast"}']).toBeGreaterThan(3 * byteLength);
    expect(values['plumecast_cached_responses_total{endpoint="forecast"}']).toBe(1);
    expect(values).toHaveProperty('process_resident_memory_bytes');
    // Counters are not counted again when they are read again.
    expect(valuesOf(await metrics.text())['plumecast_cached_responses_total{endpoint="forecast"}']).toBe(1);
  });

  it('tells the age of the run, the cache and the queue; no age without a forecast, or without a source', async () => {
    let data: () => ReturnType<typeof snapshot> = () => snapshot();
    const { ask, metrics } = await measuredService({ source: { snapshot: () => data() } });
    for (let time = 0; time < 2; time++) await ask(FORECAST);
    const age = (Date.now() - Date.parse('2026-03-02T00:00:00Z')) / 1000;
    const values = valuesOf(await metrics.text());
    expect(Math.abs(values.plumecast_forecast_age_seconds - age)).toBeLessThan(60);
    expect(values.plumecast_response_cache_bytes).toBeGreaterThan(200);
    expect(values).toMatchObject({ plumecast_requests_answering: 0, plumecast_responses_sending: 0 });
    for (const other of [
      () => snapshot({ forecast: undefined }),
      () => {
        throw new Error('gone');
      },
    ]) {
      data = other;
      expect(valuesOf(await metrics.text())).not.toHaveProperty('plumecast_forecast_age_seconds');
    }
  });

  it('tells the age of the record of forecasts, their skill by lead, and the cases; nothing without a record', async () => {
    const leads = [
      { lead: 0, cases: 300, crpsSkill: 0.5, rpsSkill: 0.4 },
      { lead: 14, cases: 20, crpsSkill: -0.1 },
    ];
    const series = [
      { horizon: 'subseasonal', granularity: 'weekly', slug: 'temp_mean', leads, data: dataset('record-1') } as const,
    ];
    const updated = new Date(Date.now() - 3_600_000).toISOString();
    const record = { revision: 'r', updated, series };
    let data = snapshot({ record });
    const { metrics } = await measuredService({ source: { snapshot: () => data } });
    const values = valuesOf(await metrics.text());
    const skillOf = (name: string, lead: number) =>
      values[`plumecast_skill_${name}{horizon="subseasonal",variable="temp_mean",granularity="weekly",lead="${lead}"}`];
    expect([0, 14].map((lead) => ['crpss', 'rpss', 'cases'].map((name) => skillOf(name, lead)))).toEqual([
      [0.5, 0.4, 300],
      [-0.1, undefined, 20],
    ]);
    expect(Math.abs(values.plumecast_skill_record_age_seconds - 3600)).toBeLessThan(60);
    data = snapshot();
    const names = Object.keys(valuesOf(await metrics.text()));
    expect(names.filter((name) => name.startsWith('plumecast_skill'))).toEqual([]);
  });

  it('joins the metrics of processes: sums, the oldest run, and the counts of those that have ended', async () => {
    const services = [await measuredService(), await measuredService()];
    for (const { ask } of services) await ask(FORECAST);
    const parts = await Promise.all(services.map(async ({ metrics }) => sent(await metrics.snapshot())));
    const count = 'plumecast_request_duration_seconds_count{endpoint="forecast",status="200"}';
    const single = valuesOf(await services[0].metrics.text());
    const both = valuesOf(await joinMetrics(parts));
    expect(both[count]).toBe(2);
    expect(both.plumecast_response_cache_bytes).toBe(2 * single.plumecast_response_cache_bytes);
    expect(both.plumecast_forecast_age_seconds).toBeLessThan(1.5 * single.plumecast_forecast_age_seconds);
    const ended = await joinCounts([[], parts[1]]);
    const after = valuesOf(await joinMetrics([parts[0], ended]));
    expect(after[count]).toBe(2);
    expect(after.plumecast_response_cache_bytes).toBe(single.plumecast_response_cache_bytes);
    const text = await joinMetrics([parts[0], ended]);
    expect(text).not.toMatch(/null|undefined/);
  });
});
