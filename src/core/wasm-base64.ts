import content from '../../build/plumecast.wasm';

/** The module as base64 text, which the build makes of it: so no runtime or bundler has to find a file. */
export default content as unknown as string;
