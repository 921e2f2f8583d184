import { open } from 'node:fs/promises';
import { Table } from 'apache-arrow';
import { writeOutput } from '../src/cli/write-output.js';
import { loadCore } from '../src/core/load.js';
import { encodeTables } from '../src/formats/encode-tables.js';
import { statistics } from '../src/statistics/statistics.js';
import { arrowFile } from '../src/stream/arrow-file.node.js';
import { filledRooms, PART_BYTES } from '../src/stream/filled-rooms.node.js';
import { statisticsOfArrowFile } from '../src/stream/statistics-of-arrow-file.node.js';
import { tablesOfMessages } from '../src/stream/tables-of-messages.js';
import { writeLargeFile } from './streaming-file.js';

const [what, path, ...rest] = process.argv.slice(2);
const options = { granularity: 'weekly' } as const;
if (what === 'make') await writeLargeFile(path, Number(rest[0]), Number(rest[1]));
else {
  const started = performance.now();
  const told = await { read, compute, stream, nowrite }[what as 'read']();
  const seconds = (performance.now() - started) / 1000;
  console.log(what, seconds.toFixed(3), 's', told, 'peak MB', process.resourceUsage().maxRSS / 1024);
}

async function read() {
  const core = await loadCore();
  const handle = await open(path);
  const file = await arrowFile(handle, path, PART_BYTES);
  let bytes = 0;
  for await (const room of filledRooms(core, file as never, path)) bytes += room.length;
  return bytes;
}

/** Computes one part again and again. */
async function compute() {
  const core = await loadCore();
  const handle = await open(path);
  const file = await arrowFile(handle, path, PART_BYTES);
  let rows = 0;
  let ms = 0;
  for await (const room of filledRooms(core, file as never, path)) {
    for (const table of await tablesOfMessages(room, path)) {
      const t = performance.now();
      const n = statistics(core, new Table(table.batches), options).numRows;
      ms += performance.now() - t;
      rows += n;
    }
  }
  return `${rows} ${ms.toFixed(0)} ms computing`;
}

async function nowrite() {
  const core = await loadCore();
  let rows = 0;
  for await (const table of statisticsOfArrowFile(core, path, options)) rows += table.numRows;
  return rows;
}

async function stream() {
  const core = await loadCore();
  await writeOutput(rest[0], encodeTables(statisticsOfArrowFile(core, path, options), 'arrow'));
}
