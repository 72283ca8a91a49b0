import type { ControllerRevision } from 'kubernetes-types/apps/v1.js';
import { controllerOf, type KubernetesObject, type Stored } from '../../objects/KubernetesObject.ts';
import { defineResource } from '../defineResource.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import { type Check, fields, notNegative, present } from '../validation/checks.ts';
import { invalid } from '../validation/fieldErrors.ts';

const jsonObject: Check = (value, path) =>
  typeof value === 'object' && !Array.isArray(value)
    ? []
    : [invalid(path, value, 'data should be a valid JSON object')];

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
  check: fields({ data: present('data is mandatory', jsonObject), revision: notNegative }),
  immutable: ['data'],
  table: tableOf<Stored<ControllerRevision>>(
    nameCell,
    cell('Controller', 'Whose state it keeps.', controllerCell),
    cell('Revision', 'Its number among the revisions of the controller.', ({ revision }) => revision, 'integer'),
    ageCell,
  ),
});
