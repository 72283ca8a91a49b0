import type { StatusDetails } from '../../../objects/ApiError.ts';
import { goQuote } from '../../../objects/go/goQuote.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import { isObject } from '../../../objects/json.ts';
import type { AdmissionAttributes } from '../dynamic/AdmissionAttributes.ts';
import { admissionRequest } from '../policies/admissionRequest.ts';
import type { Match } from '../policies/matchRequest.ts';

/** What a webhook says of a refusal: a `metav1.Status`. */
export interface WebhookStatus {
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: StatusDetails;
}

/** The response in a review, in the form of admission.k8s.io/v1. */
export type AdmissionResponse =
  | {
      readonly status: 'valid';
      readonly allowed: boolean;
      /** A JSON patch, as the webhook encoded it: the base64 of its JSON. `''`: none. */
      readonly patch: string;
      readonly patchType: string;
      readonly result: WebhookStatus;
      readonly warnings: readonly string[];
      /** What it says for the audit log. */
      readonly auditAnnotations: Readonly<Record<string, string>>;
    }
  | { readonly status: 'invalid'; readonly why: string };

/** The objects of a request, in the version in which a webhook wants them. */
export interface ReviewedObjects {
  readonly object: KubernetesObject | undefined;
  readonly oldObject: KubernetesObject | undefined;
}

type ReviewVersion = 'v1' | 'v1beta1';

/** The first version of reviews that both the webhook and this server know. Validation makes sure that there is one. Pure. */
export function reviewVersionOf(wanted: readonly string[]): ReviewVersion {
  return wanted.find((version): version is ReviewVersion => version === 'v1' || version === 'v1beta1') ?? 'v1';
}

/** The AdmissionReview that a webhook is asked with. Pure. */
export function encodeReview(
  version: ReviewVersion,
  uid: string,
  attributes: AdmissionAttributes,
  match: Match,
  { object = null, oldObject = null }: { readonly [K in keyof ReviewedObjects]: ReviewedObjects[K] | null },
): object {
  const { options, ...request } = admissionRequest(attributes, match);
  return {
    kind: 'AdmissionReview',
    apiVersion: `admission.k8s.io/${version}`,
    request: { uid, ...request, object, oldObject, dryRun: attributes.dryRun, options },
  };
}

/** Reads the review that a webhook answered, as Kubernetes' `VerifyAdmissionResponse`. Pure. */
export function decodeReview(
  review: Readonly<Record<string, unknown>>,
  uid: string,
  version: ReviewVersion,
  mutating: boolean,
): AdmissionResponse {
  const { response } = review;
  const problem = version === 'v1' ? reviewProblem(review, uid) : isObject(response) ? undefined : ABSENT;
  if (problem !== undefined || !isObject(response)) return { status: 'invalid', why: problem ?? ABSENT };
  const { allowed, status, warnings, patch = '' } = response;
  const givenType = response['patchType'] ?? undefined;
  const patchType = version === 'v1beta1' && givenType === undefined && patch ? 'JSONPatch' : givenType;
  const patchProblem = mutating ? mutatingProblem(patch, patchType) : validatingProblem(patch, givenType);
  if (patchProblem !== undefined) return { status: 'invalid', why: patchProblem };
  return {
    status: 'valid',
    allowed: allowed === true,
    patch: textOf(patch),
    patchType: textOf(patchType),
    result: isObject(status) ? statusOf(status) : {},
    warnings: Array.isArray(warnings) ? warnings.filter((one) => typeof one === 'string') : [],
    auditAnnotations: textsOf(response['auditAnnotations']),
  };
}

const ABSENT = 'webhook response was absent';

function reviewProblem(
  { apiVersion, kind, response }: Readonly<Record<string, unknown>>,
  uid: string,
): string | undefined {
  if (!isObject(response)) return ABSENT;
  const given = textOf(response['uid']);
  if (given !== uid) return `expected response.uid=${goQuote(uid)}, got ${goQuote(given)}`;
  if (apiVersion === 'admission.k8s.io/v1' && kind === 'AdmissionReview') return undefined;
  return `expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got ${textOf(apiVersion)}, Kind=${textOf(kind)}`;
}

function mutatingProblem(patch: unknown, patchType: unknown): string | undefined {
  const hasPatch = textOf(patch) !== '';
  if (hasPatch && patchType === undefined) return 'webhook returned response.patch but not response.patchType';
  if (!hasPatch && patchType !== undefined) return 'webhook returned response.patchType but not response.patch';
  return patchType === '' ? 'webhook returned invalid response.patchType of ""' : undefined;
}

function validatingProblem(patch: unknown, patchType: unknown): string | undefined {
  if (textOf(patch) !== '') return 'validating webhook may not return response.patch';
  return patchType === undefined ? undefined : 'validating webhook may not return response.patchType';
}

/** What can be shown of a status: members of a wrong type are left out. */
function statusOf({ code, reason, message, details }: Readonly<Record<string, unknown>>): WebhookStatus {
  return {
    ...(typeof code === 'number' && Number.isInteger(code) && code < 600 && { code }),
    ...(typeof reason === 'string' && { reason }),
    ...(typeof message === 'string' && { message }),
    ...(isObject(details) && { details }),
  };
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, text]) => (typeof text === 'string' ? [[key, text]] : [])),
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
