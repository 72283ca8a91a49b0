/** A fault or a behaviour that acts now. `acted` says how often it has. */
export interface Acting<Spec> {
  readonly name: string;
  readonly spec: Spec;
  readonly acted: number;
}

/** Is told what this process changes itself. Changes that come from stored objects are not told. */
export interface ActingObserver<Spec> {
  added(acting: Acting<Spec>): void;
  removed(name: string): void;
  acted(acting: Acting<Spec>): void;
}

/** The faults or the behaviours of a cluster, the oldest first. Each has the name of its object in the API. */
export class ActingObjects<Spec> {
  readonly #byName = new Map<string, Acting<Spec> & { spec: Spec; acted: number }>();
  #observer: ActingObserver<Spec> | undefined;
  #addedCount = 0;

  observe(observer: ActingObserver<Spec>): void {
    this.#observer = observer;
  }

  values(): IterableIterator<Acting<Spec>> {
    return this.#byName.values();
  }

  find(name: string): Acting<Spec> | undefined {
    return this.#byName.get(name);
  }

  get size(): number {
    return this.#byName.size;
  }

  /** Adds one for this process, under a name of its own. It acts at once. */
  add(spec: Spec): Acting<Spec> {
    let name: string;
    do name = `startcluster-${(this.#addedCount += 1)}`;
    while (this.#byName.has(name));
    const acting = { name, spec, acted: 0 };
    this.#byName.set(name, acting);
    this.#observer?.added(acting);
    return acting;
  }

  /** Removes one; does nothing if it is gone, even if another has its name now. */
  remove(acting: Acting<Spec>): void {
    if (this.#byName.get(acting.name) !== acting) return;
    this.#byName.delete(acting.name);
    this.#observer?.removed(acting.name);
  }

  clear(): void {
    for (const acting of this.#byName.values()) this.remove(acting);
  }

  /** Counts that it has acted. */
  count(acting: Acting<Spec>): void {
    const known = this.#byName.get(acting.name);
    if (!known || known !== acting) return;
    known.acted += 1;
    this.#observer?.acted(known);
  }

  /** Takes over a stored object. `acted` counts only for one that is not known yet. */
  put(name: string, spec: Spec, acted: number): void {
    const known = this.#byName.get(name);
    if (known) known.spec = spec;
    else this.#byName.set(name, { name, spec, acted });
  }

  /** Takes over that an object is gone. */
  drop(name: string): void {
    this.#byName.delete(name);
  }
}
