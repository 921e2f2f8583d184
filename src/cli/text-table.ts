import { OptionError } from '../errors.js';

/** A column of a text table; its cells are formatted already. */
export interface TextColumn {
  name: string;
  /** `decimal` puts the decimal points below each other; a cell without one ends where the point would stand. */
  align: 'left' | 'right' | 'decimal';
  cells: readonly string[];
}

/** How to format a text table. */
export interface TextTableOptions {
  /** The width of the terminal, in characters. Default unlimited. */
  maxWidth?: number;
  /** Styles the name of a column, for instance makes it bold; must not change its width. */
  header?: (name: string) => string;
}

/**
 * Formats columns as aligned lines for a terminal: a line of names, then one line a row, two spaces between columns, no
 * spaces at the end of a line and no newline at the end of the text.
 *
 * Nothing is ever cut: a table wider than `maxWidth` is split between columns into several tables below each other, a
 * blank line between them, each beginning with the first column; a line is wider only where two columns alone are.
 * Widths are counted in code points without combining marks and ANSI colours, which is right for Latin, Greek and
 * Cyrillic text, symbols and blocks, not for emoji and East Asian text.
 *
 * Throws an OptionError if columns differ in length.
 */
export function textTable(columns: readonly TextColumn[], options: TextTableOptions = {}): string {
  const { maxWidth = Number.POSITIVE_INFINITY, header = (name) => name } = options;
  for (const { name, cells } of columns) {
    if (cells.length !== columns[0].cells.length) {
      throw new OptionError({
        subject: `column ${name}`,
        problem: 'differs in length from the first column',
        received: cells.length,
        allowed: `${columns[0].cells.length} cells`,
      });
    }
  }
  const blocks = splitBlocks(
    columns.map((column) => layOut(column, header)),
    maxWidth,
  );
  return blocks.map(joinLines).join('\n\n');
}

/** A column whose lines, the name first, are padded to one width. */
interface PaddedColumn {
  width: number;
  lines: string[];
}

function layOut({ name, align, cells }: TextColumn, header: (name: string) => string): PaddedColumn {
  const aligned = align === 'decimal' ? alignPoints(cells) : cells;
  const width = widest([name, ...aligned].map(displayWidth));
  const pad = (text: string, shown: string) => {
    const space = ' '.repeat(width - displayWidth(text));
    return align === 'left' ? shown + space : space + shown;
  };
  return { width, lines: [pad(name, header(name)), ...aligned.map((cell) => pad(cell, cell))] };
}

/** Pads cells on the right so that, set flush right, their decimal points stand below each other. */
function alignPoints(cells: readonly string[]): string[] {
  const tails = cells.map((cell) => (cell.includes('.') ? displayWidth(cell.slice(cell.lastIndexOf('.'))) : 0));
  const longest = widest(tails);
  return cells.map((cell, row) => cell + ' '.repeat(longest - tails[row]));
}

function splitBlocks([first, ...rest]: readonly PaddedColumn[], maxWidth: number): PaddedColumn[][] {
  if (first === undefined) return [];
  const blocks = [[first]];
  let width = first.width;
  for (const column of rest) {
    const block = blocks[blocks.length - 1];
    if (block.length > 1 && width + GAP.length + column.width > maxWidth) {
      blocks.push([first, column]);
      width = first.width + GAP.length + column.width;
    } else {
      block.push(column);
      width += GAP.length + column.width;
    }
  }
  return blocks;
}

function joinLines(block: readonly PaddedColumn[]): string {
  return block[0].lines
    .map((_, row) =>
      block
        .map(({ lines }) => lines[row])
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}

const GAP = '  ';

function widest(widths: readonly number[]): number {
  return widths.reduce((most, width) => Math.max(most, width), 0);
}

function displayWidth(text: string): number {
  return [...text.replace(INVISIBLE, '')].length;
}

/** ANSI colour sequences and combining marks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colour sequences begin with the escape character.
const INVISIBLE = /\u{1b}\[[0-9;]*m|\p{Mark}/gu;
