import { jsonEqual } from '../../objects/json.ts';
import { subjectOf } from '../../ports/ChangeLog.ts';
import { type CustomResourceDefinition, DEFINITIONS } from '../../registry/customresources/CustomResourceDefinition.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';

/**
 * Resolves when the definition of a custom resource is gone, or describes it differently: Kubernetes ends the watches of the old resource then, so that clients
 * begin anew with what is served. For a resource without a definition, or once `signal` is aborted, resolves never. One read, and one reader of the log of the definitions.
 */
export async function definitionEnd(request: ResourceRequest, signal: AbortSignal): Promise<void> {
  const { entry } = request.resource;
  if (!entry.custom || entry.custom.load) return await new Promise(() => {});
  const { changeLog, registry } = request.dependencies;
  const opened = await changeLog.open(DEFINITIONS, await changeLog.head(DEFINITIONS), signal);
  if (opened.status !== 'open') return;
  try {
    const key = { resource: DEFINITIONS, namespace: '', name: entry.groupResource };
    const definition = await registry.get<CustomResourceDefinition>(key);
    if (!definition) return;
    while (!signal.aborted) {
      const changes = await opened.cursor.next(signal);
      if (changes === 'expired') return;
      const own = changes.filter((change) => subjectOf(change).metadata.name === entry.groupResource);
      if (own.some(({ after }) => !after || !jsonEqual(after['spec'], definition.spec))) return;
    }
  } finally {
    opened.cursor.close();
  }
}
