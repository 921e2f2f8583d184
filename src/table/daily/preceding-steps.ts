import type { Table } from 'apache-arrow';
import { parseColumnName } from '../columns/column-name.js';

/**
 * Names of Open-Meteo's variables whose value is the sum, the mean or the highest value of the time step before its
 * time; values of all others are of that instant. Source: "Valid time" in the tables of hourly variables of its
 * documentation.
 */
const OF_PRECEDING_STEP =
  /^(precipitation|rain|showers|snowfall(?!_height)|hail|freezing_rain|(et0_fao_|potential_)?evapotranspiration|sunshine_duration|wind_?gusts|lightning_potential)|radiation|irradiance|_(sum|mean|max|min)$/;

/** Whether the values of a table are of the time steps before their times, so that times mark the ends of steps. */
export function areOfPrecedingSteps(table: Table, columns: readonly string[]): boolean {
  if (table.schema.metadata.get('provider') !== 'Open-Meteo') return false;
  const { stem } = parseColumnName(columns[0]);
  return OF_PRECEDING_STEP.test(stem) && !stem.endsWith('_instant');
}
