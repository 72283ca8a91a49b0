import { SimulatedPodRuntime } from '../../../lambdas/adapters/simulated/SimulatedPodRuntime.ts';
import type { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import type { Clock } from '../../../lambdas/ports/Clock.ts';
import { canonicalResource } from '../canonicalResource.ts';
import { ClientTraffic } from '../ClientTraffic.ts';
import { ClusterTime } from '../ClusterTime.ts';
import { FaultList } from '../Faults.ts';
import { faultyApi } from '../faultyApi.ts';
import { faultyRegistry } from '../faultyRegistry.ts';
import type { ActingRule, PodBehaviourRule } from '../PodBehaviour.ts';
import { ScriptedPodRuntime } from '../ScriptedPodRuntime.ts';
import type { Log } from '../../local/createHandlers.ts';
import type { ControlPlane, ControlPlaneOptions } from '../../local/startControlPlane.ts';
import { ActingObjects } from './ActingObjects.ts';
import { TestingGroup } from './TestingGroup.ts';

export interface TestControlsOptions {
  readonly clock: Clock;
  /** The same clock, if it is virtual. */
  readonly virtualClock?: VirtualClock | undefined;
  readonly quietMs: number;
  /** How pods behave from the start, also after a reset. */
  readonly pods?: readonly PodBehaviourRule[];
  readonly log?: Log | undefined;
  /** Called with a time that the virtual clock is about to reach. */
  readonly onAdvance?: ((untilMs: number) => void) | undefined;
}

interface Started {
  readonly controlPlane: ControlPlane;
  readonly time: ClusterTime;
}

/**
 * What a test does to a cluster: it moves the clock, makes requests fail, says how pods behave, and empties the cluster. The functions of `startCluster` and the API group `testing.driftless.dev` are two ways to
 * the same lists and the same clock.
 */
export class TestControls {
  readonly faults = new FaultList(canonicalResource);
  readonly behaviours = new ActingObjects<ActingRule>();
  readonly traffic = new ClientTraffic();
  readonly stopping = new AbortController();
  readonly #podRuntime = new ScriptedPodRuntime(new SimulatedPodRuntime(), this.behaviours);
  readonly #options: TestControlsOptions;
  readonly #group: TestingGroup;
  /** The names of the behaviours that a reset leaves. */
  readonly #given: ReadonlySet<string>;
  /** The newest version of what every new cluster has. */
  #baseVersion = 0;
  #started: Started | undefined;

  constructor(options: TestControlsOptions) {
    this.#options = options;
    this.#given = new Set((options.pods ?? []).map((rule) => this.behaviours.add(rule).name));
    this.#group = new TestingGroup({
      faults: this.faults,
      behaviours: this.behaviours,
      scriptedPod: (pod) => this.#podRuntime.scripted(pod),
      isVirtual: options.virtualClock !== undefined,
      actions: {
        advance: async (request) => (await import('./serveClock.ts')).serveAdvance(this, request),
        settle: async (request) => (await import('./serveClock.ts')).serveSettle(this, request),
        reset: async (request) => (await import('./serveClock.ts')).serveReset(this, request),
      },
      log: options.log ?? (() => {}),
    });
  }

  get isVirtual(): boolean {
    return this.#options.virtualClock !== undefined;
  }

  /** Settles the cluster and moves its clock. Throws before `attach`. */
  get time(): ClusterTime {
    return this.#running().time;
  }

  /** What the control plane needs, so that all this has an effect. */
  controlPlaneOptions(): Pick<
    ControlPlaneOptions,
    'clock' | 'podRuntime' | 'group' | 'intercept' | 'registryForControllers'
  > {
    const { clock } = this.#options;
    const { faults, traffic, stopping } = this;
    return {
      clock,
      podRuntime: this.#podRuntime,
      group: this.#group,
      intercept: (api) =>
        faultyApi(traffic.intercept(api), {
          faults,
          clock,
          stopping: stopping.signal,
          whenWritten: () => this.whenWritten(),
        }),
      registryForControllers: (registry) => faultyRegistry(registry, faults),
    };
  }

  /** Takes over the started control plane, and settles it. What it contains then stays at a reset, if nobody has changed it and it was new. */
  async attach(controlPlane: ControlPlane): Promise<void> {
    const { virtualClock, quietMs, onAdvance } = this.#options;
    const time = new ClusterTime({
      controlPlane,
      traffic: this.traffic,
      virtualClock,
      quietMs,
      whenWritten: () => this.whenWritten(),
      ...(onAdvance && { onAdvance }),
    });
    this.#started = { controlPlane, time };
    // What is stored from now on is not earlier than this.
    if (virtualClock) onAdvance?.(virtualClock.now());
    await time.settle();
    if (controlPlane.isNew) this.#baseVersion = controlPlane.newestVersion();
  }

  /** Resolves when the objects of the group say what has happened. */
  async whenWritten(): Promise<void> {
    await this.#group.writes.whenIdle();
  }

  /** The Clock of the API, as it stands now. */
  async clock(): ReturnType<TestingGroup['clock']> {
    return await this.#group.clock();
  }

  /** Empties the cluster for the next test, after the calls that move its clock: see `resetCluster`. The clock stays where it is. */
  async reset(): Promise<void> {
    const { controlPlane, time } = this.#running();
    const { resetCluster } = await import('./resetCluster.ts');
    await time.inTurn(async () => {
      this.faults.clear();
      for (const behaviour of this.behaviours.values())
        if (!this.#given.has(behaviour.name)) this.behaviours.remove(behaviour);
      await this.whenWritten();
      await resetCluster(controlPlane, { baseVersion: this.#baseVersion, isKept: (name) => this.#given.has(name) });
      this.#baseVersion = controlPlane.newestVersion();
    });
  }

  #running(): Started {
    if (!this.#started) throw new Error('the cluster has not started yet');
    return this.#started;
  }
}
