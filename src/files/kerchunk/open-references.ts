import { Work } from '../../check/work.js';
import { readDocuments, type StoreDocuments } from '../zarr/documents.js';
import { StoreReader } from '../zarr/store-reader.js';
import { VirtualObjects } from '../zarr/virtual-objects.js';
import { createZarrFile, type ZarrFile, type ZarrForm } from '../zarr/zarr-file.js';
import type { ZarrStore } from '../zarr/zarr-store.js';
import { type ReferenceSet, ReferenceStore, referenceSet } from './reference-store.js';
import { readReferences } from './references.js';

/** How arrays of references are opened and read. */
export interface ReferenceForm extends ZarrForm {
  /** Further addresses and folders below which objects may lie. */
  readonly virtualChunks: readonly string[];
}

/** What arrays are read with where nothing else is asked for. */
export const DEFAULT_FORM: ReferenceForm = { concurrency: 8, missingChunks: 'absent', virtualChunks: [] };

/**
 * Opens the arrays of references in JSON; paths in them begin in `folder`, and objects are read there or below addresses
 * that are allowed. Throws FormatError for references that are wrong.
 */
export async function openReferences(
  bytes: Uint8Array,
  { source, folder, work }: { readonly source: string; readonly folder: ZarrStore; readonly work?: Work | undefined },
  form: ReferenceForm,
): Promise<ZarrFile> {
  return openSet(referenceSet(readReferences(bytes, source)), { source, folder, work }, form);
}

/** Opens the arrays of a set of references. */
export async function openSet(
  set: ReferenceSet,
  { source, folder, work = new Work({}, 'bytes') }: { source: string; folder: ZarrStore; work?: Work | undefined },
  { virtualChunks, ...form }: ReferenceForm,
): Promise<ZarrFile> {
  const { signal } = work;
  const objects = new VirtualObjects(folder, virtualChunks, { ...(signal && { signal }) });
  const reader = new StoreReader(new ReferenceStore(source, set, objects), source, work);
  const file = createZarrFile((await readDocuments(reader)) as StoreDocuments, reader, form);
  return { ...file, format: `${file.format} by references` };
}
