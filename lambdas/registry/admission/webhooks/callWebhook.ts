import type { WebhookClientConfig } from 'kubernetes-types/admissionregistration/v1.js';
import { isTooDeep } from '../../../objects/isTooDeep.ts';
import type { RequestBudget } from '../../../objects/RequestBudget.ts';
import type { WebhookCaller, WebhookTarget } from '../../../ports/WebhookCaller.ts';

/** The addresses of services that webhooks name: by `namespace/name`, as `127.0.0.1:9443`. */
type WebhookServices = Readonly<Record<string, string>>;

/** Where a webhook is; or its URL and why it cannot be reached. */
type FoundTarget =
  | { readonly status: 'found'; readonly target: WebhookTarget }
  | { readonly status: 'unreachable'; readonly url: string; readonly why: string };

const HTTPS_PORT = 443;

/** What webhooks are called with. */
export interface WebhookCalls {
  readonly caller: WebhookCaller;
  readonly services: WebhookServices;
}

/** The JSON that a webhook answered, or why it did not, in the words of client-go. */
export type ReviewAnswer =
  | { readonly status: 'answered'; readonly review: Readonly<Record<string, unknown>> }
  | { readonly status: 'failed'; readonly why: string };

export interface CallOptions {
  readonly timeoutMs: number;
  /** The URL says how long the server waits. */
  readonly tellsTimeout: boolean;
  /** What the request may take that the answer is for. Absent: the answer is for stored objects, and grows with them. */
  readonly budget?: RequestBudget;
}

/** Posts a review to a webhook. Resolves at the latest after `timeoutMs`. Rejects only with BudgetExhaustedError. */
export async function callWebhook(
  { caller, services }: WebhookCalls,
  config: WebhookClientConfig,
  review: object,
  { timeoutMs, tellsTimeout, budget }: CallOptions,
): Promise<ReviewAnswer> {
  const found = webhookTarget(config, services, tellsTimeout ? timeoutMs : undefined);
  if (found.status === 'unreachable') return failed(`Post "${found.url}": ${found.why}`);
  const question = JSON.stringify(review);
  const answer = await caller.post(found.target, question, timeoutMs);
  if (answer.status === 'failed') return failed(`Post "${found.target.url}": ${answer.why}`);
  if (answer.code < 200 || answer.code > 206) return failed(refusedCall(answer.code, answer.body));
  // The objects that were sent have been counted before.
  budget?.keep(Math.max(0, answer.body.length - question.length));
  budget?.spend(answer.body.length / CHARACTERS_PER_STEP);
  return parseReview(answer.body);
}

/** How many characters of an answer are read in one step. */
const CHARACTERS_PER_STEP = 10;

function failed(why: string): ReviewAnswer {
  return { status: 'failed', why };
}

function parseReview(body: string): ReviewAnswer {
  const noKind = "couldn't get version/kind; json parse error: ";
  if (isTooDeep(body)) return failed(`${noKind}exceeded max depth`);
  try {
    const review: unknown = JSON.parse(body);
    if (typeof review === 'object' && review !== null && !Array.isArray(review))
      return { status: 'answered', review: review as Readonly<Record<string, unknown>> };
    return failed(`${noKind}json: cannot unmarshal ${Array.isArray(review) ? 'array' : typeof review} into Go value`);
  } catch (error) {
    return failed(body === '' ? `${noKind}unexpected end of JSON input` : `${noKind}${(error as Error).message}`);
  }
}

/** What client-go says of an answer with an error code: the generic words of each, as no webhook answers with a Status. */
const REFUSALS: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  403: 'the server does not allow access to the requested resource',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  406: 'the server was unable to respond with a content type that the client supports',
  415: 'the body of the request was in an unknown format',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};
const MAX_QUOTED_CHARACTERS = 2048;

function refusedCall(code: number, body: string): string {
  const text = body.trim().slice(0, MAX_QUOTED_CHARACTERS);
  const known = REFUSALS[code];
  if (known !== undefined) return known;
  if (code < 500) return `the server responded with the status code ${code} but did not return more information`;
  return `an error on the server (${JSON.stringify(text === '' ? 'unknown' : text)}) has prevented the request from succeeding`;
}

/**
 * Finds the server of a webhook. A service has no address of its own here, since no network leads to simulated pods: an option gives it one. `timeoutMs`, if given, is told to
 * the webhook in the URL, as Kubernetes does. Pure.
 */
function webhookTarget(
  { url, service, caBundle }: WebhookClientConfig,
  services: WebhookServices,
  timeoutMs?: number,
): FoundTarget {
  const trusted = caBundle ? { caBundle: Buffer.from(caBundle, 'base64').toString('utf8') } : {};
  const query = timeoutMs === undefined ? '' : `?timeout=${Math.ceil(timeoutMs / 1000)}s`;
  if (!service) return { status: 'found', target: { url: `${url ?? ''}${query}`, ...trusted } };
  const { name, namespace, path = '', port = HTTPS_PORT } = service;
  const place = `https://${name}.${namespace}.svc:${port}${path === '' || path.startsWith('/') ? path : `/${path}`}`;
  const address = Object.hasOwn(services, `${namespace}/${name}`) ? services[`${namespace}/${name}`] : undefined;
  if (address === undefined)
    return {
      status: 'unreachable',
      url: `${place}${query}`,
      why: `no endpoints available for service ${JSON.stringify(name)}`,
    };
  return { status: 'found', target: { url: `${place}${query}`, address, ...trusted } };
}
