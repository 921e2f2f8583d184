import type { EnsembleField } from '../src/core/field.js';
import type { Core } from '../src/core/load.js';
import { MemberColumn } from '../src/core/member-column.js';
import type { StatisticsRequest } from '../src/statistics/statistics-request.js';
import type { Members } from './members.js';
import { DAYS, FIRST_DAY, PROBABILITIES, type Workload } from './workloads.js';

/** The mean and the quantiles of windows, as every contestant computes them. */
export function statisticsRequest(rule: Workload['rule'], minMemberShare = 0.8): StatisticsRequest {
  return {
    window: rule,
    quantiles: PROBABILITIES,
    quantileType: 7,
    thresholds: [],
    spread: false,
    minMemberShare,
  };
}

/** Members as a field of the library, without copying. */
export function toField(members: Members, order: EnsembleField['order'] = 'day-fastest'): EnsembleField {
  return {
    type: 'float32',
    order,
    firstDay: FIRST_DAY,
    days: DAYS,
    cells: members[0].length / DAYS,
    members: members.map((values, m) => new MemberColumn(`member_${m}`, [{ values }])),
  };
}

/** Memory of the core for `count` members of `cells` cells, which the caller releases. */
export function allocateMembers({ memory }: Core, count: number, cells: number): Float32Array[] {
  const addresses = Array.from({ length: count }, () => memory.allocate(cells * DAYS * 4));
  // Views come last: growing the memory detaches earlier ones.
  return addresses.map((address) => memory.float32(address, cells * DAYS));
}

/** A copy of `members` in the memory of the core, as a field. */
export function copyIntoCore(core: Core, members: Members): EnsembleField {
  const copies = allocateMembers(core, members.length, members[0].length / DAYS);
  copies.forEach((copy, m) => {
    copy.set(members[m]);
  });
  return toField(copies);
}
