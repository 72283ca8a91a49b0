import { cloneJson, jsonEqual } from '../../../objects/json.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import type { AdmissionAttributes } from '../dynamic/AdmissionAttributes.ts';
import type { Mutation, Readmit } from '../dynamic/DynamicAdmission.ts';
import type { GroupVersionKind } from '../dynamic/RequestAttributes.ts';
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
  const first = await runRound(asker, webhooks, attributes, reinvocation);
  if (first.status === 'refused' || !first.isChanged || !first.object) return first;
  const draft = cloneJson(first.object);
  reinvocation.endRound(first.object);
  const error = await readmit(draft);
  if (error !== undefined) return { status: 'refused', error };
  reinvocation.beginAgain(draft);
  const due = webhooks.filter(({ id }) => reinvocation.isDue(id));
  return await runRound(asker, due, { ...attributes, object: draft }, reinvocation);
}

type Round =
  | { readonly status: 'admitted'; readonly object: KubernetesObject | undefined; readonly isChanged: boolean }
  | Extract<Mutation, { status: 'refused' }>;

async function runRound(
  asker: MutatingAsker,
  webhooks: readonly Webhook[],
  attributes: AdmissionAttributes,
  reinvocation: Reinvocation,
): Promise<Round> {
  let { object } = attributes;
  let isChanged = false;
  for (const webhook of webhooks) {
    const current = { ...attributes, object };
    const invocation = await matchWebhook(asker, webhook, current);
    if (invocation.status === 'refused') return invocation;
    if (invocation.status === 'skipped') continue;
    const step = await runWebhook(asker, webhook, current, invocation);
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
  webhook: Webhook,
  attributes: AdmissionAttributes,
  invocation: Extract<Invocation, { status: 'invoked' }>,
): Promise<Round> {
  const answer = await askWebhook(asker, webhook, attributes, invocation, true);
  if (answer.status === 'refused') return answer;
  const unchanged = { status: 'admitted', object: attributes.object, isChanged: false } as const;
  if (answer.status === 'ignored' || answer.operations === undefined) return unchanged;
  const { match, objects } = invocation;
  if (objects.object === undefined) return { status: 'refused', error: cannotModify(webhook.name) };
  const patched = await asker.patch(attributes, match.kind, objects.object, answer.operations);
  if (patched.status === 'failed') return { status: 'refused', error: internalError(patched.why) };
  if (jsonEqual(patched.object, objects.object)) return unchanged;
  const object = await attributes.fromVersion(patched.object, match.group, match.version);
  return { status: 'admitted', object, isChanged: true };
}
