import type { ByteRange, StoreKey, ZarrStore } from '../../files/zarr/zarr-store.js';
import type { GivenFile, GivenStore } from './file-origin.js';

/** A folder of files, which are found by their paths from there. */
export interface Folder {
  file(path: string): Promise<Blob | undefined>;
  /** The names of the folders in a folder. */
  folders(path: string): Promise<readonly string[]>;
}

/** A folder that the reader opens: a store, or files. */
function givenFolder(path: string, folder: Folder, files: () => Promise<readonly File[]>): GivenStore {
  return {
    path,
    store: folderStore(folder, path),
    files: async () => (await files()).map((content) => ({ path: `${path}/${content.name}`, content })),
  };
}

/** The store in a folder. */
export function folderStore(folder: Folder, source: string): ZarrStore {
  const get = async (key: StoreKey, range?: ByteRange) => {
    const content = await folder.file(key.slice(1));
    return content && new Uint8Array(await part(content, range).arrayBuffer());
  };
  return {
    source,
    get: (key) => get(key),
    getRange: get,
    getEnd: async (key, suffixLength) => {
      const content = await folder.file(key.slice(1));
      return (
        content && { bytes: new Uint8Array(await part(content, { suffixLength }).arrayBuffer()), size: content.size }
      );
    },
    folders: (key) => folder.folders(key.replace(/^\//, '')),
  };
}

function part(content: Blob, range: ByteRange | undefined): Blob {
  if (range === undefined) return content;
  if ('suffixLength' in range) return content.slice(Math.max(0, content.size - range.suffixLength));
  return content.slice(range.offset, range.offset + range.length);
}

/** A folder whose files are all known, by their paths from there. */
export function listedFolder<T>(files: ReadonlyMap<string, T>, open: (file: T) => Promise<Blob>): Folder {
  const folders = new Map<string, Set<string>>();
  for (const path of files.keys()) {
    const names = path.split('/').slice(0, -1);
    for (const [depth, name] of names.entries()) {
      const above = names.slice(0, depth).join('/');
      folders.set(above, (folders.get(above) ?? new Set()).add(name));
    }
  }
  return {
    file: async (path) => {
      const found = files.get(path);
      return found === undefined ? undefined : open(found);
    },
    folders: async (path) => [...(folders.get(path) ?? [])],
  };
}

/** The folder that the reader chose in a dialog, from the files in it. */
export function chosenFolder(files: readonly File[]): GivenStore {
  const [name] = files[0].webkitRelativePath.split('/', 1);
  const paths = new Map(files.map((file) => [file.webkitRelativePath.slice(name.length + 1), file]));
  const folder = listedFolder(paths, async (file) => file);
  return givenFolder(name, folder, async () => [...paths].flatMap(([path, file]) => (path.includes('/') ? [] : file)));
}

/** What was dropped: files, and folders as stores, of which only what is needed is listed. */
export function droppedItems({ items, files }: DataTransfer): (GivenFile | GivenStore)[] {
  // Entries can be had only while the event is handled.
  const dropped = Array.from(items).flatMap((item) => {
    const folder = item.kind === 'file' ? item.webkitGetAsEntry() : null;
    if (folder?.isDirectory) return droppedFolder(folder as FileSystemDirectoryEntry);
    const file = item.getAsFile();
    return file === null ? [] : { path: file.name, content: file };
  });
  return dropped.length > 0 ? dropped : Array.from(files, (file) => ({ path: file.name, content: file }));
}

function droppedFolder(entry: FileSystemDirectoryEntry): GivenStore {
  const folder: Folder = {
    file: async (path) => {
      const found = await entryOf<FileSystemEntry>((yes, no) => entry.getFile(path, {}, yes, no));
      if (found === undefined) return undefined;
      return new Promise<File>((yes, no) => (found as FileSystemFileEntry).file(yes, no));
    },
    folders: async (path) => {
      const found =
        path === '' ? entry : await entryOf<FileSystemEntry>((yes, no) => entry.getDirectory(path, {}, yes, no));
      const entries = found === undefined ? [] : await entriesIn(found as FileSystemDirectoryEntry);
      return entries.filter(({ isDirectory }) => isDirectory).map(({ name }) => name);
    },
  };
  const files = async () => {
    const entries = (await entriesIn(entry)).filter(({ isFile }) => isFile);
    return Promise.all(
      entries.map((each) => new Promise<File>((yes, no) => (each as FileSystemFileEntry).file(yes, no))),
    );
  };
  return givenFolder(entry.name, folder, files);
}

/** An entry of a folder; undefined where there is none of that name and kind. */
function entryOf<T>(find: (yes: (entry: T) => void, no: (fault: DOMException) => void) => void) {
  return new Promise<T | undefined>((yes, no) => {
    find(yes, (fault) => (/NotFound|TypeMismatch/.test(fault.name) ? yes(undefined) : no(fault)));
  });
}

async function entriesIn(entry: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = entry.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((yes, no) => reader.readEntries(yes, no));
    if (some.length === 0) return entries;
    entries.push(...some);
  }
}
