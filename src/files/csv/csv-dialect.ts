const DELIMITERS = [',', ';', '\t', '|'] as const;

/** The line in which spreadsheets state the delimiter. */
const SEPARATOR = /^"?sep=([,;\t|])"?\r?$/i;

/** How a CSV text is laid out. */
export interface CsvDialect {
  /** The character between cells. */
  delimiter: (typeof DELIMITERS)[number];
  /** The beginning of the header in the text, in characters. */
  headerStart: number;
  /** The line of the header, from 1. */
  headerLine: number;
}

/**
 * Finds the header and the delimiter of CSV text (line ends already LF, or CRLF).
 *
 * The header is the first line that is not blank, does not begin with `#`, and is not the `sep=;` of spreadsheets. Such
 * a `sep=` line states the delimiter; otherwise it is the one of `, ; tab |` that occurs most often in the header
 * outside quotes. `undefined` if there is no header, or no delimiter in it.
 */
export function csvDialect(text: string): CsvDialect | undefined {
  let headerStart = 0;
  let separator: CsvDialect['delimiter'] | undefined;
  for (let headerLine = 1; headerStart < text.length; headerLine++) {
    const newline = text.indexOf('\n', headerStart);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(headerStart, end);
    const stated = SEPARATOR.exec(line)?.[1] as CsvDialect['delimiter'] | undefined;
    if (stated !== undefined) separator = stated;
    else if (line.trim() !== '' && !line.startsWith('#')) {
      const delimiter = separator ?? commonestDelimiter(line);
      return delimiter && { delimiter, headerStart, headerLine };
    }
    headerStart = end + 1;
  }
  return undefined;
}

function commonestDelimiter(line: string): CsvDialect['delimiter'] | undefined {
  const unquoted = line.replace(/"[^"]*"/g, '');
  let best: CsvDialect['delimiter'] | undefined;
  let most = 0;
  for (const delimiter of DELIMITERS) {
    const count = unquoted.split(delimiter).length - 1;
    if (count > most) {
      best = delimiter;
      most = count;
    }
  }
  return best;
}
