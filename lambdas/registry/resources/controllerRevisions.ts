import type { ControllerRevision } from 'kubernetes-types/apps/v1.js';
import { controllerOf, type KubernetesObject, type Stored } from '../../objects/KubernetesObject.ts';
import { defineResource } from '../defineResource.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import { fields, notNegative, present } from '../validation/checks.ts';
import { required } from '../validation/fieldErrors.ts';

/** What a new revision keeps must be an object. Revisions that were stored before 1.31 may keep something else. */
const dataOfNew = fields({
  data: present('data is mandatory', (value, path) =>
    typeof value === 'object' && !Array.isArray(value) ? [] : [required(path, 'data must be a valid JSON object')],
  ),
});

/** Names the controller as kubectl does: `statefulset.apps/web`. */
function controllerCell(object: KubernetesObject): string {
  const controller = controllerOf(object);
  if (!controller) return '<none>';
  const [group] = controller.apiVersion.includes('/') ? controller.apiVersion.split('/') : [''];
  const kind = controller.kind.toLowerCase();
  return `${group === '' ? kind : `${kind}.${group}`}/${controller.name}`;
}

export const controllerRevisions = defineResource({
  group: 'apps',
  kind: 'ControllerRevision',
  namespaced: true,
  check: fields({ revision: notNegative }),
  immutable: ['data'],
  strategy: { validate: (object) => dataOfNew(object, '') },
  table: tableOf<Stored<ControllerRevision>>(
    nameCell,
    cell('Controller', 'Whose state it keeps.', controllerCell),
    cell('Revision', 'Its number among the revisions of the controller.', ({ revision }) => revision, 'integer'),
    ageCell,
  ),
});
