import type { ApiError } from '../../../objects/ApiError.ts';
import { forbidden, requestTimeout } from '../../../objects/apiErrors.ts';
import { goQuote } from '../../../objects/go/goQuote.ts';
import { isTooDeep } from '../../../objects/isTooDeep.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import { matchesLabelSelector } from '../../../objects/selectors/labelSelector.ts';
import type { Ids } from '../../../ports/Ids.ts';
import type { AdmissionAttributes } from '../dynamic/AdmissionAttributes.ts';
import {
  type Match,
  matchRules,
  namespaceLabels,
  selectsEveryNamespace,
  selectsObjects,
} from '../policies/matchRequest.ts';
import {
  type AdmissionResponse,
  decodeReview,
  encodeReview,
  type ReviewedObjects,
  reviewVersionOf,
} from './admissionReview.ts';
import { callWebhook, type WebhookCalls } from './callWebhook.ts';
import type { Webhook } from './Webhook.ts';
import { denial, dryRunUnsupported, failedCalling } from './webhookErrors.ts';

/** What webhooks are asked with. */
export interface WebhookAsker extends WebhookCalls {
  readonly ids: Ids;
  /** Reads a namespace, for selectors and conditions. */
  namespace(name: string): Promise<KubernetesObject | undefined>;
}

/** Whether a webhook is asked about a request; if so, with which objects. */
export type Invocation =
  | { readonly status: 'skipped' }
  | { readonly status: 'refused'; readonly error: ApiError }
  | { readonly status: 'invoked'; readonly match: Match; readonly objects: ReviewedObjects };

const SKIPPED: Invocation = { status: 'skipped' };

/** Decides whether a webhook is asked: by its rules, its selectors and its match conditions. Follows upstream's `Webhook.ShouldCallHook`. */
export async function matchWebhook(
  asker: WebhookAsker,
  webhook: Webhook,
  attributes: AdmissionAttributes,
): Promise<Invocation> {
  const { spec } = webhook;
  if (!selectsObjects(spec.objectSelector, attributes)) return SKIPPED;
  const match = matchRules(spec.rules ?? [], attributes, spec.matchPolicy ?? 'Equivalent');
  if (!match || !(await selectsNamespace(asker, webhook, attributes))) return SKIPPED;
  const inMatch = (object: KubernetesObject | undefined) =>
    object && attributes.inVersion(object, match.group, match.version);
  const [object, oldObject] = await Promise.all([inMatch(attributes.object), inMatch(attributes.oldObject)]);
  const invocation = { status: 'invoked', match, objects: { object, oldObject } } as const;
  return (await conditionsRefusal(asker, webhook, attributes, invocation)) ?? invocation;
}

/** A request in a namespace that is not there matches every selector: the server itself has refused to write in it. */
async function selectsNamespace(
  asker: WebhookAsker,
  { spec: { namespaceSelector } }: Webhook,
  attributes: AdmissionAttributes,
): Promise<boolean> {
  if (selectsEveryNamespace(namespaceSelector, attributes)) return true;
  const labels = namespaceLabels(attributes) ?? (await asker.namespace(attributes.namespace))?.metadata.labels;
  return matchesLabelSelector(namespaceSelector, labels);
}

/** Evaluates the match conditions; returns the invocation that they make of a request that does not meet them. */
async function conditionsRefusal(
  asker: WebhookAsker,
  webhook: Webhook,
  attributes: AdmissionAttributes,
  { match, objects }: Extract<Invocation, { status: 'invoked' }>,
): Promise<Invocation | undefined> {
  const conditions = await webhook.conditions();
  if (conditions.length === 0) return undefined;
  const { meetsConditions } = await import('./meetsConditions.ts');
  const result = await meetsConditions(asker, webhook, conditions, { attributes, match, objects });
  if (result.status === 'matches') return undefined;
  if (result.status === 'doesNotMatch') return SKIPPED;
  return { status: 'refused', error: forbidden(attributes.entry.groupResource, attributes.name, result.message) };
}

