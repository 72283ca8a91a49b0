import { CONTROLLER_NAMES, type ControllerName, type WorkKey } from '../ports/WorkKey.ts';

/** kubectl's short names. */
const SHORT_NAMES: Readonly<Record<string, ControllerName>> = {
  deploy: 'deployment',
  rs: 'replicaset',
  sts: 'statefulset',
  rc: 'replicationcontroller',
  po: 'pod',
  cj: 'cronjob',
  ds: 'daemonset',
  hpa: 'horizontalpodautoscaler',
  ns: 'namespace',
  sa: 'serviceaccount',
  quota: 'resourcequota',
  crd: 'customresourcedefinition',
  ep: 'endpoint',
  pdb: 'disruption',
  poddisruptionbudget: 'disruption',
  poddisruptionbudgets: 'disruption',
  pvc: 'pvcprotection',
  pv: 'pvprotection',
  no: 'nodelifecycle',
  csr: 'csrsigning',
  node: 'nodelifecycle',
  nodes: 'nodelifecycle',
  validatingadmissionpolicy: 'validatingadmissionpolicystatus',
  validatingadmissionpolicies: 'validatingadmissionpolicystatus',
};

/** The controllers whose keys have no namespace. */
const CLUSTER_SCOPED = new Set<ControllerName>([
  'namespace',
  'customresourcedefinition',
  'pvprotection',
  'validatingadmissionpolicystatus',
  'nodelifecycle',
  'tainteviction',
  'csrapproving',
  'csrsigning',
  'csrcleaner',
]);

/**
 * Parses `deployment/default/web`, or `deployment/web` for the namespace `default`; plural and short names are accepted too. `namespace/NAME` and `crd/NAME` have no namespace. The garbage
 * collector's keys are `garbagecollector/NAMESPACE/RESOURCE/NAME/UID`. Throws a TypeError for a text that is no key. Pure.
 */
export function parseExplainKey(text: string): WorkKey {
  const [kind = '', ...place] = text.split('/');
  const controller = controllerOf(kind);
  if (!controller) {
    throw new TypeError(`no controller works on ${JSON.stringify(kind)}; there are ${CONTROLLER_NAMES.join(', ')}`);
  }
  const [first = '', ...rest] = place;
  const isClusterScoped = CLUSTER_SCOPED.has(controller);
  const form = isClusterScoped ? `${controller}/NAME` : `${controller}/NAMESPACE/NAME`;
  if (place.length === 0 || first === '' || rest.includes('')) {
    throw new TypeError(`${JSON.stringify(text)} must have the form ${form}`);
  }
  if (isClusterScoped) return { controller, namespace: '', name: place.join('/') };
  if (controller === 'serviceaccount') return { controller, namespace: first, name: rest[0] ?? first };
  return rest.length === 0
    ? { controller, namespace: 'default', name: first }
    : { controller, namespace: first, name: rest.join('/') };
}

/** The key as a user writes it, which `parseExplainKey` reads. Pure. */
export function formatExplainKey({ controller, namespace, name }: WorkKey): string {
  return [controller, ...(namespace === '' ? [] : [namespace]), name].join('/');
}

function controllerOf(kind: string): ControllerName | undefined {
  const name = (kind.split('.')[0] ?? '').toLowerCase();
  return CONTROLLER_NAMES.find((one) => one === name || `${one}s` === name) ?? SHORT_NAMES[name];
}
