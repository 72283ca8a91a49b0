import type { FunctionName } from '../topology.ts';
import type { Caller, Grant } from './grants/Grant.ts';

const OBJECT_TABLE = 'lambdas/adapters/aws/objects/ObjectTable.ts';
const OBJECT_QUERIES = 'lambdas/adapters/aws/objects/ObjectQueries.ts';
const KNOWN_NAMESPACES = 'lambdas/adapters/aws/objects/KnownNamespaces.ts';
const USED_RESOURCES = 'lambdas/adapters/aws/objects/UsedResources.ts';
const VERSION_COUNTER = 'lambdas/adapters/aws/VersionCounter.ts';
const SIGNING_KEYS = 'lambdas/adapters/aws/DynamoDbSigningKeys.ts';
const LOG_TABLE = 'lambdas/adapters/aws/log/LogTable.ts';
const LOG_PARTS = 'lambdas/adapters/aws/log/LogParts.ts';
const REQUEST_LIMITS = 'lambdas/adapters/aws/limits/DynamoDbRequestLimits.ts';
const WATCHED_LOGS = 'lambdas/adapters/aws/log/WatchedLogs.ts';
const READ_STREAM_BATCH = 'lambdas/adapters/aws/log/readStreamBatch.ts';
const KEY_LOCKS = 'lambdas/adapters/aws/keys/DynamoDbKeyLocks.ts';
const INTENT_ITEMS = 'lambdas/adapters/aws/keys/IntentItems.ts';
const COMPLETED_RESTORES = 'lambdas/adapters/aws/objects/CompletedRestores.ts';
const WORK_QUEUE = 'lambdas/adapters/aws/queue/SqsWorkQueue.ts';

type TableTarget = Extract<
  Grant['on'],
  'objects' | 'objectIndexes' | 'versions' | 'namespaces' | 'log' | 'keys' | 'keyIndexes' | 'objectStream'
>;
type QueueTarget = Extract<Grant['on'], 'workQueue' | 'deadLetterQueue' | 'givenUpQueue'>;
type ActionOf<Service extends string> = Grant['actions'][number] extends infer Action
  ? Action extends `${Service}:${infer Name}`
    ? Name
    : never
  : never;

function table(action: ActionOf<'dynamodb'>, on: TableTarget, caller: Caller, why: string): Grant {
  return { actions: [`dynamodb:${action}`], on, caller, why };
}

function queue(action: ActionOf<'sqs'>, on: QueueTarget, caller: Caller, why: string): Grant {
  return { actions: [`sqs:${action}`], on, caller, why };
}

/** Lists are strong reads. `which`: the objects that the function reads, as a relative clause. */
function readObjects(which: string): readonly Grant[] {
  return [
    table('GetItem', 'objects', OBJECT_TABLE, `Reads single objects ${which}.`),
    table('Query', 'objects', OBJECT_QUERIES, `Lists objects ${which}.`),
    table('GetItem', 'namespaces', USED_RESOURCES, 'Asks which resources have objects. The others are not listed.'),
    table('Query', 'namespaces', KNOWN_NAMESPACES, 'Lists the namespaces that may hold objects of a resource.'),
    table('UpdateItem', 'namespaces', KNOWN_NAMESPACES, 'Marks a namespace that a list finds empty.'),
    table('DeleteItem', 'namespaces', KNOWN_NAMESPACES, 'Removes a namespace that has been empty for a day.'),
  ];
}

/** Controllers find objects by their owners, and owners by their selectors. */
const USE_INDEXES: readonly Grant[] = [
  table('Query', 'objectIndexes', OBJECT_QUERIES, 'Finds objects by their owner, and owners by their selector.'),
  table('BatchGetItem', 'objects', OBJECT_QUERIES, 'Reads the objects of which an index has only the keys.'),
  table('GetItem', 'namespaces', KNOWN_NAMESPACES, 'Asks whether a namespace has pods that only an index finds.'),
];

/** Writing an object draws a version and registers its namespace. Deleting an object is an update to a tombstone, so DeleteItem is not needed for that. */
const WRITE_OBJECTS: readonly Grant[] = [
  table('UpdateItem', 'objects', OBJECT_TABLE, 'Creates, changes and deletes objects: a deletion writes a tombstone.'),
  table('UpdateItem', 'versions', VERSION_COUNTER, 'Draws a version for each write.'),
  table('GetItem', 'namespaces', KNOWN_NAMESPACES, 'Asks whether the namespace of a new object is registered.'),
  table('UpdateItem', 'namespaces', KNOWN_NAMESPACES, 'Registers the namespace of a new object.'),
  table('UpdateItem', 'namespaces', USED_RESOURCES, 'Notes a resource before its first object is written.'),
];

