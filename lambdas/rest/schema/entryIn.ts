import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { isKnownIn, type KubernetesRelease, NEWEST_RELEASE } from '../../objects/KubernetesRelease.ts';
import { type ResourceEntry, storageApiVersion, type Strategy } from '../../registry/ResourceEntry.ts';
import { dropLater } from './dropLater.ts';
import { kindSchema } from './kindSchema.ts';

/**
 * Returns the resource as the release has it: what is written loses the fields that came later, whoever writes it, and subresources that came later are not served. Clients' bodies are checked against the same
 * fields before. The newest release has the resource as it is. Pure.
 */
export function entryIn(release: KubernetesRelease, entry: ResourceEntry): ResourceEntry {
  if (release === NEWEST_RELEASE) return entry;
  const schema = kindSchema(storageApiVersion(entry), entry.kind, release);
  if (!schema) return { ...entry, release };
  const drop = (draft: KubernetesObject) => dropLater(draft, schema);
  const inRelease = (strategy: Strategy): Strategy => ({
    ...strategy,
    ...partsIn(release, strategy),
    ...dropping(strategy, drop),
  });
  return {
    ...entry,
    release,
    strategy: inRelease(entry.strategy),
    ...(entry.loadStrategy && {
      loadStrategy: async () => inRelease({ ...entry.strategy, ...(await entry.loadStrategy?.()) }),
    }),
  };
}

/** Each of the functions that complete a draft drops what is unknown when it has done its work. */
function dropping(strategy: Strategy, drop: (draft: KubernetesObject) => void) {
  return {
    prepareForCreate: (draft) => {
      strategy.prepareForCreate?.(draft);
      drop(draft);
    },
    prepareForUpdate: (draft, old) => {
      strategy.prepareForUpdate?.(draft, old);
      drop(draft);
    },
    prepareForStatusUpdate: (draft, old, nowMs) => {
      strategy.prepareForStatusUpdate?.(draft, old, nowMs);
      drop(draft);
    },
  } satisfies Strategy;
}

function partsIn(release: KubernetesRelease, { parts }: Strategy): Pick<Strategy, 'parts'> {
  if (!parts) return {};
  return { parts: Object.fromEntries(Object.entries(parts).filter(([, { since }]) => isKnownIn(release, since))) };
}
