import type { FilterPlugin, Misfit } from '../framework/Plugin.ts';
import { claimsUsedBy, type Volume } from '../framework/Volumes.ts';

const MISFIT: Misfit = { reasons: ['node(s) had no available volume zone'], isResolvable: false };

/** The labels by which volumes and nodes say where they are, and the label that has replaced each. */
const ZONE = 'topology.kubernetes.io/zone';
const REGION = 'topology.kubernetes.io/region';
const LABELS: Readonly<Record<string, string>> = {
  'failure-domain.beta.kubernetes.io/zone': ZONE,
  'failure-domain.beta.kubernetes.io/region': REGION,
  [ZONE]: ZONE,
  [REGION]: REGION,
};
/** Between the zones of a volume that is in several. */
const SEPARATOR = '__';

interface Place {
  readonly label: string;
  readonly values: readonly string[];
}

/** Keeps pods from nodes in other zones than their volumes, as the volumes' labels say. A node without such labels is everywhere. */
export const volumeZone: FilterPlugin = {
  name: 'VolumeZone',
  prepare({ pod, namespace }, { volumes }) {
    const places: Place[] = [];
    for (const { name, isEphemeral } of claimsUsedBy(pod)) {
      const { volumeName = '' } = volumes.claims.get(`${namespace}/${name}`)?.spec ?? {};
      // A claim that waits for its first consumer has no volume yet; VolumeBinding speaks of all others.
      if (isEphemeral || volumeName === '') continue;
      const volume = volumes.volumes.get(volumeName);
      if (!volume) return { rejected: `persistentvolume "${volumeName}" not found` };
      places.push(...placesOf(volume));
    }
    if (places.length === 0) return undefined;
    return ({ labels }) => {
      if (!Object.keys(LABELS).some((label) => Object.hasOwn(labels, label))) return undefined;
      return places.every((place) => isAt(place, labels)) ? undefined : MISFIT;
    };
  },
};

function isAt({ label, values }: Place, labels: Readonly<Record<string, string>>): boolean {
  return values.includes(labels[label] ?? labels[LABELS[label] ?? label] ?? '');
}

/** A label that names no zone counts for nothing. */
function placesOf({ metadata }: Volume): readonly Place[] {
  return Object.keys(LABELS).flatMap((label) => {
    const values = metadata.labels?.[label]?.split(SEPARATOR).map((value) => value.trim());
    return values && !values.includes('') ? [{ label, values }] : [];
  });
}
