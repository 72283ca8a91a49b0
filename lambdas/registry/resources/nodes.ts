import type { Node } from '../../objects/kinds.ts';
import { type Draft, fillAbsent, presentDraft } from '../defaulting/drafts.ts';
import type { ResourceEntry, TableRules } from '../ResourceEntry.ts';
import { ageColumn, column, nameColumn, wideColumn } from '../tables/columns.ts';
import { ageOf } from '../tables/humanDuration.ts';
import { immutableField } from '../validation/fieldErrors.ts';
import { selectFields, STANDARD_VERBS } from './standardRules.ts';

const FIXED = ['podCIDR', 'podCIDRs', 'providerID'];

const ROLE_PREFIX = 'node-role.kubernetes.io/';
const ROLE_LABEL = 'kubernetes.io/role';

const nodesTable: TableRules = {
  columns: [
    nameColumn,
    column('Status', 'Whether the node is ready and takes new pods.'),
    column('Roles', 'What the node is for, by its labels.'),
    ageColumn,
    column('Version', 'The version of its kubelet.'),
    wideColumn('Internal-IP', 'The address inside the cluster.'),
    wideColumn('External-IP', 'The address outside the cluster.'),
    wideColumn('OS-Image', 'What its operating system calls itself.'),
    wideColumn('Kernel-Version', 'The version of its kernel.'),
    wideColumn('Container-Runtime', 'What runs its containers.'),
  ],
  cells(object, nowMs) {
    const node = object as Node;
    const info = node.status?.nodeInfo;
    return [
      node.metadata.name,
      statusOf(node),
      rolesOf(node),
      ageOf(node.metadata.creationTimestamp, nowMs),
      info?.kubeletVersion ?? '',
      addressOf(node, 'InternalIP'),
      addressOf(node, 'ExternalIP'),
      info?.osImage || '<unknown>',
      info?.kernelVersion || '<unknown>',
      info?.containerRuntimeVersion || '<unknown>',
    ];
  },
};

/** What a kubelet may leave out of what it says about its machine. */
const NODE_INFO =
  'machineID systemUUID bootID kernelVersion osImage containerRuntimeVersion kubeletVersion kubeProxyVersion operatingSystem architecture';

/** Shows all of it: the Go fields lack `omitempty`. */
function showNodeInfo(draft: Draft): void {
  const info = presentDraft(presentDraft(draft, 'status') ?? {}, 'nodeInfo');
  if (info) for (const field of NODE_INFO.split(' ')) fillAbsent(info, field, '');
}

function statusOf({ spec, status }: Node): string {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  const word = ready ? (ready.status === 'True' ? 'Ready' : 'NotReady') : 'Unknown';
  return spec?.unschedulable ? `${word},SchedulingDisabled` : word;
}

function rolesOf({ metadata }: Node): string {
  const roles = Object.entries(metadata.labels ?? {}).flatMap(([key, value]) => {
    if (key.startsWith(ROLE_PREFIX)) return [key.slice(ROLE_PREFIX.length)];
    return key === ROLE_LABEL ? [value] : [];
  });
  return [...new Set(roles.filter(Boolean))].sort().join(',') || '<none>';
}

function addressOf({ status }: Node, wanted: string): string {
  return status?.addresses?.find(({ type }) => type === wanted)?.address ?? '<none>';
}

export const nodes: ResourceEntry = {
  groupResource: 'nodes',
  group: '',
  plural: 'nodes',
  singular: 'node',
  kind: 'Node',
  shortNames: ['no'],
  namespaced: false,
  verbs: STANDARD_VERBS,
  storageVersion: 'v1',
  versions: [{ version: 'v1', applyDefaults: showNodeInfo }],
  strategy: {
    // A kubelet registers its node with its status in one request.
    keepsStatusOnCreate: true,
    validateUpdate: (object, old) => {
      const spec = (object['spec'] ?? {}) as Record<string, unknown>;
      const before = (old['spec'] ?? {}) as Record<string, unknown>;
      return FIXED.filter((field) => (before[field] ?? '') !== '').flatMap((field) =>
        immutableField(`spec.${field}`, spec[field], before[field]),
      );
    },
  },
  status: true,
  table: nodesTable,
  selectableFields: (object) => selectFields(object, ['spec.unschedulable'], { 'spec.unschedulable': 'false' }),
};
