import { EmbeddedKeyLocks, type KeyItemStorage } from '../../lambdas/adapters/embedded/EmbeddedKeyLocks.ts';
import { EmbeddedWorkQueue } from '../../lambdas/adapters/embedded/EmbeddedWorkQueue.ts';
import type { Journal } from '../../lambdas/adapters/embedded/Journal.ts';
import { type EmbeddedStore, openEmbeddedStore } from '../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import { SimulatedPodRuntime } from '../../lambdas/adapters/simulated/SimulatedPodRuntime.ts';
import { SystemClock } from '../../lambdas/adapters/clocks/SystemClock.ts';
import { LazyBackendConnections } from '../../lambdas/adapters/https/LazyBackendConnections.ts';
import type { KubeletCredentials } from '../../lambdas/ports/BackendConnections.ts';
import { HttpsWebhookCaller } from '../../lambdas/adapters/https/HttpsWebhookCaller.ts';
import { SystemIds } from '../../lambdas/adapters/ids/SystemIds.ts';
import { type Clock, steadyClock } from '../../lambdas/ports/Clock.ts';
import type { BackendConnections } from '../../lambdas/ports/BackendConnections.ts';
import type { Ids } from '../../lambdas/ports/Ids.ts';
import type { PodRuntime } from '../../lambdas/ports/PodRuntime.ts';
import type { Ports } from '../../lambdas/ports/Ports.ts';
import type { Tracing } from '../../lambdas/ports/Tracing.ts';
import type { WebhookCaller } from '../../lambdas/ports/WebhookCaller.ts';
import type { SoundObjectsParts } from '../../lambdas/functions/soundObjects.ts';
import { openSoundStore } from './openSoundStore.ts';
import { WORK_QUEUE } from '../topology.ts';

export interface EmbeddedPartsOptions {
  readonly journal: Journal;
  /** Where intents are kept. Default: in memory. */
  readonly keyItems?: KeyItemStorage;
  readonly clock?: Clock;
  /** Tells in which trace a write is made. Absent: in none. */
  readonly tracing?: Tracing | undefined;
  /** Lets the event loop turn between watches. Absent: all of them go on at once. */
  readonly giveTurn?: (() => Promise<void>) | undefined;
  readonly ids?: Ids;
  readonly podRuntime?: PodRuntime;
  /** What kubelets are shown, and how they are verified. Absent: they are not, as kube-apiserver does by default. */
  readonly kubeletCredentials?: KubeletCredentials | undefined;
  /** Clients on other machines reach the server. */
  readonly isPublic?: boolean;
  /** Receives a line about each stored object that cannot be read. */
  readonly log?: SoundObjectsParts['log'];
  readonly onAdded: (controller: string) => void;
}

export interface EmbeddedPorts extends Ports {
  readonly workQueue: EmbeddedWorkQueue;
  readonly webhookCaller: WebhookCaller;
  readonly backends: BackendConnections;
}

export interface EmbeddedParts {
  readonly ports: EmbeddedPorts;
  readonly store: EmbeddedStore;
  close(): Promise<void>;
}

/** Opens the embedded adapters of all ports. An adapter given in the options is used instead. */
export function openEmbeddedPorts(options: EmbeddedPartsOptions): EmbeddedParts {
  const { clock = new SystemClock(), ids = new SystemIds(), podRuntime = new SimulatedPodRuntime() } = options;
  const hasLocalClients = options.isPublic !== true;
  const store = openEmbeddedStore({ ...options, clock });
  const keyLocks = new EmbeddedKeyLocks(options.keyItems);
  const workClock = steadyClock(clock);
  const workQueue = new EmbeddedWorkQueue({ ...WORK_QUEUE, clock: workClock, onAdded: options.onAdded });
  const { changeLog } = store;
  const objectStore = openSoundStore(store, options.log);
  return {
    ports: {
      objectStore,
      changeLog,
      workQueue,
      keyLocks,
      podRuntime,
      clock,
      workClock,
      ids,
      webhookCaller: new HttpsWebhookCaller({ hasLocalClients }),
      backends: new LazyBackendConnections({ credentials: options.kubeletCredentials, hasLocalClients }),
    },
    store,
    close: async () => {
      workQueue.close();
      await store.close();
      await keyLocks.close();
    },
  };
}
