import { requestEntityTooLarge } from '../../objects/apiErrors.ts';
import { isObject } from '../../objects/json.ts';
import type { RequestBudget } from '../../objects/RequestBudget.ts';
import { MAX_MANAGED_VALUES, tooManyManagedValues } from '../../registry/fieldmanager/boundManagedFields.ts';
import { MAX_REQUEST_BYTES } from '../request/readRequestBody.ts';
import type { KubernetesRelease } from '../../objects/KubernetesRelease.ts';

/**
 * The most values (objects, lists and scalars) that one body may hold. The limit keeps the work that follows (pruning, defaulting, validating) within a fraction of a second.
 */
export const MAX_VALUES = 25_000;

/** What one body may hold, and the budget of the request on which its decoding draws. */
export interface DecodingLimits {
  readonly budget: RequestBudget;
  /** Without those of `metadata.managedFields`, if they have a limit of their own. */
  readonly values: number;
  /** Those of `metadata.managedFields`, which the server makes: it takes back what it gave. Absent: they count as all others. */
  readonly managedValues?: number;
  /** Of all texts and names together. */
  readonly characters: number;
}

/** The most values of a definition of custom resources, which is sent seldom. Those that people have come to 27,000. */
const MAX_DEFINITION_VALUES = 50_000;

/** The version and kind of an object, and the budget of the request that brings it. */
export interface KindOfBody {
  readonly apiVersion: string;
  readonly kind: string;
  readonly budget: RequestBudget;
}

/** The kind of a protobuf body that names none, and the release of Kubernetes whose fields are read. */
export interface ProtobufDefaults extends KindOfBody {
  readonly release?: KubernetesRelease | undefined;
}

/** What an object of this kind may hold. */
export function limitsOf({ apiVersion, kind, budget }: KindOfBody): DecodingLimits {
  const defines = kind === 'CustomResourceDefinition' && apiVersion.startsWith('apiextensions.k8s.io/');
  return { ...OBJECT_LIMITS, budget, ...(defines && { values: MAX_DEFINITION_VALUES }) };
}

const OBJECT_LIMITS = {
  values: MAX_VALUES,
  managedValues: MAX_MANAGED_VALUES,
  characters: MAX_REQUEST_BYTES,
};

/** The steps of reading one value, and the characters of texts that one step reads. */
const STEPS_PER_VALUE = 1;
const CHARACTERS_PER_STEP = 20;

/** What one body may take of its request's budget. Counts what a decoder finds in it, so that a body that holds too much is refused before anything is built from it. */
export class DecodingBudget {
  #values = 0;
  #managedValues = 0;
  #characters = 0;
  readonly #limits: DecodingLimits;
  readonly #slack: number;

  /** `slack`: so many values more than the limit are let through by a decoder that cannot tell yet which of them are managedFields. */
  constructor(limits: DecodingLimits, slack = 0) {
    this.#limits = limits;
    this.#slack = slack;
  }

  /** How many values have been counted, managedFields not told apart from others by a decoder that cannot. */
  get values(): number {
    return this.#values;
  }

  /** Throws ApiError RequestEntityTooLarge if the body has too many values. */
  spendValues(count: number): void {
    this.#values += count;
    this.#limits.budget.spend(count * STEPS_PER_VALUE);
    if (this.#values > this.#limits.values + this.#slack) throw requestEntityTooLarge(this.#limits.values, 'values');
  }

  /** Throws ApiError RequestEntityTooLarge if the texts of the body are longer than the longest body: only aliases in YAML and operations of a patch can make them so. */
  spendCharacters(count: number): void {
    this.#characters += count;
    this.#limits.budget.spend(count / CHARACTERS_PER_STEP);
    if (this.#characters > this.#limits.characters) throw requestEntityTooLarge(this.#limits.characters);
  }

  /** `spendObject` for an object that is kept besides the body: what a patch or an apply has made. */
  keepObject(object: unknown): void {
    this.spendObject(object);
    this.#limits.budget.keep(this.#characters);
  }

  /** Counts an object that is already decoded, with all that it holds. */
  spendObject(object: unknown): void {
    const countValue = () => this.spendValues(1);
    const apart = this.#limits.managedValues === undefined ? undefined : managedFieldsIn(object);
    this.#spend(object, countValue, apart);
    if (apart !== undefined) this.#spend(apart, () => this.#spendManagedValue());
  }

  #spendManagedValue(): void {
    this.#managedValues += 1;
    this.#limits.budget.spend(STEPS_PER_VALUE);
    if (this.#managedValues > (this.#limits.managedValues ?? 0)) throw tooManyManagedValues();
  }

  /** Counts a value with all that it holds, but for the value `apart`. */
  #spend(value: unknown, countValue: () => void, apart?: unknown): void {
    if (value === apart && apart !== undefined) return;
    countValue();
    if (typeof value === 'string') this.spendCharacters(value.length);
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      for (const item of value) this.#spend(item, countValue, apart);
      return;
    }
    for (const [name, member] of Object.entries(value)) {
      this.spendCharacters(name.length);
      this.#spend(member, countValue, apart);
    }
  }
}

/** The list of an object's owners; `undefined` if it has none. */
function managedFieldsIn(object: unknown): readonly unknown[] | undefined {
  const metadata = isObject(object) ? object['metadata'] : undefined;
  const managed = isObject(metadata) ? metadata['managedFields'] : undefined;
  return Array.isArray(managed) ? managed : undefined;
}
