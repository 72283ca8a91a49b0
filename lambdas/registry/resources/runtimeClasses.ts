import type { RuntimeClass } from 'kubernetes-types/node/v1.js';
import { canonicalizeResourceList, presentDraft } from '../defaulting/drafts.ts';
import { defineResource } from '../defineResource.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import { dnsLabel, fields, ifPresent } from '../validation/checks.ts';
import { validateLabels } from '../validation/validateLabels.ts';
import { validateOverhead } from '../validation/validateResources.ts';
import { validateTolerations } from '../validation/validateScheduling.ts';

export const runtimeClasses = defineResource({
  group: 'node.k8s.io',
  kind: 'RuntimeClass',
  plural: 'runtimeclasses',
  namespaced: false,
  applyDefaults: (draft) => canonicalizeResourceList(presentDraft(draft, 'overhead') ?? {}, 'podFixed'),
  check: fields({
    handler: dnsLabel,
    overhead: ifPresent(fields({ podFixed: validateOverhead })),
    scheduling: ifPresent(fields({ nodeSelector: validateLabels, tolerations: validateTolerations })),
  }),
  immutable: ['handler'],
  table: tableOf<RuntimeClass>(
    nameCell,
    cell('Handler', 'What runs its pods.', ({ handler }) => handler),
    ageCell,
  ),
});
