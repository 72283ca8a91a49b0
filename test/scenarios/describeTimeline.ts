import type { Seen } from './Timeline.ts';

const CONDITIONS = ['Available', 'Progressing', 'ReplicaFailure'];

/**
 * Describes as text the parts of a timeline that must agree with Kubernetes: for each Deployment, ReplicaSet and ReplicationController the changes of its spec,
 * size and conditions, and its last state; every event about them with its count; the pods at the end. It leaves out what may differ: times, the number of status
 * writes in between, the last status of deleted objects, and which of several equal pods was deleted first.
 */
export function describeTimeline(states: readonly Seen[]): string {
  const objects = new Map<string, Seen[]>();
  for (const seen of states.filter(({ on }) => on !== 'Pod' && on !== 'Event')) {
    const title = `${seen.on} ${seen.name}`;
    objects.set(title, [...(objects.get(title) ?? []), seen]);
  }
  const described = [...objects].map(([title, seen]) => [title, ...describeObject(seen)]);
  const parts = [...described, ['Events', ...describeEvents(states)], ['Pods in the end', ...describePods(states)]];
  return `${parts.map((lines) => lines.join('\n  ')).join('\n\n')}\n`;
}

function describeObject(seen: readonly Seen[]): string[] {
  return [
    ...walk('spec', seen, ({ spec }) => spec && `${spec.replicas} of ${spec.image}${spec.paused ? ', paused' : ''}`),
    ...walk('replicas', seen, ({ replicas }) => replicas?.toString()),
    ...walk('revision', seen, ({ revision }) => revision),
    ...walk('revision history', seen, ({ history }) => history),
    ...walk('desired and most replicas', seen, ({ desired, max }) => desired && `${desired}, ${max}`),
    ...walk('finalizers', seen, ({ finalizers }) => finalizers?.join()),
    ...CONDITIONS.flatMap((type) => walk(type, seen, conditionOf(type))),
    ...lastStateOf(seen),
  ];
}

/** Returns a line for each change of a value; `none` if the value was removed. */
function walk(title: string, seen: readonly Seen[], valueOf: (seen: Seen) => string | undefined): string[] {
  const values = seen.map(valueOf);
  const changes = values.filter((value, at) => value !== values[at - 1]);
  return changes.map((value) => `${title}: ${value ?? 'none'}`);
}

function conditionOf(type: string): (seen: Seen) => string | undefined {
  return ({ status }) => {
    const condition = status?.conditions?.find((one) => one.startsWith(`${type}=`));
    return condition && anyPod(condition.slice(type.length + 1));
  };
}

function lastStateOf(seen: readonly Seen[]): string[] {
  const { gone, generation, status: { conditions: _, ...counts } = {} } = seen.at(-1) as Seen;
  if (gone) return ['gone in the end'];
  const described = Object.entries({ ...(generation && { generation }), ...counts }).map(
    ([name, count]) => `${name} ${count}`,
  );
  return [`in the end: ${described.sort().join(', ')}`];
}

/** Returns the last state of each event; equal events are counted. */
function describeEvents(states: readonly Seen[]): string[] {
  const events = states.filter(({ on, name }) => on === 'Event' && !name.startsWith('Pod '));
  return counted(
    lastOfEach(events, eventIdentity).map(({ from, type, reason, name, message, count }) =>
      anyPod(`${from} ${type} ${reason} ${name}: ${message} (${count})`),
    ),
  );
}

/** Combined events are one event; its message is the last one's. */
function eventIdentity({ name, type, reason, message }: Seen): string {
  return [name, type, reason, message?.startsWith('(combined') ? '' : message].join(' ');
}

function describePods(states: readonly Seen[]): string[] {
  const pods = lastOfEach(
    states.filter(({ on }) => on === 'Pod'),
    ({ name }) => name,
  ).filter(({ gone }) => !gone);
  return counted(
    pods.map(
      ({ owner = 'nobody', phase, ready, deleting }) =>
        `of ${owner}: ${phase}${ready ? ', ready' : ''}${deleting ? ', being deleted' : ''}`,
    ),
  );
}

function lastOfEach(states: readonly Seen[], identity: (seen: Seen) => string): Seen[] {
  return [...new Map(states.map((seen) => [identity(seen), seen])).values()];
}

function counted(lines: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts].map(([line, count]) => `${count} x ${line}`).sort();
}

function anyPod(text: string): string {
  return text.replaceAll(/\bpod-\d+\b/g, '<Pod>');
}
