/** Whether a value is a promise, also one of another library. */
export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && typeof (value as Promise<T>).then === 'function';
}

/**
 * Goes on with a value: at once where it is there, as most are. Each promise that `await` would make takes as long as
 * a small step of a request.
 */
export function whenReady<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return isPromise(value) ? value.then(next) : next(value);
}
