/** A label, what is said under it, and where that is a command what its lines that are broken end with. */
export type LabelledLine = readonly [label: string, text: string | undefined, broken?: string];

/**
 * Lines of a label each and a text beside it, texts below each other and broken at blanks so that lines have `width` characters at most; a
 * longer word has a line of its own. Labels without a text are left out.
 */
export function labelledLines(lines: readonly LabelledLine[], width: number): string {
  const said = lines.filter(([, text]) => text !== undefined && text !== '');
  const indent = Math.max(0, ...said.map(([label]) => label.length)) + 4;
  return said
    .flatMap(([label, text = '', broken = '']) =>
      linesOf(broken === '' ? text.split(/\s+/) : shellWords(text), width - indent - broken.length).map(
        (part, i, { length }) => {
          return `  ${(i === 0 ? label : '').padEnd(indent - 2)}${part}${i < length - 1 ? broken : ''}`;
        },
      ),
    )
    .join('\n');
}

/** The words of a command, in which those in quotes may have blanks. */
function shellWords(text: string): string[] {
  return text.match(/(?:'[^']*'|\\.|[^\s'\\])+/g) ?? [];
}

function linesOf(words: readonly string[], width: number): string[] {
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
