import type { Seen } from './Timeline.ts';

/**
 * A recording of Kubernetes 1.20 as the newest version would have left it: events of scaling say from which size as well, and ReplicaSets and
 * Deployments count their terminating pods.
 */
export function modernize(states: readonly Seen[]): Seen[] {
  const sizes = new Map<string, string>();
  return states.map((seen) => (seen.on === 'Event' ? sayFrom(seen, sizes) : countTerminating(seen)));
}

function sayFrom(seen: Seen, sizes: Map<string, string>): Seen {
  const [, scaled, name, size] = /^(Scaled \w+ replica set (\S+)) to (\d+)$/.exec(seen.message ?? '') ?? [];
  if (scaled === undefined || name === undefined || size === undefined) return seen;
  const message = `${scaled} from ${sizes.get(name) ?? '0'} to ${size}`;
  sizes.set(name, size);
  return { ...seen, message };
}

/** The pods of the recordings end at once. */
function countTerminating(seen: Seen): Seen {
  const counts = seen.on === 'Deployment' || seen.on === 'ReplicaSet';
  return counts && seen.status ? { ...seen, status: { ...seen.status, terminatingReplicas: 0 } } : seen;
}
