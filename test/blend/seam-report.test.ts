import { beforeAll, describe, expect, it } from 'vitest';
import { blendFields } from '../../src/blend/blend-fields.js';
import type { Horizon } from '../../src/blend/horizon.js';
import type { PairFieldsOptions } from '../../src/blend/pairing/pair-fields.js';
import { type SeamReport, seamReport } from '../../src/blend/seam-report.js';
import type { EnsembleField } from '../../src/core/field.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { MemberColumn } from '../../src/core/member-column.js';
import { autoregressiveField, normalStream } from '../reference/autoregressive.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

/** A field of one or more cells from its members' values by lead. */
function field(firstDay: number, days: number, members: number, value: (member: number, lead: number) => number) {
  const columns = Array.from({ length: members }, (_, m) => {
    const values = Float64Array.from({ length: days }, (_, d) => value(m, firstDay + d));
    return new MemberColumn(`m${m}`, [{ values }]);
  });
  return { type: 'float64', order: 'day-fastest', firstDay, days, cells: 1, members: columns } satisfies EnsembleField;
}

function reports(fields: readonly EnsembleField[], options: Partial<PairFieldsOptions> = {}): SeamReport[] {
  const horizons: Horizon[] = fields.map((one, h) => ({ name: `horizon ${h + 1}`, field: one }));
  const lastLeads = fields.map(() => undefined);
  const how = { method: 'cell' as const, overlaps: [3, 7, 7], lastLeads, keepGaps: true, ...options };
  return seamReport({ horizons, ...blendFields(core, horizons, how) });
}

