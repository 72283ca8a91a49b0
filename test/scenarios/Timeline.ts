import type { Deployment, Event, Pod, ReplicaSet, ReplicationController } from '../../lambdas/objects/kinds.ts';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import { podConditionOf } from '../../lambdas/objects/pods/podState.ts';

/** A state of an object as a watch showed it, without times and UIDs. `gone` marks its deletion. */
export interface Seen {
  /** Milliseconds since the scenario began. */
  readonly at: number;
  readonly on: string;
  readonly name: string;
  readonly owner?: string;
  readonly generation?: number;
  readonly revision?: string;
  readonly history?: string;
  readonly desired?: string;
  readonly max?: string;
  readonly deleting?: boolean;
  readonly finalizers?: readonly string[];
  readonly image?: string;
  readonly replicas?: number;
  readonly spec?: { readonly replicas?: number; readonly paused?: boolean; readonly image?: string };
  readonly status?: SeenStatus;
  readonly phase?: string;
  readonly ready?: boolean;
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly count?: number;
  readonly from?: string;
  readonly gone?: boolean;
}

export interface SeenStatus {
  readonly [count: string]: unknown;
  readonly observedGeneration?: number;
  readonly conditions?: readonly string[];
}

/** The states of a namespace's objects in order. ReplicaSets and pods are numbered in the order in which they appear. */
export class Timeline {
  readonly states: Seen[] = [];
  readonly #aliases = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #last = new Map<string, string>();

  /** Records a state, unless none of the recorded fields has changed. */
  see(at: number, object: KubernetesObject, gone: boolean): void {
    const seen = { on: object.kind, ...this.#describe(object), ...(gone && { gone }) };
    const key = `${object.kind}/${object.metadata.name}`;
    const text = JSON.stringify(seen);
    if (this.#last.get(key) === text) return;
    this.#last.set(key, text);
    this.states.push({ at, ...seen });
  }

  #describe(object: KubernetesObject): RecordedFields {
    switch (object.kind) {
      case 'Deployment':
        return this.#deployment(object);
      case 'ReplicaSet':
        return this.#replicaSet(object);
      case 'Pod':
        return this.#pod(object);
      case 'Event':
        return this.#event(object as Event);
      default:
        return this.#replicationController(object);
    }
  }

  #deployment({ metadata, spec, status }: Deployment): RecordedFields {
    const annotations = metadata.annotations ?? {};
    return present({
      name: metadata.name,
      generation: metadata.generation,
      revision: annotations['deployment.kubernetes.io/revision'],
      ...deletionOf(metadata),
      spec: present({ replicas: spec?.replicas, paused: spec?.paused, image: imageOf(spec?.template) }),
      status: this.#status(status),
    });
  }

  #replicaSet({ metadata, spec, status }: ReplicaSet): RecordedFields {
    const annotations = metadata.annotations ?? {};
    return present({
      name: this.#alias('rs', metadata.name),
      revision: annotations['deployment.kubernetes.io/revision'],
      history: annotations['deployment.kubernetes.io/revision-history'],
      desired: annotations['deployment.kubernetes.io/desired-replicas'],
      max: annotations['deployment.kubernetes.io/max-replicas'],
      ...deletionOf(metadata),
      image: imageOf(spec?.template),
      replicas: spec?.replicas,
      status: this.#status(status),
    });
  }

  #replicationController({ metadata, spec, status }: ReplicationController): RecordedFields {
    return present({ name: metadata.name, replicas: spec?.replicas, status: this.#status(status) });
  }

  #pod(pod: Pod): RecordedFields {
    const owner = pod.metadata.ownerReferences?.[0];
    return present({
      name: this.#alias('pod', pod.metadata.name),
      owner: owner && (owner.kind === 'ReplicaSet' ? this.#alias('rs', owner.name) : owner.name),
      ...deletionOf(pod.metadata),
      phase: pod.status?.phase,
      ready: podConditionOf(pod, 'Ready')?.status === 'True',
    });
  }

  #event({ involvedObject, type, reason, message, count, source }: Event): RecordedFields {
    return present({
      name: `${involvedObject.kind} ${this.#rename(involvedObject.name ?? '')}`,
      type,
      reason,
      message: this.#rename(message ?? ''),
      count,
      from: source?.component,
    });
  }

  #status(status: object = {}): SeenStatus {
    const { conditions, ...counts } = status as { conditions?: SeenCondition[] };
    const texts = conditions?.map(
      (one) => `${one.type}=${one.status} ${one.reason}: ${this.#rename(one.message ?? '')}`,
    );
    return { ...counts, ...(texts && { conditions: texts.sort() }) };
  }

  #alias(kind: string, name: string): string {
    const known = this.#aliases.get(name);
    if (known !== undefined) return known;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    this.#aliases.set(name, `${kind}-${count}`);
    return `${kind}-${count}`;
  }

  /** Replaces the names of ReplicaSets' pods, of ReplicaSets, and of ReplicationControllers' pods, which differ in their form. */
  #rename(text: string): string {
    return text
      .replace(/\bweb-[a-z0-9]{6,10}-[a-z0-9]{5}\b/g, (name) => this.#alias('pod', name))
      .replace(/\bweb-[a-z0-9]{6,10}\b/g, (name) => this.#alias('rs', name))
      .replace(/\bweb-[a-z0-9]{5}\b/g, (name) => this.#alias('pod', name));
  }
}

type RecordedFields = Omit<Seen, 'at' | 'on' | 'gone'>;

interface SeenCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

function deletionOf({
  deletionTimestamp,
  finalizers,
}: KubernetesObject['metadata']): Pick<Seen, 'deleting' | 'finalizers'> {
  return { ...(deletionTimestamp !== undefined && { deleting: true }), ...(finalizers && { finalizers }) };
}

function imageOf(template: { spec?: { containers: readonly { image?: string }[] } } | undefined): string | undefined {
  return template?.spec?.containers[0]?.image;
}

type Present<T> = { [K in keyof T]: Exclude<T[K], undefined> };

function present<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;
}
