import type { FieldError } from '../../../lambdas/objects/FieldError.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type {
  ActionRules,
  CustomRules,
  ResourceEntry,
  TableRules,
  Verb,
} from '../../../lambdas/registry/ResourceEntry.ts';
import { STANDARD_VERBS } from '../../../lambdas/registry/resources/standardRules.ts';
import { advanceSchema, clockSchema, resetSchema, settleSchema } from './clockSchema.ts';
import { faultSchema } from './faultSchema.ts';
import { podBehaviourSchema } from './podBehaviourSchema.ts';
import { clockTable, faultTable, podBehaviourTable } from './testingTables.ts';

export const TESTING_GROUP = 'testing.driftless.dev';
export const TESTING_VERSION = 'v1';
export const FAULTS = `faults.${TESTING_GROUP}`;
export const POD_BEHAVIOURS = `podbehaviours.${TESTING_GROUP}`;
export const CLOCKS = `clocks.${TESTING_GROUP}`;

/** Nobody but the server writes the Clock. */
const READ_VERBS: readonly Verb[] = ['get', 'list', 'watch'];

interface TestingKind {
  readonly kind: string;
  readonly plural: string;
  readonly verbs: readonly Verb[];
  readonly schema: object;
  readonly table: TableRules;
  readonly actions?: Readonly<Record<string, ActionRules>>;
  /** The errors that the schema does not find. Absent: it finds all. */
  readonly check?: () => Promise<(object: KubernetesObject) => FieldError[]>;
}

const KINDS: readonly TestingKind[] = [
  {
    kind: 'Clock',
    plural: 'clocks',
    verbs: READ_VERBS,
    schema: clockSchema,
    table: clockTable,
    actions: {
      advance: { kind: 'ClockAdvance', openApiSchema: advanceSchema },
      reset: { kind: 'ClockReset', openApiSchema: resetSchema },
      settle: { kind: 'ClockSettle', openApiSchema: settleSchema },
    },
  },
  {
    kind: 'Fault',
    plural: 'faults',
    verbs: STANDARD_VERBS,
    schema: faultSchema,
    table: faultTable,
    check: async () => (await import('./validateFault.ts')).validateFault,
  },
  {
    kind: 'PodBehaviour',
    plural: 'podbehaviours',
    verbs: STANDARD_VERBS,
    schema: podBehaviourSchema,
    table: podBehaviourTable,
    check: async () => (await import('./validatePodBehaviour.ts')).validatePodBehaviour,
  },
];

/**
 * Makes the kinds of `testing.driftless.dev`. They follow the rules of custom resources, with schemas of the server instead of definitions. What those rules need of code is loaded with the
 * first request for a kind; `opened` is awaited with every request, too.
 */
export function createTestingEntries(opened: (kind: string) => Promise<void>): readonly ResourceEntry[] {
  return KINDS.map((kind) => testingEntry(kind, () => opened(kind.kind)));
}

function testingEntry(given: TestingKind, opened: () => Promise<void>): ResourceEntry {
  const { kind, plural, verbs, schema, table, actions, check } = given;
  const rules = new LazyRules(schema, check);
  const listKind = `${kind}List`;
  return {
    groupResource: `${plural}.${TESTING_GROUP}`,
    group: TESTING_GROUP,
    kind,
    plural,
    singular: kind.toLowerCase(),
    namespaced: false,
    verbs,
    storageVersion: TESTING_VERSION,
    versions: [{ version: TESTING_VERSION }],
    strategy: {},
    loadStrategy: async () => (await rules.load()).strategy,
    status: verbs !== READ_VERBS,
    ...(actions && { actions }),
    table,
    custom: {
      listKind,
      servedVersions: [TESTING_VERSION],
      isTerminating: false,
      schema: () => rules.schema(),
      schemaOf: (version) => (version === TESTING_VERSION ? rules.schema() : undefined),
      openApiSchema: schema,
      selectableFields: [],
      load: async () => {
        await rules.load();
        await opened();
      },
    },
  };
}

type Loaded = Awaited<ReturnType<typeof import('./testingRules.ts')['testingRules']>>;

/** The rules of one kind, loaded once. */
class LazyRules {
  readonly #json: object;
  readonly #check: TestingKind['check'];
  #loading: Promise<Loaded> | undefined;
  #loaded: Loaded | undefined;

  constructor(json: object, check: TestingKind['check']) {
    this.#json = json;
    this.#check = check;
  }

  load(): Promise<Loaded> {
    return (this.#loading ??= this.#load());
  }

  /** Throws before `load` has resolved. */
  schema(): ReturnType<CustomRules['schema']> {
    if (!this.#loaded) throw new Error('the schema of a testing kind was used before it was loaded');
    return this.#loaded.schema;
  }

  async #load(): Promise<Loaded> {
    const { testingRules } = await import('./testingRules.ts');
    this.#loaded = testingRules(this.#json, await this.#check?.());
    return this.#loaded;
  }
}
