/** Periods that a warning names. */
const MAX_NAMED = 3;

/** In which periods, by the metadata of a result, the limits of categories coincide, as a warning; undefined where in none. */
export function coincidingLimits(metadata: ReadonlyMap<string, string>): string | undefined {
  const periods: string[] = JSON.parse(metadata.get('degenerate_periods') ?? '[]');
  if (periods.length === 0) return undefined;
  const named = periods.slice(0, MAX_NAMED).join(', ') + (periods.length > MAX_NAMED ? ', ...' : '');
  const count = `${periods.length} ${periods.length === 1 ? 'period' : 'periods'}`;
  return `limits of the climatology coincide in ${count} (${named}): between them are only members that equal them`;
}
