import type { Table } from 'apache-arrow';
import { useState } from 'preact/hooks';
import { numberText } from '../../plot/number-text.js';
import { percentText } from '../../plot/window-words.js';
import { readStatistic } from '../../statistics/result-column.js';
import type { Statistic } from '../../statistics/statistic.js';
import { measureOf } from '../../statistics/statistic-kinds.js';
import { toShown } from '../view/units.js';
import { conditionWords, type Explained } from './explain.js';

interface ShownColumn {
  readonly title: string;
  readonly text: (row: number) => string;
}

/** The values of a chart as a table, which is made when it is opened. */
export function ValueTable({ explained, label }: { readonly explained: Explained; readonly label: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="values" onToggle={(event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}>
      <summary>Table of values</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by the keyboard.
        <section class="scroll" tabIndex={0} aria-label={`Values of ${label}`}>
          <table>
            <caption>{label}</caption>
            <TableRows explained={explained} />
          </table>
        </section>
      )}
    </details>
  );
}

function TableRows({ explained }: { readonly explained: Explained }) {
  const table = explained.results.table();
  const columns = columnsOf(explained, table);
  return (
    <>
      <thead>
        <tr>
          {columns.map(({ title }) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: table.numRows }, (_, row) => (
          <tr key={row}>
            {columns.map(({ title, text }, c) =>
              c === 0 ? (
                <th key={title} scope="row">
                  {text(row)}
                </th>
              ) : (
                <td key={title}>{text(row)}</td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </>
  );
}

function columnsOf({ panel, shown, decimals, threshold }: Explained, table: Table): ShownColumn[] {
  const period = table.getChild('period');
  const statistics = table.schema.fields.flatMap((field): ShownColumn[] => {
    const statistic = readStatistic(field);
    if (statistic === undefined) return [];
    const column = table.getChild(field.name);
    const value = (row: number): number | null => column?.get(row) ?? null;
    if (measureOf(statistic) === 'number') return [{ title: 'members', text: (row) => String(value(row)) }];
    if (statistic.kind === 'exceedance') {
      const title = threshold === undefined ? field.name : conditionWords({ panel, shown }, threshold);
      return [{ title, text: (row) => percentText(value(row)) }];
    }
    if (measureOf(statistic) === 'share')
      return [{ title: titleOf(statistic), text: (row) => percentText(value(row)) }];
    const text = (row: number) => {
      const own = value(row);
      return numberText(own === null ? null : toShown(shown, own), decimals);
    };
    return [{ title: titleOf(statistic), text }];
  });
  return [{ title: 'period', text: (row) => String(period?.get(row)) }, ...statistics];
}

function titleOf(statistic: Statistic): string {
  if (statistic.kind === 'category') return `${statistic.category}`;
  if (statistic.kind === 'quantile') return `${Number((statistic.probability * 100).toFixed(2))} %`;
  return statistic.kind;
}
