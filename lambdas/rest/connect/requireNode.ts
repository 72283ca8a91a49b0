import { notFound } from '../../objects/apiErrors.ts';
import type { Node } from '../../objects/kinds.ts';
import type { Registry } from '../../registry/Registry.ts';

/** Reads the node of that name. Throws NotFound. */
export async function requireNode(registry: Pick<Registry, 'get'>, name: string): Promise<Node> {
  const node = await registry.get<Node>({ resource: 'nodes', namespace: '', name });
  if (!node) throw notFound('nodes', name);
  return node;
}
