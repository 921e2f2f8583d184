import type { Client } from '../../client/create-client.js';
import { ServiceError } from '../../client/service-error.js';
import type { Point } from '../../ensemble/nearest-place.js';
import type { ModelCalendar } from '../../period/calendar.js';
import { type Granularity, periodKey } from '../../period/period.js';

/** How good earlier forecasts of a window's lead were. */
export interface WindowSkill {
  /** Skill of the CRPS against the climatology; null with too few cases. */
  readonly crpss: number | null;
  readonly cases: number;
}

/** The skill of windows, by their keys, as `2026-W15`. */
export type SkillOfWindows = ReadonlyMap<string, WindowSkill>;

/** Asks a server how good its forecasts of a variable were; undefined where it has no record, or does not know the question. */
export async function askSkill(
  client: Client,
  at: Point,
  variable: string,
  granularity: Granularity,
): Promise<SkillOfWindows | undefined> {
  try {
    const body = await client.forecastStatistics({
      ...{ ...at, variables: [variable], granularity, quantiles: [0.5], skill: true },
    });
    const entries = Object.entries(body.variables[variable]?.statistics ?? {});
    const skill = entries.map(([key, { crpss = null, skill_cases: cases = 0 }]) => [key, { crpss, cases }] as const);
    return skill.some(([, { cases }]) => cases > 0) ? new Map(skill) : undefined;
  } catch (error) {
    // The chart is there without it, as with a server of an earlier version.
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

/** Windows as charts have them. */
interface ShownWindows {
  readonly granularity: string;
  readonly start: Int32Array;
}

/** The skill of each window; undefined for windows without a record. */
export function skillOfEach(
  skill: SkillOfWindows | undefined,
  { granularity, start }: ShownWindows,
  calendar: ModelCalendar | undefined,
): readonly (WindowSkill | undefined)[] | undefined {
  return skill && Array.from(start, (day) => skill.get(periodKey(granularity as Granularity, day, calendar)));
}

/** Whether earlier forecasts of a lead were no better than the climatology. */
export function isWithoutSkill(skill: WindowSkill | undefined): boolean {
  return skill !== undefined && skill.crpss !== null && skill.crpss <= 0;
}
