import { type Data, Field, makeData, RecordBatch, Schema, Struct, Table, TimestampMillisecond } from 'apache-arrow';
import { DAY_SECONDS } from '../../period/day.js';
import { quickSchema } from '../../table/arrow/table-schema.js';
import { dates, numbers, textDictionary, texts } from '../../table/build/create-table.js';
import { longestBeginning, longestEnding, MAX_NAME_LENGTH, splitUnits } from '../../table/columns/column-name.js';
import { assertUtcDays, assertWholeHours, type Location, zonesInWords } from './location.js';
import type { PrintedTimes } from './times.js';

/** The rows of a response, location by location or in any order. */
export interface OpenMeteoRows {
  readonly locations: readonly Location[];
  /** The index of the location of each row; undefined if there is only one location. */
  readonly locationOf: Int32Array | undefined;
  readonly times: PrintedTimes;
  /** Whether a row is a day, not a time step within a day. */
  readonly areDays: boolean;
  /** Columns of values by name, with units in brackets. */
  readonly values: readonly { readonly name: string; readonly data: Data }[];
}

const NO_UNITS = ['', 'undefined', 'iso8601', 'unixtime'];

/**
 * The table of a response of Open-Meteo: `latitude`, `longitude`, of several locations `location_id`, `time` (in UTC; days as Date32), then its columns,
 * with units in brackets after their names and in the fields' metadata.
 *
 * The schema's metadata have `provider`: `Open-Meteo`, `models` if columns end in models, and `printed_time_zone` if
 * times were not in UTC. Throws a DataError for days that are not UTC days, and for zones that are not whole hours from UTC.
 */
export function createOpenMeteoTable(
  { locations, locationOf, times, areDays, values }: OpenMeteoRows,
  source: string,
): Table {
  if (areDays) assertUtcDays(locations, source);
  else assertWholeHours(locations, source);
  const { form, seconds } = times;
  const length = seconds.length;
  const locationAt = (row: number) => locations[locationOf === undefined ? 0 : locationOf[row]];
  const degrees = (name: 'latitude' | 'longitude') =>
    numbers(
      name,
      Float64Array.from({ length }, (_, row) => locationAt(row)[name]),
    );
  const shift = (row: number) => (form === 'unix' ? 0 : locationAt(row).utcOffset);
  const time =
    form === 'day'
      ? dates(
          'time',
          Int32Array.from(seconds, (second) => second / DAY_SECONDS),
        )
      : { name: 'time', data: createTimestamps(seconds.map((second, row) => second - shift(row))) };
  // Several locations may be at one point of the model's grid.
  const ids = textDictionary(locations.map(({ id }) => id));
  const id = locations.length > 1 ? [texts('location_id', locationOf ?? new Int32Array(length), ids)] : [];
  const columns = [degrees('latitude'), degrees('longitude'), ...id, time, ...values];
  const fields = columns.map(({ name, data }) => new Field(name, data.type, true, unitsOfName(name)));
  const names = values.map(({ name }) => splitUnits(name)?.plain ?? name);
  const schema = quickSchema(new Schema(fields, createMetadata(names, form === 'unix' ? [] : locations)));
  const children = columns.map(({ data }) => data);
  const data = makeData({ type: new Struct(fields), length, nullCount: 0, children });
  return new Table(schema, [new RecordBatch(schema, data)]);
}

function createTimestamps(seconds: Float64Array): Data {
  const ticks = BigInt64Array.from(seconds, (second) => BigInt(1_000 * second));
  return makeData({ type: new TimestampMillisecond('UTC'), length: ticks.length, nullCount: 0, data: ticks });
}

function unitsOfName(name: string): Map<string, string> {
  const units = splitUnits(name)?.units;
  return new Map(units === undefined || NO_UNITS.includes(units) ? [] : [['units', units]]);
}

function createMetadata(names: readonly string[], locations: readonly Location[]): Map<string, string> {
  const metadata = new Map([['provider', 'Open-Meteo']]);
  const models = findModels(names);
  if (models.length > 0) metadata.set('models', models.join(','));
  const zones = zonesInWords(locations);
  if (zones !== undefined) metadata.set('printed_time_zone', zones);
  return metadata;
}

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
