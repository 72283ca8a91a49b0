import { isKnownIn, type KubernetesRelease } from '../../objects/KubernetesRelease.ts';
import type { EventToRecord } from '../EventRecorder.ts';

interface NewerText {
  /** The minor release of Kubernetes 1 that says it so first. */
  readonly since: number;
  readonly reason: string;
  readonly text: RegExp;
  /** The text before, with the parts of the match as `$1`, and the container that the event is about as `{container}`. */
  readonly before: string;
}

/**
 * The texts that changed, the newest change first: what our controllers say is the newest text. Facts of the kubelet's and the deployment controller's sources. A ReplicaSet that grew from none and one that was
 * created are told apart by no text of ours, so releases before 1.32 say of both what they said of one that was created.
 */
const NEWER_TEXTS: readonly NewerText[] = [
  { since: 35, reason: 'Created', text: /^Container created$/, before: 'Created container: {container}' },
  { since: 35, reason: 'Started', text: /^Container started$/, before: 'Started container {container}' },
  {
    since: 35,
    reason: 'Pulled',
    text: /^(.* already present on machine) and can be accessed by the pod$/,
    before: '$1',
  },
  { since: 32, reason: 'Created', text: /^Created container: (.*)$/, before: 'Created container $1' },
  { since: 32, reason: 'ScalingReplicaSet', text: /^(Scaled up replica set \S+) from 0 (to \d+)$/, before: '$1 $2' },
  {
    since: 31,
    reason: 'ScalingReplicaSet',
    text: /^(Scaled .* replica set \S+) (from \d+) (to \d+)$/,
    before: '$1 $3 $2',
  },
  { since: 30, reason: 'Pulled', text: /^(Successfully pulled .*)\. Image size: \d+ bytes\.$/, before: '$1' },
];

/** Returns what a component of the release says in the event. Pure. */
export function messageIn(release: KubernetesRelease, { reason, message, fieldPath = '' }: EventToRecord): string {
  const container = /\{(.*)\}$/.exec(fieldPath)?.[1] ?? '';
  return NEWER_TEXTS.filter((newer) => newer.reason === reason && !isKnownIn(release, newer.since)).reduce(
    (said, { text, before }) => said.replace(text, before).replace('{container}', container),
    message,
  );
}
