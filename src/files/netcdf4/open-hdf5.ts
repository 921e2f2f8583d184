import { limitedMemory } from '../../core/load-fault.js';
import { CoreError, FormatError } from '../../errors.js';
import { type ArrayFile, type Attributes, UnreadAttribute } from '../array/array-file.js';
import { onceThere } from '../array/bytes-elsewhere.js';
import type { RandomAccess, ReadyAccess } from '../array/random-access.js';
import { checkSuperblock } from '../hdf5/read-layout.js';
import { loadPackage } from '../load-package.js';
import { Hdf5Handle, type Hdf5Library } from './hdf5-handle.js';
import { HeaderRecorder, KnownHeaders, type ReadBytes } from './known-headers.js';
import {
  type Hdf5Dataset,
  isDimensionOnly,
  isOfNetcdf,
  listDatasets,
  nameDimensions,
  readAttributes,
  withoutInternal,
} from './list-datasets.js';
import { createArray } from './stored-array.js';

/**
 * Opens the HDF5 file that `access` reads, and closes with it; `load` imports h5wasm. Datasets that have neither plain
 * numbers nor texts (enumerations, compounds, references, half floats and others) are left out, and so are those without
 * values.
 */
export async function openHdf5(
  access: ReadyAccess,
  load: () => Promise<{ readonly ready: Promise<Hdf5Library> }>,
): Promise<ArrayFile> {
  let file: Hdf5Handle | undefined;
  let closing: Promise<void> | undefined;
  const close = () => {
    file?.close();
    closing ??= access.close();
    return closing;
  };
  try {
    const base = await checkSuperblock(access);
    const library = await loadLibrary(access.source, load);
    // Ranges of a file elsewhere are requested as the library asks for them.
    const canBeKnown = base === 0 && access.fetch === undefined;
    const known = canBeKnown ? lastOpened && (await lastOpened) : undefined;
    if (known?.headers.are(access)) {
      file = new Hdf5Handle(library, checkedWhenRead(access));
      return createArrayFile(known.description, file, access, close);
    }
    const recorder = new HeaderRecorder();
    const { opened, description } = await onceThere(() => {
      file?.close();
      const opened = new Hdf5Handle(library, checkedWhenRead(access, recorder));
      file = opened;
      opened.open();
      const found = opened.together(() => describeFile(opened));
      // Files that are opened meanwhile wait for it.
      if (canBeKnown) lastOpened = keptDescription(found, recorder.finish(), access);
      return { opened, description: found };
    });
    if (canBeKnown) await lastOpened;
    return createArrayFile(description, opened, accessFrom(base, access), close);
  } catch (error) {
    await close();
    throw error;
  }
}

/** Access in which addresses of the file, which count from its superblock, are offsets. */
function accessFrom(base: number, access: RandomAccess): RandomAccess {
  if (base === 0) return access;
  const fetch = access.fetch?.bind(access);
  return {
    source: access.source,
    size: access.size - base,
    read: (at, into) => access.read(base + at, into),
    ...(fetch && { fetch: (spans) => fetch(spans.map(({ offset, length }) => ({ offset: base + offset, length }))) }),
    checkUnchanged: () => access.checkUnchanged(),
    close: () => access.close(),
  };
}

async function loadLibrary(
  source: string,
  load: () => Promise<{ readonly ready: Promise<Hdf5Library> }>,
): Promise<Hdf5Library> {
  try {
    return await loadPackage('h5wasm', source, () => loadQuietly(load));
  } catch (error) {
    const limited = limitedMemory(`${source}: the package h5wasm`, memoryFault());
    throw limited === undefined ? error : new CoreError(limited);
  }
}

/** What the library prints where it cannot start: it throws the same. */
const START_FAULT = 'failed to asynchronously prepare wasm';

/** The import under way. */
let loading: Promise<Hdf5Library> | undefined;

/** Imports the library, which keeps the function that prints errors from then on. */
function loadQuietly(load: () => Promise<{ readonly ready: Promise<Hdf5Library> }>): Promise<Hdf5Library> {
  if (loading !== undefined) return loading;
  const print = console.error;
  const printOthers: typeof print = (...parts) => {
    if (!String(parts[0]).startsWith(START_FAULT)) print.apply(console, parts);
  };
  console.error = printOthers;
  loading = load()
    .then(({ ready }) => ready)
    .finally(() => {
      if (console.error === printOthers) console.error = print;
      loading = undefined;
    });
  return loading;
}

/** Why there can be no memory like the library's, if that is so: it does not say so itself. */
function memoryFault(): unknown {
  try {
    new WebAssembly.Memory({ initial: 256, maximum: 32_768 });
  } catch (cause) {
    return cause;
  }
}

/** What the library says of a file. */
interface FileDescription {
  readonly format: string;
  readonly attributes: Attributes;
  readonly datasets: readonly Hdf5Dataset[];
  readonly dimensions: ReturnType<typeof nameDimensions>;
}

