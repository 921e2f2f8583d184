import content from '../../build/plumecast-grib.wasm';

/** The module of GRIB as base64 text, written by the build. */
export default content as unknown as string;
