import { fieldErrorMessage } from '../../../objects/FieldError.ts';
import { goQuote } from '../../../objects/go/goQuote.ts';
import { cloneJson, isObject } from '../../../objects/json.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import { validateAnnotations, validateLabels } from '../../validation/validateLabels.ts';

const GROUP = 'apiextensions.k8s.io';

/** The ConversionReview that a webhook is asked with, in the first version that it wants and this server knows. Pure. */
export function encodeConversionReview(
  wanted: readonly string[],
  uid: string,
  desiredAPIVersion: string,
  objects: readonly object[],
): object {
  return {
    kind: 'ConversionReview',
    apiVersion: `${GROUP}/${reviewVersionOf(wanted)}`,
    request: { uid, desiredAPIVersion, objects },
  };
}

/** Validation makes sure that there is one. */
function reviewVersionOf(wanted: readonly string[]): string {
  return wanted.find((version) => version === 'v1' || version === 'v1beta1') ?? 'v1';
}

export type ConvertedObjects =
  | { readonly status: 'converted'; readonly objects: readonly unknown[] }
  | { readonly status: 'failed'; readonly why: string };

/** Reads the review that a webhook answered, as upstream's `getConvertedObjectsFromResponse`. Pure. */
export function decodeConversionReview(
  { apiVersion, kind, response }: Readonly<Record<string, unknown>>,
  wanted: readonly string[],
  uid: string,
): ConvertedObjects {
  // Answers in v1beta1 were never checked for their kind and their UID.
  const isStrict = reviewVersionOf(wanted) === 'v1';
  if (isStrict && (apiVersion !== `${GROUP}/v1` || kind !== 'ConversionReview'))
    return failed(
      `expected webhook response of ${GROUP}/v1, Kind=ConversionReview, got ${textOf(apiVersion)}, Kind=${textOf(kind)}`,
    );
  if (!isObject(response)) return failed('no response provided');
  if (isStrict && response['uid'] !== uid)
    return failed(`expected response.uid=${goQuote(uid)}, got ${goQuote(textOf(response['uid']))}`);
  const result = isObject(response['result']) ? response['result'] : {};
  if (result['status'] !== 'Success')
    return failed(
      textOf(result['message']) || `response.result.status was '${textOf(result['status'])}', not 'Success'`,
    );
  const { convertedObjects } = response;
  return { status: 'converted', objects: Array.isArray(convertedObjects) ? convertedObjects : [] };
}

function failed(why: string): ConvertedObjects {
  return { status: 'failed', why };
}

export type CheckedObject =
  | { readonly status: 'valid'; readonly object: KubernetesObject }
  | { readonly status: 'invalid'; readonly why: string };

/**
 * Checks an object that a webhook has converted, as upstream's `validateConvertedObject` and `restoreObjectMeta`: it is still the same object. Of its metadata, only labels and
 * annotations are taken. Pure.
 */
export function checkConverted(
  original: KubernetesObject,
  converted: unknown,
  apiVersion: string,
  index: number,
): CheckedObject {
  const given = isObject(converted) ? converted : {};
  const received = textOf(given['apiVersion']);
  if (received !== apiVersion)
    return invalid(`object at index ${index}: invalid groupVersion (expected ${apiVersion}, received ${received})`);
  const kind = textOf(given['kind']);
  if (kind !== original.kind)
    return invalid(`object at index ${index}: invalid kind (expected ${original.kind}, received ${kind})`);
  const { metadata } = given;
  if (!isObject(metadata)) return invalid('metadata: missing metadata in converted object');
  const different = IDENTITY.find(([, member]) => textOf(metadata[member]) !== textOf(original.metadata[member]));
  if (different) {
    const [name, member] = different;
    return invalid(
      `object: must have the same ${name}: ${textOf(original.metadata[member])} != ${textOf(metadata[member])}`,
    );
  }
  const problem = MAPS.map((member) => mapProblem(original, metadata, member)).find((one) => one !== undefined);
  if (problem !== undefined) return invalid(`metadata: ${problem}`);
  return {
    status: 'valid',
    object: { ...given, metadata: restored(original, metadata) } as unknown as KubernetesObject,
  };
}

const IDENTITY = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['UID', 'uid'],
] as const;
const MAPS = ['labels', 'annotations'] as const;

function invalid(why: string): CheckedObject {
  return { status: 'invalid', why };
}

function mapProblem(
  { metadata: original }: KubernetesObject,
  metadata: Readonly<Record<string, unknown>>,
  member: (typeof MAPS)[number],
): string | undefined {
  const map = metadata[member] ?? undefined;
  if (map === undefined) return undefined;
  if (!isObject(map)) return `invalid metadata.${member} of type ${typeof map} in converted object`;
  const wrong = Object.entries(map).find(([, value]) => typeof value !== 'string');
  if (wrong) return `metadata.${member}[${wrong[0]}] must be a string, but is ${typeof wrong[1]} in converted object`;
  // What was there before may be older than the rules.
  if (JSON.stringify(original[member] ?? {}) === JSON.stringify(map)) return undefined;
  const errors =
    member === 'labels' ? validateLabels(map, 'metadata.labels') : validateAnnotations(map, 'metadata.annotations');
  return errors.length === 0 ? undefined : errors.map(fieldErrorMessage).join(', ');
}

function restored({ metadata }: KubernetesObject, converted: Readonly<Record<string, unknown>>): object {
  const { labels: _labels, annotations: _annotations, ...kept } = metadata;
  const maps = MAPS.flatMap((member) => (isObject(converted[member]) ? [[member, converted[member]]] : []));
  return { ...cloneJson(kept), ...Object.fromEntries(maps) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
