import type { Node, Pod } from '../../lambdas/objects/kinds.ts';
import type { PodRuntime, PodStep } from '../../lambdas/ports/PodRuntime.ts';

/** What a simulated pod does. Durations are milliseconds, or texts such as `5s` or `1m30s`. Each field is an annotation `simulate.driftless.dev/…`. */
export interface PodBehaviour {
  /** So long its containers are being created. */
  readonly startDelay?: string | number;
  /** So long after its start a container's readiness probe first succeeds. */
  readonly readyAfter?: string | number;
  /** It never becomes ready. */
  readonly neverReady?: boolean;
  /** No image can be pulled: ErrImagePull, then ImagePullBackOff. */
  readonly failPull?: boolean;
  /** So long each init container runs. */
  readonly initDuration?: string | number;
  /** Init containers end with exit code 1. */
  readonly failInit?: boolean;
  /** So long a container runs until it ends with exit code 1: CrashLoopBackOff, where it is restarted. */
  readonly crashAfter?: string | number;
  /** So long a container runs until it ends with exit code 0. */
  readonly completeAfter?: string | number;
  /** The exit code of `crashAfter` and `completeAfter`, instead of theirs. */
  readonly exitCode?: number;
  /** So long a container takes to end once it is asked to. */
  readonly terminationDelay?: string | number;
  /** Containers end only when they are killed, at the end of their grace period. */
  readonly ignoreSigterm?: boolean;
}

/** Which pods behave how: those with this image in any container and all of these labels, in this namespace; what is absent matches every pod. */
export interface PodBehaviourRule {
  /** As it stands in the pod's spec. */
  readonly image?: string | RegExp;
  readonly labels?: Readonly<Record<string, string>>;
  readonly namespace?: string;
  readonly behave: PodBehaviour;
}

/** Whether the rule is about this pod. Pure. */
export function isMeant({ image, labels = {}, namespace }: PodBehaviourRule, { metadata, spec }: Pod): boolean {
  if (namespace !== undefined && namespace !== metadata.namespace) return false;
  if (!Object.entries(labels).every(([key, value]) => metadata.labels?.[key] === value)) return false;
  if (image === undefined) return true;
  const images = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].map((container) => container.image);
  return images.some((one = '') => (typeof image === 'string' ? image === one : one.search(image) >= 0));
}

/** The behaviour as the annotations by which it is asked for. Pure. */
export function behaviourAnnotations(behave: PodBehaviour): Record<string, string> {
  const entries = Object.entries(behave).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [annotationOf(name), textOf(name, value)]));
}

/** `startDelay` is `simulate.driftless.dev/start-delay`. */
export function annotationOf(name: string): string {
  return `simulate.driftless.dev/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function textOf(name: string, value: string | number | boolean): string {
  return typeof value === 'number' && name !== 'exitCode' ? `${value}ms` : String(value);
}

/** A runtime whose pods behave by rules, as if they had the annotations that ask for it. */
export class ScriptedPodRuntime implements PodRuntime {
  readonly #runtime: PodRuntime;
  readonly #rules: readonly PodBehaviourRule[];

  constructor(runtime: PodRuntime, rules: readonly PodBehaviourRule[]) {
    this.#runtime = runtime;
    this.#rules = rules;
  }

  async next(pod: Pod, nodes: readonly Node[], nowMs: number): Promise<PodStep> {
    const asked = this.#rules.filter((rule) => isMeant(rule, pod)).map(({ behave }) => behaviourAnnotations(behave));
    if (asked.length === 0) return await this.#runtime.next(pod, nodes, nowMs);
    const annotations = Object.assign({}, ...asked, pod.metadata.annotations) as Record<string, string>;
    return await this.#runtime.next({ ...pod, metadata: { ...pod.metadata, annotations } }, nodes, nowMs);
  }
}
