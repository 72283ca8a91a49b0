import type { ContainerResizePolicy, ResourceClaim, ResourceRequirements } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { isDns1123Label } from '../../../objects/nameFormats.ts';
import {
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  QUANTITY_FORMAT_MESSAGE,
} from '../../../objects/quantities/quantity.ts';
import { type Check, given, itemsByKey, repeated, requiredEnum } from '../checks.ts';
import { duplicate, forbidden, invalid, invalidEach, notFound, required } from '../fieldErrors.ts';
import { fieldsOf, isPresent, itemsOf, textOf } from '../fieldsOf.ts';
import {
  isExtendedResource,
  isHugePages,
  isOvercommitAllowed,
  validateContainerResourceName,
} from '../resourceNames.ts';

/** Validates the requests and limits of one container. `claimNames` are the pod's resource claims. */
export function validateResources(resources: unknown, claimNames: ReadonlySet<string>, path: string): FieldError[] {
  const { claims } = fieldsOf<ResourceRequirements>(resources);
  return [
    ...validateRequirements(resources, validateContainerResourceName, path),
    ...validateClaims(claims, claimNames, `${path}.claims`),
  ];
}

type ValidateName = (name: string, path: string) => FieldError[];

/** Validates requests and limits, of resources with names that `validateName` lets in. */
export function validateRequirements(resources: unknown, validateName: ValidateName, path: string): FieldError[] {
  const { limits, requests } = fieldsOf<ResourceRequirements>(resources);
  const [limitEntries, requestEntries] = [quantityEntries(limits), quantityEntries(requests)];
  const limitOf = new Map(limitEntries);
  return [
    ...limitEntries.flatMap(([name, limit]) => [
      ...validateQuantity(name, limit, validateName, `${path}.limits[${name}]`),
      ...validateHugePages(name, limit, `${path}.limits[${name}]`),
    ]),
    ...requestEntries.flatMap(([name, request]) => [
      ...validateQuantity(name, request, validateName, `${path}.requests[${name}]`),
      ...validateAgainstLimit(name, request, limitOf, path),
      ...validateHugePages(name, request, `${path}.requests[${name}]`),
    ]),
    ...validateHugePagesCompanions([...limitEntries, ...requestEntries], path),
  ];
}

/** Validates the overhead of a pod's sandbox, in addition to its containers. */
export function validateOverhead(overhead: unknown, path: string): FieldError[] {
  return isPresent(overhead) ? validateResources({ limits: overhead }, new Set(), path) : [];
}

/** Returns the entries of a resource list; `undefined` for a value that is not a quantity. */
function quantityEntries(list: unknown): [string, Quantity | undefined][] {
  const entries = Object.entries(fieldsOf<Record<string, unknown>>(list));
  return entries.map(([name, value]) => [name, parseQuantity(value)]);
}

function validateQuantity(
  name: string,
  quantity: Quantity | undefined,
  validateName: ValidateName,
  path: string,
): FieldError[] {
  if (quantity === undefined) return [invalid(path, name, QUANTITY_FORMAT_MESSAGE)];
  return [...validateName(name, path), ...validateQuantityValue(name, quantity, path)];
}

/** Refuses negative amounts, and fractions of extended resources. */
export function validateQuantityValue(name: string, quantity: Quantity, path: string): FieldError[] {
  const text = formatQuantity(quantity);
  return [
    ...(quantity.nanos < 0n ? [invalid(path, text, 'must be greater than or equal to 0')] : []),
    ...(isExtendedResource(name) && quantity.nanos % 1_000_000_000n !== 0n
      ? [invalid(path, text, 'must be an integer')]
      : []),
  ];
}

