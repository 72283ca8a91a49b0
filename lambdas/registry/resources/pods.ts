import type { PodSpec } from 'kubernetes-types/core/v1.js';
import type { Pod } from '../../objects/kinds.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { podQosClass } from '../../objects/pods/podQosClass.ts';
import { applyPodDefaults } from '../defaulting/applyPodDefaults.ts';
import type { DeleteOptions } from '../Registry.ts';
import type { ResourceEntry, Strategy, TableRules } from '../ResourceEntry.ts';
import { ageColumn, column, nameColumn, wideColumn } from '../tables/columns.ts';
import { ageOf } from '../tables/humanDuration.ts';
import { type PodSummary, summarizePod } from '../tables/summarizePod.ts';
import { podWarnings } from '../validation/pods/podWarnings.ts';
import { validatePod } from '../validation/pods/validatePod.ts';
import { validatePodStatusUpdate } from '../validation/pods/validatePodStatus.ts';
import { validatePodUpdate } from '../validation/pods/validatePodUpdate.ts';
import { podParts } from './podParts.ts';
import { selectFields, specChanged, STANDARD_VERBS } from './standardRules.ts';

/** The requested grace period, or else the pod's own; 0 for a pod that runs on no node or has ended. */
function gracePeriodSeconds(object: KubernetesObject, options: DeleteOptions): number {
  const { spec, status } = object as Pod;
  const runs = (spec?.nodeName ?? '') !== '' && status?.phase !== 'Failed' && status?.phase !== 'Succeeded';
  const seconds = options.gracePeriodSeconds ?? spec?.terminationGracePeriodSeconds ?? 30;
  return runs ? seconds : 0;
}

const strategy: Strategy = {
  prepareForCreate(draft) {
    draft['status'] = { phase: 'Pending', qosClass: podQosClass((draft['spec'] ?? { containers: [] }) as PodSpec) };
  },
  validate: validatePod,
  warnings: podWarnings,
  validateUpdate: validatePodUpdate,
  keptByStatus: ['metadata.ownerReferences'],
  prepareForStatusUpdate(draft, old) {
    // Old kubelets dropped owner references in status updates. A pod without its controller would leak, or another would adopt it.
    const { ownerReferences } = old.metadata;
    if (ownerReferences === undefined) delete draft.metadata.ownerReferences;
    else draft.metadata.ownerReferences = ownerReferences;
    // Decided when the pod is created, and fixed from then on.
    const qosClass = (old as Pod).status?.qosClass;
    const status = (draft as Pod).status ?? {};
    draft['status'] = qosClass === undefined ? status : { ...status, qosClass };
  },
  validateStatusUpdate: validatePodStatusUpdate,
  generationChanges: specChanged,
  parts: podParts,
  gracePeriodSeconds,
};

const NONE = '<none>';

const podsTable: TableRules = {
  columns: [
    nameColumn,
    column('Ready', 'How many of its containers are ready.'),
    column('Status', 'What its containers are doing, or why they are not.'),
    column('Restarts', 'How often its containers were restarted, and when last.'),
    ageColumn,
    wideColumn('IP', 'Its address inside the cluster.'),
    wideColumn('Node', 'Where it runs.'),
    wideColumn('Nominated Node', 'Where it is meant to run once others have made room.'),
    wideColumn('Readiness Gates', 'How many of the conditions that its readiness depends on are true.'),
  ],
  cells(object, nowMs) {
    const pod = object as Pod;
    const summary = summarizePod(pod);
    const { spec, status } = pod;
    return [
      pod.metadata.name,
      `${summary.ready}/${summary.total}`,
      summary.reason,
      formatRestarts(summary, nowMs),
      ageOf(pod.metadata.creationTimestamp, nowMs),
      (status?.podIPs?.[0]?.ip ?? status?.podIP) || NONE,
      spec?.nodeName || NONE,
      status?.nominatedNodeName || NONE,
      formatGates(pod),
    ];
  },
};

function formatRestarts({ restarts, lastRestartAt }: PodSummary, nowMs: number): string {
  return restarts !== 0 && lastRestartAt ? `${restarts} (${ageOf(lastRestartAt, nowMs)} ago)` : String(restarts);
}

function formatGates({ spec, status }: Pod): string {
  const gates = spec?.readinessGates ?? [];
  if (gates.length === 0) return NONE;
  const conditions = status?.conditions ?? [];
  const met = gates.filter(({ conditionType }) =>
    conditions.some(({ type, status: value }) => type === conditionType && value === 'True'),
  );
  return `${met.length}/${gates.length}`;
}

export const pods: ResourceEntry = {
  groupResource: 'pods',
  group: '',
  plural: 'pods',
  singular: 'pod',
  kind: 'Pod',
  shortNames: ['po'],
  categories: ['all'],
  namespaced: true,
  verbs: STANDARD_VERBS,
  storageVersion: 'v1',
  versions: [{ version: 'v1', applyDefaults: applyPodDefaults }],
  strategy,
  status: true,
  table: podsTable,
  selectableFields: (object) =>
    selectFields(
      object,
      [
        'spec.nodeName',
        'spec.restartPolicy',
        'spec.schedulerName',
        'spec.serviceAccountName',
        'spec.hostNetwork',
        'status.phase',
        'status.podIP',
        'status.nominatedNodeName',
      ],
      { 'spec.hostNetwork': 'false' },
    ),
};
