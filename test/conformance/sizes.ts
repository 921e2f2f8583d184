import { gzipSync } from 'node:zlib';
import { AT, type Service, TODAY } from './service.js';
import { addDays } from './slow-statistics.js';

/** How many bytes the same content takes in both versions, as JSON without blanks. */
export interface MeasuredSize {
  readonly content: string;
  readonly legacyBytes: number;
  readonly currentBytes: number;
  readonly legacyGzipped: number;
  readonly currentGzipped: number;
}

/** The variables that all horizons have. */
const SHARED = 'temp_mean,temp_min,temp_max,precipitation,relative_humidity,wind_speed,solar_radiation';

const after = (days: number) => addDays(TODAY, days);

/** The legacy calls, and those of the current endpoints that have as many windows of the same variables. */
const CALLS = [
  {
    content: 'short-term, daily, 9 variables',
    legacy: '/v1/forecast/short-term?',
    current: `/v2/forecast/statistics?end_date=${after(14)}`,
  },
  {
    content: 'subseasonal, weekly, 7 variables',
    legacy: `/v1/forecast/subseasonal?granularity=weekly&var=${SHARED}`,
    // Leads 7 to 41 of a run that began two days before today.
    current: `/v2/forecast/statistics?granularity=weekly&start_date=${after(5)}&end_date=${after(39)}&var=${SHARED}`,
  },
  {
    content: 'seasonal, monthly, 7 variables',
    legacy: `/v1/forecast/seasonal?granularity=monthly&var=${SHARED}`,
    current: `/v2/forecast/statistics?granularity=monthly&var=${SHARED}`,
  },
  { content: 'history, 366 days, 9 variables', legacy: '/v1/history?', current: '/v2/history?' },
];

/** Measures both versions of each content, in answers of a service. */
export async function measuredSizes({ request }: Pick<Service, 'request'>): Promise<MeasuredSize[]> {
  const bodyOf = async (path: string) => new Uint8Array(await (await request(`${path}&${AT}`)).arrayBuffer());
  const measure = async ({ content, legacy, current }: (typeof CALLS)[number]) => {
    const [old, ours] = [await bodyOf(legacy), await bodyOf(current)];
    return {
      content,
      legacyBytes: old.byteLength,
      currentBytes: ours.byteLength,
      legacyGzipped: gzipSync(old).byteLength,
      currentGzipped: gzipSync(ours).byteLength,
    };
  };
  return Promise.all(CALLS.map(measure));
}
