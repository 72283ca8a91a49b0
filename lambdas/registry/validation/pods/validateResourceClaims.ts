import type { FieldError } from '../../../objects/FieldError.ts';
import { isDns1123Label, isDns1123Subdomain } from '../../../objects/nameFormats.ts';
import { duplicate, invalid, invalidEach, required } from '../fieldErrors.ts';
import { isPresent, itemsOf, textOf } from '../fieldsOf.ts';

/** A `core/v1.PodResourceClaim` as of 1.31, which moved the fields of `source` up one level. */
interface PodResourceClaim {
  name: string;
  resourceClaimName: string;
  resourceClaimTemplateName: string;
}

/** Validates a pod's claims for devices: each has its own name, and names either an existing claim or a template for one. */
export function validateResourceClaims(claims: unknown, path: string): FieldError[] {
  const names = new Set<string>();
  return itemsOf<PodResourceClaim>(claims).flatMap((claim, index) => {
    const { resourceClaimName: existing, resourceClaimTemplateName: template } = claim;
    const claimPath = `${path}[${index}]`;
    return [
      ...validateClaimName(textOf(claim.name), names, `${claimPath}.name`),
      ...(isPresent(existing) && isPresent(template)
        ? [invalid(claimPath, claim, `at most one of ${FIELDS.join(' or ')} may be specified`)]
        : []),
      ...(isPresent(existing) || isPresent(template)
        ? []
        : [invalid(claimPath, claim, `must specify one of: ${FIELDS.join(', ')}`)]),
      ...validateReference(existing, `${claimPath}.resourceClaimName`),
      ...validateReference(template, `${claimPath}.resourceClaimTemplateName`),
    ];
  });
}

const FIELDS = ['`resourceClaimName`', '`resourceClaimTemplateName`'];

function validateClaimName(name: string, names: Set<string>, path: string): FieldError[] {
  if (name === '') return [required(path)];
  if (names.has(name)) return [duplicate(path, name)];
  names.add(name);
  return invalidEach(path, name, isDns1123Label(name));
}

function validateReference(name: unknown, path: string): FieldError[] {
  return isPresent(name) ? invalidEach(path, name, isDns1123Subdomain(textOf(name))) : [];
}
