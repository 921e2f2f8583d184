import { isPlumecastError, OptionError } from '../errors.js';
import { resolveVariable } from '../variable/find-variable.js';
import type { Variable } from '../variable/variable.js';
import { type Condition, namedVariables } from './condition.js';

/** What says which variables there are. */
interface Known {
  readonly variables?: readonly Variable[] | undefined;
  readonly window?: Parameters<typeof resolveVariable>[2] | string;
}

/** Throws OptionError, which names the conditions, for one on a name that means no variable. */
export function assertKnownVariables(conditions: readonly Condition[], { variables, window }: Known): void {
  for (const name of namedVariables(conditions)) {
    try {
      resolveVariable(name, variables, window as object | undefined);
    } catch (cause) {
      if (!isPlumecastError(cause, 'option')) throw cause;
      const { received, allowed } = cause;
      const problem = `a condition is on a variable that ${cause.problem}`;
      throw new OptionError({ subject: 'thresholds', problem, received, allowed, cause });
    }
  }
}
