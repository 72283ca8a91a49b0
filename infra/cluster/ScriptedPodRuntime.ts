import type { Node, Pod } from '../../lambdas/objects/kinds.ts';
import type { PodRuntime, PodStep } from '../../lambdas/ports/PodRuntime.ts';
import { behaviourAnnotations, isMeant, type PodBehaviourRule } from './PodBehaviour.ts';

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
