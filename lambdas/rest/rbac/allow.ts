import type { PolicyRule } from 'kubernetes-types/rbac/v1.js';

/** The verbs that read, and those that write, as `allow` takes them. */
export const READ = 'get list watch';
export const WRITE = 'create delete deletecollection patch update';

/** The API group of Kubernetes' first resources, as pods. */
export const CORE = '';

/**
 * Writes a rule of a role in one line: lists of words, separated by spaces. Pure.
 *
 * `allow('get list', CORE, 'pods pods/status')` lets read pods. `groups`: of the API; `' events.k8s.io'` is the core group and another one. `names`: only the objects with these names.
 */
export function allow(verbs: string, groups: string, resources: string, names?: string): PolicyRule {
  return {
    verbs: verbs.split(' '),
    apiGroups: groups.split(' '),
    resources: resources.split(' '),
    ...(names !== undefined && { resourceNames: names.split(' ') }),
  };
}

/** Lets get the paths, which are none of a resource. Pure. */
export function allowPaths(paths: string): PolicyRule {
  return { verbs: ['get'], nonResourceURLs: paths.split(' ') };
}

/** What every component needs to report events. */
export const EVENTS = allow('create patch update', ' events.k8s.io', 'events');
