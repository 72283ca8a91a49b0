import type { Controller, SyncContext } from '../../controllers/Controller.ts';
import { createCronJobController } from '../../controllers/cronjob/createCronJobController.ts';
import { createCustomResourceDefinitionController } from '../../controllers/customresourcedefinition/createCustomResourceDefinitionController.ts';
import { createDaemonSetController } from '../../controllers/daemonset/createDaemonSetController.ts';
import { createDeploymentController } from '../../controllers/deployment/createDeploymentController.ts';
import { createDisruptionController } from '../../controllers/disruption/createDisruptionController.ts';
import { createEndpointController } from '../../controllers/endpoint/createEndpointController.ts';
import { ServicesOfPods } from '../../controllers/endpoint/ServicesOfPods.ts';
import { createEndpointSliceController } from '../../controllers/endpointslice/createEndpointSliceController.ts';
import { createEndpointSliceMirroringController } from '../../controllers/endpointslicemirroring/createEndpointSliceMirroringController.ts';
import type { EventRecorder, EventToRecord } from '../../controllers/EventRecorder.ts';
import { createEventRecorder, EventNames } from '../../controllers/events/createEventRecorder.ts';
import { messageIn } from '../../controllers/events/messageIn.ts';
import { guardWrites, type RegistryReader } from '../../controllers/guardWrites.ts';
import { createGarbageCollector } from '../../controllers/garbagecollector/createGarbageCollector.ts';
import { createJobController } from '../../controllers/job/createJobController.ts';
import { createNamespaceController } from '../../controllers/namespace/createNamespaceController.ts';
import { createNodeLeaseController } from '../../controllers/nodelease/createNodeLeaseController.ts';
import { KUBELET_LEASE_PACE_MS } from '../../controllers/nodelease/decideRenewals.ts';
import { createNodeLifecycleController } from '../../controllers/nodelifecycle/createNodeLifecycleController.ts';
import { createApprovingController, type MayCreate } from '../../controllers/csrapproving/createApprovingController.ts';
import { SIGNING_REQUESTS } from '../../controllers/csrapproving/SigningRequest.ts';
import { createSigningController } from '../../controllers/csrsigning/createSigningController.ts';
import { createRequestCleaner } from '../../controllers/csrcleaner/createRequestCleaner.ts';
import { createBootstrapSigner } from '../../controllers/bootstrapsigner/createBootstrapSigner.ts';
import { createTokenCleaner } from '../../controllers/tokencleaner/createTokenCleaner.ts';
import { createRbacAuthorizer } from '../../rest/rbac/createRbacAuthorizer.ts';
import type { CertificateAuthority } from '../../ports/CertificateAuthority.ts';
import { createPodAutoscalerController } from '../../controllers/podautoscaler/createPodAutoscalerController.ts';
import { createPodController } from '../../controllers/pod/createPodController.ts';
import { RecentNodes } from '../../controllers/pod/RecentNodes.ts';
import type { EventLimits } from '../../controllers/pod/PodEventBudget.ts';
import { createPodGarbageCollector } from '../../controllers/podgc/createPodGarbageCollector.ts';
import { createTaintEvictionController } from '../../controllers/tainteviction/createTaintEvictionController.ts';
import { createClaimProtectionController } from '../../controllers/pvcprotection/createClaimProtectionController.ts';
import { createVolumeController } from '../../controllers/persistentvolume/createVolumeController.ts';
import { createVolumeProtectionController } from '../../controllers/pvprotection/createVolumeProtectionController.ts';
import { createReplicaSetController } from '../../controllers/replicaset/createReplicaSetController.ts';
import { createReplicationControllerController } from '../../controllers/replicationcontroller/createReplicationControllerController.ts';
import { createResourceQuotaController } from '../../controllers/resourcequota/createResourceQuotaController.ts';
import type { NoticeDelays } from '../../controllers/scheduler/decideNotice.ts';
import { createSchedulerController } from '../../controllers/scheduler/createSchedulerController.ts';
import { PlainBinds } from '../../controllers/scheduler/PlainBinds.ts';
import { createServiceAccountController } from '../../controllers/serviceaccount/createServiceAccountController.ts';
import {
  createPolicyStatusController,
  POLICIES,
} from '../../controllers/validatingadmissionpolicystatus/createPolicyStatusController.ts';
import { createStatefulSetController } from '../../controllers/statefulset/createStatefulSetController.ts';
import { createTtlAfterFinishedController } from '../../controllers/ttlafterfinished/createTtlAfterFinishedController.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { MetricsClient } from '../../ports/MetricsClient.ts';
import type { Ports } from '../../ports/Ports.ts';
import { CONTROLLER_NAMES, type ControllerName } from '../../ports/WorkKey.ts';
import { findKind } from '../../registry/findKind.ts';
import { SimulatedMetrics } from '../../registry/metrics/SimulatedMetrics.ts';
import type { Registry, RegistryUntil } from '../../registry/Registry.ts';
import type { ResourceEntry } from '../../registry/ResourceEntry.ts';
import { DEFINITIONS } from '../../registry/customresources/CustomResourceDefinition.ts';
import type { ResourceCatalog } from '../../registry/ResourceCatalog.ts';
import { NEWEST_RELEASE } from '../../objects/KubernetesRelease.ts';
import { resourceEntries } from '../../registry/resourceEntries.ts';
import type { Config } from '../parseConfig.ts';

