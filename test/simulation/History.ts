import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { Change } from '../../lambdas/ports/ChangeLog.ts';
import { subjectOf } from '../../lambdas/ports/ChangeLog.ts';
import { placeOf } from './World.ts';

/** All changes of one resource as they were written, and what stood there after each of them. */
export class History {
  readonly #resource: string;
  readonly #changes: Change[] = [];

  constructor(resource: string) {
    this.#resource = resource;
  }

  append(change: Change): void {
    if (change.resource === this.#resource) this.#changes.push(change);
  }

  /** What stood there at that version: to be asked for versions that grow. */
  reader(): (version: number) => ReadonlyMap<string, KubernetesObject> {
    const objects = new Map<string, KubernetesObject>();
    let at = 0;
    return (version) => {
      for (let next = this.#changes[at]; next && next.version <= version; next = this.#changes[at]) {
        const place = placeOf(this.#resource, subjectOf(next));
        if (next.after) objects.set(place, next.after);
        else objects.delete(place);
        at += 1;
      }
      return objects;
    };
  }
}
