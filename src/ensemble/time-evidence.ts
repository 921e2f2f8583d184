/*
 * What metadata say of times: words, names of producers, steps of GRIB. The order of evidence is in `time-meaning.ts`.
 */

/** Which end of its step a time stands for. */
export type StepEnd = 'start' | 'middle' | 'end';

/** What a file states about an array, a column or a coordinate: attributes of CF and of cfgrib. */
export type StatedTexts = ReadonlyMap<string, unknown>;

/** What some evidence says. */
export interface Finding {
  readonly stamps: StepEnd;
  /** For people: `by long_name`. */
  readonly by: string;
  /** The words that say it. */
  readonly words?: string;
}

/** Attributes whose texts may say what times stand for. */
const TEXTS = ['cell_methods', 'long_name', 'comment', 'description', 'GRIB_name', 'note', 'notes', 'definition'];

/** `6 hours`, `6-hourly`, `hour`. */
const SPAN = String.raw`(?:(\d+)[-_\s]*)?(h(?:ou)?r?(?:s|ly)?\b|d(?:ays?|aily)?\b|min(?:ute)?s?\b)`;
const STEP = String.raw`(?:(?:forecast|model|time|output|post-?processing|averaging|accumulation)[-\s]+)*(?:step|time|period|interval|post-?processing|output)\b`;
const LENGTH = `(?:${SPAN}|${STEP})`;
const PAST = 'previous|preceding|prior|past';
const WITHIN = String.raw`\b(?:in|over|during|for|of|within) `;
/** A step that words name, not by its length. */
const NAMED_STEP = String.raw`(?:the |each |its )?(?:${STEP}|hour\b)`;
/** The time of a value, as words name it. */
const OWN_TIME = String.raw`(?:(?:the|its|valid\w*|verif\w+|time) )*(?:time|stamp)`;

/** Words for a step that lies before its time. */
const BEFORE = expressions(
  String.raw`(?:${WITHIN}|\b(?:since|from) )(?:the )?(?:last|${PAST}) ${LENGTH}`,
  String.raw`\b(?:${PAST}) ${LENGTH}`,
  String.raw`\b(?<!until the )(?<!to the )end(?:ing)? of ${NAMED_STEP}`,
  String.raw`\b(?:hour|period|interval)[-\s]ending\b`,
  ...spansWith('ending|until|prior to|before|preceding'),
);
/** Words for a step that lies after its time. */
const AFTER = expressions(
  `${WITHIN}(?:the )?(?:next|following|coming|subsequent) ${LENGTH}`,
  String.raw`\b(?<!(?:since|from)(?: the)? )(?:start|beginning) of ${NAMED_STEP}`,
  String.raw`\b(?:hour|period|interval)[-\s]beginning\b`,
  ...spansWith('starting|beginning|following'),
);
/** Words for a time amid its step. */
const AMID = expressions(String.raw`\b(?:middle|mid-?point|cent(?:re|er)) of ${NAMED_STEP}`);

function expressions(...patterns: readonly string[]): RegExp[] {
  return patterns.map((pattern) => new RegExp(pattern, 'i'));
}

