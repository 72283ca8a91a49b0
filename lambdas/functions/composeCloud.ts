import { DynamoDbKeyLocks } from '../adapters/aws/keys/DynamoDbKeyLocks.ts';
import { composeAuthority } from './composeAuthority.ts';
import { DynamoDbObjectStore, type DynamoDbObjectStoreOptions } from '../adapters/aws/objects/DynamoDbObjectStore.ts';
import type { Aws } from '../adapters/aws/openAws.ts';
import { SqsWorkQueue } from '../adapters/aws/queue/SqsWorkQueue.ts';
import { HttpsWebhookCaller } from '../adapters/https/HttpsWebhookCaller.ts';
import { SimulatedPodRuntime } from '../adapters/simulated/SimulatedPodRuntime.ts';
import type { Controller } from '../controllers/Controller.ts';
import { createSharedReader } from '../controllers/createSharedReader.ts';
import type { KeyLocks } from '../ports/KeyLocks.ts';
import type { Ports } from '../ports/Ports.ts';
import type { Tracing } from '../ports/Tracing.ts';
import { AdmissionReads } from '../registry/admission/AdmissionReads.ts';
import { QuotaCharges } from '../registry/admission/QuotaCharges.ts';
import { DefinedResources } from '../registry/customresources/DefinedResources.ts';
import { createRegistry, createRegistryUntil } from '../registry/createRegistry.ts';
import type { Registry } from '../registry/Registry.ts';
import { createResourceCatalog, type ResourceCatalog } from '../registry/ResourceCatalog.ts';
import { resourceEntries } from '../registry/resourceEntries.ts';
import type { Log } from './createLog.ts';
import { createWebhooks } from './createWebhooks.ts';
import {
  CLOUD_LEASE_PACE_MS,
  CONFIGURATIONS_REMEMBER_MS,
  DEFINITIONS_REMEMBER_MS,
  INSTANCE_EVENTS,
  LATE_CREATES_MS,
  PLAIN_HOLD_MS,
  REMEMBER_MS,
} from './limits.ts';
import type { Cloud } from './openCloud.ts';
import { parseConfigText } from './parseConfig.ts';
import type { EnvironmentOf } from './readEnvironment.ts';
import { servedEntries } from './servedEntries.ts';
import { Suspicion } from './Suspicion.ts';
import { createControllers } from './sync/createControllers.ts';

/** The ports, controllers and log of a Lambda function with controllers. */
export interface CloudComposition {
  readonly aws: Aws;
  readonly ports: Omit<Ports, 'changeLog' | 'keyLocks'>;
  readonly catalog: ResourceCatalog;
  readonly registry: Registry;
  readonly controllers: readonly Controller[];
  readonly log: Log;
}

export interface CloudCompositionWithLocks extends CloudComposition {
  readonly ports: CloudComposition['ports'] & { readonly keyLocks: KeyLocks };
}

/**
 * Composes the ports over AWS, and the controllers that the stack's configuration asks for, from the function's environment. Throws what `parseConfigText`
 * does.
 */
export function composeCloud(
  environment: Omit<EnvironmentOf<'enqueue'>, 'givenUpQueueUrl' | 'keysTable'> &
    Partial<Pick<EnvironmentOf<'sync'>, 'deadLetterQueueUrl'>>,
  { log, hasLocalClients = false, seams = {}, ...aws }: Cloud,
  onChange?: DynamoDbObjectStoreOptions['onChange'],
  tracing?: Tracing,
): CloudComposition {
  const { workQueueUrl: queueUrl, deadLetterQueueUrl } = environment;
  const { objectsTable: objects, versionsTable: versions, namespacesTable: namespaces } = environment;
  const objectStore = new DynamoDbObjectStore({ ...aws, tables: { objects, versions, namespaces }, onChange, tracing });
  const suspicion = new Suspicion();
  const ports = {
    clock: aws.clock,
    workClock: aws.clock,
    ids: aws.ids,
    objectStore: suspicion.guard(seams.objectStore?.(objectStore) ?? objectStore, log),
    workQueue: new SqsWorkQueue({ ...aws, queueUrl, ...(deadLetterQueueUrl !== undefined && { deadLetterQueueUrl }) }),
    podRuntime: new SimulatedPodRuntime(),
  };
  const config = parseConfigText(environment.config);
  const custom = new DefinedResources({ ...ports, rememberMs: DEFINITIONS_REMEMBER_MS });
  const catalog = createResourceCatalog(servedEntries(resourceEntries, config), custom, config.kubernetesVersion);
  const admission = new AdmissionReads({
    ...ports,
    rememberMs: REMEMBER_MS,
    classesRememberMs: DEFINITIONS_REMEMBER_MS,
  });
  const shared = {
    admission,
    charges: new QuotaCharges(ports),
    admitsServiceAccounts: config.admitsServiceAccounts,
    serviceNetwork: config.serviceNetwork,
    ...createWebhooks({
      ...ports,
      webhookCaller: new HttpsWebhookCaller({ hasLocalClients }),
      catalog,
      admission,
      config,
      rememberMs: CONFIGURATIONS_REMEMBER_MS,
    }),
  };
  const observe = (created: Registry) => seams.registry?.(created) ?? created;
  const registry = observe(createRegistry({ ...ports, ...shared, catalog }));
  const registryUntil = createRegistryUntil({ ...ports, ...shared, catalog });
  const controllers = createControllers({
    ports,
    registry,
    registryUntil: (timeLeftMs) => observe(registryUntil(timeLeftMs)),
    ownersReader: createSharedReader(registry),
    catalog,
    config,
    lateCreatesMs: LATE_CREATES_MS,
    nodesRememberMs: REMEMBER_MS,
    plainHoldMs: PLAIN_HOLD_MS,
    leasePaceMs: CLOUD_LEASE_PACE_MS,
    definitionsRememberMs: DEFINITIONS_REMEMBER_MS,
    certificateAuthority: composeAuthority(environment, aws),
    podEventLimits: { ...INSTANCE_EVENTS, isOverloaded: () => aws.calls.isOverloaded },
    log,
  });
  const observed = controllers.map((controller) => suspicion.watch(seams.controller?.(controller) ?? controller));
  return { aws, ports, catalog, registry, controllers: observed, log };
}

/** Composes what `composeCloud` does, and the keys' locks, for functions that may use their table. */
export function composeCloudWithLocks(
  environment: Parameters<typeof composeCloud>[0] & Pick<EnvironmentOf<'sync'>, 'keysTable'>,
  cloud: Cloud,
  onChange?: DynamoDbObjectStoreOptions['onChange'],
  tracing?: Tracing,
): CloudCompositionWithLocks {
  const composed = composeCloud(environment, cloud, onChange, tracing);
  const keyLocks = new DynamoDbKeyLocks({
    ...composed.aws,
    tableName: environment.keysTable,
    longestInline: cloud.seams?.longestInlineIntent,
  });
  return { ...composed, ports: { ...composed.ports, keyLocks } };
}
