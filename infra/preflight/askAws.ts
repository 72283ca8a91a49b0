import { readErrorOf } from './readFailure.ts';

/** Sends a call. Throws a ReadError with this action if AWS denies it or does not answer. */
export async function read<T>(action: string, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    throw readErrorOf(action, error);
  }
}

/** Returns `undefined` for the errors by which the service says that there is no such thing. */
export async function readUnless<T>(
  names: readonly string[],
  action: string,
  send: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await send();
  } catch (error) {
    if (names.includes((error as Error).name)) return undefined;
    throw readErrorOf(action, error);
  }
}
