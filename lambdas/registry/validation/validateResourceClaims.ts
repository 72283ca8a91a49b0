import type { FieldError } from '../../objects/FieldError.ts';
import { isDns1123Label, isDns1123Subdomain } from '../../objects/nameFormats.ts';
import { duplicate, invalid, invalidEach, required } from './fieldErrors.ts';
import { isPresent, itemsOf, textOf } from './fieldsOf.ts';

/** A `core/v1.PodResourceClaim` since 1.31, where the source's fields moved up. */
interface PodResourceClaim {
  name: string;
  resourceClaimName: string;
  resourceClaimTemplateName: string;
}

/** What devices a pod claims: under a name of its own, by an existing claim or a template for one. */
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
