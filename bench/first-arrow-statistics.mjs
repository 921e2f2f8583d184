// The same as first-statistics.mjs from an Arrow table, which loads apache-arrow, too.
import { tableFromArrays } from 'apache-arrow';
import { loadCore, statistics } from 'plumecast';

const date = Array.from({ length: 180 }, (_, day) => new Date(Date.UTC(2026, 1, day + 1)).toISOString().slice(0, 10));
const members = Array.from({ length: 31 }, (_, m) => [
  `member_${m}`,
  Float32Array.from({ length: 180 }, (_, day) => (day * 7 + m * 13) % 41),
]);
const table = tableFromArrays({ date, ...Object.fromEntries(members) });
console.log(statistics(await loadCore(), table, { variable: 'precipitation', granularity: 'weekly' }).numRows);
