import { DataError } from '../../errors.js';

/** No window of the data is complete, or as requested: for a part of a whole, no fault. */
export class NoWindowError extends DataError {}
