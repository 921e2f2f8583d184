import content from '../../build/plumecast-store.wasm';

/** The module of stores as base64 text, written by the build. */
export default content as unknown as string;
