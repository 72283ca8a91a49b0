import type { Explanation } from '../explain/Explanation.ts';
import type { SyncHistory } from '../explain/SyncHistory.ts';
import type { KubernetesObject } from '../objects/KubernetesObject.ts';
import type { GroupResource } from '../objects/ObjectKey.ts';
import type { CertificateAuthority } from '../ports/CertificateAuthority.ts';
import type { ChangeLog } from '../ports/ChangeLog.ts';
import type { Clock } from '../ports/Clock.ts';
import type { KubeletMeasurements } from '../ports/KubeletMeasurements.ts';
import type { Intent } from '../ports/KeyLocks.ts';
import type { Ports } from '../ports/Ports.ts';
import type { KeyToSend } from '../ports/WorkQueue.ts';
import type { GroupVersionKind } from '../registry/admission/dynamic/RequestAttributes.ts';
import type { ResourceCatalog } from '../registry/ResourceCatalog.ts';
import type { Controller, SyncContext } from './Controller.ts';
import type { EventRecorder } from './EventRecorder.ts';
import type { ObjectReader, RegistryReader } from './GuardedWriters.ts';
import type { EventLimits } from './pod/PodEventBudget.ts';
import type { ReasonTable } from './reasonTable.ts';

/**
 * What there is to say of a controller. Each controller is one folder, its room, that exports one of these; `controllerRooms` lists them. A room may use what its neighbours share, and nobody outside of `controllers/` needs to know that
 * it exists.
 */
export interface ControllerRoom {
  /** As queues, metrics and the configuration write it: lower case letters. */
  readonly name: string;
  /** The resource whose objects its keys name. Absent: they name something else, such as all pods that wait. */
  readonly about?: GroupResource;
  /** The resources without which it does not start. */
  readonly needs: readonly GroupResource[];
  /** Whether it starts in this cluster, if that depends on more than the configuration and on what is served. */
  readonly startsWhere?: (cluster: RoomCluster) => boolean;
  /** Its keys have no namespace. */
  readonly isClusterScoped?: boolean;
  /** Its keys name namespaces: each has its own name twice. */
  readonly keysNameNamespaces?: boolean;
  /** How many of its keys one process syncs at a time, as kube-controller-manager's `--concurrent-…-syncs`. Absent: DEFAULT_WORKERS. */
  readonly workers?: number;
  /** Its keys change with each of many pods, so their messages are spaced (see `KeyPacer`). */
  readonly isPaced?: boolean;
  /** Names by which `explain` knows its keys too. It knows `NAME` and `NAMEs` anyway. */
  readonly shortNames?: readonly string[];
  /** `source.component` of its events. Absent: it writes none. */
  readonly component?: string;
  /** Why its syncs do what they do, in words. */
  readonly reasons: ReasonTable;
  readonly create: (parts: RoomParts) => Controller<SyncContext>;
  /** Why the object of a key is as it is. Loads its code when it is first called. Absent: there is no more to say than what the last syncs said. */
  readonly explain?: (facts: ExplainFacts) => Promise<RoomExplanation>;
}

/** What an explanation goes by. It writes nothing. */
export interface ExplainFacts {
  readonly registry: RegistryReader;
  readonly catalog: ResourceCatalog;
  readonly clock: Clock;
  /** The object that the key names. */
  readonly object: KubernetesObject;
  /** What the key remembers. */
  readonly intent: Intent | undefined;
  readonly nowMs: number;
  /** As of `RoomParts`. */
  readonly kubelets?: KubeletMeasurements | undefined;
  readonly history: SyncHistory;
}

/** The part of an explanation that only the object's room knows. */
export type RoomExplanation = Omit<Explanation, 'key' | 'nowMs' | 'exists' | 'state' | 'syncs'>;

export const DEFAULT_WORKERS = 5;

/** What may decide whether a controller starts. */
export interface RoomCluster {
  /** Whether the cluster has an authority: some controllers let machines find it and ask for their certificates. */
  readonly hasAuthority: boolean;
  /** Whether the configuration switches that controller on. */
  readonly isEnabled: (name: string) => boolean;
}

/** What rooms read, and how they queue keys. Whatever they write goes through the guarded writers of a sync. */
export interface RoomPorts extends Pick<Ports, 'clock' | 'ids' | 'podRuntime'> {
  readonly objectStore: ObjectReader;
  readonly sendKeys: (keys: readonly KeyToSend[]) => Promise<void>;
}

/** What controllers are made of. Each takes what it needs. */
export interface RoomParts {
  readonly ports: RoomPorts;
  readonly registry: RegistryReader;
  /** Looks up the owners of changed pods (see createSharedReader). */
  readonly ownersReader: RegistryReader;
  /** What is served. A controller whose own resource is not served does not start. */
  readonly catalog: ResourceCatalog;
  /** The recorder of the room's component. */
  readonly events: EventRecorder;
  /** Returns the recorder of another component. */
  readonly eventsOf: (component: string) => EventRecorder;
  /** Whether that controller runs beside this one. */
  readonly isStarted: (name: string) => boolean;
  /** Returns what `open` returned first: rooms that pass the same function share it. */
  readonly share: <T>(open: (parts: Pick<RoomParts, 'ports'>) => T) => T;
  /** Whether a user may do this, by the cluster's roles. */
  readonly allows: (
    user: { readonly username: string; readonly groups: readonly string[] },
    action: Readonly<Record<'verb' | 'group' | 'resource' | 'subresource' | 'namespace' | 'name', string>>,
  ) => Promise<boolean>;
  /** Returns the OpenAPI schema of a kind, with every reference replaced by what it refers to; `undefined` for a kind without one. */
  readonly resolveSchema: (kind: GroupVersionKind) => Promise<unknown>;
  /** How many pods that have ended stay; 0: all. */
  readonly terminatedPods: number;
  /** The time for which a request may write after it was admitted; milliseconds. */
  readonly lateCreatesMs: number;
  /** How long the nodes may be used again once they were listed; milliseconds. Absent: not at all. See RecentNodes. */
  readonly nodesRememberMs?: number;
  /** Whether the registry hands out the same object as long as it has not changed. Absent: no. See PodTallies. */
  readonly sharesObjects?: boolean;
  /** The log of changes, where it is never behind the objects. Absent: only a list says what there is now. */
  readonly exactLog?: Pick<ChangeLog, 'head' | 'changesSince'>;
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
  /** What kubelets measure. Absent where none can be reached: nothing is known of what their pods use. */
  readonly kubelets?: KubeletMeasurements | undefined;
  /** The cluster's authority. Absent: the controllers of certificate requests do not start. */
  readonly certificateAuthority?: CertificateAuthority | undefined;
}

/** Returns the authority of a cluster that has one. */
export function authorityOf({ certificateAuthority }: Pick<RoomParts, 'certificateAuthority'>): CertificateAuthority {
  if (!certificateAuthority) throw new Error('a controller of certificate requests needs an authority');
  return certificateAuthority;
}