const APPEND_TO_LOG: readonly Grant[] = [
  table('GetItem', 'log', LOG_TABLE, 'Reads the head of a log.'),
  table('Query', 'log', LOG_TABLE, 'Reads what was appended since.'),
  table('PutItem', 'log', LOG_TABLE, 'Appends a segment, and moves the head.'),
  table('GetItem', 'log', LOG_PARTS, 'Reads the parts of a segment that is too long for one item.'),
  table('PutItem', 'log', LOG_PARTS, 'Writes the parts of a segment that is too long for one item.'),
];

const DRAW_POSITION = table(
  'UpdateItem',
  'versions',
  VERSION_COUNTER,
  'Draws a version for a segment that has no newer one of its own.',
);

/** Kubelets get certificates from the cluster's authority, whose key lies beside the versions. Making the key is an update. */
const USE_AUTHORITY: readonly Grant[] = [
  {
    ...table('GetItem', 'versions', SIGNING_KEYS, 'Reads the key of the certificate authority.'),
    when: 'nodesJoin',
  },
  {
    ...table('UpdateItem', 'versions', SIGNING_KEYS, 'Keeps the key of the certificate authority when it is made.'),
    when: 'nodesJoin',
  },
];

/** For identities that are named after instances. */
export const ASK_FOR_INSTANCES = {
  actions: ['ec2:DescribeInstances'],
  on: 'everything',
  caller: 'lambdas/adapters/aws/Ec2InstanceNames.ts',
  why: 'Asks for the name of the instance that calls, which is the name of its node.',
  whyEverything: 'IAM cannot limit this action to some instances.',
} as const satisfies Grant;

const SEND_SPANS: Grant = {
  actions: ['xray:PutTraceSegments'],
  on: 'everything',
  caller: 'lambdas/adapters/aws/traces/XRaySpans.ts',
  why: 'Sends the spans of traces.',
  whyEverything: 'X-Ray has no resource for traces, so IAM cannot limit the action.',
  when: 'sampledTraces',
};

/**
 * What a function's own code does with the tables, the queues and EC2, by the function's name: `sync` runs the controllers. `serviceGrants` adds what Lambda needs. The roles of `lambdas/rest/rbac` are about
 * clients of the API.
 */
