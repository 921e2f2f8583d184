import { variables } from './built-in.js';
import type { Variable } from './variable.js';

/**
 * The variable that a name met in a file means, or undefined where it means none or the name leaves it open.
 *
 * A name is a slug, one of the usual short names, or a CF standard name that only one variable has; case and the
 * separators blank, `_`, `-` and `.` do not matter, and a unit at the end may follow (`t2m_degC`, `Rain (mm)`). Of
 * `extra` first, so that a caller's own variable replaces a built-in one. The plain `air_temperature` and `wind_speed`
 * mean the daily mean. A name says nothing about the unit of the values: compare it with `unitsAgree`.
 */
export function variableByName(name: string, extra: readonly Variable[] = []): Variable | undefined {
  const own = new Set(extra.map((variable) => variable.slug));
  const known = [...extra, ...variables.filter((variable) => !own.has(variable.slug))];
  return meaning(name, known) ?? meaning(withoutUnit(name), known);
}

function meaning(name: string, known: readonly Variable[]): Variable | undefined {
  const wanted = folded(name);
  const named =
    known.find((variable) => foldedNames(variable).slug === wanted) ??
    known.find((variable) => foldedNames(variable).fileNames.has(wanted));
  if (named !== undefined) return named;
  const standard = known.filter((variable) => foldedNames(variable).standardName === wanted);
  return standard.length === 1 ? standard[0] : undefined;
}

interface FoldedNames {
  readonly slug: string;
  readonly fileNames: ReadonlySet<string>;
  readonly standardName: string | undefined;
}

/** The names of variables as they are compared; a table may have hundreds of columns to ask about. */
const foldedNamesOf = /* @__PURE__ */ new WeakMap<Variable, FoldedNames>();

function foldedNames(variable: Variable): FoldedNames {
  let names = foldedNamesOf.get(variable);
  if (names === undefined) {
    const { slug, fileNames, standardName } = variable;
    names = {
      slug: folded(slug),
      fileNames: new Set(fileNames.map(folded)),
      standardName: standardName === undefined ? undefined : folded(standardName),
    };
    foldedNamesOf.set(variable, names);
  }
  return names;
}

function folded(name: string): string {
  return name.toLowerCase().replace(/[\s_.-]+/g, '');
}

function withoutUnit(name: string): string {
  return name
    .trim()
    .replace(/\s*(\([^()]*\)|\[[^[\]]*\])$/, '')
    .replace(/[\s_.-](mm|cm|m|degc|celsius|c|kelvin|k|degf|f|percent|pct|%|kpa|hpa|pa|m_?s|mps|mjm2|wm2|jm2)$/i, '');
}
