import { jsonEqual } from '../../objects/json.ts';
import { fieldsOf, itemsOf, textOf } from '../validation/fieldsOf.ts';
import type { DefinitionVersion } from './CustomResourceDefinition.ts';

/** The members of a version that Kubernetes' internal form of a definition may hold once for all versions. */
interface SharedMembers {
  /** The `schema` member: `{ openAPIV3Schema }`. */
  readonly schema: unknown;
  readonly subresources: unknown;
  readonly columns: unknown;
  readonly selectableFields: unknown;
}

interface HoistedVersion extends SharedMembers {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated: boolean;
  readonly deprecationWarning: string | undefined;
}

/** A spec in Kubernetes' internal form, on which it validates. */
export interface HoistedSpec extends SharedMembers {
  readonly versions: readonly HoistedVersion[];
  /** False if the client sent no list, which is shown as null. */
  readonly hasVersions: boolean;
}

const MEMBERS = {
  schema: 'schema',
  subresources: 'subresources',
  columns: 'additionalPrinterColumns',
  selectableFields: 'selectableFields',
} as const;

type Member = keyof typeof MEMBERS;

/**
 * Moves what is the same in all versions from the versions to the spec, as Kubernetes' conversion to its internal form does. So the errors of a definition with one version name
 * `spec.validation` instead of `spec.versions[0].schema`. Pure.
 */
export function hoistVersions(given: unknown): HoistedSpec {
  const versions = itemsOf<DefinitionVersion>(given);
  const [first] = versions;
  const isShared = (member: Member) =>
    first !== undefined && versions.every((one) => jsonEqual(one[MEMBERS[member]], first[MEMBERS[member]]));
  const shared = Object.fromEntries(
    (Object.keys(MEMBERS) as Member[]).map((member) => [member, isShared(member)]),
  ) as Record<Member, boolean>;
  const sharedOf = (member: Member) => (shared[member] ? first?.[MEMBERS[member]] : undefined);
  const ownOf = (version: object, member: Member) =>
    shared[member] ? undefined : fieldsOf<Record<string, unknown>>(version)[MEMBERS[member]];
  return {
    ...membersBy(sharedOf),
    hasVersions: Array.isArray(given),
    versions: versions.map((version) => ({
      name: textOf(version.name),
      served: version.served === true,
      storage: version.storage === true,
      deprecated: version.deprecated === true,
      deprecationWarning: typeof version.deprecationWarning === 'string' ? version.deprecationWarning : undefined,
      ...membersBy((member) => ownOf(version, member)),
    })),
  };
}

function membersBy(read: (member: Member) => unknown): SharedMembers {
  return {
    schema: read('schema'),
    subresources: read('subresources'),
    columns: read('columns'),
    selectableFields: read('selectableFields'),
  };
}

/** The versions as Kubernetes' errors show them: by the names of the internal form's fields. */
export function shownVersions({ versions, hasVersions }: HoistedSpec): readonly object[] | null {
  if (!hasVersions) return null;
  return versions.map((version) => ({
    Name: version.name,
    Served: version.served,
    Storage: version.storage,
    Deprecated: version.deprecated,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: version.schema ?? null,
    Subresources: version.subresources ?? null,
    AdditionalPrinterColumns: version.columns ?? null,
    SelectableFields: version.selectableFields ?? null,
  }));
}
