import { printable } from '../check/printable.js';

/** A label, its text, and for a command what each broken line ends with. */
export type LabelledLine = readonly [label: string, text: string | undefined, broken?: string];

/**
 * Formats labels with their texts next to them. Texts are aligned, and broken at spaces so that lines have at most
 * `width` characters; a longer word gets its own line. Labels without a text are left out.
 */
export function labelledLines(lines: readonly LabelledLine[], width: number): string {
  const shown = lines
    .filter(([, text]) => text !== undefined && text !== '')
    .map(([label, text = '', broken]) => [printable(label), printable(text), broken] as const);
  const indent = Math.max(0, ...shown.map(([label]) => label.length)) + 4;
  return shown
    .flatMap(([label, text = '', broken = '']) =>
      breakLines(broken === '' ? text.split(/\s+/) : shellWords(text), width - indent - broken.length).map(
        (part, i, { length }) => {
          return `  ${(i === 0 ? label : '').padEnd(indent - 2)}${part}${i < length - 1 ? broken : ''}`;
        },
      ),
    )
    .join('\n');
}

/** The words of a command; quoted words may contain spaces. */
function shellWords(text: string): string[] {
  return text.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
}

function breakLines(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
