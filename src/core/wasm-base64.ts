import content from '../../build/plumecast.wasm';

/** The module as base64 text, written by the build, so that no runtime or bundler has to find a file. */
export default content as unknown as string;
