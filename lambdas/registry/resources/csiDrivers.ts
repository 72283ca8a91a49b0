import type { CSIDriver, CSIDriverSpec, TokenRequest } from 'kubernetes-types/storage/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { childDraft } from '../defaulting/drafts.ts';
import { defineResource } from '../defineResource.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import {
  all,
  atLeast,
  atMost,
  type Check,
  enumOf,
  fields,
  given,
  ifPresent,
  oneInOrder,
  when,
  wrong,
} from '../validation/checks.ts';
import { duplicate, immutableField } from '../validation/fieldErrors.ts';
import { fieldsOf, itemsOf, textOf, textsOf } from '../validation/fieldsOf.ts';
import { driverName } from '../validation/storage/validateDriverName.ts';

const MIN_TOKEN_SECONDS = 600;
const MAX_TOKEN_SECONDS = 2 ** 32;

const MIN_UPDATE_SECONDS = 10;

const expirationSeconds = ifPresent(
  all(
    atLeast(MIN_TOKEN_SECONDS, 'may not specify a duration less than 10 minutes'),
    atMost(MAX_TOKEN_SECONDS, 'may not specify a duration larger than 2^32 seconds'),
  ),
);

/** Of a request for an audience that was asked for before, nothing else is said. */
const tokenRequests: Check = (value, path) => {
  const audiences = new Set<string>();
  return itemsOf<TokenRequest>(value).flatMap((request, index) => {
    const audience = textOf(request.audience);
    const at = `${path}[${index}]`;
    if (audiences.has(audience)) return [duplicate(`${at}.audience`, audience)];
    audiences.add(audience);
    return expirationSeconds(request.expirationSeconds, `${at}.expirationSeconds`);
  });
};

const mode = oneInOrder('Persistent', 'Ephemeral');

/** The errors are at the list, as upstream's are. */
const volumeLifecycleModes: Check = (value, path) => textsOf(value).flatMap((one) => mode(one, path));

/** The first path is misspelled in Kubernetes, too. */
function fixedErrors(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  const [spec, before] = [fieldsOf<CSIDriverSpec>(object['spec']), fieldsOf<CSIDriverSpec>(old['spec'])];
  return [
    ...immutableField('spec.attachedRequired', spec.attachRequired, before.attachRequired),
    ...immutableField('spec.volumeLifecycleModes', spec.volumeLifecycleModes, before.volumeLifecycleModes),
  ];
}

export const csiDrivers = defineResource({
  group: 'storage.k8s.io',
  kind: 'CSIDriver',
  namespaced: false,
  applyDefaults(draft) {
    const spec = childDraft(draft, 'spec');
    if (textsOf(spec['volumeLifecycleModes']).length === 0) spec['volumeLifecycleModes'] = ['Persistent'];
  },
  defaults: {
    'spec.attachRequired': true,
    'spec.podInfoOnMount': false,
    'spec.storageCapacity': false,
    'spec.fsGroupPolicy': 'ReadWriteOnceWithFSType',
    'spec.requiresRepublish': false,
    'spec.seLinuxMount': false,
  },
  check: fields({
    metadata: fields({ name: driverName }),
    spec: given<CSIDriverSpec>((spec) =>
      fields({
        fsGroupPolicy: ifPresent(enumOf('File', 'None', 'ReadWriteOnceWithFSType')),
        tokenRequests,
        volumeLifecycleModes,
        nodeAllocatableUpdatePeriodSeconds: ifPresent(
          atLeast(MIN_UPDATE_SECONDS, 'must be greater than or equal to 10 seconds'),
        ),
        serviceAccountTokenInSecrets: when(
          itemsOf(spec.tokenRequests).length === 0,
          ifPresent(wrong('may not be set without tokenRequests')),
        ),
      }),
    ),
  }),
  strategy: { validateUpdate: fixedErrors },
  table: tableOf<CSIDriver>(
    nameCell,
    cell('AttachRequired', 'Whether volumes are attached to nodes.', ({ spec }) => spec.attachRequired ?? true),
    cell('PodInfoOnMount', 'Whether the driver learns about the pod.', ({ spec }) => spec.podInfoOnMount ?? false),
    cell(
      'StorageCapacity',
      'Whether the scheduler asks for its capacity.',
      ({ spec }) => spec.storageCapacity ?? false,
    ),
    cell('TokenRequests', 'The audiences of the tokens that it gets.', ({ spec }) =>
      spec.tokenRequests ? spec.tokenRequests.map(({ audience }) => audience).join(',') : '<unset>',
    ),
    cell(
      'RequiresRepublish',
      'Whether volumes are mounted again from time to time.',
      ({ spec }) => spec.requiresRepublish ?? false,
    ),
    cell(
      'Modes',
      'The kinds of volumes that it makes.',
      ({ spec }) => spec.volumeLifecycleModes?.join(',') || '<unset>',
    ),
    ageCell,
  ),
});