/** Such as `6-hourly accumulation ending at valid time` and `over the 6 hours before`, with these for `ending`. */
function spansWith(words: string): string[] {
  return [
    String.raw`\b${SPAN}[\w\s-]{0,40} (?:${words})(?: at| on)? ${OWN_TIME}`,
    String.raw`${WITHIN}(?:the |an? )?${SPAN} (?:period )?(?:${words})\b`,
  ];
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { h: 3600, d: 86_400, m: 60 };

/**
 * What the words of attributes say. Where values are daily, words about another length of time than `step`, in seconds,
 * about the hour or the previous post-processing, are of steps that no longer exist: they are left out.
 */
export function findWords(texts: StatedTexts, step: number, isDaily: boolean, where = ''): Finding | undefined {
  for (const name of TEXTS) {
    const text = texts.get(name);
    if (typeof text !== 'string') continue;
    const find = (patterns: readonly RegExp[]) =>
      patterns.map((pattern) => pattern.exec(text)).find((found) => found !== null && isOfStep(found, step, isDaily));
    const kinds = [
      ['end', BEFORE],
      ['start', AFTER],
      ['middle', AMID],
    ] as const;
    for (const [stamps, patterns] of kinds) {
      const found = find(patterns);
      if (found) return { stamps, by: `by ${name}${where}`, words: found[0].trim() };
    }
  }
  return undefined;
}

/** Words about the steps of a model that a daily value no longer has. */
export function findLostWords(texts: StatedTexts): string | undefined {
  for (const name of TEXTS) {
    const text = texts.get(name);
    const found = typeof text === 'string' && BEFORE.map((pattern) => pattern.exec(text)).find((each) => each !== null);
    if (found) return `${name} "${found[0].trim()}"`;
  }
  return undefined;
}

function isOfStep([words, count, unit]: RegExpExecArray, step: number, isDaily: boolean): boolean {
  if (!unit) return !(isDaily && /post-?processing|\bhour\b/i.test(words));
  const seconds = Number(count ?? 1) * UNIT_SECONDS[unit[0].toLowerCase()];
  return !isDaily || Math.abs(seconds - step) <= 60;
}

/** Names of ECMWF's parameters that are of the time before: amounts, means, minima and maxima. */
const OF_ECMWF =
  /^(var)?(tp|cp|lsp|sf|e|pev|s?s?ro|ss?rd?|strd?|t(s|t|is)r|[cf]dir|s[ls]hf|m[nx]2t\d*|[im]?10fg\d*|fg10|mtpr|m(td|s[dn]|tn)[ls]wrf\w*|avg_\w+|tprate|((mean_)?total|convective|large_scale)_precipitation(_rate|_6hr)?|snowfall|(potential_)?evaporation|((sub_)?surface_)?runoff|surface_(net_)?(solar|thermal)_radiation(_downwards)?|\w+_since_previous_post_processing|mean_\w+_(rate|flux))$/i;
/** Names of NCEP's parameters, as wgrib2 writes them. */
const OF_NCEP = /^(APCP|ACPCP|NCPCP|[DU][SL]WRF|C?PRATE|CPRAT|TMAX|TMIN|SHTFL|LHTFL|PEVPR)_/;

/** What the names of an array, and the `history` of its file, say as its producer is known to stamp values. */
export function findProducer(names: readonly string[], history: string, axisTexts: StatedTexts): Finding | undefined {
  const verified = String(axisTexts.get('long_name') ?? '');
  if (/\bwgrib2\b/i.test(verified)) {
    return { stamps: 'end', by: 'as wgrib2 writes verification times', words: verified };
  }
  const ecmwf = names.find((name) => OF_ECMWF.test(name));
  if (ecmwf !== undefined) return { stamps: 'end', by: `as ECMWF stamps ${ecmwf}` };
  const ncep = names.find((name) => OF_NCEP.test(name));
  if (ncep !== undefined) return { stamps: 'end', by: `as NCEP stamps ${ncep}` };
  const tool = /grib_to_netcdf|cfgrib|ecCodes|wgrib2/i.exec(history)?.[0];
  return tool === undefined ? undefined : { stamps: 'end', by: `as GRIB stamps values, by ${tool} in history` };
}

const METHODS_OF_GRIB: Readonly<Record<string, string>> = {
  ...{ instant: 'point', avg: 'mean', accum: 'sum', min: 'minimum', max: 'maximum' },
};

/** How values represent the time of their step, as `cell_methods` or the type of GRIB's steps state it. */
export function statedMethod(texts: StatedTexts): string | undefined {
  const [, method] = /\btime\s*:\s*(\w+)/.exec(String(texts.get('cell_methods') ?? '')) ?? [];
  return method ?? METHODS_OF_GRIB[String(texts.get('GRIB_stepType') ?? texts.get('step_type'))];
}

/** The ranges of steps that GRIB states: of each step, the start and the end in turn; undefined where it states none. */
export function stepRanges(texts: StatedTexts, steps: number): Float64Array | undefined {
  const ranges = listOf(texts.get('GRIB_stepRange')).map((range) => /^(\d+)-(\d+)$/.exec(range));
  if (ranges.length === steps && ranges.every((range) => range !== null)) {
    return Float64Array.from(ranges.flatMap((range) => [Number(range?.[1]), Number(range?.[2])]));
  }
  const starts = listOf(texts.get('GRIB_startStep')).map(Number);
  const ends = listOf(texts.get('GRIB_endStep')).map(Number);
  if (starts.length !== steps || ends.length !== steps) return undefined;
  return Float64Array.from({ length: 2 * steps }, (_, i) => (i % 2 === 0 ? starts : ends)[i >> 1]);
}

/** The items of a list, or of a text that lists them. */
export function listOf(value: unknown): string[] {
  if (typeof value === 'number' || typeof value === 'string')
    return String(value)
      .split(/[,;\s]+/)
      .filter(Boolean);
  return Array.isArray(value) || ArrayBuffer.isView(value)
    ? Array.from(value as unknown as ArrayLike<unknown>, String)
    : [];
}