function describeFile(file: Hdf5Handle): FileDescription {
  const datasets = listDatasets(file).filter(({ metadata }) => metadata.shape !== null);
  const dimensions = nameDimensions(file, datasets);
  const attributes = readAttributes(file, '/');
  const isNetcdf = attributes.has('_NCProperties') || datasets.some(isOfNetcdf);
  return {
    format: isNetcdf ? 'NetCDF4' : 'HDF5',
    attributes: withoutInternal(attributes),
    datasets: datasets.filter((dataset) => !isDimensionOnly(dataset)),
    dimensions,
  };
}

/** A file that the library described, and the headers that this follows from. */
interface LastOpened {
  readonly headers: KnownHeaders;
  readonly description: FileDescription;
}

/** The file that the library described last: the next one may have the same headers. */
let lastOpened: Promise<LastOpened | undefined> | undefined;

async function keptDescription(
  description: FileDescription,
  reads: readonly ReadBytes[] | undefined,
  access: RandomAccess,
): Promise<LastOpened | undefined> {
  const { attributes, datasets } = description;
  // An attribute that is not read names its file.
  const namesFile = [attributes, ...datasets.map((dataset) => dataset.attributes)].some((each) =>
    [...each.values()].some((value) => value instanceof UnreadAttribute),
  );
  if (namesFile || reads === undefined) return undefined;
  // What is wrong with the file is said where it is read.
  const headers = await KnownHeaders.of(reads, access)
    .then((found) => access.checkUnchanged().then(() => found))
    .catch(() => undefined);
  return headers && { headers, description };
}

function createArrayFile(
  { format, attributes, datasets, dimensions }: FileDescription,
  file: Hdf5Handle,
  access: RandomAccess,
  close: () => Promise<void>,
): ArrayFile {
  const arrays = datasets.map((dataset) => createArray(file, access, dataset, dimensions.get(dataset) ?? []));
  return {
    ...{ format, source: file.source, attributes, close },
    arrays: new Map(arrays.filter((array) => array !== undefined).map((array) => [array.name, array])),
  };
}

/** The beginning of a collection: `GCOL`, version 1, and three zero bytes. */
const SIGNATURE = [0x47, 0x43, 0x4f, 0x4c, 1, 0, 0, 0];
const HEADER_BYTES = 16;
/** Collections that are longer are checked up to here. */
const MAX_COLLECTION_BYTES = 1_048_576;

/**
 * Access that checks the global heap collections of an HDF5 file, where texts of any length are stored, when the library
 * reads where one begins: it steps from object to object by their sizes, and never gets past one of size 0. Reading
 * throws FormatError that names the offset. `recorder` gets what is read. Source: HDF5 File Format Specification, III.E.
 */
function checkedWhenRead(access: ReadyAccess, recorder?: HeaderRecorder): ReadyAccess {
  return {
    source: access.source,
    size: access.size,
    read: (at, into) => access.read(at, into),
    readNow(at, into) {
      const count = access.readNow(at, into);
      const bytes = into.subarray(0, count);
      recorder?.add(at, bytes);
      for (let i = bytes.indexOf(SIGNATURE[0]); i >= 0; i = bytes.indexOf(SIGNATURE[0], i + 1)) {
        if (SIGNATURE.some((byte, j) => i + j < count && bytes[i + j] !== byte)) continue;
        const header = readThere(access, at + i, HEADER_BYTES);
        if (header.length < HEADER_BYTES || SIGNATURE.some((byte, j) => header[j] !== byte)) continue;
        const stated = Number(new DataView(header.buffer).getBigUint64(8, true));
        checkCollection(readThere(access, at + i, Math.min(stated, MAX_COLLECTION_BYTES)), 0, at + i, access.source);
      }
      return count;
    },
    checkUnchanged: () => access.checkUnchanged(),
    close: () => access.close(),
  };
}

/** At most `length` bytes from `at` on. */
function readThere(access: ReadyAccess, at: number, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  return bytes.slice(0, access.readNow(at, bytes));
}

/** Checks a collection, as far as it lies in `bytes`. */
function checkCollection(bytes: Uint8Array, start: number, from: number, source: string): void {
  if (start + HEADER_BYTES > bytes.length) return;
  const view = new DataView(bytes.buffer);
  const lengthAt = (at: number) => Number(view.getBigUint64(at, true));
  const end = start + lengthAt(start + 8);
  for (let at = start + HEADER_BYTES; at + HEADER_BYTES <= Math.min(end, bytes.length); ) {
    const index = view.getUint16(at, true);
    const size = lengthAt(at + 8);
    // Object 0 is the free space, and its size includes the header.
    const total = index === 0 ? size : HEADER_BYTES + Math.ceil(size / 8) * 8;
    if (total < HEADER_BYTES || at + total > end) {
      throw new FormatError({
        subject: source,
        problem: `has a corrupt global heap: object ${index} at offset ${from + at} has an impossible size`,
        received: size,
        allowed: `${index === 0 ? HEADER_BYTES : 0} to ${end - at} bytes`,
      });
    }
    at += total;
  }
}
