import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { FunctionSpec } from '../topology.ts';
import type { FunctionParts } from './FunctionParts.ts';
import type { Grant } from './grants/Grant.ts';
import { policyOf } from './grants/policyOf.ts';
import { keyGrants, storageGrants } from './grants/keyGrants.ts';
import { serviceGrants } from './grants/serviceGrants.ts';
import { ASK_FOR_INSTANCES, PERMISSIONS } from './permissions.ts';

interface RoleParts extends FunctionParts {
  readonly logGroup: LogGroup;
}

/** Creates a role that allows what `functionGrants` lists, and nothing else. */
export function createRole(scope: Construct, id: string, spec: FunctionSpec, parts: RoleParts): Role {
  return new Role(scope, id, {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: { Own: policyOf(functionGrants(spec), parts) },
  });
}

/** Creates the role of the API's container. It allows what `taskGrants` lists, and nothing else. Fargate itself pulls the image and writes the log. */
export function createTaskRole(scope: Construct, id: string, parts: FunctionParts): Role {
  return new Role(scope, id, {
    assumedBy: new ServicePrincipal('ecs-tasks.amazonaws.com'),
    inlinePolicies: { Own: policyOf(taskGrants(), parts) },
  });
}

/** Returns what a function's role allows: what its own code does, and what Lambda does for it. */
export function functionGrants(spec: FunctionSpec): readonly Grant[] {
  return [...PERMISSIONS[spec.name], ...serviceGrants(spec), ...keyGrants(spec.name)];
}

/** Returns what the container's role allows: what its own code does, and what AWS does for it with the key of the stack. */
export function taskGrants(): readonly Grant[] {
  return [...TASK_GRANTS, ...storageGrants('api')];
}

/** What the container does itself: what the function `api` does, and what `authorize` asks if the container identifies callers itself. */
export const TASK_GRANTS: readonly Grant[] = [
  ...PERMISSIONS.api,
  { ...ASK_FOR_INSTANCES, when: 'identifiesInstances' },
];
