import { resourceEntries } from '../../lambdas/registry/resourceEntries.ts';
import { resolveResource } from './resolveResource.ts';

/**
 * Returns the plural of a resource with its subresource: `deploy/status` → `deployments/status`. The whole name of a custom resource stays as it is: nobody knows yet what will be defined. Throws a
 * TypeError for a resource that cannot be served. Pure.
 */
export function canonicalResource(resource: string): string {
  const [name = '', ...subresource] = resource.split('/');
  const group = name.split('.').slice(1).join('.');
  if (group.includes('.') && !resourceEntries.some((entry) => entry.group === group)) return resource;
  return [resolveResource(resourceEntries, name).plural, ...subresource].join('/');
}
