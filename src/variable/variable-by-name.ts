import { unusable } from '../errors.js';
import { assertVariables } from './assert-variable.js';
import { variables } from './built-in.js';
import type { Variable } from './variable.js';

/**
 * The variable that a name in a file means, or undefined if it means none, or may mean several.
 *
 * A name is a slug, one of the usual short names, or a CF standard name that only one variable has; case and the
 * separators blank, `_`, `-` and `.` do not matter, and a unit may follow (`t2m_degC`, `Rain (mm)`). Levels and
 * spans may be written out, as by NCEP and ECMWF: `TMP_2maboveground`, `APCP_surface`, `2 metre temperature`,
 * `maximum_2m_temperature_since_previous_post_processing`. `extra` is searched first, so that a caller's own variable
 * replaces a built-in one. The plain `air_temperature` and `wind_speed` mean the daily mean. A name says nothing about
 * the unit of the values: check it with `unitsAgree`.
 */
export function variableByName(name: string, extra: readonly Variable[] = []): Variable | undefined {
  assertVariables(extra);
  if (typeof name !== 'string') throw unusable('name', name, 'a text');
  return variableFinder(extra)(name);
}

/** Longer names mean no variable. */
const MAX_LENGTH = 256;

type VariableFinder = (name: string) => Variable | undefined;

let builtInFinder: VariableFinder | undefined;

/** `variableByName` for many names: a table may have thousands of columns. */
export function variableFinder(extra: readonly Variable[] = []): VariableFinder {
  if (extra.length > 0) return createFinder(extra);
  builtInFinder ??= createFinder([]);
  return builtInFinder;
}

function createFinder(extra: readonly Variable[]): VariableFinder {
  const own = new Set(extra.map((variable) => variable.slug));
  const known = [...extra, ...variables.filter((variable) => !own.has(variable.slug))];
  const bySlug = new Map<string, Variable>();
  const byFileName = new Map<string, Variable>();
  /** Undefined for names that several variables share. */
  const byStandardName = new Map<string, Variable | undefined>();
  for (const variable of known) {
    const { slug, fileNames, standardName } = variable;
    if (!bySlug.has(folded(slug))) bySlug.set(folded(slug), variable);
    for (const name of fileNames.map(folded)) if (!byFileName.has(name)) byFileName.set(name, variable);
    if (standardName === undefined) continue;
    const standard = folded(standardName);
    byStandardName.set(standard, byStandardName.has(standard) ? undefined : variable);
  }
  const meaning = (name: string) => {
    const wanted = folded(name);
    return bySlug.get(wanted) ?? byFileName.get(wanted) ?? byStandardName.get(wanted);
  };
  return (name) => meaning(name) ?? meaning(withoutUnit(name)) ?? meaning(withPlainLevel(name));
}

/** A name without case and separators. */
export function folded(name: string): string {
  return name.toLowerCase().replace(/[\s_.-]+/g, '');
}

function withoutUnit(name: string): string {
  if (name.length > MAX_LENGTH) return name;
  return name
    .trim()
    .replace(/\s*(\([^()]*\)|\[[^[\]]*\])$/, '')
    .replace(/[\s_.-](mm|cm|m|degc|celsius|c|kelvin|k|degf|f|percent|pct|%|kpa|hpa|pa|m_?s|mps|mjm2|wm2|jm2)$/i, '');
}

/** A name with its level as short names write it (`tmp_2m`, `apcp_sfc`), and without the time span of an extreme. */
export function withPlainLevel(name: string): string {
  if (name.length > MAX_LENGTH) return name;
  return folded(name)
    .replace(/(sinceprevious(post)?processing|inthelast\d*hours?)$/, '')
    .replace(/maboveground$|met(re|er)/, 'm')
    .replace(/surface$/, 'sfc');
}
