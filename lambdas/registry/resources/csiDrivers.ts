import type { CSIDriver, TokenRequest } from 'kubernetes-types/storage/v1.js';
import { childDraft } from '../defaulting/drafts.ts';
import { defineResource } from '../defineResource.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import { all, atLeast, atMost, distinct, enumOf, fields, ifPresent, items } from '../validation/checks.ts';
import { fieldsOf, textOf, textsOf } from '../validation/fieldsOf.ts';
import { driverName } from '../validation/validateDriverName.ts';

const MIN_TOKEN_SECONDS = 600;
const MAX_TOKEN_SECONDS = 2 ** 32;

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
    spec: fields({
      fsGroupPolicy: ifPresent(enumOf('File', 'None', 'ReadWriteOnceWithFSType')),
      tokenRequests: all(
        items(
          fields({
            expirationSeconds: ifPresent(
              all(
                atLeast(MIN_TOKEN_SECONDS, 'may not specify a duration less than 10 minutes'),
                atMost(MAX_TOKEN_SECONDS, 'may not specify a duration larger than 2^32 seconds'),
              ),
            ),
          }),
        ),
        distinct((request) => textOf(fieldsOf<TokenRequest>(request).audience), '.audience'),
      ),
      volumeLifecycleModes: items(enumOf('Ephemeral', 'Persistent')),
    }),
  }),
  immutable: ['spec.attachRequired', 'spec.volumeLifecycleModes'],
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
