import { type FieldPath, type PathElement, sortByElement } from './pathElement.ts';

/** What a set knows of one step: whether the path that ends with it is a member, and the paths that go on below it. */
export interface FieldNode {
  readonly member: boolean;
  readonly children: FieldSet;
}

/**
 * A set of paths into objects, kept as a tree: Kubernetes' `fieldpath.Set`. A path may be a member without the paths below it, and they without it. The
 * operations leave their operands unchanged; only `insert` and `put` change a set.
 */
export class FieldSet {
  readonly #nodes = new Map<PathElement, FieldNode>();

  static of(...paths: readonly FieldPath[]): FieldSet {
    const set = new FieldSet();
    for (const path of paths) set.insert(path);
    return set;
  }

  /** Adds one path. The empty path, which would be the whole object, is nobody's. */
  insert(path: FieldPath): void {
    path.reduce<FieldSet>((set, element, index) => {
      const node = set.#nodes.get(element) ?? { member: false, children: new FieldSet() };
      set.#nodes.set(element, { ...node, member: node.member || index === path.length - 1 });
      return node.children;
    }, this);
  }

  /** Sets what the set knows of a first step. A step that is no member and has nothing below it is not kept. */
  put(element: PathElement, { member, children }: FieldNode): void {
    if (member || !children.isEmpty) this.#nodes.set(element, { member, children });
  }

  /** True if the path that consists of this one step is a member. */
  hasMember(element: PathElement): boolean {
    return this.#nodes.get(element)?.member === true;
  }

  has(path: FieldPath): boolean {
    const last = path.at(-1);
    if (last === undefined) return false;
    return path
      .slice(0, -1)
      .reduce<FieldSet>((set, element) => set.below(element), this)
      .hasMember(last);
  }

  get isEmpty(): boolean {
    return this.#nodes.size === 0;
  }

  /** The number of paths. */
  get size(): number {
    let size = 0;
    for (const { member, children } of this.#nodes.values()) size += (member ? 1 : 0) + children.size;
    return size;
  }

  /** The paths below this step. */
  below(element: PathElement): FieldSet {
    return this.#nodes.get(element)?.children ?? NOTHING;
  }

  union(other: FieldSet): FieldSet {
    if (this.isEmpty) return other;
    if (other.isEmpty) return this;
    const result = this.map((_element, node) => node);
    for (const [element, { member, children }] of other.#nodes) {
      const mine = this.#nodes.get(element);
      const all = mine === undefined ? children : mine.children.union(children);
      result.put(element, { member: member || mine?.member === true, children: all });
    }
    return result;
  }

  intersection(other: FieldSet): FieldSet {
    if (this.isEmpty || other.isEmpty) return NOTHING;
    return this.map((element, { member, children }) => ({
      member: member && other.hasMember(element),
      children: children.intersection(other.below(element)),
    }));
  }

  /** Without the members of `other`. What lies below a member of `other` stays. */
  difference(other: FieldSet): FieldSet {
    if (this.isEmpty || other.isEmpty) return this;
    return this.map((element, { member, children }) => ({
      member: member && !other.hasMember(element),
      children: children.difference(other.below(element)),
    }));
  }

  /** Without the members of `other` and all that lies below them. */
  differenceBelow(other: FieldSet): FieldSet {
    if (this.isEmpty || other.isEmpty) return this;
    return this.map((element, { member, children }) =>
      other.hasMember(element)
        ? { member: false, children: NOTHING }
        : { member, children: children.differenceBelow(other.below(element)) },
    );
  }

  equals(other: FieldSet): boolean {
    if (this.#nodes.size !== other.#nodes.size) return false;
    return [...this.#nodes].every(([element, { member, children }]) => {
      const theirs = other.#nodes.get(element);
      return theirs !== undefined && theirs.member === member && children.equals(theirs.children);
    });
  }

  /** The set with what it knows of each first step changed. */
  map(change: (element: PathElement, node: FieldNode) => FieldNode): FieldSet {
    const result = new FieldSet();
    for (const [element, node] of this.#nodes) result.put(element, change(element, node));
    return result;
  }

  /** The first steps of all paths, in Kubernetes' order. */
  entries(): [PathElement, FieldNode][] {
    return sortByElement([...this.#nodes]);
  }

  /** All paths, in Kubernetes' order: those that end at a level come before those that go further down. */
  *paths(prefix: FieldPath = []): Generator<FieldPath> {
    const entries = this.entries();
    for (const [element, { member }] of entries) if (member) yield [...prefix, element];
    for (const [element, { children }] of entries) yield* children.paths([...prefix, element]);
  }
}

/** The set without paths. It must not be changed. */
export const NOTHING = new FieldSet();
