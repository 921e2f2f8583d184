import { join } from 'node:path';
import { type Check, firstCells } from '../check.js';
import type { Members } from '../data.js';
import { announce } from '../progress.js';
import type { Line } from '../report.js';
import type { Settings } from '../settings.js';
import type { Workload } from '../workloads.js';
import { writeMembers } from './raw-file.js';
import type { Rival } from './rival.js';

/** Measures each rival at the largest size that it computes within a few seconds. */
export async function measureRivals(
  rivals: readonly Rival[],
  { sizes, turns }: Settings,
  workload: Workload,
  members: Members,
  check: Check,
  folder: string,
): Promise<Line[]> {
  const lines: Line[] = [];
  for (const rival of rivals) {
    const cells = sizes.findLast((size) => size <= rival.mostCells(workload)) ?? sizes[0];
    announce(`${workload.key}, ${cells} cells: ${rival.name}`);
    const part = firstCells(members, cells);
    const input = join(folder, 'input.f32');
    if (rival.kind !== 'library') writeMembers(input, part);
    for (const measured of await rival.measure({ workload, cells, members: part, input, folder, turns })) {
      const { name, formulation, nanoseconds, order, results } = measured;
      lines.push({
        ...{ name, formulation, kind: rival.kind },
        nanoseconds: sizes.map((size) => (size === cells ? nanoseconds : null)),
        deviation: results === undefined ? undefined : check(name, order, cells, results),
      });
    }
  }
  return lines;
}

/** The lines of `after`, each of them the faster of the two where `before` has it as well. */
export function faster(before: readonly Line[], after: readonly Line[]): Line[] {
  const time = ({ nanoseconds }: Line) => Math.min(...nanoseconds.filter((each) => each !== null));
  return after.map((line) => {
    const earlier = before.find(({ name }) => name === line.name);
    return earlier !== undefined && time(earlier) < time(line) ? earlier : line;
  });
}
