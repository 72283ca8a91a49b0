import type { FieldError } from '../objects/FieldError.ts';
import type { KubernetesObject } from '../objects/KubernetesObject.ts';
import { type Defaults, fillDefaults } from './defaulting/fillDefaults.ts';
import type { ResourceEntry, ServedVersion, Strategy, TableRules, Verb } from './ResourceEntry.ts';
import { specChanged, STANDARD_VERBS } from './resources/standardRules.ts';
import { defaultTable } from './tables/columns.ts';
import { type Check, valid } from './validation/checks.ts';
import { immutableField } from './validation/fieldErrors.ts';

/** What a stored kind differs in from the usual. Everything else follows. */
export interface ResourceDefinition
  extends Pick<
    ResourceEntry,
    | 'group'
    | 'kind'
    | 'namespaced'
    | 'shortNames'
    | 'categories'
    | 'status'
    | 'approval'
    | 'virtual'
    | 'warning'
    | 'scale'
    | 'since'
    | 'loadStrategy'
    | 'selectableFields'
  > {
  /** Absent: the kind in lower case, with an `s`. */
  readonly plural?: string;
  /** Absent: all. */
  readonly verbs?: readonly Verb[];
  /** The version that is stored. Absent: `v1`. */
  readonly storageVersion?: string;
  /** The preferred version first. Absent: only the stored version, with `defaults`. */
  readonly versions?: readonly ServedVersion[];
  /** The defaults of the stored version. */
  readonly defaults?: Defaults;
  /** Fills in the defaults of the stored version that are no constants, before `defaults`. */
  readonly applyDefaults?: (draft: KubernetesObject) => void;
  /** True if a change of the spec increases `metadata.generation`. */
  readonly hasGeneration?: boolean;
  /** Checks a new and a changed object, except its metadata and its status. */
  readonly check?: Check;
  /** In place of `check`, for a kind that tolerates in a changed object what is wrong in the stored one already. `old` is absent for a new object. */
  readonly checkAfter?: (old: KubernetesObject | undefined) => Check;
  /** Fields that may never change, by path: `spec.selector`. */
  readonly immutable?: readonly string[];
  /** Checks a changed status: the errors are at `status`. */
  readonly checkStatus?: Check;
  /** What no member above says. `validateUpdate` is called besides `check`. */
  readonly strategy?: Strategy;
  /** Absent: the name and the time of creation. */
  readonly table?: TableRules;
}

/** Makes a resource of a definition. */
export function defineResource(definition: ResourceDefinition): ResourceEntry {
  const { group, kind, check, checkAfter, checkStatus, immutable, strategy = {}, hasGeneration, ...rest } = definition;
  const { applyDefaults: _applyDefaults, defaults: _defaults, ...members } = rest;
  const singular = kind.toLowerCase();
  const plural = definition.plural ?? `${singular}s`;
  return {
    verbs: STANDARD_VERBS,
    table: defaultTable,
    storageVersion: 'v1',
    ...members,
    groupResource: group === '' ? plural : `${plural}.${group}`,
    group,
    kind,
    plural,
    singular,
    versions: definition.versions ?? [{ version: definition.storageVersion ?? 'v1', ...defaultsOf(definition) }],
    strategy: {
      ...(hasGeneration === true && { generationChanges: specChanged }),
      ...(checkStatus && { validateStatusUpdate: (object) => checkStatus(object['status'], 'status') }),
      ...strategy,
      ...validation(checkAfter ?? (() => check ?? valid), immutable ?? [], strategy),
    },
  };
}

function defaultsOf({ defaults = {}, applyDefaults }: ResourceDefinition): Pick<ServedVersion, 'applyDefaults'> {
  if (Object.keys(defaults).length === 0 && !applyDefaults) return {};
  return {
    applyDefaults(draft) {
      applyDefaults?.(draft);
      fillDefaults(draft, defaults);
    },
  };
}

function validation(
  checkAfter: (old: KubernetesObject | undefined) => Check,
  immutable: readonly string[],
  own: Strategy,
): Pick<Strategy, 'validate' | 'validateUpdate'> {
  return {
    validate: (object, budget) => [...checkAfter(undefined)(object, ''), ...(own.validate?.(object, budget) ?? [])],
    validateUpdate: (object, old, budget) => [
      ...checkAfter(old)(object, ''),
      ...immutable.flatMap((path) => immutableErrors(path, object, old)),
      ...(own.validateUpdate?.(object, old, budget) ?? []),
    ],
  };
}

function immutableErrors(path: string, object: KubernetesObject, old: KubernetesObject): FieldError[] {
  const members = path.split('.');
  return immutableField(path, valueAt(object, members), valueAt(old, members));
}

function valueAt(object: unknown, members: readonly string[]): unknown {
  return members.reduce<unknown>((value, member) => (value as Record<string, unknown> | undefined)?.[member], object);
}
