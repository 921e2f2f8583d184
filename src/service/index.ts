/** The service: its handler, the sources that it reads, what fills them, and the bodies of its responses. */
export * from '../respond/index.js';
export {
  type Availability,
  type Coverage,
  HORIZONS,
  type HorizonName,
  isAvailable,
  PRODUCTS,
  type Product,
} from '../variable/availability.js';
export * from './archive/index.js';
export * from './handler/index.js';
export * from './ingest/index.js';
export * from './source/index.js';
