/** The module of the encoder as an import of the runtime, for runtimes that do not compile from bytes. */
export { default } from './plumecast-encoder.wasm';
