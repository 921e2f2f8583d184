import { numberText } from '../plot/number-text.js';
import type { PanelData } from '../plot/panel-data.js';
import { panelLabel } from '../plot/panel-texts.js';
import { periodWords } from '../plot/period-words.js';
import { percentText } from '../plot/window-words.js';
import { decimalsOf } from './panel-windows.js';

/** A column of a table of values: its heading, and the text of each window. */
interface ShownColumn {
  readonly title: string;
  readonly text: (window: number) => string;
}

/** The values of a panel as a table of the page. Names of files are texts in it, and never markup. */
export function valueTable(panel: PanelData): HTMLTableElement {
  const columns = columnsOf(panel);
  const table = document.createElement('table');
  table.createCaption().textContent = panelLabel(panel);
  const head = table.createTHead().insertRow();
  for (const { title } of columns) head.append(heading(title, 'col'));
  const body = table.createTBody();
  const windows = panel.statistics[0] ?? panel.members;
  for (let i = 0; i < (windows?.start.length ?? 0); i++) {
    const row = body.insertRow();
    columns.forEach(({ text }, c) => {
      if (c === 0) row.append(heading(text(i), 'row'));
      else row.insertCell().textContent = text(i);
    });
  }
  return table;
}

function heading(text: string, scope: 'col' | 'row'): HTMLTableCellElement {
  const cell = document.createElement('th');
  cell.scope = scope;
  cell.textContent = text;
  return cell;
}

function columnsOf(panel: PanelData): ShownColumn[] {
  const { texts, statistics, members } = panel;
  const windows = statistics[0] ?? members;
  if (windows === undefined) return [];
  const { granularity, start, end } = windows;
  const decimals = decimalsOf(panel);
  const values = (title: string, own: Float64Array): ShownColumn => ({
    title,
    text: (i) => numberText(own[i], decimals),
  });
  const period: ShownColumn = {
    title: 'period',
    text: (i) => periodWords({ granularity, start: start[i], end: end[i], calendar: texts.calendar }),
  };
  const [first] = statistics;
  if (first === undefined) {
    return [period, ...(members?.values ?? []).map((own, m) => values(`member ${m + 1}`, own))];
  }
  return [
    period,
    ...(first.mean === undefined ? [] : [values('mean', first.mean)]),
    ...first.quantiles.map((quantile) =>
      values(`${Number((100 * quantile.probability).toFixed(2))} %`, quantile.values),
    ),
    ...(first.categories ?? []).map(({ category, values: own }) => ({
      title: `${category === 'normal' ? 'near' : category} normal`,
      text: (i: number) => percentText(own[i]),
    })),
  ];
}
