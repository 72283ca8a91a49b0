import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { decodeKey } from '../../../lambdas/adapters/aws/queue/queueMessage.ts';
import { CloudModel } from '../../model/cloud/CloudModel.ts';
import type { RequestHooks, Service } from '../../model/cloud/modelClients.ts';
import type { TableRecord } from '../../model/dynamo/StreamShard.ts';
import type { DynamoModel } from '../../model/DynamoModel.ts';
import { THIS_RELEASE } from '../../releases/Release.ts';
import type { Auditor } from '../Auditor.ts';
import type { IdleKeys } from '../checks/IdleKeys.ts';
import { createRivals } from '../createRivals.ts';
import { Gate, type GateParts } from '../Gate.ts';
import type { Random } from '../Random.ts';
import { watchSlowStart } from '../watchSlowStart.ts';
import { tracked } from '../Worker.ts';
import type { World } from '../World.ts';
import type { CloudAudit } from './CloudAudit.ts';
import type { CloudMutation } from './CloudMutation.ts';
import { everyTenthDirect, noneDirect, sendingOnly } from './directMessages.ts';
import { describeRequest } from './describeRequest.ts';
import type { DirectStore } from './DirectStore.ts';
import type { CloudFaults } from './drawCloudFaults.ts';
import type { MixedReleases } from './MixedReleases.ts';
import { ObservedStore } from './ObservedStore.ts';
import { currentRequest } from './RequestContext.ts';
import { watchOrphans } from './watchOrphans.ts';

export interface SimulatedCloudParts {
  readonly gateParts: GateParts;
  readonly random: Random;
  readonly dynamoDb: DynamoModel;
  readonly direct: DirectStore;
  readonly world: World;
  readonly cloudFaults: CloudFaults;
  readonly audit: CloudAudit;
  readonly auditor: Auditor;
  /** Exists once the cloud is open: it looks into its queue. */
  readonly idleKeys: () => IdleKeys;
  readonly keepsEvents: boolean;
  readonly mutation: CloudMutation | undefined;
  /** Absent: all processes run this release. */
  readonly releases: MixedReleases | undefined;
  /** Called with records of the stream that the change log will never get. */
  readonly onLost: (records: readonly TableRecord[]) => void;
  /** Whether there was such a record. */
  readonly hasLost: () => boolean;
  readonly onFailure: (failure: string) => void;
}

const MEMORY_MB = { api: 512, authorize: 256, record: 512, enqueue: 512, sync: 512, resync: 512 };

/** From how many messages on `sync` receives more itself: as in the stack, and with far fewer. */
const FULL_BATCHES = [1, 10, 3] as const;

/** Groups of the API that no check is about are switched off: with them every look of the garbage collector takes longer. */
const CONFIG = {
  controllers: { serviceaccount: { enabled: false } },
  apiVersions: {
    'rbac.authorization.k8s.io/v1': false,
    'coordination.k8s.io/v1': false,
    'scheduling.k8s.io/v1': false,
  },
};

/** Opens the stack over models of AWS' services, with a gate around each process, rivals at the last instants, and the mutation's defect. */
export function openSimulatedCloud(parts: SimulatedCloudParts): CloudModel {
  const { gateParts, random, dynamoDb, mutation, idleKeys, releases } = parts;
  const { scheduler, trace, faults } = gateParts;
  const { account, streams } = parts.cloudFaults;
  const runsThis = (processName: string) => releases === undefined || releases.releaseOf(processName) === THIS_RELEASE;
  const broken = mutation?.create(runsThis);
  return new CloudModel({
    ...account,
    streamMaxAgeMs: streams.maxAgeMs,
    scheduler,
    random,
    dynamoDb,
    faults: () => ({
      ...faults.rates,
      ...(faults.isOver ? { restingShard: 0, heldBatch: 0, lateNotice: 0 } : streams),
    }),
    createProcess: (name, onDeath) => new Gate(name, gateParts, 'worker', onDeath),
    hooks: HOOKS,
    dynamoDbOf: (service, name) => watchOrphans(broken?.dynamoDb?.(service, name) ?? service, parts),
    sqsOf: (service, name) => losingDirect(parts.cloudFaults, broken?.sqs?.(service, name) ?? service, name),
    invokeOf: broken?.invoke,
    seams: { ...openSeams(parts), ...(broken?.followUpQueue && { followUpQueue: broken.followUpQueue }) },
    ...(releases && { releaseOf: releases.releaseOf }),
    memoryMb: MEMORY_MB,
    coldStartMs: [100, 400],
    nodes: 2,
    config: CONFIG,
    log: (name, line) => trace.add(`  ${name} ${JSON.stringify(line)}`),
    onGivenUp: (name, records) => {
      if (name === 'record') parts.onLost(records);
    },
    onReceive: (bodies) => {
      for (const key of keysOf(bodies)) idleKeys().onReceive(key);
    },
    onHandled: (bodies) => {
      for (const key of keysOf(bodies)) idleKeys().onHandled(key);
    },
  });
}

/** The queue as a process has it that sends the keys of its own changes. */
function losingDirect({ directKeys }: CloudFaults, service: Service, processName: string): Service {
  if (directKeys === 'sent') return service;
  return sendingOnly(service, (directKeys === 'all are lost' ? noneDirect : everyTenthDirect)(processName));
}

function openSeams({
  gateParts,
  cloudFaults,
  direct,
  world,
  audit,
  auditor,
  keepsEvents,
  onFailure,
}: SimulatedCloudParts) {
  const { scheduler } = gateParts;
  const landing = new Gate('landing', gateParts, 'client');
  const parts = {
    rivals: createRivals(gateParts, direct, world),
    nextOrder: () => audit.nextOrder(),
    landFirst: (what: string) => landing.landFirst(what),
    keepsEvents,
  };
  const onSyncEnd = (...ended: [Parameters<Auditor['onSyncEnd']>[0], boolean]) => {
    const violation = auditor.onSyncEnd(...ended, scheduler.now());
    if (violation !== undefined) onFailure(violation);
  };
  return {
    fullBatch: FULL_BATCHES[cloudFaults.account.syncMaxConcurrency % FULL_BATCHES.length] ?? 1,
    // Half of the runs store every intent apart.
    ...(cloudFaults.account.syncMaxConcurrency % 2 === 0 && { longestInlineIntent: 0 }),
    objectStore: (store: ConstructorParameters<typeof ObservedStore>[0]) => new ObservedStore(store, parts),
    registry: (registry: Parameters<typeof watchSlowStart>[0]) => watchSlowStart(registry, onFailure),
    controller: (controller: Parameters<typeof tracked>[0]) => tracked(controller, { scheduler, onSyncEnd }),
  };
}

const HOOKS: RequestHooks = {
  what: describeRequest,
  beforeEffect: (command) => {
    const request = currentRequest.getStore();
    if (!request || !describeRequest(command).startsWith('[')) return undefined;
    const occasion = request.before ? 'before' : 'beforeWrite';
    if (occasion === 'beforeWrite' && !(command instanceof UpdateItemCommand)) return undefined;
    const strike = request[occasion];
    request[occasion] = undefined;
    return strike?.();
  },
};

function keysOf(bodies: readonly string[]) {
  return bodies.flatMap((body) => decodeKey(body) ?? []);
}
