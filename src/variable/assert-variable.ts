import { unusable } from '../errors.js';
import { type Variable, WINDOW_RULES } from './variable.js';

/** Throws OptionError unless `variable` is one: an object without a slug, for example, is not. */
export function assertVariable(variable: unknown, subject = 'variable'): asserts variable is Variable {
  const { slug, units, window, standardName, fileNames }: Partial<Variable> = variable ?? {};
  const isNamed = typeof slug === 'string' && typeof units === 'string' && WINDOW_RULES.includes(window as never);
  const areTexts = Array.isArray(fileNames) && fileNames.every((name) => typeof name === 'string');
  if (isNamed && areTexts && (standardName === undefined || typeof standardName === 'string')) return;
  throw unusable(subject, variable, 'a slug, or what defineVariable returns');
}

/** Throws OptionError unless `variables` is a list of variables, or undefined. */
export function assertVariables(variables: unknown): asserts variables is readonly Variable[] | undefined {
  if (variables === undefined) return;
  if (!Array.isArray(variables)) throw unusable('variables', variables, 'a list of what defineVariable returns');
  variables.forEach((variable, i) => {
    assertVariable(variable, `variables[${i}]`);
  });
}
