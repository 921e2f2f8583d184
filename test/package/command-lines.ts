/** The words of a command line, and the file that takes its output. */
export function wordsOf(line: string): { args: string[]; file?: string } {
  const words = [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, plain]) => ({
    word: single ?? double ?? plain,
    isPlain: plain !== undefined,
  }));
  const at = words.findIndex(({ word, isPlain }) => isPlain && word === '>');
  const args = (at < 0 ? words : words.slice(0, at)).map(({ word }) => word);
  return { args, ...(at >= 0 && { file: words[at + 1].word }) };
}

/** Whether a line is one command of plumecast alone, without anything that a shell would do. */
export function isPlainCommand(line: string): boolean {
  return /^(npx )?plumecast [^|<>$&;*`\\]*$/.test(line.replaceAll(/'[^']*'|"[^"$`\\]*"/g, ''));
}

/** The lines of a block, those that are continued put together. */
export function linesOf(code: string): string[] {
  return code
    .replaceAll(/\\\n\s*/g, '')
    .trim()
    .split('\n');
}
