import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { formatTime } from '../../../lambdas/ports/Clock.ts';
import type { KubeletApi } from './KubeletApi.ts';
import { endedStatus, runningStatus, waitingStatus } from './podStatus.ts';

/** What a kubelet does for each of its pods, one step after the other: it gets what the pod needs, starts it, and ends it when it is deleted. No container runs. */
export class PodWorkers {
  /** The UIDs of the pods that were started, by `namespace/name`: a kubelet that starts two of one name has seen a second pod. */
  readonly started = new Map<string, string[]>();
  /** The objects that it keeps in sight because a pod uses them: `default/configmaps/settings`. */
  readonly watched = new Set<string>();
  /** The accounts of which it got a token, once for each pod: `namespace/name`. */
  readonly tokens: string[] = [];
  readonly #api: KubeletApi;
  readonly #nodeName: string;
  readonly #work = new Map<string, Promise<void>>();
  readonly #ending = new Set<string>();

  constructor(api: KubeletApi, nodeName: string) {
    this.#api = api;
    this.#nodeName = nodeName;
  }

  /** Takes up an event of a pod. Steps of one pod follow each other, those of different pods do not wait. */
  take(type: string, pod: Pod): void {
    const { uid } = pod.metadata;
    const before = this.#work.get(uid);
    if (type === 'DELETED') return void this.#work.delete(uid);
    if (!before) this.#then(pod, Promise.resolve(), () => this.#start(pod));
    else if (pod.metadata.deletionTimestamp !== undefined && !this.#ending.has(uid)) {
      this.#ending.add(uid);
      this.#then(pod, before, () => this.#end(pod));
    }
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    await Promise.all(this.#work.values());
  }

  #then({ metadata: { uid } }: Pod, before: Promise<void>, step: () => Promise<void>): void {
    const work = before.then(step).catch((error: unknown) => {
      if (!this.#api.signal.aborted) this.#api.refusals.push(String(error));
    });
    this.#work.set(uid, work);
  }

  async #start(pod: Pod): Promise<void> {
    if (pod.metadata.deletionTimestamp !== undefined) {
      this.#ending.add(pod.metadata.uid);
      return await this.#end(pod);
    }
    // A kubelet that was started again finds the containers of its pods still running.
    if (pod.status?.phase === 'Running') return;
    const { namespace = '', name, uid } = pod.metadata;
    this.started.set(`${namespace}/${name}`, [...(this.started.get(`${namespace}/${name}`) ?? []), uid]);
    await this.#patchStatus(pod, waitingStatus(pod));
    await this.#mount(pod);
    const names = (pod.spec?.containers ?? []).map((container) => container.name);
    for (const container of names) await this.#record(pod, 'Started', `Started container ${container}`);
    await this.#patchStatus(pod, runningStatus(pod));
  }

  /** Gets what the pod's volumes and environment need: a token of its account, and each object that it names. */
  async #mount(pod: Pod): Promise<void> {
    const { namespace = '', name, uid } = pod.metadata;
    const { serviceAccountName, volumes = [] } = pod.spec ?? {};
    const hasToken = volumes.some(({ projected }) => projected?.sources?.some((one) => one.serviceAccountToken));
    if (hasToken && serviceAccountName !== undefined) {
      const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name, uid };
      const spec = { audiences: [], expirationSeconds: 3607, boundObjectRef };
      const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
      const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${serviceAccountName}/token`;
      await this.#api.ask(['POST', path, request]);
      this.tokens.push(`${namespace}/${serviceAccountName}`);
    }
    for (const [resource, needed] of objectsUsedBy(pod)) await this.#watchObject(resource, namespace, needed);
  }

  /** One watch for each object, because a node may not read others. */
  async #watchObject(resource: string, namespace: string, name: string): Promise<void> {
    const path = `/api/v1/namespaces/${namespace}/${resource}`;
    if (this.watched.has(`${namespace}/${resource}/${name}`)) return;
    this.watched.add(`${namespace}/${resource}/${name}`);
    await this.#api.watch(path, `metadata.name=${name}`);
  }

  async #end(pod: Pod): Promise<void> {
    const { uid } = pod.metadata;
    for (const { name } of pod.spec?.containers ?? []) await this.#record(pod, 'Killing', `Stopping container ${name}`);
    if (!(await this.#patchStatus(pod, endedStatus(pod)))) return;
    const options = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0, preconditions: { uid } };
    await this.#api.ask(['DELETE', pathOf(pod), options], [404, 409]);
  }

  /** Reads the pod and patches its status, with its UID as a precondition. Returns false if the pod is gone. */
  async #patchStatus(pod: Pod, status: object): Promise<boolean> {
    const { uid } = pod.metadata;
    const found = await this.#api.ask(['GET', pathOf(pod)], [403, 404]);
    if (found.code !== 200 || found.body.metadata.uid !== uid) return false;
    const { code } = await this.#api.ask(['PATCH', `${pathOf(pod)}/status`, { metadata: { uid }, status }], [404, 409]);
    return code === 200;
  }

  async #record(pod: Pod, reason: string, message: string): Promise<void> {
    const { namespace = '', name, uid } = pod.metadata;
    const time = formatTime(Date.now());
    const suffix = Math.trunc(performance.now() * 1e6).toString(16);
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.${suffix}`, namespace },
      involvedObject: { apiVersion: 'v1', kind: 'Pod', name, namespace, uid },
      reason,
      message,
      source: { component: 'kubelet', host: this.#nodeName },
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
      type: 'Normal',
      reportingComponent: 'kubelet',
      reportingInstance: this.#nodeName,
    };
    // A namespace that ends refuses events, and a kubelet loses them.
    // An answer that a crash of the server lost is asked for again, and the event is there.
    await this.#api.ask(['POST', `/api/v1/namespaces/${namespace}/events`, event], [403, 409]);
  }
}

/** The ConfigMaps and Secrets that a kubelet needs before it starts the pod's containers. */
function objectsUsedBy({ spec }: Pod): (readonly [resource: string, name: string])[] {
  const mounted = (spec?.volumes ?? []).flatMap(({ projected, ...volume }) => [volume, ...(projected?.sources ?? [])]);
  const read = (spec?.containers ?? []).flatMap(({ env = [], envFrom = [] }) => [
    ...envFrom.map(({ configMapRef, secretRef }) => ({ configMap: configMapRef, secret: secretRef })),
    ...env.map(({ valueFrom }) => ({ configMap: valueFrom?.configMapKeyRef, secret: valueFrom?.secretKeyRef })),
  ]);
  return [...mounted, ...read].flatMap(({ configMap, secret }) => [
    ...(configMap?.name === undefined ? [] : [['configmaps', configMap.name] as const]),
    ...(secret ? [['secrets', secretName(secret)] as const] : []),
  ]);
}

/** A volume names its Secret otherwise than all others do. */
function secretName(secret: { readonly name?: string } | { readonly secretName?: string }): string {
  return ('secretName' in secret ? secret.secretName : (secret as { readonly name?: string }).name) ?? '';
}

function pathOf({ metadata: { namespace = '', name } }: Pod): string {
  return `/api/v1/namespaces/${namespace}/pods/${name}`;
}
