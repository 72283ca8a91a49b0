import { AUTO_ROLLBACK, REVISION, ROLLBACK_TO } from '../../lambdas/objects/deployments/deploymentAnnotations.ts';
import { ApiError } from '../../lambdas/objects/ApiError.ts';
import { controllerOf, type KubernetesObject, type NewObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { ObjectKey } from '../../lambdas/objects/ObjectKey.ts';
import type { Deployment, Pod, ReplicaSet } from '../../lambdas/objects/kinds.ts';
import { podTemplateHash, withoutHashLabel } from '../../lambdas/objects/pods/podTemplateHash.ts';
import type { Registry } from '../../lambdas/registry/Registry.ts';
import { type ClientOp, describeOp, type Target } from './ClientOp.ts';
import { TransientError } from './Gate.ts';
import type { Scheduler } from './Scheduler.ts';
import type { Trace } from './Trace.ts';
import { autoscalerSpec, LOAD_METRIC, newAutoscaler } from './newAutoscaler.ts';
import { newBudget } from './newBudget.ts';
import { newCronJob } from './newCronJob.ts';
import type { Evictions } from './Evictions.ts';
import { newCrowd, newSmallNode } from './newCrowd.ts';
import { daemonTaints, newDaemonNode, newDaemonSet } from './newDaemonSet.ts';
import { newJob } from './newJob.ts';
import { dataOf, newData, newWaiters } from './newWaiters.ts';
import { newStatefulSet, withPartition } from './newStatefulSet.ts';
import { newEndingPod, newNameTaker, newQuota, newWorkload, QUOTA_NAME } from './newWorkload.ts';

/** A user, who carries out the script: one action after the other for each workload, and each again until it is answered. */
export class Client {
  readonly #registry: Registry;
  readonly #evictions: Evictions;
  readonly #scheduler: Scheduler;
  readonly #trace: Trace;
  readonly #lines = new Map<string, Promise<void>>();

  constructor(registry: Registry, evictions: Evictions, scheduler: Scheduler, trace: Trace) {
    this.#registry = registry;
    this.#evictions = evictions;
    this.#scheduler = scheduler;
    this.#trace = trace;
  }

  /** Does this once the earlier actions for the same workload are done. */
  begin(op: ClientOp): Promise<void> {
    const line = `${op.target.namespace}/${op.target.name}`;
    const done = (this.#lines.get(line) ?? Promise.resolve()).then(() => this.#insist(op));
    this.#lines.set(line, done);
    return done;
  }

  async #insist(op: ClientOp): Promise<void> {
    for (;;) {
      this.#trace.add(`client begins ${describeOp(op)}`);
      try {
        const isDone = await this.#do(op);
        this.#trace.add(`client ${isDone ? 'has done' : 'was refused'} ${describeOp(op)}`);
        if (isDone) return;
      } catch (error) {
        if (isFinal(error)) return;
        if (!(error instanceof TransientError)) throw error;
      }
      await this.#scheduler.wait(300);
    }
  }

  /** False if it must be tried again. */
  async #do(op: ClientOp): Promise<boolean> {
    switch (op.op) {
      case 'create':
        return await this.#create(op.target, newWorkload(op));
      case 'createJob':
        return await this.#create(op.target, newJob(op));
      case 'createCronJob':
        return await this.#create(op.target, newCronJob(op));
      case 'createStatefulSet':
        return await this.#create(op.target, newStatefulSet(op));
      case 'partition':
        return await this.#change(op.target, ({ spec }) => withPartition(spec, op.partition));
      case 'createBudget':
        return await this.#create(op.target, newBudget(op.target, op.spec));
      case 'changeBudget':
        return await this.#change(op.target, ({ spec }) => ({ selector: spec?.selector, ...op.spec }));
      case 'createAutoscaler':
        return await this.#create(op.target, newAutoscaler(op.target, op.spec));
      case 'changeAutoscaler':
        return await this.#change(op.target, () => autoscalerSpec(op.target.name, op.spec));
      case 'load':
        return await this.#load(op.target, op.total);
      case 'evict':
        return await this.#evict(op.target, op.picks);
      case 'createDaemonSet':
        return await this.#create(op.target, newDaemonSet(op));
      case 'daemonStrategy':
        return await this.#change(op.target, ({ spec }) => ({ ...spec, updateStrategy: op.strategy }));
      case 'addNode':
        return await this.#createOnce('nodes', newDaemonNode(op, this.#scheduler.now()));
      case 'createCrowd':
        return await this.#create(op.target, newCrowd(op));
      case 'addSmallNode':
        return await this.#createOnce('nodes', newSmallNode(op, this.#scheduler.now()));
      case 'createWaiters':
        return await this.#create(op.target, newWaiters(op));
      case 'giveData':
        return await this.#giveData(op.target, op.hasKey);
      case 'cordonNode':
        return await this.#change(op.target, ({ spec }) => ({ ...spec, unschedulable: op.isCordoned }));
      case 'removeNode':
        return await this.#deleteObject('nodes', await this.#registry.get(op.target), {});
      case 'taintNode':
        return await this.#change(op.target, ({ spec }) => ({ ...spec, taints: daemonTaints(op.effect) }));
      case 'concurrency':
        return await this.#change(op.target, ({ spec }) => ({ ...spec, concurrencyPolicy: op.policy }));
      case 'deleteJob': {
        const { items } = await this.#registry.list('jobs.batch', { namespace: op.target.namespace });
        const job = pickOf(
          items.filter((one) => controllerOf(one)?.name === op.target.name),
          op.pick,
        );
        return await this.#deleteObject('jobs.batch', job, { propagationPolicy: 'Background' });
      }
      case 'suspend':
        return await this.#change(op.target, ({ spec }) => ({ ...spec, suspend: op.suspended }));
      case 'parallelism':
        return await this.#change(op.target, ({ spec }) => ({ ...spec, parallelism: op.parallelism }));
      case 'scale':
        return await this.#change(op.target, ({ spec }) => ({ ...spec, replicas: op.replicas }));
      case 'image':
        return await this.#change(op.target, ({ spec }) => ({
          ...spec,
          template: withImage(spec?.template, op.image),
        }));
      case 'autoRollback':
        return await this.#annotate(op.target, { [AUTO_ROLLBACK]: String(op.isOn) });
      case 'pause':
        return await this.#change(op.target, ({ spec }) => ({ ...spec, paused: op.paused }));
      case 'strategy':
        return await this.#change(op.target, ({ spec }) => ({ ...spec, strategy: op.strategy }));
      case 'undo':
        return await this.#undo(op.target);
      case 'rollbackTo':
        return await this.#annotate(op.target, { [ROLLBACK_TO]: String(op.revision) });
      case 'delete':
        return await this.#delete(op.target, op.policy);
      case 'deletePod': {
        const pod = pickOf(await this.#podsOf(op.target), op.pick);
        return await this.#deleteObject('pods', pod, { ...(op.graceSeconds === 0 && { gracePeriodSeconds: 0 }) });
      }
      case 'deleteReplicaSet': {
        const replicaSet = pickOf(await this.#replicaSetsOf(op.target), op.pick);
        return await this.#deleteObject('replicasets.apps', replicaSet, { propagationPolicy: op.policy });
      }
      case 'detachPod': {
        const pod = pickOf(await this.#podsOf(op.target), op.pick);
        return !pod || (await this.#label(pod, `${op.target.app}-detached`));
      }
      case 'attachPods': {
        const pods = await this.#labelled(op.target, `${op.target.app}-detached`);
        const attached = await Promise.all(pods.map((pod) => this.#label(pod, op.target.app)));
        return attached.every(Boolean);
      }
      case 'runPod':
        return await this.#createOnce('pods', newEndingPod(op));
      case 'takeName':
        return await this.#takeName(op.target, op.image);
      case 'quota':
        return await this.#limit(op.target, op.pods);
      case 'deleteNamespace': {
        const namespace = await this.#registry.get({
          resource: 'namespaces',
          namespace: '',
          name: op.target.namespace,
        });
        return await this.#deleteObject('namespaces', namespace, {});
      }
    }
  }

  /** A name that is taken means that an earlier try landed, unless what has it is on its way out. */
  async #create({ resource, namespace, name }: Target, object: NewObject): Promise<boolean> {
    const outcome = await this.#registry.create(resource, object);
    if (outcome.status === 'stored') return true;
    if (outcome.error.reason !== 'AlreadyExists') throw outcome.error;
    const current = await this.#registry.get({ resource, namespace, name });
    return current !== undefined && current.metadata.deletionTimestamp === undefined;
  }

  /** A name that is taken is as good: an earlier try succeeded, or somebody else was first. */
  async #createOnce(resource: string, object: NewObject): Promise<boolean> {
    const outcome = await this.#registry.create(resource, object);
    if (outcome.status === 'stored' || outcome.error.reason === 'AlreadyExists') return true;
    throw outcome.error;
  }

  async #giveData(target: Target, hasKey: boolean): Promise<boolean> {
    const object = await this.#registry.get(target);
    if (!object) return await this.#createOnce(target.resource, newData(target, hasKey));
    return await this.#update(target.resource, { ...object, data: dataOf(hasKey) });
  }

  async #takeName(target: Target, image: string): Promise<boolean> {
    const deployment = await this.#registry.get<Deployment>(target);
    if (!deployment) return true;
    const hash = podTemplateHash(withImage(deployment.spec?.template, image), deployment.status?.collisionCount);
    return await this.#createOnce('replicasets.apps', newNameTaker(target, `${target.name}-${hash}`));
  }

  async #limit({ namespace }: Target, pods: number | undefined): Promise<boolean> {
    const key = { resource: 'resourcequotas', namespace, name: QUOTA_NAME };
    if (pods === undefined) return await this.#deleteObject('resourcequotas', await this.#registry.get(key), {});
    return await this.#createOnce('resourcequotas', newQuota(namespace, pods));
  }

  async #change(target: Target, change: (object: Deployment) => unknown): Promise<boolean> {
    const object = await this.#registry.get<Deployment>(target);
    if (!object) return true;
    return await this.#update(target.resource, { ...object, spec: change(object) });
  }

  async #annotate(target: ObjectKey, added: Record<string, string>): Promise<boolean> {
    const object = await this.#registry.get(target);
    if (!object) return true;
    const annotations = { ...object.metadata.annotations, ...added };
    return await this.#update(target.resource, { ...object, metadata: { ...object.metadata, annotations } });
  }

  /** The metric of the namespace is that outside; the Deployment's is shared by its pods. */
  async #load({ namespace, app }: Target, total: number): Promise<boolean> {
    const { name } = LOAD_METRIC;
    const outside = { resource: 'namespaces', namespace: '', name: namespace };
    const workload = { resource: 'deployments.apps', namespace, name: app };
    const done = [
      await this.#annotate(outside, { [`simulate.driftless.dev/external-${name}`]: String(total) }),
      await this.#annotate(workload, { [`simulate.driftless.dev/load-${name}`]: String(total) }),
    ];
    return done.every(Boolean);
  }

  async #label(pod: KubernetesObject, app: string): Promise<boolean> {
    const labels = { ...pod.metadata.labels, app };
    return await this.#update('pods', { ...pod, metadata: { ...pod.metadata, labels } });
  }

  async #update(resource: string, object: KubernetesObject): Promise<boolean> {
    const outcome = await this.#registry.update(resource, object);
    if (outcome.status === 'stored' || outcome.error.reason === 'NotFound') return true;
    if (outcome.error.reason === 'Conflict') return false;
    throw outcome.error;
  }

  async #undo(target: Target): Promise<boolean> {
    const replicaSets = await this.#replicaSetsOf(target);
    const revision = ({ metadata }: KubernetesObject) => Number(metadata.annotations?.[REVISION] ?? 0);
    const previous = [...replicaSets].sort((a, b) => revision(a) - revision(b)).at(-2);
    const template = previous?.spec?.template;
    if (!template) return true;
    return await this.#change(target, ({ spec }) => ({ ...spec, template: withoutHashLabel(template) }));
  }

  async #delete(target: Target, propagationPolicy: 'Background' | 'Foreground' | 'Orphan'): Promise<boolean> {
    const object = await this.#registry.get(target);
    return await this.#deleteObject(target.resource, object, { propagationPolicy });
  }

  /** All at once, as `kubectl drain` does. A pod that may not go stays. */
  async #evict(target: Target, picks: readonly number[]): Promise<boolean> {
    const pods = await this.#podsOf(target);
    const names = new Set(picks.flatMap((pick) => pickOf(pods, pick)?.metadata.name ?? []));
    const answers = await Promise.allSettled([...names].map((name) => this.#evictions.evict(target.namespace, name)));
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (failed) throw failed.reason;
    return true;
  }

  /** By UID, so that a second try meets no successor. */
  async #deleteObject(
    resource: string,
    object: KubernetesObject | undefined,
    options: Parameters<Registry['delete']>[1],
  ): Promise<boolean> {
    if (!object) return true;
    const { namespace = '', name, uid } = object.metadata;
    const outcome = await this.#registry.delete({ resource, namespace, name }, { ...options, preconditions: { uid } });
    return outcome.status !== 'refused' || outcome.error.reason === 'NotFound' || outcome.error.reason === 'Conflict';
  }

  async #podsOf(target: Target): Promise<readonly Pod[]> {
    return (await this.#labelled(target, target.app)).filter((pod) => controllerOf(pod));
  }

  async #labelled({ namespace }: Target, app: string): Promise<readonly Pod[]> {
    const { items } = await this.#registry.list<Pod>('pods', { namespace });
    return items.filter(({ metadata }) => metadata.labels?.['app'] === app);
  }

  async #replicaSetsOf({ namespace, name }: Target): Promise<readonly ReplicaSet[]> {
    const { items } = await this.#registry.list<ReplicaSet>('replicasets.apps', { namespace });
    return items.filter((one) => controllerOf(one)?.name === name);
  }
}

/** True if trying again is of no use: the namespace is being deleted or is gone, or its quota is used up. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.reason === 'Forbidden' || (error.reason === 'NotFound' && error.details?.kind === 'namespaces');
}

function pickOf<T>(items: readonly T[], fraction: number): T | undefined {
  return items[Math.floor(fraction * items.length)];
}

type Template = NonNullable<NonNullable<Deployment['spec']>['template']>;

function withImage(template: unknown, image: string): Template {
  const given = template as Template;
  const containers = given.spec?.containers.map((container) => ({ ...container, image }));
  return { ...given, spec: { ...given.spec, containers: containers ?? [] } };
}
