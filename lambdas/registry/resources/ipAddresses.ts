import { isIP } from 'node:net';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { defineResource } from '../defineResource.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import { fields, nonEmptyText, present } from '../validation/checks.ts';
import { fieldsOf, textOf } from '../validation/fieldsOf.ts';

interface IpAddressSpec {
  readonly parentRef?: {
    readonly group?: string;
    readonly resource: string;
    readonly namespace?: string;
    readonly name: string;
  };
}

/** An IPAddress is named by its address, in its one form. */
function nameErrors(name: string): string[] {
  const isCanonical = isIP(name) === 4 || (isIP(name) === 6 && new URL(`http://[${name}]`).hostname === `[${name}]`);
  return isCanonical ? [] : ['must be a valid IP address in canonical form'];
}

function parentCell({ spec }: KubernetesObject): string {
  const { group, resource, namespace, name } = fieldsOf<NonNullable<IpAddressSpec['parentRef']>>(
    fieldsOf<IpAddressSpec>(spec).parentRef,
  );
  return [group, resource, namespace, name].map(textOf).filter(Boolean).join('/');
}

export const ipAddresses = defineResource({
  group: 'networking.k8s.io',
  kind: 'IPAddress',
  since: 33,
  plural: 'ipaddresses',
  namespaced: false,
  shortNames: ['ip'],
  check: fields({
    spec: fields({ parentRef: present('', fields({ resource: nonEmptyText(), name: nonEmptyText() })) }),
  }),
  immutable: ['spec.parentRef'],
  strategy: { nameErrors },
  table: tableOf<KubernetesObject>(nameCell, cell('ParentRef', 'Who has the address.', parentCell), ageCell),
});
