export { type Core, type CoreSource, loadCore } from './core/load.js';
export {
  CoreError,
  DataError,
  type ErrorTag,
  FormatError,
  isPlumecastError,
  OptionError,
  PackageError,
  PlumecastError,
} from './errors.js';
