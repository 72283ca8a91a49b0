import {
  all,
  type Check,
  dnsLabel,
  dnsSubdomain,
  fields,
  given,
  ifPresent,
  items,
  nonEmptyText,
  when,
  wrong,
} from '../checks.ts';
import { duplicate } from '../fieldErrors.ts';
import { isPresent, textOf } from '../fieldsOf.ts';

/** A `core/v1.PodResourceClaim` as of 1.31, which moved the fields of `source` up one level. */
interface PodResourceClaim {
  name: string;
  resourceClaimName: string;
  resourceClaimTemplateName: string;
}

const FIELDS = ['`resourceClaimName`', '`resourceClaimTemplateName`'];

/** A pod's claims for devices: each has its own name, and names either an existing claim or a template for one. */
export const validateResourceClaims: Check = (claims, path) => {
  const name = claimName();
  return items(
    given<PodResourceClaim>(({ resourceClaimName, resourceClaimTemplateName }) => {
      const count = [resourceClaimName, resourceClaimTemplateName].filter(isPresent).length;
      return all(
        fields<PodResourceClaim>({ name }),
        when(count > 1, wrong(`at most one of ${FIELDS.join(' or ')} may be specified`)),
        when(count === 0, wrong(`must specify one of: ${FIELDS.join(', ')}`)),
        fields<PodResourceClaim>({
          resourceClaimName: ifPresent(dnsSubdomain),
          resourceClaimTemplateName: ifPresent(dnsSubdomain),
        }),
      );
    }),
  )(claims, path);
};

/** A name that no claim before has. */
function claimName(): Check {
  const names = new Set<string>();
  return nonEmptyText('', (value, path) => {
    const name = textOf(value);
    if (names.has(name)) return [duplicate(path, name)];
    names.add(name);
    return dnsLabel(name, path);
  });
}
