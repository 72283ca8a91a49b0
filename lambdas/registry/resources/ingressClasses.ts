import type { IngressClass, IngressClassParametersReference } from 'kubernetes-types/networking/v1.js';
import { defineResource } from '../defineResource.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import { all, type Check, dnsLabel, enumOf, fields, ifPresent } from '../validation/checks.ts';
import { forbidden, required, tooLong } from '../validation/fieldErrors.ts';
import { fieldsOf, isPresent, textOf } from '../validation/fieldsOf.ts';
import { domainPrefixedPath, typedLocalReference } from '../validation/networkChecks.ts';

const MAX_CONTROLLER_BYTES = 250;

const shortEnough: Check = (value, path) =>
  Buffer.byteLength(textOf(value)) > MAX_CONTROLLER_BYTES ? [tooLong(path, MAX_CONTROLLER_BYTES)] : [];

/** The namespace must be there for parameters in a namespace, and only for them. */
const scope: Check = (value, path) => {
  const given = fieldsOf<IngressClassParametersReference>(value);
  if (given.scope === 'Namespace' && !isPresent(given.namespace))
    return [required(`${path}.namespace`, "`parameters.scope` is set to 'Namespace'")];
  if (given.scope === 'Cluster' && isPresent(given.namespace))
    return [forbidden(`${path}.namespace`, "`parameters.scope` is set to 'Cluster'")];
  return [];
};

const parameters: Check = all(
  typedLocalReference,
  fields({ scope: enumOf('Cluster', 'Namespace'), namespace: ifPresent(dnsLabel) }),
  scope,
);

function parametersCell({ spec }: IngressClass): string {
  if (!spec?.parameters) return '<none>';
  const { apiGroup, kind, name } = spec.parameters;
  return `${apiGroup === undefined ? kind : `${kind}.${apiGroup}`}/${name}`;
}

export const ingressClasses = defineResource({
  group: 'networking.k8s.io',
  kind: 'IngressClass',
  plural: 'ingressclasses',
  namespaced: false,
  hasGeneration: true,
  defaults: { 'spec?.parameters?.scope': 'Cluster' },
  check: fields({
    spec: fields({ controller: all(shortEnough, domainPrefixedPath), parameters: ifPresent(parameters) }),
  }),
  immutable: ['spec.controller'],
  table: tableOf<IngressClass>(
    nameCell,
    cell('Controller', 'Which controller serves the Ingresses of this class.', ({ spec }) => spec?.controller ?? ''),
    cell('Parameters', 'An object with more configuration for the controller.', parametersCell),
    ageCell,
  ),
});