export interface ControllerParts {
  readonly ports: Omit<Ports, 'changeLog' | 'keyLocks'>;
  readonly registry: Registry;
  /** See `Writers.registryUntil`. */
  readonly registryUntil?: RegistryUntil | undefined;
  /** Looks up the owners of changed pods (see createSharedReader). Absent: the registry, whose reads cost nothing. */
  readonly ownersReader?: RegistryReader;
  /** What is served. A controller whose own resource is not served does not start. */
  readonly catalog: ResourceCatalog;
  readonly config: Config;
  /** The time for which a request may write after it was admitted; milliseconds. */
  readonly lateCreatesMs: number;
  /** How long the nodes may be used again once they were listed; milliseconds. Absent: not at all. See RecentNodes. */
  readonly nodesRememberMs?: number;
  /** Whether the registry hands out the same object as long as it has not changed. Absent: no. See PodTallies. */
  readonly sharesObjects?: boolean;
  /** How long another process may still bind plain pods by what it had read of the scheduler's notice; milliseconds. Absent: there is no other process. */
  readonly plainHoldMs?: number;
  /** How long lists of definitions may be used again, in any process; milliseconds. Absent: not at all. */
  readonly definitionsRememberMs?: number;
  /** How many normal events of pods are written. Absent: as many as a kubelet writes. */
  readonly podEventLimits?: EventLimits;
  /** How often the leases of simulated nodes are renewed while nobody here looks at them; milliseconds. Absent: as a kubelet does. */
  readonly leasePaceMs?: number;
  /** See `createServiceAccountController`. Absent: none. */
  readonly rootCaBundle?: string | undefined;
  /** The cluster's authority. Absent: the controllers of certificate requests do not start. */
  readonly certificateAuthority?: CertificateAuthority | undefined;
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
}