describe('seamReport', () => {
  it('states the place and length of each seam, and how many members of the later horizon are in use', () => {
    const value = (m: number) => m;
    const found = reports([field(0, 15, 5, value), field(10, 30, 3, value), field(40, 20, 9, value)]);
    expect(found).toMatchObject([
      { earlier: 'horizon 1', later: 'horizon 2', handOver: 12, complete: 15, overlapDays: 3, distinctMembers: 3 },
      { earlier: 'horizon 2', later: 'horizon 3', handOver: 40, complete: 40, overlapDays: 0, distinctMembers: 5 },
    ]);
  });

  it('compares the horizons over the overlap: the later mean minus the earlier, the later variance divided by the earlier', () => {
    // Means 2 and 2 + 1.5; the deviations of the later are thrice those of the earlier.
    const [report] = reports([field(0, 10, 5, (m) => m), field(5, 10, 5, (m) => 3.5 + 3 * (m - 2))]);
    expect(report.jump).toBeCloseTo(1.5, 12);
    expect(report.varianceRatio).toBeCloseTo(9, 12);
  });

  it('compares only the days on which members switch', () => {
    const jumpOnLead = (lead: number) => (lead >= 7 && lead <= 9 ? 1 : 100);
    const [report] = reports([field(0, 10, 4, (m) => m), field(0, 20, 4, (m, lead) => m + jumpOnLead(lead))]);
    expect(report.jump).toBeCloseTo(1, 12);
  });

  it('compares adjoining days where horizons touch', () => {
    const [report] = reports([field(0, 10, 4, (m) => m), field(10, 10, 4, (m) => 2 * m + 1)]);
    expect(report.jump).toBeCloseTo(3 + 1 - 1.5, 12);
    expect(report.varianceRatio).toBeCloseTo(4, 12);
  });

  it('compares the days that both have also for splice: the same forecast has no jump', () => {
    const value = (m: number, lead: number) => m + 10 * lead;
    const [report] = reports([field(0, 10, 4, value), field(5, 10, 4, value)], { method: 'splice' });
    expect(report).toMatchObject({ overlapDays: 0, handOver: 10, complete: 10, jump: 0, varianceRatio: 1 });
  });

  it('ignores missing members', () => {
    const [report] = reports([
      field(0, 10, 5, (m) => (m === 4 ? Number.NaN : m)),
      field(5, 10, 5, (m) => (m === 0 ? Number.NaN : m)),
    ]);
    expect(report.jump).toBeCloseTo(1, 12);
    expect(report.varianceRatio).toBeCloseTo(1, 12);
  });

  it('finds full persistence where members keep their order, across and inside', () => {
    const [report] = reports([field(0, 15, 8, (m, lead) => m + lead), field(10, 20, 8, (m, lead) => 5 * m - lead)]);
    // While members switch, those of the one ensemble stand among those of the other.
    expect(report.correlationInside).toBeCloseTo(1, 12);
    expect(report.correlationAcross).toBeGreaterThan(0.5);
    const [spliced] = reports([field(0, 15, 8, (m) => m), field(10, 20, 8, (m) => 5 * m)], { method: 'splice' });
    expect([spliced.correlationAcross, spliced.correlationInside]).toEqual([1, 1]);
  });

  it('finds none across the cut where splice joins members in opposite order', () => {
    const [report] = reports([field(0, 10, 6, (m) => m), field(10, 10, 6, (m) => -m)], { method: 'splice' });
    expect([report.correlationAcross, report.correlationInside]).toEqual([-1, 1]);
  });

  it('is missing where nothing can be compared: across a gap, or in ensembles without spread', () => {
    const [gap] = reports([field(0, 10, 4, (m) => m), field(12, 10, 4, (m) => m)]);
    expect([gap.correlationAcross, gap.correlationInside]).toEqual([Number.NaN, 1]);
    const [still] = reports([field(0, 10, 4, () => 1), field(5, 10, 4, () => 2)]);
    expect(still).toMatchObject({ jump: 1, varianceRatio: Number.NaN, correlationInside: Number.NaN });
  });

  it('counts as across each transition from the day before the hand-over to the day of its end; as many before and after as inside', () => {
    // Both horizons have the same values, whose order is turned round from lead `turn` on; days 5 to 7 overlap.
    const turned = Array.from({ length: 15 }, (_, turn) => {
      const value = (m: number, lead: number) => (lead < turn ? m : -m);
      const [report] = reports([field(0, 8, 7, value), field(2, 20, 7, value)]);
      return [report.correlationAcross, report.correlationInside];
    });
    const inside = [1, 0.75];
    const across = [0.5, 1];
    expect(turned).toEqual([
      [1, 1],
      ...Array(4).fill(inside),
      ...Array(4).fill(across),
      ...Array(4).fill(inside),
      [1, 1],
      [1, 1],
    ]);
  });

  it('counts every transition of a seam that directly follows another', () => {
    const value = (m: number, lead: number) => (lead < 15 ? m : -m);
    const found = reports([field(0, 15, 9, value), field(0, 18, 9, value), field(0, 30, 9, value)]);
    expect(found.map(({ handOver, complete }) => [handOver, complete])).toEqual([
      [12, 15],
      [15, 18],
    ]);
    expect(found.map(({ correlationAcross }) => correlationAcross)).toEqual([0.5, 0.5]);
  });

  it('reports only the existing seams of a variable that is missing in later horizons', () => {
    const value = (m: number) => m;
    const horizons = [field(0, 15, 5, value), field(10, 30, 5, value), field(30, 30, 5, value)].map((one, h) => ({
      name: `horizon ${h + 1}`,
      field: one,
    }));
    const lastLeads = [undefined, undefined, undefined];
    const options = { method: 'cell', overlaps: [3, 7], lastLeads, keepGaps: false } as const;
    const { pairing } = blendFields(core, horizons, options);
    const two = horizons.slice(0, 2);
    expect(seamReport({ horizons: two, ...blendFields(core, two, pairing) }).length).toBe(1);
    expect(seamReport({ horizons: [horizons[0]], ...blendFields(core, [horizons[0]], pairing) })).toEqual([]);
  });

  it('looks at 1,000 locations spread over a large field', () => {
    const cells = 2500;
    const jumps = (firstDay: number, jump: (cell: number) => number): EnsembleField => {
      const members = [0, 1, 2].map((m) => {
        const values = Float64Array.from({ length: cells * 5 }, (_, row) => m + jump(Math.floor(row / 5)));
        return new MemberColumn(`m${m}`, [{ values }]);
      });
      return { type: 'float64', order: 'day-fastest', firstDay, days: 5, cells, members };
    };
    // Every third cell is looked at, from the first to the last.
    const [report] = reports([jumps(0, () => 0), jumps(2, (cell) => (cell % 3 === 0 ? cell : 1e9))]);
    expect(report.jump).toBeCloseTo((3 * 833) / 2, 6);
  });

  it('shows on AR(1) processes that pairing each cell keeps persistence across the seam, and splice does not', () => {
    const normal = normalStream(3);
    const make = (firstDay: number, days: number) =>
      autoregressiveField({ firstDay, days, cells: 300, members: 31, coefficient: 0.8 }, normal);
    const fields = [make(0, 20), make(10, 40)];
    const [ranked] = reports(fields);
    const [spliced] = reports(fields, { method: 'splice' });
    // Spearman's correlation of normal values: (6 / pi) asin(r / 2), 0.786 of 0.8.
    expect(ranked.correlationInside).toBeCloseTo(0.78, 1);
    expect(ranked.correlationAcross).toBeGreaterThan(0.72);
    expect(Math.abs(spliced.correlationAcross)).toBeLessThan(0.05);
    expect(spliced.correlationInside).toBeCloseTo(0.78, 1);
    expect(Math.abs(ranked.jump)).toBeLessThan(0.02);
    expect(ranked.varianceRatio).toBeCloseTo(1, 1);
  });
});
