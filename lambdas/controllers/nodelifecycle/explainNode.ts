import { stuckPods } from '../../explain/stuckPods.ts';
import type { ExplainFacts, RoomExplanation } from '../ControllerRoom.ts';
import type { BudgetFacts, PodDisruptionBudget } from '../disruption/expectedPods.ts';
import { controllerOf } from '../../objects/KubernetesObject.ts';
import type { Node, Pod } from '../../objects/kinds.ts';
import { isPodTerminal } from '../../objects/pods/podState.ts';
import { formatTime } from '../../ports/Clock.ts';
import { budgetsOf, decideEviction } from '../../objects/pods/decideEviction.ts';
import { explainBudget, named } from '../disruption/explainBudget.ts';
import type { DecisionExplanation } from '../../explain/Explanation.ts';
import { BUDGETS, observeBudget } from '../disruption/syncBudget.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import type { ResourceCatalog } from '../../registry/ResourceCatalog.ts';

/** What `kubectl drain` would meet on a node. */
interface NodeFacts {
  readonly node: Node;
  /** The pods that run on it. */
  readonly pods: readonly Pod[];
  /** The budgets of the pods' namespaces. */
  readonly budgets: readonly BudgetFacts[];
}

/** What `kubectl drain` does about a pod, besides what budgets say. */
type DrainPart = 'leaving' | 'daemon' | 'mirror' | 'local' | 'unmanaged' | 'evicted';

/** Why a node may not be drained, or may: for each of its pods whether it could be evicted now, and what the others wait for. Pure. */
export function explainNode({ node, pods, budgets }: NodeFacts, nowMs: number): DecisionExplanation {
  const of = (part: DrainPart) => pods.filter((pod) => drainPart(pod) === part);
  const decided = decideEvictions([...of('evicted'), ...of('local'), ...of('unmanaged')], budgets, nowMs);
  const blocking = budgets.filter(({ budget }) => decided.blocking.has(budget.metadata.uid));
  return {
    summary: [
      node.spec?.unschedulable === true ? 'it is cordoned: no pod is scheduled to it' : 'pods are scheduled to it',
      `${pods.length} pods run on it: ${of('leaving').length} are being deleted, ${of('daemon').length} are of DaemonSets`,
    ],
    why: [...decided.lines, ...flagLines(of)],
    waitsFor: [
      ...blocking.flatMap((facts) => waitLines(facts, nowMs)),
      ...(of('leaving').length === 0 ? [] : [`until these pods are gone: ${namesOf(of('leaving'))}`]),
    ],
  };
}

/** As kubectl's filters. A pod that has ended is deleted whatever else it is. */
function drainPart(pod: Pod): DrainPart {
  const { metadata, spec } = pod;
  if (metadata.deletionTimestamp !== undefined) return 'leaving';
  if (isPodTerminal(pod)) return 'evicted';
  if (controllerOf(pod)?.kind === 'DaemonSet') return 'daemon';
  if (metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined) return 'mirror';
  if (spec?.volumes?.some(({ emptyDir }) => emptyDir !== undefined)) return 'local';
  return controllerOf(pod) ? 'evicted' : 'unmanaged';
}

function flagLines(of: (part: DrainPart) => readonly Pod[]): string[] {
  const line = (part: DrainPart, text: string) => (of(part).length === 0 ? [] : [`${text}: ${namesOf(of(part))}`]);
  return [
    ...line('daemon', 'pods of DaemonSets stay; kubectl drain wants --ignore-daemonsets for'),
    ...line('mirror', 'static pods stay, since only their kubelet ends them'),
    ...line('local', 'data in emptyDir volumes would be lost; kubectl drain wants --delete-emptydir-data for'),
    ...line('unmanaged', 'no controller would replace these pods; kubectl drain wants --force for'),
  ];
}

interface DecidedEvictions {
  readonly lines: readonly string[];
  /** The UIDs of the budgets that let a pod not go now, or not all of its pods at once. */
  readonly blocking: ReadonlySet<string>;
}

/** Decides the eviction of each pod as the API would now, one after the other: each uses up what its budget allows. */
function decideEvictions(pods: readonly Pod[], facts: readonly BudgetFacts[], nowMs: number): DecidedEvictions {
  const current = new Map(facts.map(({ budget }) => [budget.metadata.uid, budget]));
  const blocking = new Set<string>();
  const refusals: string[] = [];
  for (const pod of pods) {
    const near = [...current.values()].filter(({ metadata }) => metadata.namespace === pod.metadata.namespace);
    const budgets = budgetsOf(pod, near);
    const decision = decideEviction(pod, budgets, formatTime(nowMs));
    if (decision.decision === 'charge') current.set(decision.budget.metadata.uid, decision.budget);
    if (decision.decision !== 'refuse') continue;
    for (const { metadata } of budgets) blocking.add(metadata.uid);
    const { message, details } = decision.error;
    refusals.push(`pod ${placeOf(pod)} may not be evicted now: ${details?.causes?.[0]?.message ?? message}`);
  }
  const free = pods.length - refusals.length;
  return { lines: [`pods that may be evicted now: ${free} of ${pods.length}`, ...refusals], blocking };
}

/** A budget that allows some evictions allows the next when the evicted pods were replaced. */
function waitLines(facts: BudgetFacts, nowMs: number): string[] {
  const { namespace = '', name } = facts.budget.metadata;
  const key = `poddisruptionbudget/${namespace}/${name}`;
  const { waitsFor } = explainBudget(facts, nowMs);
  if (waitsFor.length > 0) return waitsFor.map((wait) => `${key}: ${wait}`);
  return [`${key}: until pods that are evicted first are healthy elsewhere`];
}

function namesOf(pods: readonly Pod[]): string {
  return named(pods.map(placeOf));
}

function placeOf({ metadata }: Pod): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

/** Explains a node and its pods. */
export async function explainNodeAndPods(given: ExplainFacts): Promise<RoomExplanation> {
  const { registry, catalog, object, nowMs } = given;
  const facts = await observeNode(registry, catalog, object);
  return { node: explainNode(facts, nowMs), stuckPods: stuckPods(facts.pods) };
}

/** Reads the pods of a node, and the budgets of their namespaces. */
async function observeNode(registry: RegistryReader, catalog: ResourceCatalog, node: Node): Promise<NodeFacts> {
  const all = await registry.list<Pod>('pods', {});
  const pods = all.items.filter(({ spec }) => spec?.nodeName === node.metadata.name);
  const namespaces = [...new Set(pods.map(({ metadata }) => metadata.namespace ?? ''))];
  const lists = await Promise.all(
    namespaces.map((namespace) => registry.list<PodDisruptionBudget>(BUDGETS, { namespace })),
  );
  const budgets = lists.flatMap(({ items }) => items);
  return { node, pods, budgets: await Promise.all(budgets.map((budget) => observeBudget(registry, catalog, budget))) };
}
