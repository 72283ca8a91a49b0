import { type AffinityTerm, allTermsOf } from './AffinityTerm.ts';
import type { PodInfo } from './PodInfo.ts';

/** Pods that no selector, term or controller can tell apart, such as all of one template. */
export interface PodGroup {
  /** One of them. */
  readonly sample: PodInfo;
  readonly count: number;
}

interface Counted {
  readonly sample: PodInfo;
  count: number;
}

/**
 * The pods of a node, as groups, found by what they have in common, so that a look at those that matter to one pod does not take longer with all the others: most pods of a node are of a few templates, and a selector, a term or
 * a controller concerns few of these.
 */
export class PodGroups {
  readonly #groups = new Map<string, Counted>();
  /** Each group under each of its marks. */
  readonly #byMark = new Map<string, Set<Counted>>();
  /** Groups with terms, under a mark that every pod has that one of the terms means. */
  readonly #byMeant = new Map<string, Set<Counted>>();

  add(pod: PodInfo): void {
    const group = this.#groups.get(pod.likeness.text);
    if (group) group.count += 1;
    else this.#open(pod);
  }

  /** Removes one pod that was added. */
  remove(pod: PodInfo): void {
    const group = this.#groups.get(pod.likeness.text);
    if (!group) return;
    group.count -= 1;
    if (group.count === 0) this.#close(group);
  }

  /** The groups that have all of these marks; all groups for no marks. */
  withMarks(marks: readonly string[]): Iterable<PodGroup> {
    if (marks.length === 0) return this.#groups.values();
    const sets = marks.map((mark) => this.#byMark.get(mark) ?? NO_GROUPS);
    const smallest = sets.reduce((least, set) => (set.size < least.size ? set : least));
    return sets.length === 1 ? smallest : [...smallest].filter((group) => sets.every((set) => set.has(group)));
  }

  /** The groups with a term that may mean this pod. Others have none that does. */
  withTermsFor({ likeness: { marks } }: PodInfo): Iterable<PodGroup> {
    if (this.#byMeant.size === 0) return NO_GROUPS;
    const found = new Set<Counted>();
    for (const mark of [ANYTHING, ...marks]) for (const group of this.#byMeant.get(mark) ?? NO_GROUPS) found.add(group);
    return found;
  }

  #open(sample: PodInfo): void {
    const group = { sample, count: 1 };
    this.#groups.set(sample.likeness.text, group);
    for (const mark of sample.likeness.marks) addTo(this.#byMark, mark, group);
    for (const term of allTermsOf(sample.terms)) addTo(this.#byMeant, placeOf(term), group);
  }

  #close(group: Counted): void {
    const { sample } = group;
    this.#groups.delete(sample.likeness.text);
    for (const mark of sample.likeness.marks) removeFrom(this.#byMark, mark, group);
    for (const term of allTermsOf(sample.terms)) removeFrom(this.#byMeant, placeOf(term), group);
  }
}

const NO_GROUPS: ReadonlySet<Counted> = new Set();
/** Instead of a mark, for a term that does not name the value of a label. */
const ANYTHING = '';

function placeOf({ marks }: AffinityTerm): string {
  return marks[0] ?? ANYTHING;
}

function addTo(sets: Map<string, Set<Counted>>, key: string, group: Counted): void {
  const set = sets.get(key) ?? new Set();
  sets.set(key, set.add(group));
}

function removeFrom(sets: Map<string, Set<Counted>>, key: string, group: Counted): void {
  const set = sets.get(key);
  set?.delete(group);
  if (set?.size === 0) sets.delete(key);
}
