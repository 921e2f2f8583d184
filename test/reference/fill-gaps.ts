/** A day of a filled history. */
export interface FilledDay {
  day: number;
  value: number | null;
  origin: string | null;
}

/** Days and their values, null where lacking. */
export type Series = ReadonlyMap<number, number | null>;

/** What `fillGaps` does at one place, looked up day by day. */
export function twinFillGaps(sources: readonly { name: string; series: Series }[]): FilledDay[] {
  const known = sources.flatMap(({ series }) => [...series.keys()]);
  const filled: FilledDay[] = [];
  for (let day = Math.min(...known); day <= Math.max(...known); day++) {
    const source = sources.find(({ series }) => (series.get(day) ?? null) !== null);
    filled.push({ day, value: source?.series.get(day) ?? null, origin: source?.name ?? null });
  }
  return filled;
}
