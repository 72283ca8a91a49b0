import type { Overhead, RuntimeClass } from 'kubernetes-types/node/v1.js';
import { canonicalizeResourceList, presentDraft } from '../defaulting/drafts.ts';
import { defineResource } from '../defineResource.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import { type Check, dnsLabel, fields, ifPresent } from '../validation/checks.ts';
import { fieldsOf } from '../validation/fieldsOf.ts';
import { validateLabels } from '../validation/validateLabels.ts';
import { validateOverhead } from '../validation/pods/validateResources.ts';
import { validateTolerations } from '../validation/pods/validateScheduling.ts';

/** The errors name the amounts as limits, as upstream's do. */
const overhead: Check = (value, path) => validateOverhead(fieldsOf<Overhead>(value).podFixed, path);

export const runtimeClasses = defineResource({
  group: 'node.k8s.io',
  kind: 'RuntimeClass',
  plural: 'runtimeclasses',
  namespaced: false,
  applyDefaults: (draft) => canonicalizeResourceList(presentDraft(draft, 'overhead') ?? {}, 'podFixed'),
  check: fields({
    handler: dnsLabel,
    overhead: ifPresent(overhead),
    scheduling: ifPresent(fields({ nodeSelector: validateLabels, tolerations: validateTolerations })),
  }),
  immutable: ['handler'],
  table: tableOf<RuntimeClass>(
    nameCell,
    cell('Handler', 'What runs its pods.', ({ handler }) => handler),
    ageCell,
  ),
});
