import { BlobFile } from './blob-file.js';
import { type PartsPort, serveParts } from './serve-parts.js';

/* The script of a Web Worker that reads parts of a Blob. */

serveParts(globalThis as unknown as PartsPort, (blob: Blob) => new BlobFile(blob, 'input'));