export type WebhookAnswer =
  /** `operations`: a JSON patch that is not checked yet; absent if the webhook changes nothing. */
  | { readonly status: 'allowed'; readonly operations?: readonly unknown[] }
  | { readonly status: 'refused'; readonly error: ApiError }
  /** The webhook could not be asked, and its failure policy lets the request pass. */
  | { readonly status: 'ignored' };

/** Asks a webhook, and counts a failure by its failure policy. Passes on its warnings, and what it says for the audit log. */
export async function askWebhook(
  asker: WebhookAsker,
  webhook: Webhook,
  attributes: AdmissionAttributes,
  invocation: Extract<Invocation, { status: 'invoked' }>,
  mutating: boolean,
): Promise<WebhookAnswer> {
  const { name, failurePolicy, spec } = webhook;
  if (attributes.dryRun && spec.sideEffects !== 'None' && spec.sideEffects !== 'NoneOnDryRun')
    return { status: 'refused', error: dryRunUnsupported(name) };
  const leftMs = attributes.timeLeftMs();
  if (leftMs <= 0) return { status: 'refused', error: requestTimeout() };
  const outcome = await call(asker, webhook, attributes, invocation, mutating, Math.min(webhook.timeoutMs, leftMs));
  if ('failure' in outcome)
    return failurePolicy === 'Ignore'
      ? { status: 'ignored' }
      : { status: 'refused', error: failedCalling(name, outcome.failure) };
  const { response, operations } = outcome;
  for (const warning of response.warnings) attributes.warn(warning);
  for (const [key, value] of Object.entries(response.auditAnnotations)) attributes.annotate?.(`${name}/${key}`, value);
  if (!response.allowed) return { status: 'refused', error: denial(name, response.result) };
  return operations.length === 0 ? { status: 'allowed' } : { status: 'allowed', operations };
}

type CallOutcome =
  | { readonly failure: string }
  | { readonly response: Extract<AdmissionResponse, { status: 'valid' }>; readonly operations: readonly unknown[] };

async function call(
  asker: WebhookAsker,
  { spec }: Webhook,
  attributes: AdmissionAttributes,
  { match, objects }: Extract<Invocation, { status: 'invoked' }>,
  mutating: boolean,
  timeoutMs: number,
): Promise<CallOutcome> {
  const uid = asker.ids.uid();
  const version = reviewVersionOf(spec.admissionReviewVersions);
  const review = encodeReview(version, uid, attributes, match, objects);
  const answer = await callWebhook(asker, spec.clientConfig, review, {
    timeoutMs,
    tellsTimeout: true,
    budget: attributes.budget,
  });
  if (answer.status === 'failed') return { failure: `failed to call webhook: ${answer.why}` };
  const response = decodeReview(answer.review, uid, version, mutating);
  if (response.status === 'invalid') return { failure: `received invalid webhook response: ${response.why}` };
  const operations = response.allowed ? decodePatch(response) : [];
  return typeof operations === 'string' ? { failure: operations } : { response, operations };
}

/** Returns the operations of a patch, or why the text is not a patch. */
function decodePatch({
  patch,
  patchType,
}: Extract<AdmissionResponse, { status: 'valid' }>): readonly unknown[] | string {
  if (patch === '') return [];
  let operations: unknown;
  const text = Buffer.from(patch, 'base64').toString('utf8');
  if (isTooDeep(text)) return 'received undecodable patch in webhook response: exceeded max depth';
  try {
    operations = JSON.parse(text);
  } catch (error) {
    return `received undecodable patch in webhook response: ${(error as Error).message}`;
  }
  if (operations === null) return [];
  if (!Array.isArray(operations))
    return 'received undecodable patch in webhook response: json: cannot unmarshal object into Go value of type jsonpatch.Patch';
  if (operations.length > 0 && patchType !== 'JSONPatch') return `unsupported patch type ${goQuote(patchType)}`;
  return operations;
}
