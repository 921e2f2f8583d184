import type { Table } from 'apache-arrow';
import { isPlainObject } from '../check/option-checks.js';
import { unusable } from '../errors.js';
import { checkStatisticsOptions } from '../statistics/options.js';
import { type HasStatistics, OWN_STATISTICS } from '../statistics/own-statistics.js';
import { statistics } from '../statistics/statistics.js';
import { ownTable } from '../table/arrow/own-table.js';
import { locationRows, wideTable } from '../table/build/wide-table.js';
import type { Timeline } from './blend.js';
import { assertOnePairing, stateAllMembers, withFurtherMembers } from './further-members.js';
import { MemberUse } from './member-use.js';

/** A timeline with all members of its horizons: `statistics` takes it. */
export interface AllMembers extends HasStatistics {
  /**
   * The canonical wide form, with the members that the timeline leaves out as further columns: missing on days on which
   * not every member of the timeline comes from their horizon. Its metadata state `trajectories`: how many of the first
   * columns are the timeline. `allMembers` takes the table, and so does `plumecast stats`.
   */
  readonly table: Table;
}

/**
 * A timeline with all members of its horizons, from what `blend` returns or from a `table` of it: the statistics of
 * windows on whose days every member of the timeline comes from one horizon are of all members of that horizon, of which
 * the timeline has as many as its first horizon. Other windows are as without, and so are windows of a horizon with fewer
 * members, which the timeline repeats. Results have the column `horizon` behind `n_members`: the
 * name of the horizon, or `blended`.
 *
 * Throws OptionError for other data, and for a timeline that is blended by cell.
 */
export function allMembers(timeline: Timeline | Table): AllMembers {
  let table: Table | undefined;
  const isTimeline = 'horizons' in Object(timeline);
  const allowed = 'what blend returns, or the table of allMembers with its metadata';
  if (isTimeline) assertOnePairing((timeline as Timeline).pairing);
  else if (!('schema' in Object(timeline))) throw unusable('timeline', timeline, allowed);
  const made = () => {
    table ??= isTimeline ? tableOfAll(timeline as Timeline) : ownTable(timeline as Table);
    return table;
  };
  const useOf = (own: Table) => {
    const use = MemberUse.of(own.schema.metadata);
    if (use !== undefined) return use;
    throw unusable('timeline', timeline, allowed);
  };
  if (!isTimeline) useOf(made());
  return {
    get table() {
      return made();
    },
    [OWN_STATISTICS](core, options) {
      if (!isPlainObject(options)) checkStatisticsOptions(options);
      const { climatology, exceed, anomaly, bands, ...others } = options;
      const checked = checkStatisticsOptions(others);
      const results = statistics(core, made(), { ...options, minMemberShare: 0 });
      return useOf(made()).complete(results, checked);
    },
  };
}

function tableOfAll({ field, horizons, pairing, places, table: { schema } }: Timeline): Table {
  const { members } = withFurtherMembers(field, 0, horizons, pairing);
  const metadata = new Map(schema.metadata);
  stateAllMembers(
    metadata,
    field.members.map(({ name }) => name),
    pairing,
  );
  const values = members.map((member) => member.chunks[0].values);
  return wideTable({ ...locationRows(places, field), members: values }, metadata);
}
