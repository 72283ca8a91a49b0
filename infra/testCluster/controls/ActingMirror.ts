import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { GroupResource } from '../../../lambdas/objects/ObjectKey.ts';
import type { Change } from '../../../lambdas/ports/ChangeLog.ts';
import type { ObjectStore } from '../../../lambdas/ports/ObjectStore.ts';
import type { Registry } from '../../../lambdas/registry/Registry.ts';
import type { ChangeStream } from '../../../lambdas/adapters/embedded/ChangeStream.ts';
import type { Acting, ActingObjects, ActingObserver } from './ActingObjects.ts';
import type { WriteQueue } from './WriteQueue.ts';

/** The label of objects that this process has made of what its own functions were told. Another process does not take them over. */
const OF_PROCESS = 'testing.driftless.dev/of-process';
/** Only this process and clients that write the same object compete for it. */
const MAX_CONFLICTS = 10;

/** A kind of the testing group that acts in this process. */
export interface ActingKind<Spec> {
  readonly resource: GroupResource;
  readonly apiVersion: string;
  readonly kind: string;
  readonly acting: ActingObjects<Spec>;
  encode(spec: Spec): unknown;
  /** Loads what `decode` needs, before it is called. */
  load?(): Promise<void>;
  /** May throw for a spec that another release has stored. */
  decode(spec: never): Spec;
  /** Called when stored objects of the kind have changed what acts. */
  readonly changed?: (before: Spec | undefined, after: Spec | undefined) => void;
}

interface MirrorParts {
  readonly registry: Registry;
  readonly objectStore: Pick<ObjectStore, 'list'>;
  readonly stream: ChangeStream;
  readonly writes: WriteQueue;
  /** Reports a stored object that cannot act. */
  readonly log: (error: unknown) => void;
}

interface ActingObject extends KubernetesObject {
  readonly spec: never;
  readonly status?: { readonly acted?: number };
}

/**
 * Keeps the objects of one kind the same as what acts. A stored object acts before its write is answered. What this process adds acts at once, and gets its object when the group is first asked for: a test
 * that uses only startCluster's functions writes none.
 */
export class ActingMirror<Spec> implements ActingObserver<Spec> {
  readonly #kind: ActingKind<Spec>;
  readonly #parts: MirrorParts;
  /** The names of objects that this process is deleting. Changes that come before their deletion count no more. */
  readonly #leaving = new Set<string>();
  /** The names of objects whose status is to be written. */
  readonly #counted = new Set<string>();
  /** The generations of the stored objects, by name. */
  readonly #stored = new Map<string, number | undefined>();
  #isOpen = false;

  constructor(kind: ActingKind<Spec>, parts: MirrorParts) {
    this.#kind = kind;
    this.#parts = parts;
  }

  /** Takes over the stored objects, and follows them from now on. Those of an earlier process are deleted, since what it was told has ended with it. */
  async attach(): Promise<void> {
    const { resource, acting } = this.#kind;
    const { objectStore, stream, writes, registry } = this.#parts;
    acting.observe(this);
    stream.listen(resource, (change) => this.#follow(change));
    const { items } = await objectStore.list<ActingObject>(resource);
    if (items.length > 0) await this.#kind.load?.();
    for (const object of items) {
      if (object.metadata.labels?.[OF_PROCESS] === undefined) this.#take(object);
      else writes.add(() => registry.delete({ resource, namespace: '', name: object.metadata.name }));
    }
    if (items.length > 0) this.open();
  }

  /** Gives objects to what acts without one, and from now on to all. */
  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    for (const acting of this.#kind.acting.values()) if (!this.#stored.has(acting.name)) this.added(acting);
  }

  added(acting: Acting<Spec>): void {
    if (this.#isOpen) this.#parts.writes.add(() => this.#create(acting));
  }

  removed(name: string): void {
    if (!this.#isOpen) return;
    this.#leaving.add(name);
    const { resource } = this.#kind;
    this.#parts.writes.add(() => this.#parts.registry.delete({ resource, namespace: '', name }));
  }

  acted(acting: Acting<Spec>): void {
    if (!this.#isOpen || this.#counted.has(acting.name)) return;
    this.#counted.add(acting.name);
    this.#parts.writes.add(() => this.#writeStatus(acting));
  }

  #follow({ type, before, after }: Change): void {
    const { acting } = this.#kind;
    const { name } = (after ?? before)?.metadata ?? { name: '' };
    if (type === 'DELETED') {
      this.#stored.delete(name);
      this.#leaving.delete(name);
      const gone = acting.find(name);
      acting.drop(name);
      this.#kind.changed?.(gone?.spec, undefined);
    } else if (!this.#leaving.has(name)) this.#take(after as ActingObject);
  }

  #take({ metadata, spec, status }: ActingObject): void {
    const { acting, changed } = this.#kind;
    // A status says nothing new about what acts.
    if (this.#stored.has(metadata.name) && this.#stored.get(metadata.name) === metadata.generation) return;
    this.#stored.set(metadata.name, metadata.generation);
    const before = acting.find(metadata.name)?.spec;
    try {
      const after = this.#kind.decode(spec);
      acting.put(metadata.name, after, status?.acted ?? 0);
      changed?.(before, after);
    } catch (error) {
      this.#parts.log(error);
    }
  }

  async #create(acting: Acting<Spec>): Promise<void> {
    const { resource, apiVersion, kind } = this.#kind;
    const { name, acted } = acting;
    const metadata = { name, labels: { [OF_PROCESS]: 'true' } };
    await this.#parts.registry.create(resource, { apiVersion, kind, metadata, spec: this.#kind.encode(acting.spec) });
    if (acted > 0) await this.#writeStatus(acting);
  }

  async #writeStatus(acting: Acting<Spec>): Promise<void> {
    const { registry } = this.#parts;
    const { resource } = this.#kind;
    this.#counted.delete(acting.name);
    for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts += 1) {
      const object = await registry.get<ActingObject>({ resource, namespace: '', name: acting.name });
      if (!object) return;
      const counted = { ...object, status: { acted: acting.acted } };
      const written = await registry.update(resource, counted, { subresource: 'status' });
      if (written.status === 'stored' || written.error.reason !== 'Conflict') return;
    }
  }
}
