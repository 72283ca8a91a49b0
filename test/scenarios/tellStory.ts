import type { Seen } from './Timeline.ts';

const CONDITIONS = ['Available', 'Progressing', 'ReplicaFailure'];

/**
 * What of a timeline must agree with Kubernetes', as text: for each Deployment, ReplicaSet and ReplicationController what its spec, its size and its
 * conditions went through, and how it was in the end; every event about them with its count; the pods in the end. Left out is what may differ: times, how
 * often a status was written in between, the last status of what is gone, and which pod went first among equals.
 */
export function tellStory(states: readonly Seen[]): string {
  const chapters = new Map<string, Seen[]>();
  for (const seen of states.filter(({ on }) => on !== 'Pod' && on !== 'Event')) {
    const title = `${seen.on} ${seen.name}`;
    chapters.set(title, [...(chapters.get(title) ?? []), seen]);
  }
  const told = [...chapters].map(([title, seen]) => [title, ...tellChapter(seen)]);
  const parts = [...told, ['Events', ...tellEvents(states)], ['Pods in the end', ...tellPods(states)]];
  return `${parts.map((lines) => lines.join('\n  ')).join('\n\n')}\n`;
}

function tellChapter(seen: readonly Seen[]): string[] {
  return [
    ...walk('spec', seen, ({ spec }) => spec && `${spec.replicas} of ${spec.image}${spec.paused ? ', paused' : ''}`),
    ...walk('replicas', seen, ({ replicas }) => replicas?.toString()),
    ...walk('revision', seen, ({ revision }) => revision),
    ...walk('revision history', seen, ({ history }) => history),
    ...walk('desired and most replicas', seen, ({ desired, max }) => desired && `${desired}, ${max}`),
    ...walk('finalizers', seen, ({ finalizers }) => finalizers?.join()),
    ...CONDITIONS.flatMap((type) => walk(type, seen, conditionOf(type))),
    ...tellEnd(seen),
  ];
}

/** A line for each value, where it changes; `none` where it went away again. */
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

function tellEnd(seen: readonly Seen[]): string[] {
  const { gone, generation, status: { conditions: _, ...counts } = {} } = seen.at(-1) as Seen;
  if (gone) return ['gone in the end'];
  const told = Object.entries({ ...(generation && { generation }), ...counts }).map(
    ([name, count]) => `${name} ${count}`,
  );
  return [`in the end: ${told.sort().join(', ')}`];
}

/** Each event as it was in the end, those of equal content together. */
function tellEvents(states: readonly Seen[]): string[] {
  const events = states.filter(({ on, name }) => on === 'Event' && !name.startsWith('Pod '));
  return counted(
    lastOfEach(events, eventIdentity).map(({ from, type, reason, name, message, count }) =>
      anyPod(`${from} ${type} ${reason} ${name}: ${message} (${count})`),
    ),
  );
}

/** Events that were combined are one event, whose message is the last one's. */
function eventIdentity({ name, type, reason, message }: Seen): string {
  return [name, type, reason, message?.startsWith('(combined') ? '' : message].join(' ');
}

function tellPods(states: readonly Seen[]): string[] {
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
