import { ApiError } from '../objects/ApiError.ts';
import type { TooLargeOutcome } from '../ports/ObjectStore.ts';

const NAMED: Readonly<Record<Exclude<TooLargeOutcome['part'], 'object'>, string>> = {
  compressed: 'the object as it is stored, compressed,',
  name: 'the name of the object',
};

/**
 * The refusal of an object that the store cannot take. Kubernetes has no error of its own for an object above 1.5 MiB: it passes on etcd's words with the code 500 and no reason, and clients compare
 * these words. Only the cause, which Kubernetes does not have, says how large the object is. What only this store refuses is RequestEntityTooLarge.
 */
export function objectTooLarge({ part, bytes, limitBytes }: TooLargeOutcome): ApiError {
  if (part === 'object')
    return new ApiError('Unknown', 'etcdserver: request is too large', {
      causes: [{ message: `the object has ${bytes} bytes of JSON: limit is ${limitBytes}` }],
    });
  return new ApiError(
    'RequestEntityTooLarge',
    `Request entity too large: ${NAMED[part]} has ${bytes} bytes: limit is ${limitBytes}`,
  );
}
