/** The commands that are recorded, each by its arguments; `in/` are the inputs, `ref/` the reference data. */
import { everyInputCases } from './commands/every-input.mjs';
import { FOLDER_COMMANDS } from './commands/folder-commands.mjs';
import { COMMANDS } from './commands/one-command.mjs';
import { REFERENCE_COMMANDS } from './commands/reference-data.mjs';
import { runCommandCase } from './run-command.mjs';
import { serveFacts } from './serve-command.mjs';

/** All cases of the command: `{ name, run }`. */
export async function commandCases({ built, folders }) {
  const listed = [
    ...COMMANDS,
    ...FOLDER_COMMANDS,
    ...(await everyInputCases(folders)),
    ...(folders.reference === undefined ? [] : REFERENCE_COMMANDS),
  ];
  const cases = listed.map((one) => {
    const { args, name = args, ...rest } = typeof one === 'string' ? { args: one } : one;
    const steps = [args].flat().map(argumentsOf);
    const label = [name].flat().join(' && ').replaceAll(/\s+/g, ' ');
    return { name: `$ ${label}`, run: () => runCommandCase(built.cli, folders, { steps, ...rest }) };
  });
  return [...cases, { name: '$ serve', run: () => serveFacts(built.cli, folders) }];
}

/** The arguments of a command line, of which those with spaces are in single quotes. */
function argumentsOf(line) {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);
}
