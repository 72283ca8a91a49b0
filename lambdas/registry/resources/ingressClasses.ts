import type {
  IngressClass,
  IngressClassParametersReference,
  IngressClassSpec,
} from 'kubernetes-types/networking/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { defineResource } from '../defineResource.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import { all, type Check, dnsLabel, enumOf, fields, ifPresent, present } from '../validation/checks.ts';
import { forbidden, immutableField, tooLong } from '../validation/fieldErrors.ts';
import { fieldsOf, isPresent, textOf } from '../validation/fieldsOf.ts';
import { domainPrefixedPath, typedLocalReference } from '../validation/network/networkChecks.ts';

const MAX_CONTROLLER_BYTES = 250;

const shortEnough: Check = (value, path) =>
  Buffer.byteLength(textOf(value)) > MAX_CONTROLLER_BYTES ? [tooLong(path, MAX_CONTROLLER_BYTES)] : [];

/** Parameters of a namespace name it, those of the cluster do not. */
const scope: Check = (value, path) => {
  const { scope: given, namespace } = fieldsOf<IngressClassParametersReference>(value);
  const at = `${path}.namespace`;
  switch (textOf(given)) {
    case 'Namespace':
      return present("`parameters.scope` is set to 'Namespace'", dnsLabel)(namespace, at);
    case 'Cluster':
      return isPresent(namespace) ? [forbidden(at, "`parameters.scope` is set to 'Cluster'")] : [];
    default:
      return enumOf('Cluster', 'Namespace')(given, `${path}.scope`);
  }
};

const spec: Check = fields({
  controller: all(shortEnough, domainPrefixedPath),
  parameters: ifPresent(all(typedLocalReference, scope)),
});

/** The error about a changed controller comes first. */
function updateErrors(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  const [controller, before] = [object, old].map((one) => fieldsOf<IngressClassSpec>(one['spec']).controller);
  return [...immutableField('spec.controller', controller, before), ...spec(object['spec'], 'spec')];
}

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
  strategy: { validate: (object) => spec(object['spec'], 'spec'), validateUpdate: updateErrors },
  table: tableOf<IngressClass>(
    nameCell,
    cell('Controller', 'Which controller serves the Ingresses of this class.', ({ spec }) => spec?.controller ?? ''),
    cell('Parameters', 'An object with more configuration for the controller.', parametersCell),
    ageCell,
  ),
});
