import type { FieldError } from '../../objects/FieldError.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { defineResource } from '../defineResource.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import { all, type Check, fields, items, nonEmptyList } from '../validation/checks.ts';
import { forbidden, invalid, tooMany } from '../validation/fieldErrors.ts';
import { fieldsOf, textsOf } from '../validation/fieldsOf.ts';
import { cidr } from '../validation/network/networkChecks.ts';

const MOST = 2;

const isIpv6 = (range: string) => range.includes(':');

/** One range, or one of each family. */
const families: Check = (value, path) => {
  const [first, second, ...others] = textsOf(value);
  if (others.length > 0) return [tooMany(path, others.length + MOST, MOST)];
  if (first === undefined || second === undefined || isIpv6(first) !== isIpv6(second)) return [];
  return [
    invalid(
      path,
      [first, second],
      'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/96',
    ),
  ];
};

/** A second range may be added to one. What is there stays. */
function changedErrors(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  const [ranges, before] = [object, old].map(rangesOf);
  const isKept = before?.every((range, index) => ranges?.[index] === range);
  return isKept ? [] : [forbidden('spec.cidrs', 'field is immutable')];
}

function rangesOf({ spec }: KubernetesObject): string[] {
  return textsOf(fieldsOf<{ cidrs: string[] }>(spec).cidrs);
}

/** The ranges of the addresses of Services. They are kept; the addresses of Services come from a range of their own. */
export const serviceCidrs = defineResource({
  group: 'networking.k8s.io',
  kind: 'ServiceCIDR',
  since: 33,
  plural: 'servicecidrs',
  namespaced: false,
  status: true,
  check: fields({ spec: fields({ cidrs: nonEmptyList('at least one CIDR required', all(families, items(cidr))) }) }),
  strategy: { validateUpdate: changedErrors },
  table: tableOf<KubernetesObject>(
    nameCell,
    cell('CIDRs', 'The ranges of addresses.', (it) => rangesOf(it).join(',')),
    ageCell,
  ),
});
