import type { Node } from '../kinds.ts';
import { compareQuantities, parseQuantity } from '../quantities/quantity.ts';

/** A node's annotation: its boundless resources, each with what one pod may ask for, as `cpu=896,memory=32Ti`. */
export const BOUNDLESS = 'driftless.dev/boundless';

const NONE: ReadonlySet<string> = new Set();
const read = new WeakMap<Node, ReadonlySet<string>>();

/**
 * Returns the resources of which any number of pods have as much as they request, one beside the other. What the node can allocate is what one pod may ask for, and must be what the annotation says: if somebody gives the node another
 * `allocatable`, that is for all of its pods together. Machines have nothing without bound; simulated nodes have, and services that give each pod a machine of its own. Pure.
 */
export function boundlessResources(node: Node): ReadonlySet<string> {
  const text = node.metadata.annotations?.[BOUNDLESS];
  if (text === undefined) return NONE;
  const known = read.get(node) ?? parseBoundless(text, node.status?.allocatable ?? {});
  read.set(node, known);
  return known;
}

/** Returns the text of the annotation. Pure. */
export function formatBoundless(resources: Readonly<Record<string, string>>): string {
  return Object.entries(resources)
    .map(([name, amount]) => `${name}=${amount}`)
    .join(',');
}

function parseBoundless(text: string, allocatable: Readonly<Record<string, string>>): ReadonlySet<string> {
  const named = text.split(',').flatMap((part) => {
    const [name = '', amount = ''] = part.trim().split('=');
    const [said, has] = [parseQuantity(amount), parseQuantity(allocatable[name])];
    return said && has && compareQuantities(said, has) === 0 ? [name] : [];
  });
  return new Set(named);
}
