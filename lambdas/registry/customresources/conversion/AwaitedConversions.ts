import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import { BudgetExhaustedError } from '../../../objects/RequestBudget.ts';
import { FieldManagerError } from '../../fieldmanager/FieldManagerError.ts';
import type { JsonMap } from '../../fieldmanager/MergeSchema.ts';

/** Converts one custom object to a version. */
export type ConvertObject = (object: KubernetesObject, apiVersion: string) => Promise<KubernetesObject>;

interface Wanted {
  readonly key: string;
  readonly object: KubernetesObject;
  readonly apiVersion: string;
}

/** Stops a decision that needs an object in a version in which it is not known yet. */
class UnconvertedObject extends Error {
  readonly wanted: Wanted;

  constructor(wanted: Wanted) {
    super(`not converted to ${wanted.apiVersion} yet`);
    this.wanted = wanted;
  }
}

/**
 * Lets field managers compare an object in versions that only a webhook can make. They decide without waiting, so what they need is converted in between: a decision that needs something new is stopped,
 * and begun again with it. Decisions have no effects, so that changes nothing. Nothing is converted for objects whose owners all wrote in the version of the request.
 */
export class AwaitedConversions {
  readonly #convert: ConvertObject;
  readonly #storageApiVersion: string;
  readonly #known = new Map<string, KubernetesObject | FieldManagerError>();

  /** As in Kubernetes, objects are converted by way of the version in which they are stored. */
  constructor(convert: ConvertObject, storageApiVersion: string) {
    this.#convert = convert;
    this.#storageApiVersion = storageApiVersion;
  }

  /** Returns the object in another version. Throws FieldManagerError if the webhook could not convert it. Only for decisions that `settle` runs. */
  convert(object: JsonMap, from: string, to: string): JsonMap {
    const given = { ...object, apiVersion: from } as unknown as KubernetesObject;
    const key = `${to} ${JSON.stringify(given)}`;
    const known = this.#known.get(key);
    if (known === undefined) throw new UnconvertedObject({ key, object: given, apiVersion: to });
    if (known instanceof FieldManagerError) throw known;
    return known;
  }

  /** Runs a decision to its end. It may be run several times. */
  async settle<T>(decide: () => T): Promise<T> {
    for (;;) {
      try {
        return decide();
      } catch (error) {
        if (!(error instanceof UnconvertedObject)) throw error;
        this.#known.set(error.wanted.key, await this.#ask(error.wanted));
      }
    }
  }

  async #ask({ object, apiVersion }: Wanted): Promise<KubernetesObject | FieldManagerError> {
    try {
      return await this.#convert(await this.#convert(object, this.#storageApiVersion), apiVersion);
    } catch (error) {
      if (error instanceof BudgetExhaustedError) throw error;
      return new FieldManagerError(error instanceof Error ? error.message : String(error), { cause: error });
    }
  }
}
