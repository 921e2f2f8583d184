// A process that cold-start.mjs times: imports the library and computes the weekly statistics of one point, 31 members,
// 180 days.
import { computeStatistics, loadCore, MemberColumn, windowTable } from 'plumecast/arrays';

const days = 180;
const firstDay = 20_485;
const members = Array.from({ length: 31 }, (_, m) => {
  const values = Float32Array.from({ length: days }, (_, day) => (day * 7 + m * 13) % 41);
  return new MemberColumn(`member_${m}`, [{ values }]);
});
const statistics = computeStatistics(
  await loadCore(),
  { type: 'float32', order: 'day-fastest', firstDay, days, cells: 1, members },
  windowTable('weekly', firstDay, firstDay + days - 1),
  {
    window: 'sum',
    quantiles: [0.05, 0.25, 0.5, 0.75, 0.95],
    quantileType: 7,
    thresholds: [],
    spread: false,
    minMemberShare: 0.8,
  },
);
console.log(statistics.mean[0]);