/** The resources that each controller is about: it does not start without them. The garbage collector is about all served resources. */
const OWN_RESOURCES: Readonly<Record<ControllerName, readonly GroupResource[]>> = {
  deployment: ['deployments.apps'],
  replicaset: ['replicasets.apps'],
  replicationcontroller: ['replicationcontrollers'],
  job: ['jobs.batch', 'pods'],
  ttlafterfinished: ['jobs.batch'],
  cronjob: ['cronjobs.batch', 'jobs.batch'],
  daemonset: ['daemonsets.apps', 'controllerrevisions.apps', 'pods', 'nodes'],
  horizontalpodautoscaler: ['horizontalpodautoscalers.autoscaling', 'pods'],
  statefulset: ['statefulsets.apps', 'controllerrevisions.apps', 'persistentvolumeclaims', 'pods'],
  pod: ['pods'],
  scheduler: ['pods', 'nodes', 'configmaps'],
  garbagecollector: [],
  namespace: ['namespaces'],
  serviceaccount: ['serviceaccounts'],
  resourcequota: ['resourcequotas'],
  endpoint: ['services', 'endpoints', 'pods'],
  endpointslice: ['services', 'endpointslices.discovery.k8s.io', 'pods'],
  endpointslicemirroring: ['services', 'endpoints', 'endpointslices.discovery.k8s.io'],
  customresourcedefinition: [DEFINITIONS],
  disruption: ['poddisruptionbudgets.policy', 'pods'],
  pvcprotection: ['persistentvolumeclaims', 'pods'],
  pvprotection: ['persistentvolumes'],
  persistentvolume: ['persistentvolumeclaims', 'persistentvolumes', 'storageclasses.storage.k8s.io', 'nodes'],
  validatingadmissionpolicystatus: [POLICIES],
  nodelifecycle: ['nodes', 'leases.coordination.k8s.io', 'pods'],
  nodelease: ['nodes', 'leases.coordination.k8s.io'],
  tainteviction: ['nodes', 'pods'],
  podgc: ['nodes', 'pods'],
  csrapproving: [SIGNING_REQUESTS],
  csrsigning: [SIGNING_REQUESTS],
  csrcleaner: [SIGNING_REQUESTS],
  bootstrapsigner: ['configmaps', 'secrets'],
  tokencleaner: ['secrets'],
};

/** Creates the controllers that the configuration asks for, with guarded writers. Nothing else gives them writers. */
export function createControllers(given: ControllerParts): readonly Controller[] {
  const services = new ServicesOfPods(given.ports.objectStore);
  const ownersReader = given.ownersReader ?? given.registry;
  const parts = { ...given, services, ownersReader, binds: new PlainBinds() };
  const names = new EventNames(parts.ports);
  const { registry, registryUntil } = parts;
  const writers = { ...parts.ports, registry, registryUntil, clock: parts.ports.workClock };
  return CONTROLLER_NAMES.filter((name) => isStarted(name, parts)).map((name) =>
    guardWrites(
      FACTORIES[name](parts, (component) => recorderOf(parts, component, names)),
      writers,
    ),
  );
}

/** `services` is shared by the controllers that look for the services of a pod, `binds` by those that bind pods. */
type Parts = ControllerParts & {
  readonly services: ServicesOfPods;
  readonly ownersReader: RegistryReader;
  readonly binds: PlainBinds;
};

type Factory = (parts: Parts, eventsOf: (component: string) => EventRecorder) => Controller<SyncContext>;

