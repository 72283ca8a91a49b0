import type { ChangeStream } from '../../../lambdas/adapters/embedded/ChangeStream.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import type { Ports } from '../../../lambdas/ports/Ports.ts';
import type { Registry, WriteOutcome } from '../../../lambdas/registry/Registry.ts';
import type { ResourceEntry } from '../../../lambdas/registry/ResourceEntry.ts';
import type { ServeAction } from '../../../lambdas/rest/request/ResourceRequest.ts';
import type { FaultList } from '../Faults.ts';
import { matchesRule, type ActingRule, type ImagePattern } from '../PodBehaviour.ts';
import { ActingMirror } from './ActingMirror.ts';
import type { ActingObjects } from './ActingObjects.ts';
import {
  CLOCKS,
  createTestingEntries,
  FAULTS,
  POD_BEHAVIOURS,
  TESTING_GROUP,
  TESTING_VERSION,
} from './testingEntries.ts';
import {
  decodeFault,
  decodePodBehaviour,
  encodeFault,
  encodePodBehaviour,
  type StoredClock,
  type StoredFault,
  type StoredPodBehaviour,
} from './TestingObjects.ts';
import { WriteQueue } from './WriteQueue.ts';

/** What the group acts on. */
export interface TestingGroupParts {
  readonly faults: FaultList;
  readonly behaviours: ActingObjects<ActingRule>;
  readonly scriptedPod: (pod: Pod) => Pod;
  readonly isVirtual: boolean;
  readonly actions: Readonly<Record<'advance' | 'settle' | 'reset', ServeAction>>;
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
}

/** What the group is attached to, before its first request. */
export interface TestingHost {
  readonly ports: Ports;
  readonly registry: Registry;
  readonly stream: ChangeStream;
}

const API_VERSION = `${TESTING_GROUP}/${TESTING_VERSION}`;
/** Writers of the Clock are requests of one process. */
const MAX_ATTEMPTS = 20;
const CLOCK_KEY = { resource: CLOCKS, namespace: '', name: 'cluster' };

/** The API group `testing.driftless.dev` of one control plane. Its objects are written when somebody first asks for the group. */
export class TestingGroup {
  readonly entries: readonly ResourceEntry[];
  readonly actions: Readonly<Record<string, ServeAction>>;
  readonly scriptedPod: (pod: Pod) => Pod;
  readonly writes: WriteQueue;
  readonly #parts: TestingGroupParts;
  readonly #patterns = new LazyPatterns();
  #host: TestingHost | undefined;
  #mirrors: readonly Pick<ActingMirror<unknown>, 'open'>[] = [];

  constructor(parts: TestingGroupParts) {
    this.#parts = parts;
    this.scriptedPod = parts.scriptedPod;
    this.writes = new WriteQueue((error) => this.#log(error));
    this.entries = createTestingEntries((kind) => this.#open(kind));
    this.actions = Object.fromEntries(
      Object.entries(parts.actions).map(([name, serve]) => [`${CLOCKS}/${name}`, serve]),
    );
  }

  /** Called once, before the first request and the first sync. */
  async attach(host: TestingHost): Promise<void> {
    this.#host = host;
    const { faults, behaviours } = this.#parts;
    const parts = {
      registry: host.registry,
      objectStore: host.ports.objectStore,
      stream: host.stream,
      writes: this.writes,
      log: (error: unknown) => this.#log(error),
    };
    const ofFaults = {
      resource: FAULTS,
      apiVersion: API_VERSION,
      kind: 'Fault',
      acting: faults.acting,
      encode: encodeFault,
      decode: (spec: StoredFault['spec']) => faults.canonical(decodeFault(spec)),
    };
    const ofBehaviours = {
      resource: POD_BEHAVIOURS,
      apiVersion: API_VERSION,
      kind: 'PodBehaviour',
      acting: behaviours,
      encode: encodePodBehaviour,
      decode: (spec: StoredPodBehaviour['spec']) => decodePodBehaviour(spec, this.#patterns.compile),
      load: () => this.#patterns.load(),
      changed: (...rules: readonly (ActingRule | undefined)[]) => this.#wakePods(rules),
    };
    const mirrors = [new ActingMirror(ofFaults, parts), new ActingMirror(ofBehaviours, parts)] as const;
    for (const mirror of mirrors) await mirror.attach();
    this.#mirrors = mirrors;
  }

  /** The Clock as it stands now, after it has been written. */
  async clock(): Promise<StoredClock> {
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.#writeClock();
      if (outcome.status === 'stored') return outcome.object;
      // Another request may have just written it.
      if (attempt === MAX_ATTEMPTS) throw outcome.error;
    }
  }

  async #writeClock(): Promise<WriteOutcome<StoredClock>> {
    const { ports, registry } = this.#attached();
    const type = this.#parts.isVirtual ? 'Virtual' : 'Real';
    const status = { time: new Date(ports.clock.now()).toISOString(), type } as const;
    const stored = await registry.get<StoredClock>(CLOCK_KEY);
    if (!stored) {
      const clock = { apiVersion: API_VERSION, kind: 'Clock', metadata: { name: CLOCK_KEY.name }, status };
      return await registry.create<StoredClock>(CLOCKS, clock);
    }
    if (stored.status.time === status.time && stored.status.type === type) return { status: 'stored', object: stored };
    return await registry.update<StoredClock>(CLOCKS, { ...stored, status });
  }

  async #open(kind: string): Promise<void> {
    await this.#patterns.load();
    for (const mirror of this.#mirrors) mirror.open();
    await this.writes.whenIdle();
    if (kind === 'Clock') await this.clock();
  }

  /** What a changed behaviour says is seen by its pods at once, and not at their next own change. */
  #wakePods(rules: readonly (ActingRule | undefined)[]): void {
    this.writes.add(async () => {
      const { ports } = this.#attached();
      const { items } = await ports.objectStore.list<Pod>('pods');
      const pods = items.filter((pod) => rules.some((rule) => rule && matchesRule(rule, pod)));
      const keys = pods.map(({ metadata: { namespace = '', name } }) => ({
        key: { controller: 'pod' as const, namespace, name },
      }));
      await ports.workQueue.send(keys);
    });
  }

  #attached(): TestingHost {
    if (!this.#host) throw new Error('the testing group was asked before it was attached');
    return this.#host;
  }

  #log(error: unknown): void {
    this.#parts.log({ level: 'error', msg: 'testing.driftless.dev', error: String(error) });
  }
}

/** The language of patterns, which is loaded before the first object that may have one is read or written. */
class LazyPatterns {
  #compile: ((pattern: string) => ImagePattern) | undefined;

  readonly compile = (pattern: string): ImagePattern => {
    if (!this.#compile) throw new Error('a pattern was compiled before its language was loaded');
    return this.#compile(pattern);
  };

  async load(): Promise<void> {
    this.#compile ??= (await import('./compileImagePattern.ts')).compileImagePattern;
  }
}
