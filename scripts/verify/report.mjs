import { isWithin } from './compare.mjs';

const HEAD = `# Verification: the library beside others

Each number of these tables was computed by plumecast and by another program from the same input, or was published by others. \`npm run verify\` makes the
comparisons again on your machine, with what is installed there: it needs Python with the packages below, R and CDO, and skips what is missing, by name. It
ends with 1 where a number is beyond its bound. \`npm run verify -- scores\` runs one topic; \`npm run verify -- --write\` writes this page.

The difference is the largest of all numbers: absolute, and relative to the other's where that is above 1. A number where the other has none would differ
infinitely. Inputs are seeded.
`;

/** One comparison, as a line. */
export function printRow(row) {
  const { tool, version, what, numbers } = row;
  const outcome = isWithin(row) ? '' : ' BEYOND ITS BOUND';
  console.log(
    `  ${`${tool} ${version}`.trim()}: ${what}: ${numbers} numbers, ${short(row.difference)} (at most ${short(row.bound)})${outcome}`,
  );
}

/** All of it, as a page of the docs. */
export function report(topics) {
  return [HEAD, ...topics.map(section)].join('\n');
}

function section({ title, about, rows, notes }) {
  const lines = rows.map((row) => {
    return `| ${row.tool} ${row.version} | ${row.what} | ${row.numbers} | ${short(row.difference)} | ${short(row.bound)} |`;
  });
  const table = ['| beside | what | numbers | largest difference | bound |', '|---|---|---|---|---|', ...lines].join(
    '\n',
  );
  const faults = notes.map((note) => `- ${note}`).join('\n');
  return [`## ${title}`, about, table, ...(faults === '' ? [] : [faults]), ''].join('\n\n').replace(/\n+$/, '\n');
}

function short(number) {
  return number === 0 ? '0' : number.toExponential(1);
}
