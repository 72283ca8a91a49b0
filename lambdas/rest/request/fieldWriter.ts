import { FieldSet } from '../../registry/fieldmanager/FieldSet.ts';
import { fieldElement } from '../../registry/fieldmanager/pathElement.ts';
import { type FieldTracker, updateTracker } from '../../registry/fieldmanager/FieldTracker.ts';
import type { FieldWriter } from '../../registry/fieldmanager/trackUpdate.ts';
import { formatTime } from '../../ports/Clock.ts';
import { objectVersionsOf } from '../schema/objectVersions.ts';
import type { ResourceRequest } from './ResourceRequest.ts';
import { MAX_FIELD_MANAGER_BYTES, UNPRINTABLE } from './writeOptions.ts';

/** Who makes this request, as managedFields name it. `fieldManager` is the request's option; without it, the User-Agent names the manager. */
export function fieldWriterOf(request: ResourceRequest, fieldManager: string): FieldWriter {
  const { resource, info, dependencies, raw } = request;
  return {
    manager: fieldManager || managerOf(raw.headers.get('user-agent') ?? '') || 'unknown',
    apiVersion: resource.apiVersion,
    storageApiVersion: resource.storageApiVersion,
    kind: resource.entry.kind,
    subresource: info.subresource,
    versions: objectVersionsOf(resource.entry),
    ignored: ignoredFields(request),
    time: formatTime(dependencies.clock.now()),
  };
}

/** Tracks what a create, an update or a patch changes. */
export function trackerOf(request: ResourceRequest, fieldManager: string): FieldTracker {
  return updateTracker(fieldWriterOf(request, fieldManager));
}

const STATUS = FieldSet.of(['f:status']);
const NONE = new FieldSet();

/** The fields that the request cannot change: the status, if it has a subresource of its own, and everything else through that subresource. */
function ignoredFields({ info, resource }: ResourceRequest): FieldSet {
  if (info.subresource === 'status' || info.subresource === 'approval') {
    const kept = ['spec', ...(resource.entry.strategy.keptByStatus ?? [])];
    return FieldSet.of(...kept.map((path) => path.split('.').map(fieldElement)));
  }
  return info.subresource === '' && resource.entry.status === true ? STATUS : NONE;
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
