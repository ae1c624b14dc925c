/**
 * What React Native, iOS 15, and old web views lack: `Array.prototype.at`, and most of what belongs to `AbortSignal`.
 */

export const lastOf = array => array[array.length - 1];

/** Returns an error that is recognized by its name. */
export const namedError = (name, message) => Object.assign(new Error(message), {name});

export const reasonOf = signal => signal.reason ?? namedError('AbortError', 'the request was canceled');

export function throwIfAborted(signal) {
  if (signal?.aborted) {
    throw reasonOf(signal);
  }
}

/** Calls a function when an event occurs, if the target has events. Returns a function that ends this. */
export function listen(target, event, act) {
  target?.addEventListener?.(event, act);
  return () => target?.removeEventListener?.(event, act);
}
