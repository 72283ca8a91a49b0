import { type AttributeValue, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { GroupResource } from '../../../objects/ObjectKey.ts';
import type { DynamoDbCalls } from '../DynamoDbCalls.ts';
import { KnownNamespaces } from './KnownNamespaces.ts';
import {
  assertKnownFormat,
  indexedResource,
  isInIndex,
  isLive,
  keyOfItem,
  type ObjectItem,
  versionOf,
} from './objectItem.ts';
import type { TableNames } from '../tables.ts';
import { VersionCounter } from '../VersionCounter.ts';

/**
 * How far the counters are raised above the objects. Clients remember versions that were drawn after the copy was taken. In the new numbers those are long past, so their watches expire and they list
 * again.
 */
const RESTORE_GAP = 1_000_000_000;

/** The key of the last item that was read, as JSON. */
export type SurveyPlace = string;

export interface SurveyParts {
  readonly calls: DynamoDbCalls;
  readonly tables: Omit<TableNames, 'log'>;
}

/**
 * Makes restored tables fit each other, whatever their ages: reads every item of the objects table, registers its namespace and whether that has indexed pods, and raises its resource's counter above all versions. Goes on while
 * `mayGoOn`; resolves to the place where it stopped, or `undefined` at the end. Costs half a read unit for every 4 KB, and one write unit for each resource. Throws if a newer
 * release wrote an object.
 */
export async function surveyObjects(
  { calls, tables }: SurveyParts,
  from: SurveyPlace | undefined,
  mayGoOn: () => boolean,
): Promise<SurveyPlace | undefined> {
  const namespaces = new KnownNamespaces(calls, tables);
  const versions = new VersionCounter(calls, tables.versions);
  const highest = new Map<GroupResource, number>();
  let place = from;
  do {
    if (!mayGoOn()) break;
    const scan = new ScanCommand({
      TableName: tables.objects,
      ProjectionExpression: 'place, #name, #format, version, uid, controller, coOwned, selects',
      ExpressionAttributeNames: { '#name': 'name', '#format': 'format' },
      ...(place !== undefined && { ExclusiveStartKey: JSON.parse(place) as Record<string, AttributeValue> }),
    });
    const { Items = [], LastEvaluatedKey } = await calls.send((client) => client.send(scan));
    for (const item of Items) await note(namespaces, highest, item);
    place = LastEvaluatedKey && JSON.stringify(LastEvaluatedKey);
  } while (place !== undefined);
  for (const [resource, version] of highest) await versions.raise(resource, version + RESTORE_GAP);
  return place;
}

async function note(namespaces: KnownNamespaces, highest: Map<GroupResource, number>, item: ObjectItem): Promise<void> {
  const key = keyOfItem(item);
  // What has no version holds no object, now or earlier.
  if (!key || versionOf(item) === 0) return;
  assertKnownFormat(item);
  highest.set(key.resource, Math.max(highest.get(key.resource) ?? 0, versionOf(item)));
  if (!isLive(item)) return;
  await namespaces.register(key.resource, key.namespace);
  const indexed = isInIndex(item) ? indexedResource(key.resource) : undefined;
  if (indexed !== undefined) await namespaces.register(indexed, key.namespace);
}
