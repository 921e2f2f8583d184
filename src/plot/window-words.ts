import { numberText } from './number-text.js';
import type { TableTexts, WindowStatistics } from './panel-data.js';
import { periodWords } from './period-words.js';

/** `62 %` of a share. */
export function percentText(share: number | null | undefined): string {
  return share === null || share === undefined || Number.isNaN(share) ? 'missing' : `${Math.round(share * 100)}\u00A0%`;
}

/** How the values of windows are said. */
export interface WindowTexts extends Pick<TableTexts, 'calendar' | 'units'> {
  readonly decimals: number;
  /** The key of the window, which of other windows than days, weeks and months is its name. */
  readonly key?: string | undefined;
}

/** What statistics say of a window: `Monday 9 March 2026: median 3.20 °C; 5 to 95 %: 1.10 to 5.60 °C; mean 3.30 °C.` */
export function windowSentence(statistics: WindowStatistics, i: number, texts: WindowTexts): string {
  const { granularity, start, end } = statistics;
  const period = periodWords({ granularity, start: start[i], end: end[i], calendar: texts.calendar, key: texts.key });
  return `${period.charAt(0).toUpperCase()}${period.slice(1)}: ${valuesText(statistics, i, texts)}.`;
}

/** `median 3.20 °C; 5 to 95 %: 1.10 to 5.60 °C; mean 3.30 °C` of a window. */
export function valuesText(
  { quantiles, mean }: Pick<WindowStatistics, 'quantiles' | 'mean'>,
  i: number,
  texts: WindowTexts,
): string {
  const text = (value: number | undefined) => numberText(value, texts.decimals);
  const unit = texts.units === undefined || texts.units === '' ? '' : ` ${texts.units}`;
  const parts: string[] = [];
  const median = quantiles.find(({ probability }) => probability === 0.5);
  if (median) parts.push(`median ${text(median.values[i])}${unit}`);
  const [low, high] = [quantiles[0], quantiles[quantiles.length - 1]];
  if (low !== undefined && low !== high) {
    const percent = (p: number) => Number((p * 100).toFixed(2));
    parts.push(
      `${percent(low.probability)} to ${percent(high.probability)} %: ${text(low.values[i])} to ${text(high.values[i])}${unit}`,
    );
  }
  if (mean) parts.push(`mean ${text(mean[i])}${unit}`);
  return parts.join('; ');
}

/** The shares of members below, near and above normal in a window, in a sentence; undefined without a climatology. */
export function categoriesSentence({ categories }: WindowStatistics, i: number): string | undefined {
  if (categories === undefined) return undefined;
  const words = categories.map(
    ({ category, values }) => `${percentText(values[i])} ${category === 'normal' ? 'near' : category} normal`,
  );
  return `${words.join(', ')}.`;
}
