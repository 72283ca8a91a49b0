import { goJson } from '../../../objects/go/goJson.ts';
import { cloneJson, jsonEqual } from '../../../objects/json.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import type { AdmissionAttributes } from '../dynamic/AdmissionAttributes.ts';
import type { Mutation, Readmit } from '../dynamic/DynamicAdmission.ts';
import type { Annotate, GroupVersionKind } from '../dynamic/RequestAttributes.ts';
import { askWebhook, type Invocation, matchWebhook, type WebhookAsker } from './askWebhook.ts';
import { Reinvocation } from './Reinvocation.ts';
import type { Webhook } from './Webhook.ts';
import { cannotModify, internalError } from './webhookErrors.ts';

export type PatchOutcome =
  | { readonly status: 'patched'; readonly object: KubernetesObject }
  | { readonly status: 'failed'; readonly why: string };

/**
 * Applies a webhook's JSON patch to a copy of an object of this kind, and decodes the result as a body of a request: what the kind does not know is dropped. A patch or a result that does not
 * fit fails, with a reason in the words of Kubernetes' decoders.
 */
export type PatchObject = (
  attributes: AdmissionAttributes,
  kind: GroupVersionKind,
  object: KubernetesObject,
  operations: readonly unknown[],
) => Promise<PatchOutcome>;

export interface MutatingAsker extends WebhookAsker {
  readonly patch: PatchObject;
}

/**
 * Asks mutating webhooks one after the other; each sees what those before it have changed. If any has changed the object, the server's own admission runs again, and those that want to are asked
 * again, once. Follows upstream's `mutatingDispatcher`.
 */
export async function mutateByWebhooks(
  asker: MutatingAsker,
  webhooks: readonly Webhook[],
  attributes: AdmissionAttributes,
  readmit: Readmit,
): Promise<Mutation> {
  const reinvocation = new Reinvocation();
  const placed = webhooks.map((webhook, index) => ({ webhook, index, round: 0 }));
  const first = await runRound(asker, placed, attributes, reinvocation);
  if (first.status === 'refused' || !first.isChanged || !first.object) return first;
  const draft = cloneJson(first.object);
  reinvocation.endRound(first.object);
  const error = await readmit(draft);
  if (error !== undefined) return { status: 'refused', error };
  reinvocation.beginAgain(draft);
  const due = placed.filter(({ webhook }) => reinvocation.isDue(webhook.id)).map((one) => ({ ...one, round: 1 }));
  return await runRound(asker, due, { ...attributes, object: draft }, reinvocation);
}

/** A webhook, its place among all, and how often it has been asked before. */
interface PlacedWebhook {
  readonly webhook: Webhook;
  readonly index: number;
  readonly round: number;
}

type Round =
  | { readonly status: 'admitted'; readonly object: KubernetesObject | undefined; readonly isChanged: boolean }
  | Extract<Mutation, { status: 'refused' }>;

async function runRound(
  asker: MutatingAsker,
  webhooks: readonly PlacedWebhook[],
  attributes: AdmissionAttributes,
  reinvocation: Reinvocation,
): Promise<Round> {
  let { object } = attributes;
  let isChanged = false;
  for (const placed of webhooks) {
    const { webhook } = placed;
    const current = { ...attributes, object };
    const invocation = await matchWebhook(asker, webhook, current);
    if (invocation.status === 'refused') return invocation;
    if (invocation.status === 'skipped') continue;
    const step = await runWebhook(asker, placed, current, invocation);
    noteMutation(attributes.annotate, placed, step.status === 'admitted' && step.isChanged);
    if (step.status === 'refused') return step;
    const wantsAgain = webhook.spec.reinvocationPolicy === 'IfNeeded';
    reinvocation.noteCall(webhook.id, { changed: step.isChanged, wantsAgain });
    ({ object } = step);
    isChanged ||= step.isChanged;
  }
  return { status: 'admitted', object, isChanged };
}

async function runWebhook(
  asker: MutatingAsker,
  placed: PlacedWebhook,
  attributes: AdmissionAttributes,
  invocation: Extract<Invocation, { status: 'invoked' }>,
): Promise<Round> {
  const { webhook } = placed;
  const answer = await askWebhook(asker, webhook, attributes, invocation, true);
  if (answer.status === 'refused') return answer;
  const unchanged = { status: 'admitted', object: attributes.object, isChanged: false } as const;
  if (answer.status === 'ignored') attributes.annotate?.(keyOf(FAILED_OPEN, placed), webhook.name);
  if (answer.status === 'ignored' || answer.operations === undefined) return unchanged;
  const { match, objects } = invocation;
  if (objects.object === undefined) return { status: 'refused', error: cannotModify(webhook.name) };
  const patched = await asker.patch(attributes, match.kind, objects.object, answer.operations);
  if (patched.status === 'failed') return { status: 'refused', error: internalError(patched.why) };
  notePatch(attributes.annotate, placed, answer.operations);
  if (jsonEqual(patched.object, objects.object)) return unchanged;
  const object = await attributes.fromVersion(patched.object, match.group, match.version);
  return { status: 'admitted', object, isChanged: true };
}

const MUTATION = 'mutation.webhook.admission.k8s.io/';
const PATCH = 'patch.webhook.admission.k8s.io/';
const FAILED_OPEN = `failed-open.${MUTATION}`;

/** The key of an annotation of the audit log that is about one call of a webhook. */
function keyOf(prefix: string, { round, index }: PlacedWebhook): string {
  return `${prefix}round_${round}_index_${index}`;
}

/** The audit log has of each webhook that is asked whether it has changed the object. */
function noteMutation(annotate: Annotate | undefined, placed: PlacedWebhook, mutated: boolean): void {
  const { configuration, name } = placed.webhook;
  annotate?.(keyOf(MUTATION, placed), goJson({ configuration, webhook: name, mutated }));
}

/** A patch shows parts of the object, so it is recorded where the object is. */
function notePatch(annotate: Annotate | undefined, placed: PlacedWebhook, patch: readonly unknown[]): void {
  const { configuration, name } = placed.webhook;
  annotate?.(keyOf(PATCH, placed), goJson({ configuration, webhook: name, patch, patchType: 'JSONPatch' }), 'Request');
}
