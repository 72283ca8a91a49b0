import type { Seen } from './Timeline.ts';

/**
 * Converts a recording of Kubernetes 1.20 to the behaviour of the newest version: scaling events also name the old size, and ReplicaSets and Deployments count
 * their terminating pods.
 */
export function modernize(states: readonly Seen[]): Seen[] {
  const sizes = new Map<string, string>();
  return states.map((seen) => (seen.on === 'Event' ? addOldSize(seen, sizes) : countTerminating(seen)));
}

function addOldSize(seen: Seen, sizes: Map<string, string>): Seen {
  const [, scaled, name, size] = /^(Scaled \w+ replica set (\S+)) to (\d+)$/.exec(seen.message ?? '') ?? [];
  if (scaled === undefined || name === undefined || size === undefined) return seen;
  const message = `${scaled} from ${sizes.get(name) ?? '0'} to ${size}`;
  sizes.set(name, size);
  return { ...seen, message };
}

/** The count is 0, since pods in the recordings end at once. */
function countTerminating(seen: Seen): Seen {
  const counts = seen.on === 'Deployment' || seen.on === 'ReplicaSet';
  return counts && seen.status ? { ...seen, status: { ...seen.status, terminatingReplicas: 0 } } : seen;
}