function validateAgainstLimit(
  name: string,
  request: Quantity | undefined,
  limits: ReadonlyMap<string, Quantity | undefined>,
  path: string,
): FieldError[] {
  const limit = limits.get(name);
  if (request === undefined || (limit === undefined && limits.has(name))) return [];
  if (limit === undefined) {
    const missing = 'Limit must be set for non overcommitable resources';
    return isOvercommitAllowed(name) ? [] : [required(`${path}.limits`, missing)];
  }
  const order = compareQuantities(request, limit);
  const [asked, allowed] = [formatQuantity(request), formatQuantity(limit)];
  if (order !== 0 && !isOvercommitAllowed(name)) {
    return [invalid(`${path}.requests`, asked, `must be equal to ${name} limit of ${allowed}`)];
  }
  return order > 0
    ? [invalid(`${path}.requests`, asked, `must be less than or equal to ${name} limit of ${allowed}`)]
    : [];
}

function validateHugePages(name: string, quantity: Quantity | undefined, path: string): FieldError[] {
  if (quantity === undefined || !isHugePages(name)) return [];
  const page = parseQuantity(name.slice('hugepages-'.length));
  if (page !== undefined && page.nanos > 0n && quantity.nanos % page.nanos === 0n) return [];
  const text = formatQuantity(quantity);
  return [invalid(path, text, `${text} is not positive integer multiple of ${name}`)];
}

function validateHugePagesCompanions(entries: readonly [string, unknown][], path: string): FieldError[] {
  const names = entries.map(([name]) => name);
  const alone = names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory');
  return alone ? [forbidden(path, 'HugePages require cpu or memory')] : [];
}

/** Validates the claims of a container: only claims of the pod, each once, as a whole or by request. */
function validateClaims(claims: unknown, claimNames: ReadonlySet<string>, path: string): FieldError[] {
  const seen = new Set<string>();
  return itemsOf<ResourceClaim & { request: string }>(claims).flatMap((claim, index) => {
    const [name, request] = [textOf(claim.name), textOf(claim.request)];
    const claimPath = `${path}[${index}]`;
    if (name === '') return [required(claimPath)];
    return [
      ...validateClaimUse(name, request, seen, claimPath),
      ...(claimNames.has(name) ? [] : [unknownClaim(name, claimNames, claimPath)]),
    ];
  });
}

function validateClaimUse(name: string, request: string, seen: Set<string>, path: string): FieldError[] {
  if (seen.has(name)) return [duplicate(path, name)];
  const key = request === '' ? name : `${name}/${request}`;
  const overlaps = request === '' ? [...seen].filter((other) => other.startsWith(`${name}/`)) : [];
  const isTaken = seen.has(key);
  seen.add(key);
  return [
    ...(request === '' ? [] : invalidEach(`${path}.request`, request, isDns1123Label(request))),
    ...(isTaken ? [duplicate(path, key)] : overlaps.map(() => duplicate(path, name))),
  ];
}

function unknownClaim(name: string, claimNames: ReadonlySet<string>, path: string): FieldError {
  const known = claimNames.size === 0 ? ' which is empty' : `: ${[...claimNames].sort().join(', ')}`;
  return { ...notFound(path, name), detail: `must be one of the names in pod.spec.resourceClaims${known}` };
}

/** The policies for resizing a container in place. As in Kubernetes, most errors name the list and not the item. */
export function validateResizePolicy(podRestartPolicy: string): Check {
  const resourceName = requiredEnum('cpu', 'memory');
  const restart = requiredEnum('NotRequired', 'RestartContainer');
  return (policies, path) =>
    itemsByKey(
      (policy) => textOf(policy['resourceName']),
      (isTaken) =>
        given<ContainerResizePolicy>((policy) => (_, at) => [
          ...(isTaken ? repeated(policy.resourceName, at) : []),
          ...resourceName(policy.resourceName, path),
          ...restart(policy.restartPolicy, path),
          ...(podRestartPolicy === 'Never' && policy.restartPolicy !== 'NotRequired'
            ? [invalid(path, textOf(policy.restartPolicy), "must be 'NotRequired' when `restartPolicy` is 'Never'")]
            : []),
        ]),
    )(policies, path);
}
