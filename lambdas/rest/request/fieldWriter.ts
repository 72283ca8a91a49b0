import { allFields, exceptFields, type FieldFilter, onlyFields } from '../../registry/fieldmanager/fieldFilter.ts';
import {
  AwaitedConversions,
  type ConvertObject,
} from '../../registry/customresources/conversion/AwaitedConversions.ts';
import { FieldSet } from '../../registry/fieldmanager/FieldSet.ts';
import { fieldElement } from '../../registry/fieldmanager/pathElement.ts';
import { type FieldTracker, updateTracker } from '../../registry/fieldmanager/FieldTracker.ts';
import type { FieldWriter } from '../../registry/fieldmanager/trackUpdate.ts';
import { MAX_FIELD_MANAGER_BYTES, UNPRINTABLE } from '../../registry/fieldmanager/validateManagedFields.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { RequestBudget } from '../../objects/RequestBudget.ts';
import { formatTime } from '../../ports/Clock.ts';
import { toServedVersion } from '../convertObject.ts';
import type { ServedResource } from '../ServedGroup.ts';
import { objectVersionsOf } from '../schema/objectVersions.ts';
import type { ResourceRequest } from './ResourceRequest.ts';

/** Who makes this request, as managedFields name it. `fieldManager` is the request's option; without it, the User-Agent names the manager. */
export function fieldWriterOf(request: ResourceRequest, fieldManager: string): FieldWriter {
  const { resource, info, dependencies, raw } = request;
  const conversions = awaitedConversions(request);
  return {
    manager: fieldManager || managerOf(raw.headers.get('user-agent') ?? '') || 'unknown',
    apiVersion: resource.apiVersion,
    ...storageOf(resource),
    kind: resource.entry.kind,
    subresource: info.subresource,
    versions: objectVersionsOf(resource.entry, conversions),
    ...(conversions && { settle: (decide) => conversions.settle(decide) }),
    filter: fieldFilterOf(request),
    time: formatTime(dependencies.clock.now()),
  };
}

/** For a custom resource whose versions a webhook converts. */
function awaitedConversions({ resource, dependencies, budget }: ResourceRequest): AwaitedConversions | undefined {
  const conversion = resource.entry.custom?.conversion;
  const { conversions } = dependencies;
  if (!conversion || !conversions) return undefined;
  const convert: ConvertObject = async (object, apiVersion) => {
    const [converted] = await conversions.convert(conversion, [object], apiVersion, budget);
    return converted ?? object;
  };
  return new AwaitedConversions(convert, resource.storageApiVersion);
}

/** Built-in kinds are converted between versions. A custom object is read in the version of the request, which drops what that version does not know. */
function storageOf(resource: ServedResource): Pick<FieldWriter, 'storageApiVersion' | 'readStored'> {
  const { entry, apiVersion, storageApiVersion } = resource;
  if (!entry.custom || apiVersion === storageApiVersion) return { storageApiVersion };
  return {
    storageApiVersion: apiVersion,
    readStored: (object) => toServedVersion(resource, object as KubernetesObject),
  };
}

/** Tracks what a create, an update or a patch changes. */
export function trackerOf(request: ResourceRequest, fieldManager: string): FieldTracker {
  const tracker = updateTracker(fieldWriterOf(request, fieldManager));
  return {
    ...tracker,
    managedFields(write) {
      spendOnOwners(request.budget, write.live, write.draft, write.given);
      return tracker.managedFields(write);
    },
  };
}

/** The steps of comparing one value, or one field that is owned, before and after a write. */
const STEPS_PER_VALUE = 5;

/** Takes what it takes to decide who owns the fields of these objects; owners are part of a stored one. */
export function spendOnOwners(budget: RequestBudget, ...compared: readonly unknown[]): void {
  for (const object of compared) if (object !== undefined) budget.spendOnEach(object, STEPS_PER_VALUE);
}

const exceptStatus = exceptFields(FieldSet.of(['f:status']));

/** The fields that the request can change: not the status, if it has a subresource of its own, and through a subresource only its part of the object. */
function fieldFilterOf({ info, resource }: ResourceRequest): FieldFilter {
  const { strategy, status } = resource.entry;
  if (info.subresource === 'status' || info.subresource === 'approval') {
    const kept = ['spec', ...(strategy.keptByStatus ?? [])];
    return exceptFields(FieldSet.of(...kept.map((path) => path.split('.').map(fieldElement))));
  }
  const part = strategy.parts?.[info.subresource];
  if (part) return onlyFields(part.fields);
  return info.subresource === '' && status === true ? exceptStatus : allFields;
}

/** The manager's name for a client that gives none: the User-Agent up to the first slash, without what cannot be printed. */
function managerOf(userAgent: string): string {
  let name = '';
  for (const character of userAgent.split('/', 1)[0] ?? '') {
    if (UNPRINTABLE.test(character)) continue;
    if (Buffer.byteLength(name + character) > MAX_FIELD_MANAGER_BYTES) break;
    name += character;
  }
  return name;
}
