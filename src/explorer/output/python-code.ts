import type { Copied, CopiedView } from './copied-view.js';
import { commandLines } from './shell-command.js';

/** A module for Python that computes what is shown by the commands, and reads it as tables of pandas. */
export function pythonCode(copied: CopiedView): Copied {
  const commands = commandLines(copied);
  if ('reason' in commands) return commands;
  const calls = commands.lines.flatMap((line) => {
    if (line.startsWith('#')) return [`# ${pythonText(line.slice(1).trim()).slice(1, -1)}`];
    if (line.startsWith('plumecast stats '))
      return [`tables.append(read_csv(${pythonText(`npx ${line} --format csv`)}))`];
    const command = line.startsWith('plumecast ') ? `npx ${line}` : line;
    return [`run(${pythonText(command)})`];
  });
  const text = [
    ...['import io', 'import subprocess', '', 'import pandas as pd', '', ''],
    'def run(command):',
    '    return subprocess.run(["bash", "-c", command], check=True, stdout=subprocess.PIPE).stdout',
    ...['', '', 'def read_csv(command):', '    return pd.read_csv(io.BytesIO(run(command)))', '', ''],
    'tables = []',
    ...calls,
    'print(pd.concat(tables))',
    '',
  ].join('\n');
  return { text };
}

/** A text of Python: JSON is one, apart from halves of surrogate pairs, which no name of a file has. */
function pythonText(text: string): string {
  return JSON.stringify(text).replace(UNSEEN, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Characters that end lines, are not seen, or turn the direction of the text after them. */
const UNSEEN = /[\u007F-\u009F\u00AD\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g;