const FACTORIES: Readonly<Record<ControllerName, Factory>> = {
  deployment: ({ ownersReader: registry, ports }, eventsOf) =>
    createDeploymentController({ ...ports, registry, events: eventsOf('deployment-controller') }),
  scheduler: (parts, eventsOf) =>
    createSchedulerController({
      registry: parts.registry,
      clock: parts.ports.clock,
      events: eventsOf('default-scheduler'),
      rememberMs: parts.nodesRememberMs,
      delays: noticeDelays(parts),
      eventLimits: parts.podEventLimits,
      leavesPlainPods: isStarted('pod', parts),
      binds: parts.binds,
    }),
  pod: (parts, eventsOf) => {
    const { registry, ports, nodesRememberMs, podEventLimits, binds } = parts;
    return createPodController({
      ...ports,
      registry,
      nodesRememberMs,
      scheduling: isStarted('scheduler', parts) ? { sendKeys: (keys) => ports.workQueue.send(keys), binds } : undefined,
      eventLimits: podEventLimits,
      schedulerEvents: eventsOf('default-scheduler'),
      kubeletEvents: eventsOf('kubelet'),
    });
  },
  replicaset: ({ ownersReader: registry, ports, sharesObjects }, eventsOf) =>
    createReplicaSetController({ ...ports, registry, sharesObjects, events: eventsOf('replicaset-controller') }),
  replicationcontroller: ({ ownersReader: registry, ports, sharesObjects }, eventsOf) =>
    createReplicationControllerController({
      ...ports,
      registry,
      sharesObjects,
      events: eventsOf('replication-controller'),
    }),
  job: ({ registry, ports }, eventsOf) =>
    createJobController({ ...ports, registry, events: eventsOf('job-controller') }),
  ttlafterfinished: createTtlAfterFinishedController,
  cronjob: (_, eventsOf) => createCronJobController(eventsOf('cronjob-controller')),
  daemonset: ({ ownersReader: registry, ports }, eventsOf) =>
    createDaemonSetController({ ...ports, registry, events: eventsOf('daemonset-controller') }),
  horizontalpodautoscaler: (parts, eventsOf) =>
    createPodAutoscalerController({
      registry: parts.registry,
      catalog: parts.catalog,
      clock: parts.ports.clock,
      metrics: simulatedMetrics(parts),
      events: eventsOf('horizontal-pod-autoscaler'),
    }),
  statefulset: ({ registry, ports }, eventsOf) =>
    createStatefulSetController({ ...ports, registry, events: eventsOf('statefulset-controller') }),
  garbagecollector: ({ ports, catalog }) =>
    createGarbageCollector({
      ...ports,
      resources: collectedEntries(catalog.builtIn),
      customResources: async () => (await catalog.custom.list()).map(({ stored }) => stored),
      isCustom,
    }),
  namespace: ({ catalog, lateCreatesMs }) =>
    createNamespaceController({
      resources: namespacedResources(catalog.builtIn),
      customResources: async () => namespacedResources((await catalog.custom.list()).map(({ stored }) => stored)),
      lateCreatesMs,
    }),
  resourcequota: ({ ports, catalog }) =>
    createResourceQuotaController({ ...ports, resources: namespacedResources(catalog.builtIn), isCustom }),
  customresourcedefinition: ({ ports, lateCreatesMs, definitionsRememberMs = 0 }) =>
    createCustomResourceDefinitionController({ ...ports, lateCreatesMs, rememberMs: definitionsRememberMs }),
  serviceaccount: ({ rootCaBundle = '' }) => createServiceAccountController({ rootCaBundle }),
  endpoint: createEndpointController,
  endpointslice: createEndpointSliceController,
  endpointslicemirroring: createEndpointSliceMirroringController,
  disruption: ({ ports, catalog }, eventsOf) =>
    createDisruptionController({ ...ports, catalog, events: eventsOf('controllermanager') }),
  pvcprotection: createClaimProtectionController,
  pvprotection: createVolumeProtectionController,
  persistentvolume: ({ registry }, eventsOf) =>
    createVolumeController({ registry, events: eventsOf('persistentvolume-controller') }),
  nodelifecycle: ({ registry }, eventsOf) =>
    createNodeLifecycleController({ registry, events: eventsOf('node-controller') }),
  nodelease: ({ leasePaceMs = KUBELET_LEASE_PACE_MS }) => createNodeLeaseController(leasePaceMs),
  tainteviction: (_, eventsOf) => createTaintEvictionController(eventsOf('taint-eviction-controller')),
  podgc: (parts) =>
    createPodGarbageCollector({
      terminatedPods: parts.config.terminatedPodGcThreshold,
      collectsUnscheduled: !isStarted('pod', parts),
    }),
  csrapproving: (parts) =>
    createApprovingController({ authority: authorityOf(parts), mayCreate: mayCreateRequests(parts.registry) }),
  csrsigning: (parts) => createSigningController(authorityOf(parts)),
  csrcleaner: createRequestCleaner,
  bootstrapsigner: createBootstrapSigner,
  tokencleaner: createTokenCleaner,
  validatingadmissionpolicystatus: ({ catalog }) =>
    createPolicyStatusController({
      catalog,
      resolveSchema: async (kind) => {
        const { resolveSchema } = await import('../../rest/schema/openapi/resolveSchema.ts');
        return resolveSchema(catalog, kind);
      },
    }),
};

