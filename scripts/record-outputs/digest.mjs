/** What is recorded of a value or an error: a digest of all that must stay, its first values to read, and words. */
import { createHash } from 'node:crypto';

const MAX_FIRST_VALUES = 8;

export function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32);
}

/** A digest of plain data, typed arrays, maps, Arrow tables, and what iterables yield; equal values have the same. */
export async function digestOf(value) {
  const hash = createHash('sha256');
  const first = [];
  await add(value, (bytes, shown) => {
    hash.update(bytes);
    if (shown !== undefined && first.length < MAX_FIRST_VALUES) first.push(shown);
  });
  return { sha256: hash.digest('hex').slice(0, 32), first: first.join(' ').slice(0, 160) };
}

async function add(value, put) {
  if (value === null || value === undefined) put(`;${value}`, String(value));
  else if (typeof value === 'function' || typeof value === 'symbol') put(`;${typeof value}`);
  else if (typeof value !== 'object') put(`;${typeof value} ${Object.is(value, -0) ? '-0' : value}`, String(value));
  else if (ArrayBuffer.isView(value)) addBytes(value, put);
  else if (value instanceof Date) put(`;date ${value.getTime()}`, value.toISOString());
  else if (isTable(value)) await addTable(value, put);
  else if (Array.isArray(value)) await addAll('list', value, put);
  else if (value instanceof Map) await addAll('map', [...value].flat(), put);
  else if (Symbol.iterator in value) await addAll('list', value, put);
  else if (Symbol.asyncIterator in value) await addAll('list', value, put);
  else await addFields(value, put);
}

function addBytes(view, put) {
  const kind = view.constructor.name === 'Buffer' ? 'Uint8Array' : view.constructor.name;
  put(`;${kind} ${view.length} `);
  put(new Uint8Array(view.buffer, view.byteOffset, view.byteLength).slice(), Array.from(view.slice(0, 4)).join(' '));
}

async function addAll(kind, values, put) {
  put(`;${kind}`);
  for await (const each of values) await add(each, put);
  put(';end');
}

async function addFields(object, put) {
  put(';fields');
  for (const name of Object.keys(object).sort()) {
    if (object[name] === undefined || typeof object[name] === 'function') continue;
    put(`;${name}`);
    await add(object[name], put);
  }
  put(';end');
}

function isTable(value) {
  return typeof value.numRows === 'number' && value.schema?.fields !== undefined;
}

/** Row by row, so that it does not matter how rows are put together to batches. */
async function addTable(table, put) {
  for (const { name, type, nullable } of table.schema.fields) put(`;${name} ${type} ${nullable}`, name);
  await add(new Map([...table.schema.metadata].sort()), put);
  const columns = table.schema.fields.map((_, index) => table.getChildAt(index));
  for (let row = 0; row < table.numRows; row++) {
    for (const column of columns) await add(column.get(row), put);
  }
}

/** What came of a call: a digest of its result, or its error. */
export async function outcomeOf(call) {
  try {
    return await digestOf(await call());
  } catch (error) {
    return errorFacts(error);
  }
}

/** The class of an error and its fields that code may branch on. Its message and the parts of it are words. */
export function errorFacts(error) {
  const { name, tag, source, row, column, status, code } = error ?? {};
  const facts = { name, tag, source, row, column, status, code };
  const known = Object.entries(facts).filter(([, fact]) => fact !== undefined);
  const error_ = known.map(([key, fact]) => (key === 'name' ? fact : `${key} ${fact}`)).join(', ');
  return { error: error_, words: String(error?.message ?? error) };
}
