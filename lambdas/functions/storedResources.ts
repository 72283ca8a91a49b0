import type { GroupResource } from '../objects/ObjectKey.ts';
import { resourceEntries } from '../registry/resourceEntries.ts';

/** Every resource whose objects are stored, whether this control plane serves it or not: each has a log. */
export const storedResources: readonly GroupResource[] = resourceEntries
  .filter(({ virtual }) => !virtual)
  .map(({ groupResource }) => groupResource);
