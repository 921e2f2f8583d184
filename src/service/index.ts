/** The service: its handler, the sources that it reads, what fills them, and the bodies of its responses. */
export * from '../respond/index.js';
export * from './archive/index.js';
export * from './handler/index.js';
export * from './ingest/index.js';
export * from './source/index.js';