export const PERMISSIONS: Readonly<Record<FunctionName, readonly Grant[]>> = {
  api: [
    ...readObjects('that requests are about'),
    // It asks the controllers which keys a write concerns.
    ...USE_INDEXES,
    ...WRITE_OBJECTS,
    table('DeleteItem', 'objects', 'lambdas/adapters/aws/objects/dropTombstones.ts', 'A list deletes old tombstones.'),
    table('GetItem', 'versions', SIGNING_KEYS, 'Reads the key that signs the tokens of service accounts.'),
    table('UpdateItem', 'versions', SIGNING_KEYS, 'Keeps that key when it is made.'),
    table(
      'UpdateItem',
      'versions',
      'lambdas/adapters/aws/log/DynamoDbWatchSlots.ts',
      'Takes and frees the slot of a watch: they bound how many are answered at the same time.',
    ),
    table(
      'GetItem',
      'versions',
      'lambdas/adapters/aws/log/DynamoDbWatchSlots.ts',
      'Looks whether a watch still has its slot.',
    ),
    // A list appends a barrier to the log if `record` lags. A write is logged at once if somebody watches.
    ...APPEND_TO_LOG,
    DRAW_POSITION,
    table('GetItem', 'log', WATCHED_LOGS, 'Asks whether somebody watches a log.'),
    table('UpdateItem', 'log', WATCHED_LOGS, 'Marks the log of a watch as watched.'),
    {
      ...table('UpdateItem', 'log', REQUEST_LIMITS, 'Takes tokens for the requests of a user or a namespace.'),
      when: 'requestLimits',
    },
    queue('SendMessage', 'workQueue', WORK_QUEUE, 'Sends the keys of what a request has changed.'),
    table('GetItem', 'keys', KEY_LOCKS, 'Reads what an explanation says of a key.'),
    table('GetItem', 'keys', INTENT_ITEMS, 'Reads an intent for it that is too long for the item of its key.'),
    {
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      on: 'auditLog',
      caller: 'lambdas/adapters/aws/audit/CloudWatchAuditLog.ts',
      why: 'Writes audit events into a stream of the process.',
      when: 'audit',
    },
    SEND_SPANS,
    ...USE_AUTHORITY,
  ],
  authorize: [
    table('GetItem', 'versions', SIGNING_KEYS, 'Reads the key that signs the tokens of service accounts.'),
    { ...ASK_FOR_INSTANCES, when: 'namesInstances' },
  ],
  record: [
    ...APPEND_TO_LOG,
    DRAW_POSITION,
    queue(
      'SendMessage',
      'givenUpQueue',
      'lambdas/functions/requestResync.ts',
      'Asks `resync` for every key when a log begins anew, or its trigger may have missed changes.',
    ),
  ],
  enqueue: [
    ...readObjects('that say which keys a change concerns'),
    ...USE_INDEXES,
    table(
      'BatchGetItem',
      'keys',
      'lambdas/adapters/aws/keys/DynamoDbKeyItems.ts',
      'Asks which changes the keys have seen, and leaves those out.',
    ),
    queue('SendMessage', 'workQueue', WORK_QUEUE, 'Sends the keys that a change concerns.'),
    queue(
      'SendMessage',
      'givenUpQueue',
      'lambdas/functions/requestResync.ts',
      'Asks `resync` for every key when its trigger may have missed changes.',
    ),
  ],
  sync: [
    ...readObjects('that the key concerns'),
    ...USE_INDEXES,
    ...WRITE_OBJECTS,
    // What is watched is logged at once.
    ...APPEND_TO_LOG,
    DRAW_POSITION,
    table('GetItem', 'log', WATCHED_LOGS, 'Asks whether somebody watches a log.'),
    table('GetItem', 'keys', KEY_LOCKS, 'Looks whether a message that comes again is satisfied by now.'),
    table('UpdateItem', 'keys', KEY_LOCKS, 'Locks and releases keys, and keeps their state.'),
    table('GetItem', 'keys', INTENT_ITEMS, 'Reads an intent that is too long for the item of its key.'),
    table('UpdateItem', 'keys', INTENT_ITEMS, 'Writes an intent that is too long for the item of its key.'),
    queue('SendMessage', 'workQueue', WORK_QUEUE, 'Sends the keys of what a sync has changed, and wake-ups.'),
    queue('ChangeMessageVisibility', 'workQueue', WORK_QUEUE, 'Hides a message until its key is tried again.'),
    queue(
      'ReceiveMessage',
      'workQueue',
      'lambdas/adapters/aws/queue/receiveMessages.ts',
      'Receives more keys than its trigger hands in, while many wait.',
    ),
    queue(
      'DeleteMessage',
      'workQueue',
      'lambdas/functions/sync/composeSync.ts',
      'Deletes what it has received itself.',
    ),
    queue('SendMessage', 'deadLetterQueue', WORK_QUEUE, 'Keeps a key that is given up, for people to look at.'),
    SEND_SPANS,
    ...USE_AUTHORITY,
  ],
  resync: [
    ...readObjects('whose keys are to be queued'),
    ...WRITE_OBJECTS,
    table(
      'Scan',
      'objects',
      'lambdas/adapters/aws/objects/surveyObjects.ts',
      'Reads every object after a restore, whatever the table of namespaces says.',
    ),
    table(
      'UpdateItem',
      'objects',
      'lambdas/adapters/aws/log/writeHeartbeat.ts',
      'Writes the heartbeat, so that the stream has a record even if nothing else changes.',
    ),
    table('GetItem', 'namespaces', COMPLETED_RESTORES, 'Asks whether the tables fit each other since a restore.'),
    table('UpdateItem', 'namespaces', COMPLETED_RESTORES, 'Notes that they do.'),
    ...APPEND_TO_LOG,
    DRAW_POSITION,
    table(
      'Query',
      'keyIndexes',
      'lambdas/adapters/aws/keys/queryOverdue.ts',
      'Looks for keys whose wake-up is overdue.',
    ),
    table('GetShardIterator', 'objectStream', READ_STREAM_BATCH, 'Finds a batch that was given up.'),
    table('GetRecords', 'objectStream', READ_STREAM_BATCH, 'Reads what changes it had.'),
    queue('SendMessage', 'workQueue', WORK_QUEUE, 'Sends keys.'),
    queue(
      'SendMessage',
      'givenUpQueue',
      'lambdas/functions/requestResync.ts',
      'Asks itself for the rest of what does not fit into one run.',
    ),
    ...USE_AUTHORITY,
  ],
};
