import type { Table } from 'apache-arrow';
import { concatenate } from '../../core/float-array.js';
import { dates, numbers } from '../../table/build/create-table.js';
import { memberName } from '../../table/build/wide-table.js';
import type { MembersAnswer } from '../answer-data.js';
import { horizonsText, rowBlocks, tableWith, variableColumns, variableTexts } from './table-columns.js';

/**
 * The answer of `/v2/forecast` as a table: a row for each variable and day, in the columns
 * `variable, units, latitude, longitude, date` and `member_00` and so on; null where a variable has no such member.
 *
 * Units are as CF writes them, the place is that of the values, values are not rounded, NaN is null. The metadata are
 * `init_time`, `version`, `generation` and, where there are such, `attribution` and `horizons`.
 */
export function membersTable(
  { variables, initTime, version, generation, attribution }: MembersAnswer,
  texts = variableTexts(variables),
  maxMembers = Math.max(0, ...variables.map(({ members }) => members.length)),
  horizons = horizonsText(variables),
): Table {
  const rows = variables.map(({ days }) => days);
  const date = variables.flatMap(({ firstDay, days }) => Array.from({ length: days }, (_, day) => firstDay + day));
  return tableWith(
    [
      ...variableColumns(variables, rows, texts),
      dates('date', Int32Array.from(date)),
      ...Array.from({ length: maxMembers }, (_, m) => {
        const parts = variables.map(({ members, days }) => members[m] ?? new Float32Array(days).fill(Number.NaN));
        return numbers(memberName(m, maxMembers), concatenate(parts));
      }),
    ],
    { init_time: initTime, version, generation, attribution, horizons },
  );
}

/** The same rows as tables of some rows each, in order; `isShared` gives all of them the same dictionaries. */
export function* membersTables(answer: MembersAnswer, isShared: boolean): Generator<Table> {
  const texts = isShared ? variableTexts(answer.variables) : undefined;
  const maxMembers = Math.max(0, ...answer.variables.map(({ members }) => members.length));
  const horizons = horizonsText(answer.variables);
  const blocks = rowBlocks(
    answer.variables,
    5 + maxMembers,
    ({ days }) => days,
    (answered, from, to) => ({
      ...answered,
      firstDay: answered.firstDay + from,
      days: to - from,
      members: answered.members.map((values) => values.subarray(from, to)),
    }),
  );
  for (const variables of blocks) yield membersTable({ ...answer, variables }, texts, maxMembers, horizons);
}
