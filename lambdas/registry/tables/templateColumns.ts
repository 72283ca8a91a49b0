import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import { wideColumn } from './column.ts';

/** What workloads show of their pod template, and whom they select. */
export const templateColumns = [
  wideColumn('Containers', 'The names of the containers in the pod template.'),
  wideColumn('Images', 'The images of the containers in the pod template.'),
  wideColumn('Selector', 'Which pods belong to the object, by their labels.'),
];

/** The cells of Containers and Images. */
export function templateCells(template: PodTemplateSpec | undefined): [string, string] {
  const containers = template?.spec?.containers ?? [];
  return [containers.map(({ name }) => name).join(','), containers.map(({ image }) => image ?? '').join(',')];
}
