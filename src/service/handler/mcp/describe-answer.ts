import type { McpAnswer } from './mcp.js';

/** A body of the service, as far as texts speak of it. */
interface AnswerBody {
  readonly init_time?: string;
  readonly version?: string;
  readonly period?: Period | null;
  readonly attribution?: string;
  readonly granularity?: string;
  readonly location?: Location & { readonly closest_location?: Location };
  readonly incomplete?: readonly { readonly horizon: string }[];
  readonly variables?: Readonly<Record<string, VariableBody>>;
  readonly meta?: AnswerBody & {
    readonly units?: Readonly<Record<string, string>>;
    readonly reference_period?: string;
    readonly dropped_variables?: readonly string[];
  };
  readonly data?: Readonly<Record<string, VariableBody>>;
}

interface Location {
  readonly latitude: number;
  readonly longitude: number;
}

interface Period {
  readonly start_date: string;
  readonly end_date: string;
}

interface VariableBody {
  readonly units: string;
  readonly statistics?: Readonly<Record<string, WindowBody>>;
}

interface WindowBody {
  readonly crpss?: number | null;
  readonly skill_cases?: number;
}

/** A problem of the service, as far as texts speak of it. */
interface ProblemBody {
  readonly title?: string;
  readonly detail?: string;
  readonly id?: string;
  readonly errors?: readonly {
    readonly parameter: string;
    readonly detail: string;
    readonly received?: string;
    readonly allowed: string;
  }[];
}

/** What an answer is, in a few sentences: of where, when and which run, its units, its record, and its source. */
export function describeAnswer(title: string, { body }: McpAnswer): string {
  const all = body as AnswerBody;
  const head = { ...all, ...all.meta };
  const { granularity, period, attribution, location } = head;
  const place = location?.closest_location ?? location;
  const lines = [
    `${title} at ${place?.latitude}, ${place?.longitude} (the nearest point that the data have), ${granularity}` +
      (period ? `, from ${period.start_date} to ${period.end_date}.` : '.'),
    ...(head.init_time === undefined ? [] : [`Run: ${head.init_time}, version ${head.version}.`]),
    ...(all.meta?.reference_period === undefined ? [] : [`Reference period: ${all.meta.reference_period}.`]),
    `Units: ${unitsText(all)}.`,
    ...listed(
      'Incomplete horizons',
      head.incomplete?.map(({ horizon }) => horizon),
    ),
    ...listed('Left out, as the data do not have them', all.meta?.dropped_variables),
    ...Object.entries(all.variables ?? {}).flatMap(([slug, { statistics }]) => skillText(slug, statistics)),
    ...(attribution === undefined ? [] : [`Source: ${attribution}`]),
  ];
  return lines.join('\n');
}

/** What is wrong, in the words of the service. */
export function describeProblem({ body }: McpAnswer): string {
  const { title = '', detail = '', errors = [], id } = body as ProblemBody;
  const faults = errors.map(({ parameter, detail: problem, received, allowed }) => {
    return `${parameter} ${problem}${received === undefined ? '' : `; received ${received}`}; allowed: ${allowed}`;
  });
  return [`${title}. ${detail}`, ...faults, ...(id === undefined ? [] : [`id: ${id}`])].join('\n');
}

function listed(title: string, names: readonly string[] = []): string[] {
  return names.length === 0 ? [] : [`${title}: ${names.join(', ')}.`];
}

function unitsText({ meta, variables, data }: AnswerBody): string {
  const units =
    meta?.units ??
    Object.fromEntries(Object.entries(variables ?? data ?? {}).map(([slug, { units }]) => [slug, units]));
  return Object.entries(units)
    .map(([slug, unit]) => `${slug} in ${unit === '' ? 'no unit' : unit}`)
    .join(', ');
}

/** Of which windows the record says that forecasts were no better than the climatology, and of which it says nothing. */
function skillText(slug: string, statistics: VariableBody['statistics'] = {}): string[] {
  const windows = Object.entries(statistics).filter(([, { crpss }]) => crpss !== undefined);
  if (windows.length === 0) return [];
  const without = runsOf(windows, ({ crpss }) => typeof crpss === 'number' && crpss <= 0);
  const unknown = runsOf(windows, ({ crpss }) => crpss === null);
  return [
    ...(without === '' ? [] : [`No skill by the record, the climatology is as good: ${slug} of ${without}.`]),
    ...(unknown === '' ? [] : [`Too few past forecasts for a record: ${slug} of ${unknown}.`]),
    ...(without === '' && unknown === '' ? [`Better than the climatology by the record: all windows of ${slug}.`] : []),
  ];
}

/** The windows for which `is` holds, neighbours joined: `2026-W10 to 2026-W14, 2026-W20`. */
function runsOf(windows: readonly (readonly [string, WindowBody])[], is: (window: WindowBody) => boolean): string {
  const runs: { first: string; last: string }[] = [];
  let open: { first: string; last: string } | undefined;
  for (const [key, window] of windows) {
    if (!is(window)) open = undefined;
    else if (open !== undefined) open.last = key;
    else runs.push((open = { first: key, last: key }));
  }
  return runs.map(({ first, last }) => (first === last ? first : `${first} to ${last}`)).join(', ');
}
