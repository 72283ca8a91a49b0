import type { PolicyRule } from 'kubernetes-types/rbac/v1.js';
import { allow, CORE } from './allow.ts';

/** The user of the smoke test that a deployment of the AWS stack ends with, and its cluster role. */
export const SMOKE_TEST_USER = 'driftless:smoke-test';

/** The namespaces that the smoke test may use, one for each run at the same time. They are fixed, so that its role cannot delete any other. */
export const SMOKE_TEST_NAMESPACES = ['driftless-smoke-test-1', 'driftless-smoke-test-2', 'driftless-smoke-test-3'];

/** The Deployment that it creates there. */
export const SMOKE_TEST_DEPLOYMENT = 'smoke-test';

/** RBAC cannot limit a creation to a name. Pods are listed to say what a rollout waits for. */
export const SMOKE_TEST_RULES: readonly PolicyRule[] = [
  allow('create', CORE, 'namespaces'),
  allow('get delete', CORE, 'namespaces', SMOKE_TEST_NAMESPACES.join(' ')),
  allow('create', 'apps', 'deployments'),
  allow('get patch delete', 'apps', 'deployments', SMOKE_TEST_DEPLOYMENT),
  allow('list', CORE, 'pods'),
];
