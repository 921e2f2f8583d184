import { describe, expect, it } from 'vitest';
import { loadCore } from '../../src/core/load.js';
import { demoTable } from '../../src/demo/index.js';
import { meteogram } from '../../src/plot/index.js';
import { coarseLinePath } from '../../src/plot/shapes.js';
import { memberWindows } from '../../src/statistics/member-windows.js';
import { elementsOf } from './read-svg.js';

/** The points of lines of whole pixels, from point to point. */
function pointsOf(d: string): [number, number][][] {
  return d
    .split('M')
    .slice(1)
    .map((line) => {
      const [head, steps = ''] = line.split('l');
      const points = [head.split('h')[0].split(',').map(Number) as [number, number]];
      const numbers = (steps.match(/-?\d+/g) ?? []).map(Number);
      for (let k = 0; k < numbers.length; k += 2) {
        const [x, y] = points[points.length - 1];
        points.push([x + numbers[k], y + numbers[k + 1]]);
      }
      return points;
    });
}

describe('lines of a crowd', () => {
  const [x, y] = [(day: number) => 4.37 * day - 100, (value: number) => 80 - 7.3 * value];

  it('are within half a pixel of their values, however long they are', () => {
    const at = Float64Array.from({ length: 300 }, (_, i) => i + 0.5);
    const values = at.map((day) => 5 * Math.sin(day / 3) + Math.cos(day * 7));
    const [points] = pointsOf(coarseLinePath(at, values, x, y));
    expect(points.length).toBe(300);
    for (const [i, [px, py]] of points.entries()) {
      expect(Math.abs(px - x(at[i]))).toBeLessThanOrEqual(0.5);
      expect(Math.abs(py - y(values[i]))).toBeLessThanOrEqual(0.5);
    }
  });

  it('have gaps where values are missing, and lone values as short lines', () => {
    const at = Float64Array.of(0, 1, 2, 3, 4);
    const values = Float64Array.of(1, 2, Number.NaN, 3, Number.NaN);
    expect(
      coarseLinePath(
        at,
        values,
        (day) => 10 * day,
        (value) => -value,
      ),
    ).toBe('M0,-1l10-1M30,-3h2');
  });

  it('are those of more than 500 members, which take less than half of the characters', async () => {
    const core = await loadCore();
    const sizes = [500, 501].map((members) => {
      const ensemble = memberWindows(core, demoTable('temp_mean', { days: 180, members }), {});
      const [{ attributes }] = elementsOf(meteogram({ ensemble }, { theme: 'light' }), 'path', 'members');
      return attributes.d.length;
    });
    expect(sizes[1] / sizes[0]).toBeLessThan(0.5);
  });
});
