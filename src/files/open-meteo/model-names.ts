import { MAX_NAME_LENGTH } from '../../table/columns/column-name.js';
import { longestBeginning, longestEnding } from '../../table/columns/name-parts.js';

/** A column of a member: `precipitation_member01`, with several models `precipitation_member01_icon_seamless_eps`. */
const OF_MEMBER = /^(.+)_member\d+(?:_(.+))?$/;

/** The beginnings of names of models; no name of a variable contains one of these words. */
const PROVIDERS = [
  'best_match|dwd|icon|ncep|gfs|gefs|hrrr|nbm|nam|aigfs|aigefs|hgefs|ecmwf|ifs|aifs|seas5|ec46|ukmo|cmc|gem|bom',
  'meteoswiss|meteofrance|arpege|arome|jma|jms|metno|met_nordic|knmi|dmi|kma|cma|italia_meteo|geosphere|google',
  'graphcast|weathernext|era5|cerra|cams|cfs|cfsv2|copernicus|eumetsat|nasa|cmcc|fgoals|hiram|mri|ec_earth3p|mpi|nicam16',
].join('|');
const OF_MODEL = new RegExp(`^(.+?)_((?:${PROVIDERS})(?:_.+|\\d.*)?)$`, 'i');

/**
 * The models at the end of names of columns (without units), in their order; none if a single model was requested, as
 * its columns are not marked. Names of more than 256 characters are ignored. With several models, each column belongs
 * to one: the name of an unknown model is what follows the name of a variable.
 */
export function findModels(names: readonly string[]): string[] {
  const models = new Set<string>();
  const variables = new Set<string>();
  const others: string[] = [];
  for (const name of names) {
    if (name.length > MAX_NAME_LENGTH) continue;
    const member = OF_MEMBER.exec(name);
    const match = member ?? OF_MODEL.exec(name);
    if (match?.[2] === undefined) {
      if (member === null) others.push(name);
      continue;
    }
    variables.add(match[1]);
    models.add(match[2]);
  }
  if (models.size === 0) return [];
  for (const name of others) {
    if (longestEnding(name, models) !== undefined) continue;
    const variable = longestBeginning(name, variables);
    if (variable !== undefined) models.add(name.slice(variable.length + 1));
  }
  return [...models];
}
