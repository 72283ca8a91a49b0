import { ApiError } from '../../objects/ApiError.ts';
import type { FieldSet } from './FieldSet.ts';
import { compareTexts, managerKey, type ManagedSet, managerText } from './ManagedFields.ts';
import { pathText } from './pathElement.ts';

/** The fields of one manager that an apply would set to other values. */
export interface FieldConflict {
  readonly owner: ManagedSet;
  readonly fields: FieldSet;
}

/** The most fields that a refusal names. There can be as many as the object has; nobody reads more than these. */
const MAX_NAMED_FIELDS = 100;

/** The 409 for an apply without force that would take fields from others: one cause for each field, with Kubernetes' words. */
export function applyConflict(conflicts: readonly FieldConflict[]): ApiError {
  const named = namedFields(conflicts);
  const causes = named.map(({ owner, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${managerText(owner)}`,
    field: path,
  }));
  return new ApiError('Conflict', conflictMessage(conflicts, named), { causes });
}

interface NamedField {
  readonly owner: ManagedSet;
  readonly path: string;
}

function namedFields(conflicts: readonly FieldConflict[]): NamedField[] {
  const named: NamedField[] = [];
  for (const { owner, fields } of [...conflicts].sort(compareOwners)) {
    for (const path of fields.paths()) {
      if (named.length === MAX_NAMED_FIELDS) return named;
      named.push({ owner, path: pathText(path) });
    }
  }
  return named;
}

function compareOwners({ owner: a }: FieldConflict, { owner: b }: FieldConflict): number {
  return compareTexts(a.manager, b.manager) || compareTexts(managerKey(a), managerKey(b));
}

function conflictMessage(conflicts: readonly FieldConflict[], named: readonly NamedField[]): string {
  const count = conflicts.reduce((sum, { fields }) => sum + fields.size, 0);
  const [only] = named;
  if (count === 1 && only !== undefined) {
    return `Apply failed with 1 conflict: conflict with ${managerText(only.owner)}: ${only.path}`;
  }
  const lines = named.flatMap(({ owner, path }, index) => [
    ...(owner === named[index - 1]?.owner ? [] : [`conflicts with ${managerText(owner)}:`]),
    `- ${path}`,
  ]);
  return `Apply failed with ${count} conflicts: ${lines.join('\n')}`;
}
