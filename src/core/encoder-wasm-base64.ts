import content from '../../build/plumecast-encoder.wasm';

/** The module of the encoder as base64 text, written by the build. */
export default content as unknown as string;
