import { loadPackage } from '../../load-package.js';
import { createQuietly, type LoadOpenJpeg, OPENJPEG } from './openjpeg.js';

/** Loads OpenJPEG from its package. */
export const loadOpenJpeg: LoadOpenJpeg = (subject) =>
  loadPackage(OPENJPEG, subject, async () => {
    const { default: create } = await import('@cornerstonejs/codec-openjpeg/decodewasmjs');
    return createQuietly(create);
  });
