import type { ValidatingAdmissionPolicySpec } from 'kubernetes-types/admissionregistration/v1.js';
import type { ResourceCatalog } from '../../ResourceCatalog.ts';
import type { ResourceEntry } from '../../ResourceEntry.ts';
import type { GroupVersionKind } from '../dynamic/RequestAttributes.ts';
import type { MatchRule } from './matchRequest.ts';

/** No more kinds are checked for one rule. */
const MOST_KINDS = 10;

/**
 * Returns the kinds of the resources that the rules of a policy name, sorted by group, version and kind. Rules with a star in their groups or versions name none, nor do resources with a star or subresources. Follows
 * upstream's `typesToCheck`, which stops for good at the tenth kind of one rule.
 */
export async function typesToCheck(
  { matchConstraints }: ValidatingAdmissionPolicySpec,
  catalog: ResourceCatalog,
): Promise<GroupVersionKind[]> {
  const rules = matchConstraints?.resourceRules ?? [];
  if (rules.length === 0) return [];
  const served = await servedKinds(catalog);
  const found = new Map<string, GroupVersionKind>();
  for (const rule of rules) {
    const kinds = resourcesOf(rule).flatMap((resource) => kindsFor(resource, served));
    for (const kind of kinds.slice(0, MOST_KINDS)) found.set(kindText(kind), kind);
    if (kinds.length >= MOST_KINDS) break;
  }
  return [...found.values()].sort(byPlace);
}

/** Writes a kind as Go does: `apps/v1, Kind=Deployment`, `/v1, Kind=Pod`. */
export function kindText({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`;
}

interface ResourcePlace {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

type ServedKind = GroupVersionKind & Pick<ResourceEntry, 'plural' | 'singular'>;

async function servedKinds({ builtIn, custom }: ResourceCatalog): Promise<ServedKind[]> {
  const established = (await custom.list()).filter(({ isEstablished }) => isEstablished);
  const entries = [...builtIn, ...established.flatMap(({ served }) => [...served.values()])];
  return entries.flatMap(({ group, kind, plural, singular, versions }) =>
    versions.map((one) => ({ group: one.group ?? group, version: one.version, kind, plural, singular })),
  );
}

function resourcesOf({ apiGroups = [], apiVersions = [], resources = [] }: MatchRule): ResourcePlace[] {
  if ([...apiGroups, ...apiVersions].some((one) => one.includes('*'))) return [];
  const named = resources.filter((resource) => !/[*/]/.test(resource));
  return apiGroups
    .toSorted()
    .flatMap((group) =>
      apiVersions.toSorted().flatMap((version) => named.toSorted().map((resource) => ({ group, version, resource }))),
    );
}

/** The core group has no name, and upstream's mapper takes that for any group: `v1` and `events` are the events of both groups. */
function kindsFor({ group, version, resource }: ResourcePlace, served: readonly ServedKind[]): GroupVersionKind[] {
  const name = resource.toLowerCase();
  return served
    .filter(
      (one) =>
        (group === '' || one.group === group) &&
        one.version === version &&
        (one.plural === name || one.singular === name),
    )
    .map((one) => ({ group: one.group, version: one.version, kind: one.kind }));
}

function byPlace(a: GroupVersionKind, b: GroupVersionKind): number {
  return compare(a.group, b.group) || compare(a.version, b.version) || compare(a.kind, b.kind);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
