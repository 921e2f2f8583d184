import { PackageError } from '../../errors.js';
import { type CreateOpenJpeg, createQuietly, type LoadOpenJpeg } from '../../files/grib/packing/openjpeg.js';

/** Loads OpenJPEG, which is among the parts of the page, when a message of JPEG 2000 is met. */
export const loadOpenJpeg: LoadOpenJpeg = async (subject) => {
  try {
    const [{ default: create }, { default: module }] = await Promise.all([
      import('@cornerstonejs/codec-openjpeg/decodewasmjs'),
      import('@cornerstonejs/codec-openjpeg/decodewasm'),
    ]);
    const wasmBinary = Uint8Array.from(atob(module), (character) => character.charCodeAt(0));
    return await createQuietly((options) => (create as CreateOpenJpeg)({ ...options, wasmBinary }));
  } catch (cause) {
    const problem = 'needs a part of the page that cannot be loaded';
    throw new PackageError({ subject, problem, allowed: 'the page with all of its parts', cause });
  }
};
