import type { CSIStorageCapacity } from 'kubernetes-types/storage/v1.js';
import { canonicalizeQuantity } from '../defaulting/drafts.ts';
import { defineResource } from '../defineResource.ts';
import { cell, nameCell, tableOf } from '../tables/tableOf.ts';
import { dnsSubdomain, fields, ifPresent, quantity } from '../validation/checks.ts';
import { validateLabelSelector } from '../validation/validateLabels.ts';

export const csiStorageCapacities = defineResource({
  group: 'storage.k8s.io',
  kind: 'CSIStorageCapacity',
  plural: 'csistoragecapacities',
  namespaced: true,
  applyDefaults(draft) {
    canonicalizeQuantity(draft, 'capacity');
    canonicalizeQuantity(draft, 'maximumVolumeSize');
  },
  // Upstream leaves the largest size of a volume alone.
  check: fields({
    nodeTopology: ifPresent(validateLabelSelector),
    storageClassName: dnsSubdomain,
    capacity: ifPresent(quantity),
  }),
  immutable: ['nodeTopology', 'storageClassName'],
  table: tableOf<CSIStorageCapacity>(
    nameCell,
    cell('StorageClassName', 'The class that it is about.', ({ storageClassName }) => storageClassName),
    cell('Capacity', 'How much is left.', ({ capacity }) => capacity ?? ''),
  ),
});
