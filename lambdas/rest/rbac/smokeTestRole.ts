import { allow, CORE } from './allow.ts';
import { user } from './componentRoles.ts';
import type { BoundRole } from './namespaceRoles.ts';

/** The user of the smoke test that a deployment of the AWS stack ends with. Its role and binding have the same name. */
export const SMOKE_TEST_USER = 'driftless:smoke-test';

/** The namespace of all runs of the smoke test. It stays, so that a role in it is all that its user needs: RBAC cannot limit the creation of namespaces to a name. */
export const SMOKE_TEST_NAMESPACE = 'driftless-smoke-test';

/** The smoke test creates one Deployment. It lists and deletes what came of it: the garbage collector may be what is broken, or switched off. */
export const SMOKE_TEST_ROLE: BoundRole = {
  namespace: SMOKE_TEST_NAMESPACE,
  name: SMOKE_TEST_USER,
  rules: [
    allow('create get list patch delete', 'apps', 'deployments'),
    allow('list delete', 'apps', 'replicasets'),
    allow('list delete', CORE, 'pods'),
  ],
  subjects: [user(SMOKE_TEST_USER)],
};
