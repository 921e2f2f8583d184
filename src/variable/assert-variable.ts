import { unusable } from '../errors.js';
import { type Variable, WINDOW_RULES } from './variable.js';

/** Throws OptionError for what is no variable, such as an object without a slug. */
export function assertVariable(variable: unknown, subject = 'variable'): asserts variable is Variable {
  const { slug, units, window, standardName, fileNames }: Partial<Variable> = variable ?? {};
  const isNamed = typeof slug === 'string' && typeof units === 'string' && WINDOW_RULES.includes(window as never);
  const areTexts = Array.isArray(fileNames) && fileNames.every((name) => typeof name === 'string');
  if (isNamed && areTexts && (standardName === undefined || typeof standardName === 'string')) return;
  throw unusable(subject, variable, 'a slug, or what defineVariable returns');
}

/** Throws OptionError for what is no list of variables; undefined is none. */
export function assertVariables(variables: unknown): asserts variables is readonly Variable[] | undefined {
  if (variables === undefined) return;
  if (!Array.isArray(variables)) throw unusable('variables', variables, 'a list of what defineVariable returns');
  variables.forEach((variable, i) => {
    assertVariable(variable, `variables[${i}]`);
  });
}
