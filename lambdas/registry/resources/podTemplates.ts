import type { PodTemplate } from 'kubernetes-types/core/v1.js';
import { applyPodTemplateDefaults } from '../defaulting/applyPodDefaults.ts';
import { childDraft } from '../defaulting/drafts.ts';
import { defineResource } from '../defineResource.ts';
import { formatLabels, templateCells } from '../tables/columns.ts';
import { cell, nameCell, tableOf } from '../tables/tableOf.ts';
import { fields } from '../validation/checks.ts';
import { validatePodTemplateSpec } from '../validation/pods/validatePodTemplate.ts';

export const podTemplates = defineResource({
  group: '',
  kind: 'PodTemplate',
  namespaced: true,
  applyDefaults: (draft) => applyPodTemplateDefaults(childDraft(draft, 'template')),
  check: fields({ template: validatePodTemplateSpec }),
  strategy: {
    generationChanges: (object, old) => JSON.stringify(object['template']) !== JSON.stringify(old['template']),
  },
  table: tableOf<PodTemplate>(
    nameCell,
    cell('Containers', 'The names of the containers.', ({ template }) => templateCells(template)[0]),
    cell('Images', 'The images of the containers.', ({ template }) => templateCells(template)[1]),
    cell('Pod Labels', 'The labels of its pods.', ({ template }) => formatLabels(template?.metadata?.labels)),
  ),
});
