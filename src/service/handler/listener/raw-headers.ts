/** The value of a header in `rawHeaders` of `node:http`, by its name in lower case: values of several lines are joined, as the Fetch API does. */
export function findHeader(rawHeaders: readonly string[], name: string): string | null {
  let found: string | null = null;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (!isNamed(rawHeaders[i], name)) continue;
    const value = trimmed(rawHeaders[i + 1]);
    found = found === null ? value : `${found}, ${value}`;
  }
  return found;
}

/** The value of the first line with a header. */
export function firstHeader(rawHeaders: readonly string[], name: string): string | undefined {
  for (let i = 0; i < rawHeaders.length; i += 2) if (isNamed(rawHeaders[i], name)) return rawHeaders[i + 1];
  return undefined;
}

function isNamed(header: string, name: string): boolean {
  return header.length === name.length && (header === name || header.toLowerCase() === name);
}

/** Without blanks and tabs at its ends; other spaces of Unicode belong to the value. */
function trimmed(value: string): string {
  const isBlank = (at: number) => value.charCodeAt(at) === 32 || value.charCodeAt(at) === 9;
  return isBlank(0) || isBlank(value.length - 1) ? value.replace(/^[ \t]+|[ \t]+$/g, '') : value;
}
