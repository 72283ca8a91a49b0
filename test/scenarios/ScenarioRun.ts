import { type ControlPlane, startControlPlane } from '../../infra/local/startControlPlane.ts';
import { SeededIds } from '../../lambdas/adapters/ids/SeededIds.ts';
import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import type { Deployment } from '../../lambdas/objects/kinds.ts';
import { type Change, type ChangeLog, type LogCursor, subjectOf } from '../../lambdas/ports/ChangeLog.ts';
import { type Seen, Timeline } from './Timeline.ts';

const WATCHED = ['deployments.apps', 'replicasets.apps', 'pods', 'replicationcontrollers', 'events'];
const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const WEB = `${DEPLOYMENTS}/web`;

type Spec = NonNullable<Deployment['spec']>;

/** A whole control plane on a virtual clock, and a client's actions on the Deployment `web`. */
export class ScenarioRun {
  readonly #controlPlane: ControlPlane;
  readonly #clock: VirtualClock;
  readonly #cursors: readonly LogCursor[];
  readonly #timeline = new Timeline();
  readonly #begunMs: number;

  private constructor(controlPlane: ControlPlane, clock: VirtualClock, cursors: readonly LogCursor[]) {
    this.#controlPlane = controlPlane;
    this.#clock = clock;
    this.#cursors = cursors;
    this.#begunMs = clock.now();
  }

  static async start(): Promise<ScenarioRun> {
    const clock = new VirtualClock(Date.UTC(2026, 0, 1));
    const controlPlane = await startControlPlane({ clock, ids: new SeededIds(1) });
    await controlPlane.whenIdle();
    const { changeLog } = controlPlane.ports;
    return new ScenarioRun(
      controlPlane,
      clock,
      await Promise.all(WATCHED.map((resource) => follow(changeLog, resource))),
    );
  }

  /** The states so far, in the order of the writes. */
  get states(): readonly Seen[] {
    return this.#timeline.states;
  }

  stop(): Promise<void> {
    return this.#controlPlane.stop();
  }

  async call<T>(method: string, path: string, body?: unknown, contentType = 'application/json'): Promise<T> {
    const response = await this.#controlPlane.fetch(
      new Request(`http://127.0.0.1${path}`, {
        method,
        ...(body !== undefined && { headers: { 'content-type': contentType }, body: JSON.stringify(body) }),
      }),
    );
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }

  create(replicas: number, spec: Partial<Spec> = {}, image = 'nginx:1'): Promise<unknown> {
    return this.call('POST', DEPLOYMENTS, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', labels: { app: 'web' } },
      spec: { replicas, selector: { matchLabels: { app: 'web' } }, template: podTemplate(image), ...spec },
    });
  }

  /** Changes the Deployment's image. */
  image(image: string): Promise<unknown> {
    return this.call(
      'PATCH',
      WEB,
      { spec: { template: { spec: { containers: [{ name: 'web', image }] } } } },
      STRATEGIC,
    );
  }

  set(spec: Partial<Spec>): Promise<unknown> {
    return this.call('PATCH', WEB, { spec }, MERGE);
  }

  merge(path: string, patch: unknown): Promise<unknown> {
    return this.call('PATCH', path, patch, MERGE);
  }

  /** Deletes the Deployment. */
  delete(propagationPolicy: string): Promise<unknown> {
    return this.call('DELETE', WEB, { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy });
  }

  /** Moves the clock by this duration and settles at each due time. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.#clock.now() + ms;
    await this.#settle();
    for (let next = this.#clock.nextDueMs(); next !== undefined && next <= untilMs; next = this.#clock.nextDueMs()) {
      this.#clock.advanceTo(next);
      await this.#settle();
    }
    this.#clock.advanceTo(untilMs);
  }

  /** Moves the clock until the Deployment passes the test. Throws after a virtual minute. */
  async until(what: string, test: (deployment: Deployment) => boolean): Promise<void> {
    const untilMs = this.#clock.now() + 60_000;
    await this.#settle();
    while (!test(await this.call<Deployment>('GET', WEB))) {
      const next = this.#clock.nextDueMs();
      if (next === undefined || next > untilMs) throw new Error(`never: ${what}`);
      this.#clock.advanceTo(next);
      await this.#settle();
    }
  }

  /** Moves the clock until the rollout is complete. */
  complete(): Promise<void> {
    return this.until('complete', ({ metadata, spec, status = {} }) => {
      const counts = [status.replicas, status.updatedReplicas, status.availableReplicas];
      const isObserved = status.observedGeneration === metadata.generation;
      return isObserved && counts.every((count = 0) => count === spec?.replicas);
    });
  }

  async #settle(): Promise<void> {
    await this.#controlPlane.whenIdle();
    const changes = (await Promise.all(this.#cursors.map(readAll))).flat();
    for (const change of changes.sort((a, b) => a.version - b.version)) {
      this.#timeline.see(this.#clock.now() - this.#begunMs, subjectOf(change), change.type === 'DELETED');
    }
  }
}

async function follow(changeLog: ChangeLog, resource: string): Promise<LogCursor> {
  const opened = await changeLog.open(resource, await changeLog.head(resource), AbortSignal.timeout(1_000));
  if (opened.status !== 'open') throw new Error(`the log of ${resource} is ${opened.status}`);
  return opened.cursor;
}

/** Returns the changes that the cursor can return without waiting. */
async function readAll(cursor: LogCursor): Promise<Change[]> {
  const changes: Change[] = [];
  for (;;) {
    const batch = await cursor.next(AbortSignal.abort());
    if (batch === 'expired') throw new Error('the log has expired');
    if (batch.length === 0) return changes;
    changes.push(...batch);
  }
}

/** A template of pods without a grace period. */
export function podTemplate(image: string): Spec['template'] {
  return {
    metadata: { labels: { app: 'web' } },
    spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'web', image }] },
  };
}
