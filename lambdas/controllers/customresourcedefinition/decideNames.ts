import type { CustomResourceDefinitionNames } from 'kubernetes-types/apiextensions/v1.js';
import { goQuote } from '../../objects/go/goQuote.ts';
import type { Condition, CustomResourceDefinition } from '../../registry/customresources/CustomResourceDefinition.ts';

/** The names that a definition may use, and whether they are all that it wants. */
export interface DecidedNames {
  readonly acceptedNames: CustomResourceDefinitionNames;
  readonly condition: Condition & { readonly type: 'NamesAccepted' };
}

/** What other definitions of the same group hold. Names of resources and names of kinds do not conflict with each other. */
interface UsedNames {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

/**
 * Decides which of the wanted names a definition gets, as Kubernetes' `calculateNamesAndConditions`. A name that another definition of the group has accepted is refused, and the one that was
 * accepted before stays. The condition tells the last conflict of: plural, singular, short names, kind, list kind. Pure.
 */
export function decideNames(
  definition: CustomResourceDefinition,
  inGroup: readonly CustomResourceDefinition[],
): DecidedNames {
  const wanted = definition.spec.names;
  const accepted = definition.status?.acceptedNames ?? { plural: '', kind: '' };
  const used = usedNames(inGroup);
  const conflicts: { reason: string; message: string }[] = [];
  const choose = (member: 'plural' | 'singular' | 'kind' | 'listKind', names: ReadonlySet<string>, reason: string) => {
    const name = wanted[member] ?? '';
    if (name === (accepted[member] ?? '') || !names.has(name)) return name;
    conflicts.push({ reason, message: inUse(name) });
    return accepted[member] ?? '';
  };
  const plural = choose('plural', used.resources, 'PluralConflict');
  const singular = choose('singular', used.resources, 'SingularConflict');
  const taken = takenShortNames(wanted.shortNames ?? [], accepted.shortNames ?? [], used.resources);
  if (taken.length > 0) conflicts.push({ reason: 'ShortNamesConflict', message: aggregate(taken.map(inUse)) });
  const shortNames = taken.length > 0 ? accepted.shortNames : wanted.shortNames;
  const kind = choose('kind', used.kinds, 'KindConflict');
  const listKind = choose('listKind', used.kinds, 'ListKindConflict');
  const acceptedNames = {
    plural,
    ...(singular !== '' && { singular }),
    ...(shortNames && shortNames.length > 0 && { shortNames }),
    kind,
    ...(listKind !== '' && { listKind }),
    ...(wanted.categories && wanted.categories.length > 0 && { categories: wanted.categories }),
  };
  return { acceptedNames, condition: conditionOf(conflicts.at(-1)) };
}

function conditionOf(conflict: { reason: string; message: string } | undefined): DecidedNames['condition'] {
  const type = 'NamesAccepted';
  if (conflict) return { type, status: 'False', ...conflict };
  return { type, status: 'True', reason: 'NoConflicts', message: 'no conflicts found' };
}

function usedNames(inGroup: readonly CustomResourceDefinition[]): UsedNames {
  const names = inGroup.flatMap(({ status }) => status?.acceptedNames ?? []);
  return {
    resources: new Set(
      names.flatMap(({ plural, singular, shortNames = [] }) => [plural, singular ?? '', ...shortNames]),
    ),
    kinds: new Set(names.flatMap(({ kind, listKind }) => [kind, listKind ?? ''])),
  };
}

/** A short name that the definition has already is its own, even if it is among the used ones. */
function takenShortNames(wanted: readonly string[], own: readonly string[], used: ReadonlySet<string>): string[] {
  return wanted.filter((name) => !own.includes(name) && name !== '' && used.has(name));
}

function inUse(name: string): string {
  return `${goQuote(name)} is already in use`;
}

/** Kubernetes' way to put several errors in one text. */
function aggregate(messages: readonly string[]): string {
  return messages.length === 1 ? (messages[0] ?? '') : `[${messages.join(', ')}]`;
}
