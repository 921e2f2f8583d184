import { expect, it } from 'vitest';
import { summaryTable, type WorkloadReport } from '../../bench/report.js';

const report: WorkloadReport = {
  key: 'W',
  title: 'weekly rain sums',
  windows: 25,
  sizes: [100, 2_000],
  lines: [
    { name: 'JavaScript', formulation: 'slow', kind: 'plain JavaScript', nanoseconds: [1, 900], deviation: none() },
    { name: 'JavaScript', formulation: 'fast', kind: 'plain JavaScript', nanoseconds: [2, 600], deviation: none() },
    { name: 'slow library', kind: 'library', nanoseconds: [5_000, null], deviation: { worst: 1e-6, share: 0.25 } },
    { name: 'plumecast', kind: 'plumecast', nanoseconds: [100, 150], deviation: none() },
    { name: 'reading', kind: 'C', nanoseconds: [null, 20] },
  ],
};

function none() {
  return { worst: 0, share: 0 };
}

it('the summary shows the fastest formulation of each contestant at the largest size, beside the best plain JavaScript', () => {
  expect(summaryTable([report])).toBe(
    [
      '| at 2,000 cells | W: weekly rain sums | fastest of the ways tried | results not correctly rounded |',
      '|---|---:|---|---|',
      '| reading | 20 (30.0×) |  | – |',
      '| plumecast | 150 (4.00×) |  | none |',
      '| JavaScript | **600** | fast | none |',
      '| slow library | 5,000 (100 cells) |  | W 25 % |',
    ].join('\n'),
  );
});