/** A node of which a process has seen that it is simulated may be gone for a moment. */
function simulatedMetrics({ registry, catalog, ports, nodesRememberMs = 0 }: ControllerParts): MetricsClient {
  const nodes = new RecentNodes(registry, ports.clock, nodesRememberMs);
  return new SimulatedMetrics({
    registry,
    findKind: (group, kind) => findKind(catalog, group, kind),
    nodeNamed: (name) => nodes.named(name),
  });
}

/** Clocks of two machines differ by less than this, in milliseconds. */
const CLOCK_MARGIN_MS = 2_000;

/** A process that remembers nothing sees the notice at once. */
function noticeDelays({ nodesRememberMs = 0, plainHoldMs = 0 }: ControllerParts): NoticeDelays {
  return { seenMs: nodesRememberMs === 0 ? 0 : nodesRememberMs + CLOCK_MARGIN_MS, heldMs: plainHoldMs };
}

/** Whether changes of this resource are about custom objects: no built-in resource of any configuration has the name. */
function isCustom(resource: GroupResource): boolean {
  return resource.includes('.') && !BUILT_IN.has(resource);
}

const BUILT_IN = new Set(resourceEntries.map(({ groupResource }) => groupResource));

/** The controllers that run only where the cluster has a certificate authority: the others of them let machines find it and ask for their certificates. */
const CERTIFYING = new Set<ControllerName>([
  'csrapproving',
  'csrsigning',
  'csrcleaner',
  'bootstrapsigner',
  'tokencleaner',
]);

function authorityOf({ certificateAuthority }: ControllerParts): CertificateAuthority {
  if (!certificateAuthority) throw new Error('a controller of certificate requests needs an authority');
  return certificateAuthority;
}

/** Kubernetes asks by a SubjectAccessReview. */
function mayCreateRequests(registry: Registry): MayCreate {
  const authorizer = createRbacAuthorizer(registry);
  const place = { group: 'certificates.k8s.io', resource: 'certificatesigningrequests', namespace: '', name: '' };
  return (user, subresource) => authorizer.allows(user, { verb: 'create', ...place, subresource });
}

function isStarted(name: ControllerName, { config, catalog, certificateAuthority }: ControllerParts): boolean {
  if (CERTIFYING.has(name) && !certificateAuthority) return false;
  // Our own node lifecycle controller asks simulated nodes for no sign of life.
  if (name === 'nodelease' && config.controllers.nodelifecycle.enabled) return false;
  const served = new Set(catalog.builtIn.map(({ groupResource }) => groupResource));
  return config.controllers[name].enabled && OWN_RESOURCES[name].every((resource) => served.has(resource));
}

function storedEntries(entries: readonly ResourceEntry[]): readonly ResourceEntry[] {
  return entries.filter(({ virtual }) => !virtual);
}

/** Garbage collection ignores events, as in Kubernetes: they own nothing and expire by themselves. */
function collectedEntries(entries: readonly ResourceEntry[]): readonly ResourceEntry[] {
  return storedEntries(entries).filter(({ groupResource }) => groupResource !== 'events');
}

function namespacedResources(entries: readonly ResourceEntry[]): readonly GroupResource[] {
  return storedEntries(entries).flatMap(({ namespaced, groupResource }) => (namespaced ? [groupResource] : []));
}

function recorderOf({ ports, log, config }: ControllerParts, component: string, names: EventNames): EventRecorder {
  const recorder = createEventRecorder({
    ...ports,
    component,
    names,
    onDropped: (error) => log({ level: 'info', msg: 'event dropped', component, error: String(error) }),
  });
  const { kubernetesVersion: release } = config;
  if (release === NEWEST_RELEASE) return recorder;
  const inRelease = (event: EventToRecord) => ({ ...event, message: messageIn(release, event) });
  return { record: (events, registry) => recorder.record(events.map(inRelease), registry) };
}
