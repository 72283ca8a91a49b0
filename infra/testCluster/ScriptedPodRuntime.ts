import type { Pod } from '../../lambdas/objects/kinds.ts';
import type { PodRuntime, PodStep } from '../../lambdas/ports/PodRuntime.ts';
import type { Acting, ActingObjects } from './controls/ActingObjects.ts';
import { behaviourAnnotations, matchesRule, type ActingRule } from './PodBehaviour.ts';

/** Applies rules to a runtime's pods, as if the pods had the annotations of the rules. Counts for each rule the pods that it has applied to. */
export class ScriptedPodRuntime implements PodRuntime {
  readonly #runtime: PodRuntime;
  readonly #rules: ActingObjects<ActingRule>;
  readonly #counted = new WeakMap<Acting<ActingRule>, Set<string>>();

  constructor(runtime: PodRuntime, rules: ActingObjects<ActingRule>) {
    this.#runtime = runtime;
    this.#rules = rules;
  }

  async next(...[pod, ...others]: Parameters<PodRuntime['next']>): Promise<PodStep> {
    if (this.#rules.size === 0) return await this.#runtime.next(pod, ...others);
    const rules = this.#rulesFor(pod);
    for (const rule of rules) this.#count(rule, pod.metadata.uid);
    return await this.#runtime.next(scripted(pod, rules), ...others);
  }

  /** The pod with the annotations of the rules that match it. */
  scripted(pod: Pod): Pod {
    return scripted(pod, this.#rulesFor(pod));
  }

  #rulesFor(pod: Pod): readonly Acting<ActingRule>[] {
    return [...this.#rules.values()].filter(({ spec }) => matchesRule(spec, pod));
  }

  #count(rule: Acting<ActingRule>, uid: string): void {
    const counted = this.#counted.get(rule) ?? new Set();
    this.#counted.set(rule, counted);
    if (counted.has(uid)) return;
    counted.add(uid);
    this.#rules.count(rule);
  }
}

/** Later rules win, and the pod's own annotations win over all. */
function scripted(pod: Pod, rules: readonly Acting<ActingRule>[]): Pod {
  if (rules.length === 0) return pod;
  const asked = rules.map(({ spec }) => behaviourAnnotations(spec.behave));
  const annotations = Object.assign({}, ...asked, pod.metadata.annotations) as Record<string, string>;
  return { ...pod, metadata: { ...pod.metadata, annotations } };
}
