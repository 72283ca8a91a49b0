import { controllerOf } from '../../objects/KubernetesObject.ts';
import type { Pod } from '../../objects/kinds.ts';
import { isPodActive, isPodReady, isPodTerminating } from '../../objects/pods/podState.ts';
import { type ReplicaOwner, type ReplicaOwnerKind, selectorOf, templateOf } from './ReplicaOwner.ts';
import { labelTest } from './calculateStatus.ts';

/** What a sync has to know of all pods of an owner. */
export interface PodTally {
  /** The active pods that the owner owns and selects. */
  readonly kept: readonly Pod[];
  /** The active pods that it owns and no longer selects. */
  readonly released: readonly Pod[];
  /** How many of the kept pods have all labels of the template. */
  readonly fullyLabeled: number;
  /** How many of the kept pods are ready. */
  readonly ready: number;
  /** How many pods that it selects are terminating. */
  readonly terminating: number;
}

/** What a tally is made of, for each pod, as bits. */
const ACTIVE = 1;
const TERMINATING = 2;
const OWNED = 4;
const SELECTED = 8;
const LABELED = 16;
const READY = 32;

/** The marks of an owner's pods, by their places. They hold as long as the owner has this selector and this template. */
interface Marked {
  readonly ownerUid: string;
  readonly selector: unknown;
  readonly template: unknown;
  readonly pods: readonly Pod[];
  readonly marks: Uint8Array;
}

interface OwnerPlace {
  readonly namespace: string;
  readonly name: string;
}

function placeOf({ namespace, name }: OwnerPlace): string {
  return `${namespace}/${name}`;
}

/**
 * Tallies the pods of ReplicaSets. A sync reads all pods of its owner, and of tens of thousands only a few have changed since the last sync. To look into each costs much more than to see that it is the same object, so what was
 * seen of it is remembered. A stored object never changes, but for that the store must hand out the same object again: one that is read from a table anew each time must not be remembered.
 */
export class PodTallies {
  readonly #mostOwners: number;
  /** By the owner's place, the one that was tallied last at the end. */
  readonly #marked = new Map<string, Marked>();

  /** `mostOwners`: of how many owners the pods are remembered; 0 remembers nothing. */
  constructor(mostOwners: number) {
    this.#mostOwners = mostOwners;
  }

  /** Tallies the owner's pods, which are sorted by name and in one namespace. All owners are of one kind. */
  tally(kind: ReplicaOwnerKind, owner: ReplicaOwner, owned: readonly Pod[]): PodTally {
    const { uid: ownerUid, namespace = '', name } = owner.metadata;
    const selector = owner.spec?.selector;
    const template = owner.spec?.template;
    const known = this.#marked.get(placeOf({ namespace, name }));
    const holds = known?.ownerUid === ownerUid && known.selector === selector && known.template === template;
    const marks = marksOf(owned, holds ? known : undefined, marker(kind, owner));
    this.#remember(placeOf({ namespace, name }), { ownerUid, selector, template, pods: owned, marks });
    return tallyOf(owner, owned, marks);
  }

  /** Forgets the pods of an owner that is gone. They may be thousands, and nobody else holds them. */
  forget(owner: OwnerPlace): void {
    this.#marked.delete(placeOf(owner));
  }

  #remember(place: string, marked: Marked): void {
    this.#marked.delete(place);
    this.#marked.set(place, marked);
    for (const oldest of this.#marked.keys()) {
      if (this.#marked.size <= this.#mostOwners) return;
      this.#marked.delete(oldest);
    }
  }
}

/** Goes along both lists at once. Names are compared only where the lists differ. */
function marksOf(pods: readonly Pod[], before: Marked | undefined, markOf: (pod: Pod) => number): Uint8Array {
  const marks = new Uint8Array(pods.length);
  let at = 0;
  // A loop over tens of thousands of pods, so it makes nothing.
  for (let index = 0; index < pods.length; index += 1) {
    const pod = pods[index] as Pod;
    let other = before?.pods[at];
    while (other && other !== pod && other.metadata.name < pod.metadata.name) {
      at += 1;
      other = before?.pods[at];
    }
    marks[index] = other === pod ? (before?.marks[at] ?? markOf(pod)) : markOf(pod);
    if (other === pod || other?.metadata.name === pod.metadata.name) at += 1;
  }
  return marks;
}

function marker(kind: ReplicaOwnerKind, owner: ReplicaOwner): (pod: Pod) => number {
  const { uid } = owner.metadata;
  const selects = selectorOf(kind, owner);
  const isLabeled = labelTest(templateOf(owner));
  return (pod) =>
    (isPodActive(pod) ? ACTIVE : 0) |
    (isPodTerminating(pod) ? TERMINATING : 0) |
    (controllerOf(pod)?.uid === uid ? OWNED : 0) |
    (selects(pod) ? SELECTED : 0) |
    (isLabeled(pod.metadata.labels) ? LABELED : 0) |
    (isPodReady(pod) ? READY : 0);
}

function tallyOf(owner: ReplicaOwner, pods: readonly Pod[], marks: Uint8Array): PodTally {
  // An owner that is being deleted releases nothing.
  const releases = owner.metadata.deletionTimestamp === undefined;
  const kept: Pod[] = [];
  const released: Pod[] = [];
  let [fullyLabeled, ready, terminating] = [0, 0, 0];
  for (let index = 0; index < pods.length; index += 1) {
    const mark = marks[index] ?? 0;
    if (has(mark, TERMINATING | SELECTED)) terminating += 1;
    if (!has(mark, ACTIVE | OWNED)) continue;
    const pod = pods[index] as Pod;
    if (!has(mark, SELECTED)) {
      if (releases) released.push(pod);
      continue;
    }
    kept.push(pod);
    if (has(mark, LABELED)) fullyLabeled += 1;
    if (has(mark, READY)) ready += 1;
  }
  return { kept, released, fullyLabeled, ready, terminating };
}

function has(mark: number, bits: number): boolean {
  return (mark & bits) === bits;
}
