import { windowTable } from '../../../src/period/period.js';
import type { HistoryAnswer } from '../../../src/respond/answer-data.js';
import { findVariable } from '../../../src/variable/find-variable.js';

const PLACE = { latitude: 37.25, longitude: -79.75 };

/** A history of four variables and ten thousand days, or fewer, whose answers are long; one value of each is given. */
export function longHistory(value = 1.5, lastDay = 18_999): HistoryAnswer {
  const windows = windowTable('daily', 9000, lastDay);
  return {
    ...{ granularity: 'daily', location: PLACE, period: { firstDay: 9000, lastDay } },
    variables: (['precipitation', 'temp_min', 'temp_mean', 'temp_max'] as const).map((slug) => ({
      ...{ variable: findVariable(slug), downscaled: false, location: PLACE, windows },
      values: Float32Array.from({ length: windows.count }, (_, i) => (i === 8000 ? value : i / 8)),
    })),
  };
}
