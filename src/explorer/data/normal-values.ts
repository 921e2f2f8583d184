import type { Table } from 'apache-arrow';
import { climatologyTable } from '../../climate/climatology-table.js';
import { climatology } from '../../climate/compute-climatology.js';
import type { Core } from '../../core/load.js';
import type { Point } from '../../ensemble/nearest-place.js';
import { windowsOf } from '../../period/windows.js';
import { DEFAULT_QUANTILES } from '../../statistics/options.js';
import { SeriesStatistics } from '../chart/series-statistics.js';
import { errorText } from '../error-text.js';
import type { WindowChoice } from '../view/window-choice.js';
import type { OpenSource, Series } from './open-source.js';

/** The table of normal values of a variable, or why there are none, or what they do not have. */
interface NormalValues {
  readonly climatology?: Table;
  readonly normalNote?: string;
}

/** Which normal values to read. */
interface NormalRequest {
  readonly core: Core;
  readonly variable: string;
  readonly point: Point | undefined;
  /** What is compared with them. */
  readonly series: Series;
  readonly choice: WindowChoice;
  /** Quantiles that are needed besides the usual ones. */
  readonly quantiles: readonly number[];
}

/** Reads the normal values of a variable, or computes them from its history. Does not throw: what goes wrong is a note. */
export async function normalOf(source: OpenSource, request: NormalRequest): Promise<NormalValues> {
  const { core, variable, point, series, choice } = request;
  const given = source.climatologies.get(variable);
  try {
    if (given === undefined && source.history === undefined) return { normalNote: 'There are no normal values of it.' };
    const table = given?.table ?? (await computed(source, request));
    // Whether it can be compared with is seen by comparing.
    new SeriesStatistics(core, series.table, choice, table);
    const years = table.schema.metadata.get('lacking_years');
    const normalNote = years && `Normal values are without the years ${years}, which the history does not have.`;
    return { climatology: table, ...(normalNote && { normalNote }) };
  } catch (error) {
    const own = given?.table.schema.metadata.get('granularity');
    const isOther = own !== undefined && own !== `${choice.granularity}`;
    if (given && isOther) return { normalNote: `The climatology ${given.path} is ${own}: choose ${own} windows.` };
    return { normalNote: errorText(error) };
  }

  async function computed({ history }: OpenSource, { quantiles }: NormalRequest): Promise<Table> {
    const table = (await history?.(variable, point)) as Table;
    const all = [...new Set([...DEFAULT_QUANTILES, ...quantiles])];
    const { partial: _, granularity, ...hold } = choice;
    const options = { ...hold, granularity: yearlyWindows(granularity), quantiles: all, fewerYears: true };
    return climatologyTable(climatology(core, table, options));
  }
}

/** Windows that recur in each year: days that are counted from the first, all as many, are compared with any so many days. */
function yearlyWindows(windows: WindowChoice['granularity']): WindowChoice['granularity'] {
  const [, spans] = /^days ([\d,-]+)$/.exec(`${windows}`) ?? [];
  const lengths = new Set(
    spans?.split(',').map((span) => {
      const [from, to] = span.split('-').map(Number);
      return to - from + 1;
    }),
  );
  const [length] = lengths;
  return lengths.size === 1 && length > 1 ? windowsOf(`rolling ${length}`) : windows;
}
