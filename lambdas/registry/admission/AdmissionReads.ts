import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import { type Clock, isRecent, type Moment, momentOf } from '../../ports/Clock.ts';
import type { ObjectStore } from '../../ports/ObjectStore.ts';
import { type PriorityClass, PRIORITY_CLASSES } from '../resources/priorityClasses.ts';
import { ConfiguredObjects } from './dynamic/ConfiguredObjects.ts';

export interface AdmissionReadsParts {
  readonly objectStore: Pick<ObjectStore, 'get' | 'list'>;
  readonly clock: Clock;
  /** How long an answer may be used again; milliseconds. 0, the default: never. */
  readonly rememberMs?: number;
  /** How long the priority classes may be used again; see ConfiguredObjects. 0, the default: never. */
  readonly classesRememberMs?: number;
}

interface Answer<T> {
  readonly value: T;
  /** When its read began, by the steady clock. */
  readonly readAtMs: number;
}

interface Remembered {
  readonly answer: Promise<Answer<unknown>>;
  /** When its read began. */
  readonly readAt: Moment;
}

/**
 * What the admission of a new object reads: its namespace, the limit ranges and quotas in it, and the service account and the node of a pod. A process that creates hundreds of pods in one namespace reads these once in a few seconds, and
 * creates that come together share one read. Only answers that admit the new object are used again. So a refusal always rests on a read that began
 * after the request. Kubernetes' admission plugins read the same objects from informer caches.
 *
 * ADR 13 shows why the deletion of a namespace stays correct: its controller waits longer by `rememberMs`.
 */
export class AdmissionReads {
  readonly #objectStore: Pick<ObjectStore, 'get' | 'list'>;
  readonly #clock: Clock;
  readonly #rememberMs: number;
  readonly #remembered = new Map<string, Remembered>();
  readonly #priorityClasses: ConfiguredObjects<PriorityClass, PriorityClass>;

  constructor({ objectStore, clock, rememberMs = 0, classesRememberMs = 0 }: AdmissionReadsParts) {
    this.#objectStore = objectStore;
    this.#clock = clock;
    this.#rememberMs = rememberMs;
    const configured = { objectStore, clock, rememberMs: classesRememberMs };
    this.#priorityClasses = new ConfiguredObjects(configured, PRIORITY_CLASSES, (one: PriorityClass) => one);
  }

  get rememberMs(): number {
    return this.#rememberMs;
  }

  namespace(name: string): Promise<Answer<KubernetesObject | undefined>> {
    return this.#read(
      `namespaces/${name}`,
      () => this.#objectStore.get({ resource: 'namespaces', namespace: '', name }),
      (found) => found !== undefined && found.metadata.deletionTimestamp === undefined,
    );
  }

  /** The account of new pods. */
  async serviceAccount(namespace: string, name: string): Promise<KubernetesObject | undefined> {
    const read = () => this.#objectStore.get({ resource: 'serviceaccounts', namespace, name });
    return (await this.#read(`serviceaccounts/${namespace}/${name}`, read, (found) => found !== undefined)).value;
  }

  /** The node of a pod that is bound to it. */
  async node(name: string): Promise<KubernetesObject | undefined> {
    const read = () => this.#objectStore.get({ resource: 'nodes', namespace: '', name });
    return (await this.#read(`nodes/${name}`, read, (found) => found !== undefined)).value;
  }

  /** Only their absence is remembered: what they do to a pod cannot be undone. */
  limitRanges<T extends KubernetesObject>(namespace: string): Promise<readonly T[]> {
    return this.#list<T>('limitranges', namespace, (ranges) => ranges.length === 0);
  }

  /** The priority class of pods that name none. If there are several, because they were made at the same moment, the lowest counts, as in Kubernetes. */
  async globalDefault(): Promise<PriorityClass | undefined> {
    const defaults = (await this.#priorityClasses.list()).filter(({ globalDefault }) => globalDefault === true);
    return defaults.reduce<PriorityClass | undefined>(
      (lowest, one) => (lowest === undefined || one.value < lowest.value ? one : lowest),
      undefined,
    );
  }

  /** `admits`: whether remembered quotas admit the object. If they do not, they are read anew. */
  quotas<T extends KubernetesObject>(namespace: string, admits: (quotas: readonly T[]) => boolean) {
    return this.#list<T>('resourcequotas', namespace, admits);
  }

  /** Forgets what a write of this process changes as soon as it has ended, so that the next create sees it. */
  forgetAfter<T>(
    resource: GroupResource,
    { namespace = '', name = '' }: { readonly namespace?: string; readonly name?: string },
    written: Promise<T>,
  ): Promise<T> {
    if (resource === PRIORITY_CLASSES) return written.finally(() => this.#priorityClasses.forget(resource));
    if (!READ_BY_ADMISSION.has(resource)) return written;
    return written.finally(() => this.#remembered.delete(keyOf(resource, namespace, name)));
  }

  async #list<T extends KubernetesObject>(
    resource: GroupResource,
    namespace: string,
    admits: (found: readonly T[]) => boolean,
  ): Promise<readonly T[]> {
    const read = async () => (await this.#objectStore.list<T>(resource, { namespace })).items;
    return (await this.#read(`${resource}/${namespace}`, read, admits)).value;
  }

  async #read<T>(key: string, read: () => Promise<T>, admits: (value: T) => boolean): Promise<Answer<T>> {
    const known = this.#remembered.get(key);
    if (known && isRecent(this.#clock, known.readAt, this.#rememberMs)) {
      const answer = (await known.answer.catch(() => undefined)) as Answer<T> | undefined;
      if (answer && admits(answer.value)) return answer;
    }
    return await this.#readNow(key, read);
  }

  async #readNow<T>(key: string, read: () => Promise<T>): Promise<Answer<T>> {
    const readAt = momentOf(this.#clock);
    const answer = read().then((value) => ({ value, readAtMs: readAt.steadyMs }));
    if (this.#rememberMs === 0) return await answer;
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(key, { answer, readAt });
    return await answer;
  }
}

const READ_BY_ADMISSION = new Set<GroupResource>([
  'namespaces',
  'nodes',
  'limitranges',
  'resourcequotas',
  'serviceaccounts',
]);

/** Under which key the answer that this object is part of is remembered. */
function keyOf(resource: GroupResource, namespace: string, name: string): string {
  if (resource === 'namespaces' || resource === 'nodes') return `${resource}/${name}`;
  return resource === 'serviceaccounts' ? `${resource}/${namespace}/${name}` : `${resource}/${namespace}`;
}

/** Bounds the memory of a process that serves very many namespaces. */
const MOST_REMEMBERED = 3_000;
