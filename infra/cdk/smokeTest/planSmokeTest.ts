import { parseConfig } from '../../../lambdas/functions/parseConfig.ts';
import type { ControllerName } from '../../../lambdas/controllers/controllerRooms.ts';
import type { DriftlessStackProps } from '../DriftlessStackProps.ts';

/**
 * How much of a Deployment the smoke test can see through under the stack's knobs.
 * - `rollout`: it is created, rolled and deleted.
 * - `requests`: it is created, changed and deleted, and nobody waits for its pods.
 * - `nothing`: it cannot reach the API, or its objects are not served.
 */
export interface SmokeTestPlan {
  readonly checks: 'rollout' | 'requests' | 'nothing';
  /** Why not all of it, for the user; empty for a whole rollout. */
  readonly because: string;
  /** The nodes to which its pods are bound: simulated ones, where others may be among the nodes. Empty: any. */
  readonly nodeNames: readonly string[];
}

/** Without these, a Deployment's pods do not start, or stay when it is deleted. */
const ROLLING: readonly ControllerName[] = [
  'deployment',
  'replicaset',
  'pod',
  'scheduler',
  'serviceaccount',
  'garbagecollector',
];
/** The smoke test's role and objects are of these versions. */
const VERSIONS = ['v1', 'apps/v1', 'rbac.authorization.k8s.io/v1'];
/** As many simulated nodes as the pods of the smoke test are bound to. */
const MAX_NAMED_NODES = 3;

/** Plans the smoke test of a stack with these knobs. Pure. */
export function planSmokeTest({
  config,
  nodes,
  nodesJoin,
  endpoint,
  domain,
}: Pick<DriftlessStackProps, 'config' | 'nodes' | 'nodesJoin' | 'endpoint' | 'domain'>): SmokeTestPlan {
  const { controllers, apiVersions } = parseConfig(config);
  const unserved = VERSIONS.filter((version) => apiVersions[version] === false);
  const isOff = (name: ControllerName) => !controllers[name].enabled;
  const nodeNames = nodesJoin
    ? Array.from({ length: Math.min(nodes, MAX_NAMED_NODES) }, (_, at) => `driftless-node-${at + 1}`)
    : [];
  if (endpoint === 'private') {
    return { checks: 'nothing', because: 'the API is reached only from its VPC, in which the test is not', nodeNames };
  }
  if (domain?.mutualTls) {
    return { checks: 'nothing', because: 'the API asks for a certificate, which the test has not', nodeNames };
  }
  if (unserved.length > 0) return { checks: 'nothing', because: `${unserved.join(', ')} is not served`, nodeNames };
  const missing = [
    ...ROLLING.filter(isOff).map((name) => `the controller ${name} is switched off`),
    ...(nodes === 0 ? ['there are no simulated nodes'] : []),
  ];
  return missing.length === 0
    ? { checks: 'rollout', because: '', nodeNames }
    : { checks: 'requests', because: missing.join(', '), nodeNames };
}
